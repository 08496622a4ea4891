//! Text as bytes and back: UTF-8, UTF-16 and Latin-1. Standards: RFC 3629, RFC 2781, ISO/IEC 8859-1.

import { Refusal } from '../../kit/tool.js';
import { toHex } from '../../lib/bytes.js';

/** @import * as T from '../../kit/types.d.ts' */

export const CHARSETS = /** @type {const} */ ({
  utf8: 'UTF-8',
  utf16le: 'UTF-16 LE',
  utf16be: 'UTF-16 BE',
  latin1: 'Latin-1',
});

/** @typedef {keyof typeof CHARSETS} Charset */

/** @param {string} string @param {boolean} littleEndian */
function utf16(string, littleEndian) {
  const bytes = new Uint8Array(string.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < string.length; at++)
    view.setUint16(at * 2, string.charCodeAt(at), littleEndian);
  return bytes;
}

/**
 * The bytes of a text; a file is left unchanged.
 * @param {T.TextValue} value @param {Charset} charset
 */
export function encode(value, charset) {
  if (value.file || charset === 'utf8') return value.bytes;
  if (charset !== 'latin1') return utf16(value.raw, charset === 'utf16le');
  const [foreign] = /[^\0-\xff]/u.exec(value.raw) ?? [];
  if (foreign)
    throw new Refusal(`"${foreign}" is not in Latin-1`, {
      at: value.raw.indexOf(foreign),
      hint: 'Use UTF-8 or UTF-16 for it.',
    });
  return Uint8Array.from(value.raw, (character) => character.charCodeAt(0));
}

/**
 * Decodes bytes; those that are not text become hexadecimal digits, with a warning.
 * @param {Uint8Array} bytes @param {Charset} charset @param {T.Context} context
 */
export function decode(bytes, charset, context) {
  if (charset === 'utf8') return context.decodeText(bytes);
  if (charset === 'latin1') {
    const parts = [];
    for (let at = 0; at < bytes.length; at += 8192)
      parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
    return parts.join('');
  }
  const label = charset === 'utf16le' ? 'utf-16le' : 'utf-16be';
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    context.warn(
      `The bytes are not ${CHARSETS[charset]} text; they are shown as hexadecimal digits.`,
    );
    return toHex(bytes, { between: ' ' });
  }
}
