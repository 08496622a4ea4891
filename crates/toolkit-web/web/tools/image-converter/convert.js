//! Images decoded, resized and encoded by the browser, drawings by its page. Which files are images is told before.

import { download, headline, picture, refuse, table, took } from '../../kit/tool.js';
import { concat } from '../../lib/bytes.js';
import { size } from '../../lib/size.js';
import { change, shrunk } from '../../lib/sizes.js';
import { checkSize, fitImage, MOST_PIXELS, SMALLER } from './facts.js';

/** @import * as T from '../../kit/types.d.ts' */
/** @typedef {{ name: string, bytes: Uint8Array }} Image */
/** @typedef {{ image: Image, type: { type: string, name: string }, metadata: string[], bare: Uint8Array[] | undefined }} Inspected */
/** @typedef {'png' | 'jpeg' | 'webp' | 'avif'} Format */

export const NAMES = { png: 'PNG', jpeg: 'JPEG', webp: 'WebP', avif: 'AVIF' };
const ENDINGS = { png: 'png', jpeg: 'jpg', webp: 'webp', avif: 'avif' };
const SVG = 'image/svg+xml';
/** A picture of no more colors is a graphic: it stays exact, and is small so. */
const FEW_COLORS = 256;
/** Rows of pixels that are looked at. */
const LOOKED_AT = 200;

/** Whether the browser can draw outside the page. */
export const canConvert = () =>
  typeof OffscreenCanvas === 'function' && typeof createImageBitmap === 'function';

/** @param {Uint8Array} bytes @param {string} type @param {string} name */
async function decode(bytes, type, name) {
  try {
    const blob = new Blob([/** @type {any} */ (bytes)], { type });
    if (type !== SVG) return await createImageBitmap(blob, { imageOrientation: 'from-image' });
    const image = new Image();
    image.src = URL.createObjectURL(blob);
    await image.decode().finally(() => URL.revokeObjectURL(image.src));
    return image;
  } catch {
    return refuse('files', `"${name}" cannot be decoded by this browser`, {
      hint: 'Use an undamaged PNG, JPEG, WebP, GIF, BMP, AVIF or SVG, or HEIC in a browser that reads it, such as Safari.',
    });
  }
}

/**
 * The picture as a file; `isOver`: no quality makes it small enough.
 * @param {Inspected} inspected @param {any} values @param {(sentence: string) => void} warn
 */
async function convertImage({ image: { name, bytes }, type, metadata, bare }, values, warn) {
  const source = await decode(bytes, type.type, name);
  checkSize(name, source);
  const { width, height, part } = fitImage(source, values);
  if (width * height > MOST_PIXELS)
    refuse('width', `and height make a picture of ${width} × ${height} pixels`, {
      hint: SMALLER,
    });
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('the browser gives no canvas');
  context.imageSmoothingQuality = 'high';
  if (values.to === 'jpeg') {
    const { readColor, writeHex } = await import('../../lib/color/colors.js');
    const ground = await readColor('ground', values.ground, warn);
    context.fillStyle = writeHex(ground).slice(0, 7);
    context.fillRect(0, 0, width, height);
  }
  context.drawImage(source, part.x, part.y, part.width, part.height, 0, 0, width, height);
  const isSame = width === source.width && height === source.height;
  const pixels = `${width} × ${height}${isSame ? '' : `, was ${source.width} × ${source.height}`}`;
  const size = { width, height, pixels };
  if ('close' in source) source.close();
  if (values.to !== 'auto')
    return { ...size, to: values.to, ...(await encode(canvas, values)), kept: undefined };
  const made = await automatic(canvas, context, type.type === SVG, values);
  // Bytes of the original are not given back with what they tell of a person.
  const original = metadata.length === 0 ? bytes : bare && concat(...bare);
  const isKept = isSame && original && type.type !== SVG && made.blob.size >= original.length;
  return { ...size, ...made, kept: isKept ? original : undefined };
}

/** Whether a picture is a graphic rather than a photo: few colors, or transparent parts. @param {OffscreenCanvas} canvas @param {OffscreenCanvasRenderingContext2D} context */
function isGraphic({ width, height }, context) {
  const colors = new Set();
  const step = Math.max(1, Math.floor(height / LOOKED_AT));
  for (let y = 0; y < height; y += step)
    for (const pixel of new Uint32Array(context.getImageData(0, y, width, 1).data.buffer)) {
      if (pixel >>> 24 < 255) return true;
      colors.add(pixel);
      if (colors.size > FEW_COLORS) return false;
    }
  return true;
}

/** Whether a WebP holds every pixel. @param {Blob} blob */
const isLossless = async (blob) => (await blob.slice(12, 64).text()).includes('VP8L');

/** The format that suits a picture. @param {OffscreenCanvas} canvas @param {OffscreenCanvasRenderingContext2D} context @param {boolean} isDrawing @param {any} values */
async function automatic(canvas, context, isDrawing, values) {
  const webp = (/** @type {number} */ quality) =>
    canvas.convertToBlob({ type: 'image/webp', quality });
  if (isDrawing || isGraphic(canvas, context)) {
    const [png, other] = [await canvas.convertToBlob({ type: 'image/png' }), await webp(1)];
    const isBetter = other.size < png.size && other.type === 'image/webp' && !isDrawing;
    const isExact = isBetter && (await isLossless(other));
    const chosen = isExact ? { to: 'webp', blob: other } : { to: 'png', blob: png };
    return { ...chosen, quality: undefined, isOver: false };
  }
  const to = (await webp(0.5)).type === 'image/webp' ? 'webp' : 'jpeg';
  return { to, ...(await encode(canvas, { ...values, to })) };
}

