//! Base32: RFC 4648 §6 and §7, Crockford's with check symbols, z-base-32.

import { Refusal } from '../kit/tool.js';

export const ALPHABETS = {
  standard: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  hex: '0123456789ABCDEFGHIJKLMNOPQRSTUV',
  crockford: '0123456789ABCDEFGHJKMNPQRSTVWXYZ',
  zbase32: 'ybndrfg8ejkmcpqxot1uwisza345h769',
};
const CHECKS = `${ALPHABETS.crockford}*~$=U`;

/** @typedef {keyof typeof ALPHABETS} Alphabet */

const decoder = new TextDecoder('latin1');

/** ASCII codes as text. @param {Uint8Array} codes */
const textOf = (codes) => decoder.decode(codes);

/** @param {Uint8Array} bytes @param {Alphabet} alphabet */
export function toBase32(bytes, alphabet) {
  const codes = Array.from(ALPHABETS[alphabet], (symbol) => symbol.charCodeAt(0));
  const out = new Uint8Array(Math.ceil((bytes.length * 8) / 5));
  let at = 0;
  let bits = 0;
  let held = 0;
  for (let index = 0; index < bytes.length; index++) {
    held = ((held & 31) << 8) | (bytes[index] ?? 0);
    bits += 8;
    for (; bits >= 5; bits -= 5) out[at++] = codes[(held >> (bits - 5)) & 31] ?? 0;
  }
  if (bits > 0) out[at] = codes[(held << (5 - bits)) & 31] ?? 0;
  return textOf(out);
}

/** Padding: `=` up to a multiple of eight symbols. @param {string} symbols */
export const padding = (symbols) => '='.repeat((8 - (symbols.length % 8)) % 8);

/** Crockford's check symbol: the number modulo 37. @param {string} symbols */
export function checkSymbol(symbols) {
  let rest = 0;
  for (const symbol of symbols) rest = (rest * 32 + ALPHABETS.crockford.indexOf(symbol)) % 37;
  return CHECKS.charAt(rest);
}

/** A whole number in Crockford's alphabet. @param {bigint} number */
export function fromNumber(number) {
  let symbols = '';
  for (let rest = number; rest > 0n || symbols === ''; rest /= 32n)
    symbols = ALPHABETS.crockford.charAt(Number(rest % 32n)) + symbols;
  return symbols;
}

/** @param {string} symbols */
export function toNumber(symbols) {
  let number = 0n;
  for (const symbol of symbols) number = number * 32n + BigInt(ALPHABETS.crockford.indexOf(symbol));
  return number;
}

const LOOKS = { O: '0', I: '1', L: '1' };

/** Lookup table of ASCII characters: the code of the canonical symbol, or 0. @param {Alphabet} alphabet */
function readings(alphabet) {
  const codes = new Uint8Array(128);
  for (const symbol of ALPHABETS[alphabet])
    for (const typed of [symbol.toLowerCase(), symbol.toUpperCase()])
      codes[typed.charCodeAt(0)] = symbol.charCodeAt(0);
  if (alphabet === 'crockford')
    for (const [typed, symbol] of Object.entries(LOOKS))
      for (const one of [typed, typed.toLowerCase()])
        codes[one.charCodeAt(0)] = symbol.charCodeAt(0);
  return codes;
}

/** Where the symbols end: before padding and white space. @param {string} string */
function endOf(string) {
  let end = string.length;
  let padded = 0;
  for (; end > 0 && /[\s=]/.test(string.charAt(end - 1)); end--)
    if (string[end - 1] === '=') padded++;
  return { end, padded };
}

/**
 * Warns about everything tolerated, once per kind.
 * @param {Alphabet} alphabet
 * @param {Uint8Array} seen how often each ASCII character was typed, 1 at most
 * @param {(sentence: string) => void} warn
 */
function tellTolerated(alphabet, seen, warn) {
  const typed = Array.from(seen.keys())
    .filter((code) => seen[code])
    .map((code) => String.fromCharCode(code));
  if (typed.some((one) => /\s/.test(one)) || seen[0]) warn('White space was left out.');
  if (seen[0x2d]) warn('Hyphens were left out.');
  if (alphabet === 'zbase32' && typed.some((one) => /[A-Z]/.test(one)))
    warn('Uppercase letters were read as lowercase.');
  if (alphabet !== 'zbase32' && typed.some((one) => /[a-z]/.test(one)))
    warn('Lowercase letters were read as uppercase.');
  if (alphabet !== 'crockford') return;
  for (const [look, symbol] of Object.entries(LOOKS))
    if (typed.includes(look) || typed.includes(look.toLowerCase()))
      warn(`"${look}" was taken as "${symbol}".`);
}

