//! Base64 and Base64url of bytes. Standard: RFC 4648 §4 and §5, RFC 7515 §2 (no padding).
//! Decoding is strict about alphabet, length and unused bits, and reports the offset of an error.
import { Fault } from './fault.js';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const STANDARD = `${LETTERS}+/`;
const URL_SAFE = `${LETTERS}-_`;

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary);
}

/** @param {Uint8Array} bytes */
export function toBase64Url(bytes) {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @param {string} string Base64url without padding, as JOSE demands it */
export function fromBase64Url(string) {
  return decode(
    string,
    [...string].length === string.length ? string.length : -1,
    symbolOf(URL_SAFE),
    'Base64url',
  );
}

/**
 * Standard alphabet; white space anywhere and missing padding are accepted.
 * @param {string} string
 */
export function fromBase64(string) {
  const end = paddingStart(string);
  return decode(string, end, symbolOf(STANDARD), 'Base64');
}

/** Either alphabet, white space and padding allowed: for keys that people paste. @param {string} string */
export function fromAnyBase64(string) {
  const urlSafe = /[-_]/.test(string);
  return decode(string, paddingStart(string), symbolOf(urlSafe ? URL_SAFE : STANDARD), 'Base64');
}

/** @param {string} alphabet */
function symbolOf(alphabet) {
  const values = new Int16Array(128).fill(-1);
  for (let value = 0; value < 64; value++) values[alphabet.charCodeAt(value)] = value;
  if (alphabet === STANDARD) for (const space of ' \t\r\n') values[space.charCodeAt(0)] = -2;
  return values;
}

/** Index at which trailing white space and at most two `=` begin. @param {string} string */
function paddingStart(string) {
  const trimmed = string.trimEnd();
  let end = trimmed.length;
  for (let pads = 0; pads < 2 && trimmed[end - 1] === '='; pads++) end -= 1;
  return end;
}

/**
 * @param {string} string
 * @param {number} end where the digits end; -1 for the whole string
 * @param {Int16Array} values
 * @param {string} name
 */
function decode(string, end, values, name) {
  const last = end < 0 ? string.length : end;
  const out = new Uint8Array(Math.ceil((last * 3) / 4));
  let bits = 0;
  let held = 0;
  let length = 0;
  let digits = 0;
  for (let at = 0; at < last; at++) {
    const value = values[string.charCodeAt(at)] ?? -1;
    if (value === -2) continue;
    if (value < 0) throw foreign(string, at, name);
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    digits += 1;
    if (bits >= 8) {
      bits -= 8;
      out[length++] = (held >> bits) & 0xff;
    }
  }
  if (digits % 4 === 1)
    throw new Fault(`has a length that ${name} cannot have: one digit is left over`, {
      offset: last,
    });
  if ((held & ((1 << bits) - 1)) !== 0)
    throw new Fault(`ends in bits that are not zero, so it is not the ${name} of whole bytes`, {
      offset: last - 1,
    });
  return out.subarray(0, length);
}

/** @param {string} string @param {number} at @param {string} name */
function foreign(string, at, name) {
  const character = String.fromCodePoint(string.codePointAt(at) ?? 0);
  return new Fault(`has the character ${JSON.stringify(character)}, which is not in ${name}`, {
    offset: [...string.slice(0, at)].length,
    hint: `${name} has A to Z, a to z, 0 to 9, ${name === 'Base64' ? '+ and /' : '- and _'}.`,
  });
}
