//! Hexadecimal digits: plain, spaced, `0x`, `\x`, C arrays, dumps of xxd and `hexdump -C`. Standard: RFC 4648 §8.

import { Refusal } from '../../kit/tool.js';
import { toHex } from '../../lib/bytes.js';

/** A C array, as `xxd -i` writes it. @param {Uint8Array} bytes @param {{ upper: boolean, perLine: number, name: string }} options */
export function toC(bytes, { upper, perLine, name }) {
  const body = toHex(bytes, {
    upper,
    before: '0x',
    between: ', ',
    perLine,
    lineStart: '  ',
    lineEnd: ',',
  });
  return `unsigned char ${name}[] = {\n${body}\n};\nunsigned int ${name}_len = ${bytes.length};\n`;
}

/** A dump as `xxd` writes it. @param {Uint8Array} bytes @param {{ upper: boolean, perLine: number }} options */
export function toDump(bytes, { upper, perLine }) {
  const width = perLine * 2 + Math.ceil(perLine / 2);
  const lines = [];
  for (let at = 0; at < bytes.length; at += perLine) {
    const part = bytes.subarray(at, at + perLine);
    let pairs = '';
    let shown = '';
    part.forEach((byte, index) => {
      pairs += toHex(part.subarray(index, index + 1), { upper }) + (index % 2 ? ' ' : '');
      shown += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
    });
    lines.push(`${at.toString(16).padStart(8, '0')}: ${pairs.padEnd(width)} ${shown}\n`);
  }
  return lines.join('');
}

const HINT = 'Digits are 0-9, a-f and A-F.';
const DUMP_LINE = /^[ \t]*([0-9a-f]{4,16}):[ \t]?(.*)$/i;
/**
 * A line of `hexdump -C`: offset, digits, the text between bars; the last line is an offset alone.
 */
const CANONICAL_LINE = /^([0-9a-f]{7,16})(?:( {2}[^|]*)\|.*\|?)?$/i;
const isDigit = (/** @type {string | undefined} */ unit) =>
  unit !== undefined && /[0-9a-f]/i.test(unit);

/** A run of digits: pairs, or after `0x` a single one. @param {string} run @param {number} index @param {boolean} prefixed @param {number[]} out */
function digitsOf(run, index, prefixed, out) {
  if (prefixed && run.length === 1) out.push(Number.parseInt(run, 16));
  else if (run.length % 2)
    throw new Refusal(`has an odd number of digits (${run.length}) in a group`, {
      at: index,
      hint: 'A byte is two digits.',
    });
  else
    for (let at = 0; at < run.length; at += 2) out.push(Number.parseInt(run.slice(at, at + 2), 16));
}

/** Digits with separators and prefixes, from `start`. @param {string} string @param {number} start @param {number} end @param {number[]} out */
function scan(string, start, end, out) {
  let at = start;
  while (at < end) {
    const prefix = /0x|\\x/iy;
    prefix.lastIndex = at;
    const prefixed = prefix.test(string);
    if (prefixed) at += 2;
    const begin = at;
    while (at < end && isDigit(string[at])) {
      if (at > begin && string[at] === '0' && /x/i.test(string[at + 1] ?? '')) break;
      at++;
    }
    const next = string[at] ?? '';
    if (at < end && !/[\s,;:%_\\-]/.test(next) && !/^0x/i.test(string.slice(at, at + 2))) {
      const character = String.fromCodePoint(string.codePointAt(at) ?? 0);
      throw new Refusal(`"${character}" is not a hexadecimal digit`, { at, hint: HINT });
    }
    if (at > begin) digitsOf(string.slice(begin, at), begin, prefixed, out);
    else if (prefixed) throw new Refusal('has a prefix without digits', { at, hint: HINT });
    else if (next === '\\' && at < end)
      throw new Refusal('"\\" is not a hexadecimal digit', { at, hint: HINT });
    else at++;
  }
}

/** The hexadecimal part of a dump line: groups separated by one space, ended by two. @param {string} part */
const dumped = (part) => /^(?:[0-9a-f]+(?: (?! )|$)?)*/i.exec(part)?.[0] ?? '';

/** @param {string} string @param {number[]} out @param {(sentence: string) => void} warn */
function undump(string, out, warn) {
  let index = 0;
  let gaps = 0;
  for (const line of string.split('\n')) {
    const [, offset = '', rest = ''] = DUMP_LINE.exec(line.replace(/\r$/, '')) ?? [];
    if (offset) {
      if (Number.parseInt(offset, 16) !== out.length) gaps++;
      const from = index + line.indexOf(':') + 1;
      const begin = from + (rest ? string.slice(from).indexOf(rest.charAt(0)) : 0);
      const pairs = dumped(rest);
      scan(string, begin, begin + pairs.length, out);
      const next = rest[pairs.length];
      if (next !== undefined && next !== ' ' && next !== '\t' && !/ $/.test(pairs))
        scan(string, begin + pairs.length, begin + pairs.length + 1, out);
    }
    index += line.length + 1;
  }
  if (gaps > 0)
    warn(
      'The offsets of the dump do not follow each other; its bytes are taken in the order of the lines.',
    );
}

/** @param {string} string @param {number[]} out @param {(sentence: string) => void} warn */
function fromCanonical(string, out, warn) {
  let index = 0;
  let isCut = false;
  for (const line of string.split('\n')) {
    const [, offset = '', digits = ''] = CANONICAL_LINE.exec(line.replace(/\r$/, '')) ?? [];
    if (line.trim() === '*') isCut = true;
    else if (offset) {
      isCut ||= Number.parseInt(offset, 16) !== out.length;
      scan(string, index + offset.length, index + offset.length + digits.length, out);
    }
    index += line.length + 1;
  }
  if (isCut)
    warn(
      'The dump leaves out repeated lines ("*"), which are missing here too; `hexdump -v` writes all.',
    );
}

/** @param {readonly string[]} lines */
const isCanonical = (lines) =>
  lines.some((line) => /^[0-9a-f]{7,16} {2}.*\|/i.test(line)) &&
  lines.every((line) => line.trim() === '*' || CANONICAL_LINE.test(line.replace(/\r$/, '')));

/**
 * Bytes of any of these notations, detected automatically.
 * @param {string} string @param {(sentence: string) => void} [warn]
 */
export function fromHex(string, warn = () => {}) {
  /** @type {number[]} */
  const out = [];
  const lines = string.split('\n').filter((line) => line.trim() !== '');
  const open = string.indexOf('{');
  if (lines.length > 0 && lines.every((line) => DUMP_LINE.test(line.replace(/\r$/, ''))))
    undump(string, out, warn);
  else if (isCanonical(lines)) fromCanonical(string, out, warn);
  else if (open >= 0) {
    const close = string.indexOf('}', open);
    scan(string, open + 1, close < 0 ? string.length : close, out);
  } else scan(string, 0, string.length, out);
  return Uint8Array.from(out);
}
