//! Bytes: joined, and as hexadecimal digits, Base64 and Base64url. Standard: RFC 4648.
//! Reading is strict about alphabet, length and unused bits, and names the character at fault.
import { Refusal } from '../kit/tool.js';

/** @param {...Uint8Array} parts */
export function concat(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A text as UTF-8. @param {string} text */
export const toUtf8 = (text) => new TextEncoder().encode(text);

/** A magnitude, highest byte first. @param {Uint8Array} bytes */
export const toBigInt = (bytes) => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

const LOWER = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const UPPER = LOWER.map((digits) => digits.toUpperCase());
const CHUNK = 4096;

/** @typedef {{ upper?: boolean, before?: string, between?: string, perLine?: number | null, lineStart?: string, lineEnd?: string }} Layout */

/**
 * Bytes as digits, broken into lines of `perLine` bytes.
 * @param {Uint8Array} bytes @param {Layout} [layout]
 */
export function toHex(bytes, layout = {}) {
  const { upper, before = '', between = '', perLine, lineStart = '', lineEnd = '' } = layout;
  const digits = (upper ? UPPER : LOWER).map((pair) => before + pair);
  const step = perLine || CHUNK;
  const lines = [];
  for (let at = 0; at < bytes.length; at += step)
    lines.push(Array.from(bytes.subarray(at, at + step), (byte) => digits[byte]).join(between));
  if (!perLine) return lines.join(between);
  return lines.map((line) => lineStart + line).join(`${lineEnd}\n`);
}

/** Digits with white space, colons and hyphens between them. @param {string} text */
export function fromHex(text) {
  const foreign = /[^\da-f\s:-]/iu.exec(text);
  if (foreign)
    throw new Refusal(
      `has the character ${JSON.stringify(foreign[0])}, which is not a hexadecimal digit`,
      { at: foreign.index },
    );
  const digits = text.replace(/[\s:-]/g, '');
  if (digits.length % 2)
    throw new Refusal('has an odd number of hexadecimal digits', { hint: 'A byte is two digits.' });
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Methods of newer browsers. @type {any} */
const native = Uint8Array;

/** @param {Uint8Array} bytes @returns {string} */
export function toBase64(bytes) {
  if (native.prototype.toBase64) return native.prototype.toBase64.call(bytes);
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

/** @param {Uint8Array} bytes */
export const toBase64Url = (bytes) =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** The bytes of Base64 that is known to be right. @param {string} digits @returns {Uint8Array<ArrayBuffer>} */
export function fromDigits(digits) {
  if (native.fromBase64) return native.fromBase64(digits);
  const binary = atob(digits);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Base64url without padding, as JOSE demands it. @param {string} string */
export const fromBase64Url = (string) => decode(string, true, /(?!)/g);

/** Standard alphabet. White space anywhere and missing padding are accepted. @param {string} string */
export const fromBase64 = (string) => decode(unpadded(string), false);

/** Either alphabet, white space and padding allowed: for keys that people paste. @param {string} string */
export const fromAnyBase64 = (string) => decode(unpadded(string), /[-_]/.test(string));

/** Without white space and at most two `=` at the end. @param {string} string */
function unpadded(string) {
  let end = string.trimEnd().length;
  for (let pads = 0; pads < 2 && string[end - 1] === '='; pads++) end -= 1;
  return string.slice(0, end);
}

/** @param {string} typed @param {boolean} isUrl @param {RegExp} [space] what is left out */
function decode(typed, isUrl, space = /[ \t\r\n]/g) {
  const name = isUrl ? 'Base64url' : 'Base64';
  const foreign = (isUrl ? /[^\w-]/u : /[^A-Za-z\d+/]/u).exec(typed.replace(space, 'A'));
  if (foreign)
    throw new Refusal(`has the character ${JSON.stringify(foreign[0])}, which is not in ${name}`, {
      at: foreign.index,
      hint: `${name} has A to Z, a to z, 0 to 9, ${isUrl ? '- and _' : '+ and /'}.`,
    });
  const digits = typed.replace(space, '').replaceAll('-', '+').replaceAll('_', '/');
  if (digits.length % 4 === 1)
    throw new Refusal(`has a length that ${name} cannot have: one digit is left over`, {
      at: typed.length,
    });
  const bytes = fromDigits(digits);
  if (
    !toBase64(bytes.subarray(-(bytes.length % 3 || 3))).startsWith(
      digits.slice(-(digits.length % 4 || 4)),
    )
  )
    throw new Refusal(`ends in bits that are not zero, so it is not the ${name} of whole bytes`, {
      at: typed.length - 1,
    });
  return bytes;
}