/**
 * The symbols of a text in canonical form. Warns about everything tolerated.
 * @param {string} string @param {Alphabet} alphabet @param {boolean} hasCheck whether the last one is a check symbol
 * @param {(sentence: string) => void} warn
 * @returns {{ symbols: string, last: number, check: { symbol: string, index: number } | undefined, padded: number }}
 *   `last`: the index of the last symbol
 */
export function readSymbols(string, alphabet, hasCheck, warn) {
  let { end, padded } = endOf(string);
  /** @type {{ symbol: string, index: number } | undefined} */
  let check;
  if (hasCheck && padded > 0) check = { symbol: '=', index: string.indexOf('=', end) };
  else if (hasCheck && end > 0) {
    const index = --end;
    const symbol = canonicalCheck(string.charAt(index));
    if (!CHECKS.includes(symbol)) foreign(string, index, alphabet, true);
    check = { symbol, index };
    while (end > 0 && /[\s-]/.test(string.charAt(end - 1))) end--;
  }
  const codes = readings(alphabet);
  const out = new Uint8Array(end);
  const seen = new Uint8Array(128);
  let count = 0;
  let last = 0;
  for (let index = 0; index < end; index++) {
    const typed = string.charCodeAt(index);
    const code = codes[typed];
    if (code) {
      out[count++] = code;
      last = index;
      seen[typed] = 1;
    } else if (typed === 0x2d && alphabet === 'crockford') seen[typed] = 1;
    else if (/\s/.test(string.charAt(index))) seen[typed < 128 ? typed : 0] = 1;
    else foreign(string, index, alphabet, false);
  }
  tellTolerated(alphabet, seen, warn);
  return { symbols: textOf(out.subarray(0, count)), last, check, padded };
}

/** @param {string} typed */
function canonicalCheck(typed) {
  const symbol = typed.toUpperCase();
  return symbol in LOOKS ? LOOKS[/** @type {keyof typeof LOOKS} */ (symbol)] : symbol;
}

/** @type {(string: string, index: number, alphabet: Alphabet, isCheck: boolean) => never} */
function foreign(string, index, alphabet, isCheck) {
  // The search from the end finds the second half of a surrogate pair first.
  const isSecond = index > 0 && (string.codePointAt(index - 1) ?? 0) > 0xffff;
  const at = isSecond ? index - 1 : index;
  throw new Refusal(
    `"${String.fromCodePoint(string.codePointAt(at) ?? 0)}" is not a symbol of this alphabet`,
    {
      at,
      hint: `The symbols are ${ALPHABETS[alphabet]}${isCheck ? ', and * ~ $ = U as check symbols' : ''}.`,
    },
  );
}

/**
 * The bytes of canonical symbols, and the bits past the last byte. Refuses impossible lengths.
 * @param {string} symbols @param {Alphabet} alphabet @param {number} [at] the index of the last one
 */
export function bytesOf(symbols, alphabet, at) {
  const { length } = symbols;
  if ([1, 3, 6].includes(length % 8))
    throw new Refusal(
      `has ${length} symbol${length === 1 ? '' : 's'}, which is not a length that Base32 gives`,
      {
        ...(at !== undefined && { at }),
        hint: 'One, three or six symbols over a multiple of eight hold no whole byte.',
      },
    );
  const values = new Uint8Array(128);
  for (const [value, symbol] of Array.from(ALPHABETS[alphabet]).entries())
    values[symbol.charCodeAt(0)] = value;
  const bytes = new Uint8Array(Math.floor((length * 5) / 8));
  let next = 0;
  let bits = 0;
  let held = 0;
  for (let index = 0; index < length; index++) {
    held = (held << 5) | (values[symbols.charCodeAt(index)] ?? 0);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[next++] = held >> bits;
    held &= (1 << bits) - 1;
  }
  return { bytes, rest: held };
}

/** The same of symbols as read, whose last bits must be zero. @param {{ symbols: string, last: number }} read @param {Alphabet} alphabet */
export function fromSymbols({ symbols, last }, alphabet) {
  const { bytes, rest } = bytesOf(symbols, alphabet, last);
  if (rest !== 0)
    throw new Refusal(`"${symbols.at(-1)}" has bits past the last byte that are not zero`, {
      at: last,
      hint: 'The text is cut off or was changed.',
    });
  return bytes;
}
