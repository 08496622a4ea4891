//! Detectors of encodings: Base64, hexadecimal, Base32, binary digits, entities, percent-encoding.
import { attempt } from '../../kit/tool.js';

/** @import { Detector, Guess } from './values.js' */

/** Whether bytes are UTF-8 text without control characters. @param {Uint8Array} bytes */
function isText(bytes) {
  const text = attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  return !!text && !/[^\P{Cc}\t\r\n]/u.test(text);
}

/** @param {string} text @returns {Uint8Array | undefined} */
function base64Bytes(text) {
  const binary = attempt(() => atob(text.replaceAll('-', '+').replaceAll('_', '/')));
  return binary === undefined ? undefined : Uint8Array.from(binary, (one) => one.charCodeAt(0));
}

/** @type {Detector} */
function base64(text) {
  const dense = text.replace(/\s+/g, '');
  if (!/^[\w+/-]{4,}={0,2}$/.test(dense) || / /.test(text)) return undefined;
  if (/[-_]/.test(dense) && /[+/]/.test(dense)) return undefined;
  const bytes = base64Bytes(dense);
  if (!bytes) return undefined;
  if (/^(?:iVBORw0KGgo|\/9j\/[24]|R0lGOD[dl]h|UklGR)/.test(dense) && dense.length >= 40)
    return [
      ['image', 0.97],
      ['base64', 0.85],
    ];
  if (/^MI[ICDEFGHJ]/.test(dense) && bytes[0] === 0x30 && bytes.length > 200)
    return [
      ['certificate', 0.9],
      ['base64', 0.85],
    ];
  if (/^U2FsdGVkX1/.test(dense) && bytes.length >= 32) return [['salted', 0.97]];
  const isPadded = dense.endsWith('=');
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[+/=]/].filter((one) => one.test(dense)).length;
  if (isText(bytes) && bytes.length >= 3 && (isPadded || dense.length >= 7) && kinds > 1)
    return [['base64', isPadded || dense.length >= 12 ? 0.94 : 0.7]];
  if (/[-_]/.test(dense) && dense.length < 40) return undefined;
  const isWhole = dense.length % 4 === 0;
  if (isPadded && isWhole && dense.length >= 12 && kinds > 2) return [['base64', 0.9]];
  return isWhole && dense.length >= 24 && kinds > 2 && !/^[/]|[/][a-z]+[/]/.test(dense)
    ? [['base64', kinds > 3 || dense.length >= 64 ? 0.85 : 0.5]]
    : undefined;
}

/** Lengths of well-known digests, in digits. */
const DIGESTS = [32, 40, 56, 64, 96, 128];
/** `digits  file`, `SHA256 (file) = digits`, `sha256:digits`. */
const CHECKSUM =
  /^(?:([\da-f]+)[ \t]+\*?[^\s*].*|(?:[a-z][\w/-]{2,11} ?\(.+\) ?= ?|(?:md5|sha[\d-]{1,5}|blake3)[:=])([\da-f]+))$/i;
/** Subresource Integrity. */
const INTEGRITY = /^sha(?:256|384|512)-(?:[\w+/]{4}){8,22}(?:[\w+/]{2}==|[\w+/]{3}=)?$/;

/** Whether a text is an IBAN with valid check digits (ISO 13616). @param {string} text */
function isIban(text) {
  const dense = text.replaceAll(' ', '');
  if (!/^[A-Z]{2}\d{2}[\dA-Z]{11,30}$/.test(dense)) return false;
  const digits = `${dense.slice(4)}${dense.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return BigInt(digits) % 97n === 1n;
}

/** @type {Detector} */
function hex(text) {
  // MAC addresses look the same.
  if (/^(?:[\da-f]{2}[:-]){5}[\da-f]{2}$/i.test(text)) return [['hex', 0.5]];
  if (isIban(text)) return undefined;
  if (/^(?:\\x[\da-f]{2}){2,}$/i.test(text)) return [['hex', 0.97]];
  if (/^(?:0x[\da-f]{2},?\s*){3,}$/i.test(text)) return [['hex', 0.95]];
  if (/^[\da-f]{7,8}:? (?: ?[\da-f]{2,4}\b)+/i.test(text)) return [['hex', 0.93]];
  if (/^[\da-f]{2}(?:[ :-][\da-f]{2}){2,}$/i.test(text) && !/^[\d :-]+$/.test(text))
    return [['hex', 0.9]];
  const [, sum, labelled = sum ?? ''] = CHECKSUM.exec(text) ?? [];
  if (DIGESTS.includes(labelled.length) || INTEGRITY.test(text)) return [['digest', 0.97]];
  const dense = text.replace(/^0x/i, '').replace(/\s+/g, '');
  if (!/^[\da-f]+$/i.test(dense) || dense.length % 2 || dense.length < 4) return undefined;
  if (/[a-f][A-F]|[A-F][a-f]/.test(dense)) return undefined;
  const isPrefixed = /^0x/i.test(text);
  if (isPrefixed) return [['hex', 0.85]];
  if (!/\d/.test(dense) || dense.length < 8) return /\d/.test(dense) ? [['hex', 0.3]] : undefined;
  if (!/[a-f]/i.test(dense)) return dense.length >= 20 ? [['hex', 0.7]] : [['hex', 0.35]];
  /** @type {Guess[]} */
  const guesses = [['hex', 0.9]];
  if (DIGESTS.includes(dense.length)) guesses.push(['digest', 0.92]);
  return guesses;
}

/** @type {Detector} */
function base32(text) {
  const dense = text.replace(/[\s-]+/g, '');
  const body = dense.replace(/(?<!=)=+$/, '');
  if (!/^[A-Z2-7]{8,}$/i.test(body) || !/[2-7]/.test(body)) return undefined;
  // Groups have equal lengths, hyphenated words do not.
  const groups = text.split(/[\s-]+/).slice(0, -1);
  if (new Set(groups.map((group) => group.length)).size > 1) return undefined;
  if (/[a-z]/.test(body) && (/[A-Z]/.test(body) || !/^[a-z2-7]{16,}$/.test(body))) return undefined;
  if (![0, 2, 4, 5, 7].includes(body.length % 8)) return undefined;
  if (/=/.test(dense)) return dense.length % 8 ? undefined : [['base32', 0.95]];
  const bits = Array.from(body.toUpperCase(), (one) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'),
  ).join('');
  const bytes = Uint8Array.from(bits.match(/\d{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  if (isText(bytes)) return [['base32', 0.93]];
  return body.length >= 16 ? [['otpSecret', 0.88]] : undefined;
}

/** @type {Detector} */
function binary(text) {
  const digits = text.replace(/[\s_]+/g, '');
  if (!/^(?:0b)?[01]{8,}$/.test(digits)) return undefined;
  return [['binary', digits.replace('0b', '').length % 8 ? 0.6 : 0.97]];
}

/** @type {Detector} */
function entities(text) {
  const references = text.match(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8}\d?);/gi) ?? [];
  if (references.length === 0 || /^[a-z]+:\/\/\S+$/i.test(text) || /^\s*</.test(text))
    return undefined;
  return [['entities', 0.92]];
}

/** @type {Detector} */
function percent(text) {
  const escapes = text.match(/%[\da-f]{2}/gi) ?? [];
  if (escapes.length === 0 || /\s/.test(text) || /%(?![\da-f]{2})/i.test(text)) return undefined;
  if (/^[a-z][\w+.-]*:\/\/[^%]/i.test(text)) return [['percent', 0.6]];
  return [['percent', 0.92]];
}

/** @type {Detector[]} */
export const ENCODINGS = [base64, hex, base32, binary, entities, percent];
