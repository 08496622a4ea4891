//! Textual encodings of keys and certificates. Standard: RFC 7468; RFC 1421 headers of encrypted keys are recognised.
import { fromBase64, toBase64 } from './base64url.js';
import { Fault } from './fault.js';

/** @typedef {{label: string, bytes: Uint8Array, offset: number, headers: string}} PemBlock */

const BEGIN = /-----BEGIN ([A-Z0-9][A-Z0-9 #]*)-----/g;

/** @param {string} text */
export function isPem(text) {
  return text.includes('-----BEGIN ');
}

/**
 * Every block of a text, in order; text between blocks is skipped (RFC 7468 §2).
 * @param {string} text
 * @param {number} [most]
 * @returns {PemBlock[]}
 */
export function readPem(text, most = 1000) {
  const blocks = [];
  for (const begin of text.matchAll(BEGIN)) {
    const label = begin[1] ?? '';
    const end = `-----END ${label}-----`;
    const from = begin.index + begin[0].length;
    const to = text.indexOf(end, from);
    const offset = [...text.slice(0, begin.index)].length;
    if (to < 0) throw new Fault(`has a block "${label}" without its end line "${end}"`, { offset });
    if (blocks.length === most) throw new Fault(`has more than ${most} PEM blocks`, { offset });
    blocks.push({ label, offset, ...readBody(text.slice(from, to), offset + begin[0].length) });
  }
  return blocks;
}

/** @param {string} body @param {number} offset of the body in the text */
function readBody(body, offset) {
  const headers = /^\s*(?:[A-Za-z-]+:.*(?:\r?\n[ \t].*)*\r?\n)+\r?\n/.exec(body)?.[0] ?? '';
  try {
    return { headers, bytes: fromBase64(body.slice(headers.length)) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const at = offset + headers.length + (error.place.offset ?? 0);
    throw new Fault(error.message, { ...error.place, offset: at });
  }
}

/** @param {string} label @param {Uint8Array} bytes */
export function writePem(label, bytes) {
  const lines = toBase64(bytes).replace(/.{1,64}/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}-----END ${label}-----\n`;
}