/** @param {OffscreenCanvas} canvas @param {any} values */
async function encode(canvas, { to, quality, target }) {
  const type = `image/${to}`;
  const at = async (/** @type {number} */ share) => {
    const blob = await canvas.convertToBlob({ type, quality: share });
    if (blob.type !== type)
      refuse('to', `cannot be ${to.toUpperCase()}: this browser does not encode it`, {
        hint: 'Use PNG or JPEG, which always work.',
      });
    return blob;
  };
  const used = to === 'png' ? undefined : quality;
  if (target === null || to === 'png')
    return { blob: await at(quality / 100), quality: used, isOver: false };
  let best = await at(0.01);
  let chosen = 1;
  for (let [low, high] = [1, 100]; low <= high; ) {
    const middle = (low + high) >> 1;
    const blob = await at(middle / 100);
    if (blob.size <= target * 1024) {
      best = blob;
      chosen = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  return { blob: best, quality: chosen, isOver: best.size > target * 1024 };
}

/** What the results do not hold of the originals, in a sentence. @param {Inspected[]} inspected */
function removed(inspected) {
  const kinds = [...new Set(inspected.flatMap(({ metadata }) => metadata))];
  if (kinds.some((kind) => ['EXIF', 'XMP'].includes(kind)))
    return 'Location and camera data were removed.';
  return kinds.length > 0 ? `Metadata was removed: ${kinds.join(', ')}.` : undefined;
}

/** @param {string} name @param {string} ending @param {Set<string>} taken */
function freeName(name, ending, taken) {
  const base = name.replace(/\.[^.]*$/, '');
  let free = `${base}.${ending}`;
  for (let n = 2; taken.has(free); n += 1) free = `${base}-${n}.${ending}`;
  taken.add(free);
  return free;
}

/**
 * One image with its new bytes and what is told of it.
 * @param {Inspected} inspected @param {any} values @param {Set<string>} taken names @param {(sentence: string) => void} warn
 */
async function finished(inspected, values, taken, warn) {
  const { image, type } = inspected;
  const made = await convertImage(inspected, values, warn);
  const { width, height, pixels, quality, isOver, kept } = made;
  const to = /** @type {Format} */ (made.to);
  if (isOver)
    warn(`${image.name}: no quality makes it as small as ${values.target} KiB; make it narrower.`);
  const how = kept === image.bytes ? 'as it is' : 'without its metadata';
  if (kept) warn(`${image.name} is kept ${how}: ${NAMES[to]} makes it no smaller.`);
  const bytes = kept ?? new Uint8Array(await made.blob.arrayBuffer());
  const format = kept ? type.name : NAMES[to];
  const name = kept ? image.name : freeName(image.name, ENDINGS[to], taken);
  /** @type {T.Before} */
  const before = {
    ...{ data: image.bytes, type: type.type, width, height },
    fit: values.fit === 'stretch' ? 'fill' : 'cover',
    said: [
      `${type.name}, ${size(image.bytes.length)}`,
      `${format}, ${size(bytes.length)}${kept || !quality ? '' : `, quality ${quality}`}`,
    ],
  };
  const row = [
    name,
    pixels,
    size(bytes.length),
    change(image.bytes.length, bytes.length),
    kept ? '' : (quality ?? ''),
  ];
  return { name, bytes, format, type: kept ? type.type : `image/${to}`, before, row };
}

/**
 * The outputs for images that were inspected.
 * @param {Inspected[]} inspected @param {any} values @param {(sentence: string) => void} warn @param {(done: number, total: number) => void} progress
 * @returns {Promise<T.Outputs>}
 */
export async function convertAll(inspected, values, warn, progress) {
  /** @type {Set<string>} */
  const taken = new Set();
  /** @type {Awaited<ReturnType<typeof finished>>[]} */
  const all = [];
  for (const one of inspected) {
    all.push(await finished(one, values, taken, warn));
    progress(all.length, inspected.length);
  }
  const archive = Object.fromEntries(all.map(({ name, bytes }) => [name, bytes]));
  const formats = new Set(all.map(({ format }) => format));
  const size = (/** @type {Uint8Array[]} */ all) => all.reduce((sum, one) => sum + one.length, 0);
  const [first] = all;
  const { zipSync } = await import('../../libraries/fflate.js');
  return {
    took: values.to === 'auto' ? took([...formats].join(', '), { field: 'to' }) : undefined,
    headline: headline(
      shrunk(size(inspected.map(({ image }) => image.bytes)), size(Object.values(archive))),
      { below: removed(inspected) },
    ),
    picture: picture(first?.bytes ?? new Uint8Array(), {
      alt: `The first result, ${first?.name}`,
      ...{ type: first?.type ?? '', file: first?.name ?? '', before: first?.before },
    }),
    results: table(
      ['File', 'Pixels', 'Size', 'Change', 'Quality'],
      all.map(({ row }) => row),
    ),
    archive:
      inspected.length > 1
        ? download(zipSync(archive, { level: 0, mtime: '1980-01-01' }), {
            file: 'images.zip',
            type: 'application/zip',
          })
        : null,
  };
}
