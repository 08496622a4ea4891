//! QR codes in images. Standard: ISO/IEC 18004, through the library qr.

import { Refusal } from '../../kit/tool.js';
import decodeQR from '../../libraries/qr-decode.js';

/** @typedef {{ width: number, height: number, data: Uint8ClampedArray | Uint8Array }} Pixels */

const SIDE_LIMIT = 2000;

/** The pixels of a picture file, scaled down if large. Browser only. @param {import('../../kit/types.d.ts').FileValue} file @returns {Promise<Pixels>} */
export async function pixelsOf({ bytes, type }) {
  const bitmap = await createImageBitmap(
    new Blob([/** @type {BlobPart} */ (bytes)], { type }),
  ).catch(() => {
    throw new Refusal('is not an image that this browser can read');
  });
  const scale = Math.min(1, SIDE_LIMIT / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (!context) throw new Refusal('cannot be drawn by this browser');
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return { width, height, data: context.getImageData(0, 0, width, height).data };
}

/** The text of the QR code. @param {Pixels} pixels @returns {string} */
export function readQr({ width, height, data }) {
  try {
    return decodeQR({ width, height, data });
  } catch {
    throw new Refusal('shows no QR code that can be read', {
      hint: 'Cut the picture to the code, with its white margin.',
    });
  }
}
