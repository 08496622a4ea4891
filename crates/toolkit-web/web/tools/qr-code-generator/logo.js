//! A logo in the middle of a QR code. The error correction makes up for what it hides.

import { Refusal } from '../../kit/tool.js';

/** The share of the code's side. It is less than a quarter of the area that the highest level corrects. */
const SHARE = 0.22;

/** How many modules in a row a logo hides: an odd number, like those of the code. @param {number} count modules of a side of the code */
export const hidden = (count) => 2 * Math.floor((count * SHARE) / 2) + 1;

/**
 * The pixels of a logo, as large as its square allows, on the light color. Browser only.
 * @param {import('../../kit/types.d.ts').FileValue} file @param {number} side in pixels @param {number} rim of it @param {string} light
 */
export async function markOf({ bytes, type }, side, rim, light) {
  const blob = new Blob([/** @type {BlobPart} */ (bytes)], { type });
  const bitmap = await createImageBitmap(blob).catch(() => {
    throw new Refusal('is not an image that this browser can read', {
      hint: 'Choose a PNG, JPEG or WebP.',
    });
  });
  const context = new OffscreenCanvas(side, side).getContext('2d');
  if (!context) throw new Refusal('cannot be drawn by this browser');
  context.fillStyle = light;
  context.fillRect(0, 0, side, side);
  const scale = (side - 2 * rim) / Math.max(bitmap.width, bitmap.height);
  const [width, height] = [bitmap.width * scale, bitmap.height * scale];
  context.drawImage(bitmap, (side - width) / 2, (side - height) / 2, width, height);
  bitmap.close();
  return context.getImageData(0, 0, side, side).data;
}

/** Puts a square of pixels into the middle of another. @param {Uint8Array} pixels @param {number} size @param {ArrayLike<number>} mark @param {number} side */
export function paste(pixels, size, mark, side) {
  const from = (size - side) / 2;
  for (let y = 0; y < side; y++) {
    const row = Array.prototype.slice.call(mark, y * side * 4, (y + 1) * side * 4);
    pixels.set(row, ((from + y) * size + from) * 4);
  }
}
