//! PNG writer: 8-bit RGBA. Standard: PNG (W3C, third edition).

import { concat, toUtf8 } from '../bytes.js';
import { Crc32 } from '../crc32.js';

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);

/** @param {string} type @param {Uint8Array} data */
function chunk(type, data) {
  const out = new Uint8Array(data.length + 12);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  out.set(toUtf8(type), 4);
  out.set(data, 8);
  out.set(new Crc32().update(out.subarray(4, data.length + 8)).digest(), data.length + 8);
  return out;
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
  head.set([8, 6, 0, 0, 0], 8);
  const rows = new Uint8Array(height * (width * 4 + 1));
  for (let y = 0; y < height; y += 1)
    rows.set(pixels.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1);
  const stream = new Blob([rows]).stream().pipeThrough(new CompressionStream('deflate'));
  const data = new Uint8Array(await new Response(stream).arrayBuffer());
  return concat(
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', data),
    chunk('IEND', new Uint8Array(0)),
  );
}
