//! Identifies bytes by their beginning, and unpacks gzip and zlib up to a limit. Standards: RFC 1950, RFC 1951 and RFC
//! 1952; for pictures and other files data/image-types.js; for DER X.690. Left out: zip, brotli and zstd.

import { download, headline, picture, Refusal, textOutput } from '../kit/tool.js';
import { concat, toBase64 } from './bytes.js';
import { imageSize, imageType, otherTypeName } from './image/type.js';
import { utf8 } from './utf8.js';

/** @import * as T from '../kit/types.d.ts' */

/**
 * `name`: "a PNG picture". `inner`: its unpacked content, `isWhole` unless it ends early or exceeds the limit.
 * @typedef {{ name: string, ending: string, type?: string, slug?: string, inner?: Uint8Array, isWhole?: boolean }} Known
 */

/**
 * Unpacks bytes. Undefined if they are not packed this way.
 * @param {Uint8Array} bytes @param {CompressionFormat} format @param {number} most bytes that are unpacked
 */
export async function unpack(bytes, format, most) {
  const stream = new Blob([/** @type {BlobPart} */ (bytes)])
    .stream()
    .pipeThrough(new DecompressionStream(format));
  const reader = stream.getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let length = 0;
  let isWhole = false;
  try {
    while (length < most) {
      const { done, value } = await reader.read();
      isWhole = done;
      if (done) break;
      parts.push(value);
      length += value.length;
    }
  } catch {
    // The data is cut off or followed by something else. Keep the output so far.
    if (length === 0) return undefined;
  }
  reader.cancel().catch(() => {});
  return { inner: concat(...parts).subarray(0, most), isWhole };
}

/** @param {Uint8Array} bytes */
const isZlib = ([first = 0, second = 0]) =>
  (first & 15) === 8 && first >> 4 < 8 && (first * 256 + second) % 31 === 0;

/** @param {Uint8Array} bytes @param {number} most @returns {Promise<Known | undefined>} */
async function packed(bytes, most) {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
  if (!isGzip && !isZlib(bytes)) return undefined;
  const unpacked = await unpack(bytes, isGzip ? 'gzip' : 'deflate', most);
  return unpacked && { name: isGzip ? 'gzip' : 'zlib', ending: isGzip ? 'gz' : 'zz', ...unpacked };
}

const STRUCTURES = {
  certificate: 'a certificate',
  request: 'a certificate request',
  crl: 'a certificate revocation list',
};
/** @param {Uint8Array} bytes @returns {Promise<Known | undefined>} */
async function der(bytes) {
  if (bytes[0] !== 0x30 || bytes.length < 20) return undefined;
  const { readStructure } = await import('./x509/x509.js');
  try {
    const [item] = readStructure(bytes);
    const name = item ? STRUCTURES[item.kind] : 'PKCS #7';
    return { name: `${name} in DER`, ending: 'der', slug: 'certificate-decoder' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [name] = /a (?:private|public) key|a PKCS #12 store/.exec(error.message) ?? [];
    if (name) return { name: `${name} in DER`, ending: 'der' };
    return error.message.startsWith('is DER') ? { name: 'DER', ending: 'der' } : undefined;
  }
}

/** @param {Uint8Array} bytes @returns {Known | undefined} */
function file(bytes) {
  const image = imageType(bytes);
  const size = image && imageSize(bytes);
  if (image) {
    const name = `${/^[AEIO]/.test(image.name) ? 'an' : 'a'} ${image.name} picture`;
    const measured = size ? `${name} of ${size.width} × ${size.height} pixels` : name;
    return { name: measured, ending: image.ending, type: image.type };
  }
  const name = otherTypeName(bytes);
  return name === undefined ? undefined : { name, ending: /PDF/.test(name) ? 'pdf' : 'bin' };
}

/** The type of binary data. Undefined if unknown. @param {Uint8Array} bytes @param {number} most bytes to unpack */
export const known = async (bytes, most) =>
  (await packed(bytes, most)) ?? file(bytes) ?? (await der(bytes));

/** @param {Known} known @param {string | undefined} text */
function sentence({ name, inner, isWhole }, text) {
  if (!inner) return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const count = `${inner.length.toLocaleString('en')} bytes`;
  const what = text === undefined ? count : `${count} of text`;
  return `${name} of ${isWhole ? what : `the first ${what}; it is cut off or damaged`}`;
}

/** Longer results are a file: a page cannot show them. */
export const SHOWN_BYTES = 16 << 20;

/**
 * The outputs of a tool that decodes binary data: its type, its unpacked content, and a file.
 * @param {Uint8Array} bytes
 */
export async function knownOutputs(bytes) {
  const format = await known(bytes, SHOWN_BYTES);
  const text = format?.inner && utf8(format.inner);
  const isShown = format?.type && /png|jpeg|gif|webp|avif/.test(format.type);
  const isInner = format?.inner && text === undefined;
  /** @type {T.Opens[]} */
  const opens = format?.slug ? [[format.slug, { text: toBase64(bytes) }]] : [];
  const ending = isInner ? 'bin' : (format?.ending ?? 'bin');
  const outputs = {
    ...(format && { headline: headline(sentence(format, text), { tone: 'note' }) }),
    ...(text !== undefined && { unpacked: textOutput(text) }),
    ...(isShown && {
      picture: picture(bytes, { alt: format.name, type: format.type ?? '' }),
    }),
  };
  return {
    outputs,
    file: download(isInner ? (format.inner ?? bytes) : bytes, { file: `decoded.${ending}` }),
    /** The bytes as text, with the tool that is made for them. @param {string} written */
    opened: (written) => (opens.length > 0 ? textOutput(written, { opens }) : written),
  };
}
