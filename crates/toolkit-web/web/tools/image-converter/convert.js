//! Images decoded, resized and encoded by the browser.

import { refuse } from '../../kit/tool.js';
import { fitImage } from './facts.js';

const MOST_PIXELS = 50_000_000;

/** Whether the browser can draw outside the page. */
export const canConvert = () =>
  typeof OffscreenCanvas === 'function' && typeof createImageBitmap === 'function';

/** @param {Uint8Array} bytes @param {string} type @param {string} name */
async function decode(bytes, type, name) {
  try {
    return await createImageBitmap(new Blob([/** @type {any} */ (bytes)], { type }), {
      imageOrientation: 'from-image',
    });
  } catch {
    return refuse('files', `"${name}" cannot be decoded by this browser`, {
      hint: 'Accepted are PNG, JPEG, WebP, GIF, BMP and AVIF, whole and undamaged.',
    });
  }
}

/**
 * The picture as a file of the requested type; `isOver`: no quality makes it small enough.
 * @param {{ name: string, bytes: Uint8Array }} file @param {string} sourceType @param {any} values
 * @param {(sentence: string) => void} warn
 */
export async function convertImage({ name, bytes }, sourceType, values, warn) {
  const bitmap = await decode(bytes, sourceType, name);
  if (bitmap.width * bitmap.height > MOST_PIXELS)
    refuse('files', `"${name}" has ${bitmap.width} × ${bitmap.height} pixels`, {
      hint: 'At most 50 megapixels are accepted.',
    });
  const { width, height, part } = fitImage(bitmap, values);
  if (width * height > MOST_PIXELS)
    refuse('width', `and height make a picture of ${width} × ${height} pixels`, {
      hint: 'At most 50 megapixels are accepted.',
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
  context.drawImage(bitmap, part.x, part.y, part.width, part.height, 0, 0, width, height);
  bitmap.close();
  return { width, height, ...(await encode(canvas, values)) };
}

/** @param {OffscreenCanvas} canvas @param {any} values */
async function encode(canvas, { to, quality, target }) {
  const type = `image/${to}`;
  const at = async (/** @type {number} */ share) => {
    const blob = await canvas.convertToBlob({ type, quality: share });
    if (blob.type !== type)
      refuse('to', `cannot be ${to.toUpperCase()}: this browser does not encode it`, {
        hint: 'PNG and JPEG always work.',
      });
    return blob;
  };
  if (target === null || to === 'png')
    return { blob: await at(quality / 100), quality, isOver: false };
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
