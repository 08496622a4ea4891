//! PNG writer: 8-bit RGBA. Standard: PNG (W3C, third edition).

import { concat, toUtf8 } from '../bytes.js';

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);

/** @param {Uint8Array} bytes @param {CompressionFormat} format */
async function packed(bytes, format) {
  const blob = new Blob([/** @type {BlobPart} */ (bytes)]);
  const stream = blob.stream().pipeThrough(new CompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {string} type @param {Uint8Array} data */
async function chunk(type, data) {
  const head = new Uint8Array(4);
  const view = new DataView(head.buffer);
  view.setUint32(0, data.length);
  const content = concat(toUtf8(type), data);
  // gzip ends with the CRC-32 of its content, lowest byte first, and the length.
  const crc = (await packed(content, 'gzip')).slice(-8, -4).reverse();
  return concat(head, content, crc);
}

/**
 * @param {number} width @param {number} height
 * @param {Uint8Array} pixels four bytes each: red, green, blue, alpha
 */
export async function writePng(width, height, pixels) {
  const head = new Uint8Array(13);
  const view = new DataView(head.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  head.set([8, 6], 8);
  const rows = new Uint8Array(height * (width * 4 + 1));
  for (let y = 0; y < height; y += 1)
    rows.set(pixels.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1);
  return concat(
    SIGNATURE,
    await chunk('IHDR', head),
    await chunk('IDAT', await packed(rows, 'deflate')),
    await chunk('IEND', new Uint8Array()),
  );
}
