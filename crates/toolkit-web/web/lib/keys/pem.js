//! Textual encodings of keys and certificates. Standard: RFC 7468; RFC 1421 headers of encrypted keys are recognised.

import { Refusal } from '../../kit/tool.js';
import { fromBase64, toBase64 } from '../bytes.js';
import { inPart } from '../positions.js';

/** @typedef {{label: string, bytes: Uint8Array, headers: string}} PemBlock */

const BEGIN = /-----BEGIN ([A-Z0-9][A-Z0-9 #]*)-----/g;

/** @param {string} text */
export function isPem(text) {
  return text.includes('-----BEGIN ');
}

/**
 * Every block in a text, in order. Text between blocks is skipped (RFC 7468 §2).
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
    const at = begin.index;
    if (to < 0) throw new Refusal(`has a block "${label}" without its end line "${end}"`, { at });
    if (blocks.length === most) throw new Refusal(`has more than ${most} PEM blocks`, { at });
    blocks.push({ label, ...readBody(text.slice(from, to), from) });
  }
  return blocks;
}

/** @param {string} body @param {number} start of the body in the text */
function readBody(body, start) {
  const headers = /^\s*(?:[A-Za-z-]+:.*(?:\r?\n[ \t].*)*\r?\n)+\r?\n/.exec(body)?.[0] ?? '';
  const from = headers.length;
  return { headers, bytes: inPart(start + from, () => fromBase64(body.slice(from))) };
}

/** @param {string} label @param {Uint8Array} bytes */
export function writePem(label, bytes) {
  const lines = toBase64(bytes).replace(/.{1,64}/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}-----END ${label}-----\n`;
}
