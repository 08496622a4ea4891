//! Type and dimensions of an image, read from its first bytes. Standards: see data/image-types.js.

import { IMAGE_TYPES, OTHER_TYPES } from '../../data/image-types.js';
import { attempt } from '../../kit/tool.js';
import { toHex } from '../bytes.js';

/** @param {Uint8Array} bytes @param {number} [most] */
const latin1 = (bytes, most = 4096) =>
  String.fromCharCode(.../** @type {any} */ (bytes.subarray(0, most)));

/** Tests a signature against the head of a file. @param {Uint8Array} bytes */
function matcher(bytes) {
  const text = latin1(bytes);
  const digits = toHex(bytes.subarray(0, 32));
  return (/** @type {{ hex?: RegExp, text?: RegExp }} */ one) =>
    (one.hex?.test(digits) ?? false) || (one.text?.test(text) ?? false);
}

/** The image type by signature, or undefined. @param {Uint8Array} bytes */
export const imageType = (bytes) => IMAGE_TYPES.find(matcher(bytes));

/** The type of a file that is not an image, if its beginning shows it. @param {Uint8Array} bytes */
export const otherTypeName = (bytes) => OTHER_TYPES.find(matcher(bytes))?.is;

/** The type of bytes that are not an image. @param {Uint8Array} bytes */
export function otherType(bytes) {
  const known = otherTypeName(bytes);
  const isText = bytes
    .subarray(0, 4096)
    .every((byte) => byte >= 0x20 || [9, 10, 13].includes(byte));
  return known ?? (isText ? 'text' : 'of a type that is not known here');
}

/**
 * Width and height in pixels (SVG: its own units), or undefined when the head lacks them.
 * @param {Uint8Array} bytes @returns {{ width: number, height: number } | undefined}
 */
export function imageSize(bytes) {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Undefined where the file ends before its dimensions.
  return attempt(() => SIZES[imageType(bytes)?.ending ?? '']?.(data, bytes));
}

/** @typedef {{ width: number, height: number }} Size */

/** @type {Record<string, (data: DataView, bytes: Uint8Array) => Size | undefined>} */
const SIZES = {
  png: (data) => ({ width: data.getUint32(16), height: data.getUint32(20) }),
  gif: (data) => ({ width: data.getUint16(6, true), height: data.getUint16(8, true) }),
  bmp: (data) => ({ width: data.getInt32(18, true), height: Math.abs(data.getInt32(22, true)) }),
  ico: iconSize,
  cur: iconSize,
  jpg: jpegSize,
  webp: webpSize,
  avif: (_, bytes) => boxSize(bytes),
  heic: (_, bytes) => boxSize(bytes),
  svg: (_, bytes) => svgSize(bytes),
};

/** The largest picture in an icon. @param {DataView} data */
function iconSize(data) {
  let size = { width: 0, height: 0 };
  for (let index = 0; index < data.getUint16(4, true); index++) {
    const [width, height] = [
      data.getUint8(6 + 16 * index) || 256,
      data.getUint8(7 + 16 * index) || 256,
    ];
    if (width > size.width) size = { width, height };
  }
  return size;
}

/** Walks the segments up to the frame header. @param {DataView} data */
function jpegSize(data) {
  for (let at = 2; ; ) {
    const marker = data.getUint8(at + 1);
    if (marker === 0xff) at++;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: data.getUint16(at + 5), width: data.getUint16(at + 7) };
    else at += 2 + data.getUint16(at + 2);
  }
}

/** @param {DataView} data */
function webpSize(data) {
  const kind = data.getUint8(15);
  const three = (/** @type {number} */ at) =>
    data.getUint16(at, true) + (data.getUint8(at + 2) << 16);
  if (kind === 0x58) return { width: three(24) + 1, height: three(27) + 1 };
  if (kind === 0x4c) {
    const bits = data.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return { width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff };
}

/** The `ispe` property of AVIF and HEIC. @param {Uint8Array} bytes */
function boxSize(bytes) {
  const at = latin1(bytes).indexOf('ispe');
  if (at < 0) return undefined;
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { width: data.getUint32(at + 8), height: data.getUint32(at + 12) };
}

/** @param {Uint8Array} bytes */
function svgSize(bytes) {
  const tag = /<svg\b[^<>]*>/i.exec(latin1(bytes))?.[0] ?? '';
  const attribute = (/** @type {string} */ name) =>
    Number(new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(?:px)?\\s*["']`, 'i').exec(tag)?.[1]);
  const [width, height] = [attribute('width'), attribute('height')];
  if (width && height) return { width, height };
  const box = /\sviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/i.exec(tag);
  return box ? { width: Number(box[1]), height: Number(box[2]) } : undefined;
}
