//! Animation and metadata of images, read from their structure.

/** @param {Uint8Array} bytes @param {number} at @param {string} text */
const has = (bytes, at, text) =>
  [...text].every((letter, i) => bytes[at + i] === letter.charCodeAt(0));

/** @param {Uint8Array} bytes @returns {{ isAnimated: boolean, metadata: string[], isDeep?: boolean }} `isDeep`: more than 8 bits a channel */
export function imageFacts(bytes) {
  if (has(bytes, 1, 'PNG')) return pngFacts(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8)
    return { isAnimated: false, metadata: jpegMetadata(bytes) };
  if (has(bytes, 0, 'GIF8')) return { isAnimated: gifFrames(bytes) > 1, metadata: [] };
  if (has(bytes, 0, 'RIFF') && has(bytes, 8, 'WEBP')) return webpFacts(bytes);
  return { isAnimated: false, metadata: [] };
}

/** @param {Uint8Array} bytes */
function pngFacts(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const names = new Set();
  for (let at = 8; at + 8 <= bytes.length; at += view.getUint32(at) + 12) {
    names.add(String.fromCharCode(...bytes.subarray(at + 4, at + 8)));
  }
  const known = { eXIf: 'EXIF', tEXt: 'text', iTXt: 'text', zTXt: 'text', tIME: 'time' };
  const metadata = Object.entries(known).flatMap(([chunk, name]) =>
    names.has(chunk) ? [name] : [],
  );
  const isDeep = bytes[24] === 16;
  return { isAnimated: names.has('acTL'), metadata: [...new Set(metadata)], isDeep };
}

/** @param {Uint8Array} bytes */
function jpegMetadata(bytes) {
  const kinds = new Set();
  for (
    let at = 2;
    at + 4 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda;
    at += 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0)
  ) {
    const marker = bytes[at + 1];
    if (marker === 0xe1) kinds.add(has(bytes, at + 4, 'Exif') ? 'EXIF' : 'XMP');
    else if (marker === 0xed) kinds.add('IPTC');
    else if (marker === 0xfe) kinds.add('comment');
  }
  return [...kinds];
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
  ) {
    names.add(String.fromCharCode(...bytes.subarray(at, at + 4)));
  }
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
