//! File bytes as text. The encoding is the chosen one, or comes from the byte order mark or the declaration, or is
//! UTF-8, or Windows-1252. Standards: Encoding (WHATWG); XML 1.0 appendix F, HTML §13.2.3.2 and CSS Syntax §3.2 for
//! declarations. UTF-32 and UTF-7 are not supported, as in browsers.

import { isPrinted, notUtf8At } from '../lib/utf8.js';
import { attempt } from './tool.js';

/** @typedef {'chosen' | 'mark' | 'declared' | 'usual' | 'guessed'} Reason */
/** @typedef {[label: string, reason: Reason]} Candidate */
/** @typedef {{ text: string, encoding: string, reason: Reason }} Decoded */

/** Encodings to choose from, by their labels. @type {Record<string, string>} */
export const ENCODINGS = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  'windows-1252': 'Windows-1252 (Western)',
  'iso-8859-15': 'ISO-8859-15 (Western)',
  macintosh: 'Mac OS Roman',
  'windows-1250': 'Windows-1250 (Central European)',
  'iso-8859-2': 'ISO-8859-2 (Central European)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  'koi8-r': 'KOI8-R (Cyrillic)',
  ibm866: 'IBM866 (Cyrillic)',
  'windows-1253': 'Windows-1253 (Greek)',
  'windows-1254': 'Windows-1254 (Turkish)',
  'windows-1255': 'Windows-1255 (Hebrew)',
  'windows-1256': 'Windows-1256 (Arabic)',
  'windows-1257': 'Windows-1257 (Baltic)',
  'windows-1258': 'Windows-1258 (Vietnamese)',
  'windows-874': 'Windows-874 (Thai)',
  shift_jis: 'Shift_JIS (Japanese)',
  'euc-jp': 'EUC-JP (Japanese)',
  gb18030: 'GB 18030 (Simplified Chinese)',
  big5: 'Big5 (Traditional Chinese)',
  'euc-kr': 'EUC-KR (Korean)',
};

/** Number of bytes searched for a declaration, as in HTML. */
const HEAD = 1024;
const DECLARED = [
  /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/,
  /^\s*<(?:[\s\S]*<)?meta\b[^<>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/i,
  /^@charset "([\w.:-]+)";/,
];

/** Control characters, which occur in binary files but not in text. @param {number} byte */
const isControl = (byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 0x1a && byte !== 0x1b);

/** @param {Uint8Array} bytes @param {string} label */
function readAs(bytes, label) {
  // Keeps the UTF-8 mark, because the caller may need it.
  const options = { fatal: true, ignoreBOM: label === 'utf-8' };
  return attempt(() => new TextDecoder(label, options).decode(bytes));
}

/** Detects UTF-16 by its mark, or by zeros in every second byte, as Latin text has them. @param {Uint8Array} bytes @returns {Candidate | undefined} */
export function utf16Of(bytes) {
  const [first = 0, second = 0] = bytes;
  if (first === 0xff && second === 0xfe) return ['utf-16le', 'mark'];
  if (first === 0xfe && second === 0xff) return ['utf-16be', 'mark'];
  const head = bytes.subarray(0, HEAD);
  const zeros = (/** @type {number} */ side) =>
    head.filter((byte, at) => byte === 0 && at % 2 === side).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (bytes.length % 2 || Math.min(even, odd) > 0 || even + odd <= head.length / 4)
    return undefined;
  // Of other letters both bytes count.
  const latin = head.filter((_, at) => at % 2 === (odd ? 0 : 1) && head[at ^ 1] === 0);
  return isPrinted(latin) ? [odd ? 'utf-16le' : 'utf-16be', 'guessed'] : undefined;
}

/** @param {Uint8Array} bytes @returns {Candidate | undefined} */
function declaredIn(bytes) {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD));
  const label = DECLARED.map((pattern) => pattern.exec(head)?.[1]).find(Boolean);
  const { encoding = 'utf-8' } = attempt(() => new TextDecoder(label)) ?? {};
  // The declaration would be unreadable in UTF-16, so it is wrong.
  return encoding.startsWith('utf-') ? undefined : [encoding, 'declared'];
}

/**
 * The text of a file, including a UTF-8 byte order mark. Undefined if the bytes are not text.
 * @param {Uint8Array} bytes @param {string} [type] of the file, with the chosen `charset` if any
 * @returns {Decoded | undefined}
 */
export function decode(bytes, type = '') {
  const chosen = /;\s*charset=([\w-]+)/i.exec(type)?.[1] ?? '';
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  /** @type {(Candidate | undefined)[]} */
  const candidates = Object.hasOwn(ENCODINGS, chosen)
    ? [[chosen, 'chosen']]
    : [utf16Of(bytes), isMarked ? undefined : declaredIn(bytes), ['utf-8', 'usual']];
  if (!chosen && !bytes.some(isControl)) candidates.push(['windows-1252', 'guessed']);
  for (const [encoding, reason] of candidates.filter((one) => one !== undefined)) {
    const text = readAs(bytes, encoding);
    if (text !== undefined) return { text, encoding, reason };
  }
  return undefined;
}

/** A sentence about the encoding, unless it was chosen or plain UTF-8. @param {string} name @param {Uint8Array} bytes @param {Decoded} decoded */
export function decodedWarning(name, bytes, { text, encoding, reason }) {
  if (reason === 'usual' || reason === 'chosen') return undefined;
  const read = `"${name}" was read as ${ENCODINGS[encoding] ?? encoding}`;
  if (reason === 'mark') return `${read}, as its byte order mark says.`;
  if (reason === 'declared')
    return /[^\0-\x7f]/.test(text) ? `${read}, as it declares.` : undefined;
  const at = notUtf8At(bytes);
  const why =
    at < 0 ? 'every second byte is zero' : `${byteOf(bytes[at])} at offset ${at} is not UTF-8`;
  return `${read}: ${why}. If letters are wrong, choose its encoding below its name.`;
}

/** @param {number} [byte] */
const byteOf = (byte = 0) => `its byte 0x${byte.toString(16).padStart(2, '0')}`;
