//! QR codes that declare their text as UTF-8, by an ECI designator before the byte segment. Readers have to guess the
//! encoding of other codes. The library draws the modules and computes the parity, but writes no designators. Standard: ISO/IEC 18004, 7.4.3 and 7.6.

import { _BYTES, _ECC_BLOCKS, _GF256, _tests, _WORDS_PER_BLOCK } from '../../libraries/qr.js';

/** @typedef {'low' | 'medium' | 'quartile' | 'high'} Level */

/** The mode of a designator, and assignment 26: UTF-8. */
const DESIGNATOR = '011100011010';
const BYTE_MODE = '0100';
const PADDING = [0xec, 0x11];

/** Coefficients of the generator polynomial, without the first. @param {number} count */
function generator(count) {
  const { exp, log } = _GF256;
  const times = (/** @type {number} */ a, /** @type {number} */ power) =>
    a ? (exp[(log[a] ?? 0) + power] ?? 0) : 0;
  let all = [1];
  for (let power = 0; power < count; power++)
    all = [...all, 0].map((one, at) => one ^ times(all[at - 1] ?? 0, power));
  return new Uint8Array(all.slice(1));
}

/** @param {Uint8Array} text @param {number} version @param {number} room in bytes */
function codewords(text, version, room) {
  const binary = (/** @type {number} */ value, /** @type {number} */ digits) =>
    value.toString(2).padStart(digits, '0');
  const head = DESIGNATOR + BYTE_MODE + binary(text.length, version < 10 ? 8 : 16);
  const bits = head + Array.from(text, (byte) => binary(byte, 8)).join('');
  const ended = bits + '0000'.slice(0, 8 * room - bits.length);
  const words = (ended.match(/.{1,8}/g) ?? []).map((word) =>
    Number.parseInt(word.padEnd(8, '0'), 2),
  );
  const length = words.length;
  return Uint8Array.from({ length: room }, (_, at) => words[at] ?? PADDING[(at - length) % 2] ?? 0);
}

/** The modules of a code, without the quiet zone. @param {string} text @param {Level} level @param {number} version @returns {boolean[][]} */
export function modulesOfUtf8(text, level, version) {
  const [total = 0, parity = 0, count = 1] = [
    _BYTES,
    _WORDS_PER_BLOCK[level],
    _ECC_BLOCKS[level],
  ].map((table) => table[version - 1]);
  const data = codewords(new TextEncoder().encode(text), version, total - parity * count);
  const short = Math.floor(data.length / count);
  const shorter = count - (data.length % count);
  const blocks = Array.from({ length: count }, (_, at) => {
    const from = at * short + Math.max(0, at - shorter);
    return data.subarray(from, from + short + Number(at >= shorter));
  });
  const polynomial = generator(parity);
  const parities = blocks.map((block) => _tests.rsEcc(block, polynomial));
  const woven = (/** @type {Uint8Array[]} */ all, /** @type {number} */ length) =>
    Array.from({ length }, (_, at) => all.flatMap((one) => one[at] ?? [])).flat();
  const symbol = _tests.drawSymbol(
    version,
    level,
    Uint8Array.from([...woven(blocks, short + 1), ...woven(parities, parity)]),
  );
  const side = Array.from({ length: symbol.size }, (_, at) => at);
  return side.map((y) => side.map((x) => _tests.matGet(symbol, x, y) === 1));
}
