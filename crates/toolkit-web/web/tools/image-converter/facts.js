//! Animation and metadata of images, read from their structure, and their sizes.

import { refuse } from '../../kit/tool.js';

export const MOST_PIXELS = 50_000_000;
export const SMALLER = 'Use at most 50 megapixels.';

/** @param {string} name @param {{ width: number, height: number }} size */
export function checkSize(name, { width, height }) {
  if (width * height > MOST_PIXELS)
    refuse('files', `"${name}" has ${width} × ${height} pixels`, { hint: SMALLER });
}

/** @param {Uint8Array} bytes @param {number} at @param {string} text */
const has = (bytes, at, text) =>
  [...text].every((letter, i) => bytes[at + i] === letter.charCodeAt(0));

/** @param {Uint8Array} bytes @returns {{ isAnimated: boolean, metadata: string[], isDeep?: boolean, bare?: Uint8Array[] | undefined }} `isDeep`: more than 8 bits a channel; `bare`: the parts without metadata */
export function imageFacts(bytes) {
  if (has(bytes, 1, 'PNG')) return pngFacts(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpegFacts(bytes);
  if (has(bytes, 0, 'GIF8')) return { isAnimated: gifFrames(bytes) > 1, metadata: [] };
  if (has(bytes, 0, 'RIFF') && has(bytes, 8, 'WEBP')) return webpFacts(bytes);
  return { isAnimated: false, metadata: [] };
}

/** @param {Uint8Array} bytes */
function pngFacts(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const names = new Set();
  for (let at = 8; at + 8 <= bytes.length; at += view.getUint32(at) + 12)
    names.add(String.fromCharCode(...bytes.subarray(at + 4, at + 8)));
  const known = { eXIf: 'EXIF', tEXt: 'text', iTXt: 'text', zTXt: 'text', tIME: 'time' };
  const found = Object.entries(known).filter(([chunk]) => names.has(chunk));
  const metadata = new Set(found.map(([, name]) => name));
  const isDeep = bytes[24] === 16;
  return { isAnimated: names.has('acTL'), metadata: [...metadata], isDeep };
}

/** Tags of EXIF that tell of no camera and no person: orientation, resolution, software. */
const PLAIN = [0x112, 0x11a, 0x11b, 0x128, 0x131, 0x213];
/** @type {Record<number, string>} */
const MARKERS = { 225: 'XMP', 237: 'IPTC', 254: 'comment' };

/** The first directory of EXIF: tags and their short values. @param {Uint8Array} exif */
function exifTags(exif) {
  const view = new DataView(exif.buffer, exif.byteOffset, exif.length);
  const isLittle = exif[6] === 0x49;
  const short = (/** @type {number} */ at) =>
    at + 2 <= exif.length ? view.getUint16(at, isLittle) : 0;
  const from = exif.length < 14 ? Infinity : 6 + view.getUint32(10, isLittle);
  const places = Array.from({ length: short(from) }, (_, at) => from + 2 + 12 * at);
  return new Map(places.map((at) => [short(at), short(at + 8)]));
}

/** `bare`: its picture and color profile alone, unless that would turn it. @param {Uint8Array} bytes */
function jpegFacts(bytes) {
  const metadata = new Set();
  const parts = [bytes.subarray(0, 2)];
  let [last, turn] = [0, 1];
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xd9; ) {
    last = bytes[at + 1] ?? 0;
    let end = at + 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0);
    const isData = () => bytes[end] !== 0xff || /^(?:0|20[89]|21[0-5])$/.test(`${bytes[end + 1]}`);
    while (last === 0xda && end < bytes.length && isData()) end += 1;
    if (last === 0xe1 && has(bytes, at + 4, 'Exif')) {
      const tags = exifTags(bytes.subarray(at + 4, end));
      const isPlain = tags.size > 0 && [...tags.keys()].every((tag) => PLAIN.includes(tag));
      metadata.add(isPlain ? 'EXIF without camera data' : 'EXIF');
      turn = tags.get(0x112) ?? turn;
    } else if (MARKERS[last]) metadata.add(MARKERS[last]);
    if (last <= 0xe0 || last === 0xee || has(bytes, at + 4, 'ICC_'))
      parts.push(bytes.subarray(at, end));
    at = end;
  }
  const bare = last === 0xda && turn < 2 ? [...parts, Uint8Array.of(0xff, 0xd9)] : undefined;
  return { isAnimated: false, metadata: [...metadata], bare };
}

/** Number of frames, counted up to two. @param {Uint8Array} bytes */
function gifFrames(bytes) {
  const table = (/** @type {number} */ flags) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + table(bytes[10] ?? 0);
  let frames = 0;
  while (at < bytes.length && frames < 2) {
    const mark = bytes[at];
    if (mark === 0x2c) {
      frames += 1;
      at = skipBlocks(bytes, at + 11 + table(bytes[at + 9] ?? 0));
    } else if (mark === 0x21) at = skipBlocks(bytes, at + 2);
    else break;
  }
  return frames;
}

/** @param {Uint8Array} bytes @param {number} from */
function skipBlocks(bytes, from) {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += (bytes[at] ?? 0) + 1;
  return at + 1;
}

/** @param {Uint8Array} bytes */
function webpFacts(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const names = new Set();
  for (
    let at = 12;
    at + 8 <= bytes.length;
    at += 8 + view.getUint32(at + 4, true) + (view.getUint32(at + 4, true) & 1)
  )
    names.add(String.fromCharCode(...bytes.subarray(at, at + 4)));
  return {
    isAnimated: names.has('ANIM'),
    metadata: [...(names.has('EXIF') ? ['EXIF'] : []), ...(names.has('XMP ') ? ['XMP'] : [])],
  };
}

/**
 * Width and height within limits, and the part of the source to draw.
 * @param {{ width: number, height: number }} source
 * @param {{ width: number | null, height: number | null, fit: string }} wanted
 */
export function fitImage(source, { width, height, fit }) {
  const whole = { x: 0, y: 0, width: source.width, height: source.height };
  const ratio = source.width / source.height;
  const [w, h] = [
    width ?? (height === null ? source.width : height * ratio),
    height ?? (width === null ? source.height : width / ratio),
  ];
  const size = (/** @type {number} */ a, /** @type {number} */ b) => ({
    width: Math.max(1, Math.round(a)),
    height: Math.max(1, Math.round(b)),
  });
  if (fit === 'stretch' || width === null || height === null) return { ...size(w, h), part: whole };
  if (fit === 'inside') {
    const scale = Math.min(w / source.width, h / source.height);
    return { ...size(source.width * scale, source.height * scale), part: whole };
  }
  const scale = Math.max(w / source.width, h / source.height);
  const part = { width: w / scale, height: h / scale };
  return {
    ...size(w, h),
    part: { ...part, x: (source.width - part.width) / 2, y: (source.height - part.height) / 2 },
  };
}
