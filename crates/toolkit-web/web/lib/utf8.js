//! Strict UTF-8 decoding, with the position of invalid bytes. Standard: RFC 3629 §4.

import { attempt } from '../kit/tool.js';

/** Length of the sequence that a byte starts, and the bounds of the second byte. @param {number} first */
function sequenceOf(first) {
  if (first < 0x80) return { length: 1, low: 0, high: 0 };
  if (first >= 0xc2 && first <= 0xdf) return { length: 2, low: 0x80, high: 0xbf };
  if (first >= 0xe0 && first <= 0xef)
    return { length: 3, low: first === 0xe0 ? 0xa0 : 0x80, high: first === 0xed ? 0x9f : 0xbf };
  if (first >= 0xf0 && first <= 0xf4)
    return { length: 4, low: first === 0xf0 ? 0x90 : 0x80, high: first === 0xf4 ? 0x8f : 0xbf };
  return undefined;
}

/** Index of the first byte that does not start a complete UTF-8 sequence, or -1. @param {Uint8Array} bytes */
export function notUtf8At(bytes) {
  for (let at = 0; at < bytes.length; ) {
    const sequence = sequenceOf(bytes[at] ?? 0);
    if (sequence === undefined) return at;
    for (let next = 1; next < sequence.length; next++) {
      const byte = bytes[at + next] ?? 0;
      const [low, high] = next === 1 ? [sequence.low, sequence.high] : [0x80, 0xbf];
      if (byte < low || byte > high) return at;
    }
    at += sequence.length;
  }
  return -1;
}

/** Bytes as UTF-8 text, or undefined. @param {Uint8Array} bytes */
export const utf8 = (bytes) =>
  attempt(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));

/** Whether Latin letters are printed text, mostly ASCII, as UTF-16 without a mark is recognized. @param {Uint8Array} letters */
export function isPrinted(letters) {
  const isSign = (/** @type {number} */ byte) =>
    /[\t\n\r -~\u00a0-\u00ff]/.test(String.fromCharCode(byte));
  return letters.every(isSign) && 2 * letters.filter((byte) => byte < 0x80).length > letters.length;
}
