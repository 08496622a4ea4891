//! What bytes are, for `peel`: text in UTF-8 or UTF-16, gzip, zlib and deflate, certificates, files that are named.

import { attempt } from '../../kit/tool.js';
import { fromAnyBase64, toBase64 } from '../bytes.js';
import { known, unpack } from '../known-bytes.js';
import { utf8 } from '../utf8.js';
import { certificate } from './said.js';

/** @import { Layer, Part, Search } from './peel.js' */

/** @param {number} count */
export const bytesOf = (count) => (count === 1 ? '1 byte' : `${count.toLocaleString('en')} bytes`);

/** Text without controls, or undefined. @param {Uint8Array} bytes */
export function readable(bytes) {
  const text = utf8(bytes)?.replace(/^\uFEFF/, '');
  return text === undefined || /[^\P{Cc}\t\r\n\f]/u.test(text) ? undefined : text;
}

/** Base64 of either alphabet, or undefined. @param {string} text */
export const base64Bytes = (text) => attempt(() => fromAnyBase64(text));

/** @param {Uint8Array} bytes @param {Search} search */
async function deflated(bytes, search) {
  const unpacked = await unpack(bytes, 'deflate-raw', search.room);
  const text = unpacked?.isWhole ? readable(unpacked.inner) : undefined;
  return text !== undefined && text.length > 3 ? text : undefined;
}

/** @param {Uint8Array} bytes */
async function utf16(bytes) {
  const { utf16Of } = await import('../../kit/decode.js');
  const [encoding] = utf16Of(bytes) ?? [];
  const text = encoding && new TextDecoder(encoding).decode(bytes);
  return text && !/[^\P{Cc}\t\r\n]|\uFFFD/u.test(text) ? text : undefined;
}

/** The text that bytes are, in UTF-8 or UTF-16. @param {Uint8Array} bytes @param {Part['as']} as */
export const textIn = async (bytes, as) =>
  as === 'deflate' && bytes[0] !== 0x3c ? undefined : (readable(bytes) ?? (await utf16(bytes)));

/** @param {string} said @param {string | Uint8Array} content @returns {Layer} */
const holding = (said, content) => ({ said, parts: [{ label: '', content }], isKept: true });

/** @param {Uint8Array} bytes @param {Search} search @param {Part['as']} as @returns {Promise<Layer | undefined>} */
export async function openBytes(bytes, search, as) {
  if (bytes.length === 0) return undefined;
  const size = bytesOf(bytes.length);
  const packed = as === 'deflate' ? await deflated(bytes, search) : undefined;
  if (packed !== undefined) return holding(`Deflate, ${size}`, packed);
  const cert = certificate(bytes, search.now);
  if (cert) return cert;
  const format = await known(bytes, search.room);
  if (format?.inner) return holding(`${format.name}, ${size}`, format.inner);
  if (format) {
    const said = `${format.name.charAt(0).toUpperCase()}${format.name.slice(1)}, ${size}`;
    const isImage = format.type?.startsWith('image/');
    const data = `data:${format.type};base64,${isImage ? toBase64(bytes) : ''}`;
    return {
      said,
      isValue: true,
      opens: isImage ? [['image-base64-encoder', { mode: 'decode', text: data }]] : [],
    };
  }
  const inner = await deflated(bytes, search);
  return inner === undefined
    ? { said: `${size} that are no text`, isValue: bytes.length > 2 }
    : holding(`Deflate, ${size}`, inner);
}
