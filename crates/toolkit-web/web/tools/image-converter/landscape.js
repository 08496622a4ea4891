//! The picture of the example: a lake in the evening, drawn by code, as BMP. It has what shows how well a format
//! keeps a picture: a smooth sky, sharp edges, fine grain.

const WIDTH = 720;
const HEIGHT = 480;
const SHORE = 288;
const HEAD_BYTES = 54;
export const LANDSCAPE_BYTES = HEAD_BYTES + 3 * WIDTH * HEIGHT;

/** Ranges of mountains, the nearest first. @type {[base: number, height: number, step: number, color: number[]][]} */
const RANGES = [
  [293, 19, 61, [24, 28, 38]],
  [274, 45, 17, [58, 52, 82]],
  [259, 69, 9, [112, 82, 118]],
];
const HAZE = [214, 138, 112];

/** @param {number[]} a @param {number[]} b @param {number} share of b */
const mixed = (a, b, share) => a.map((part, at) => part + ((b[at] ?? 0) - part) * share);

/** The height of a range in a column, in proportion. @param {number} at */
const ridge = (at) =>
  [1, 2.3, 5.1, 11.7].reduce((sum, octave) => sum + Math.abs(Math.sin(at * octave)) / octave, 0);

/** The red, green and blue of the land and the sky, which the lake mirrors. @param {number} x @param {number} y @returns {number[]} */
function colorAt(x, y) {
  if (y > SHORE) {
    const ripple = Math.sin((y - SHORE) ** 2 * 0.011 + Math.sin(x / 23) * 1.4);
    const mirrored = colorAt(x + ripple * (1 + (y - SHORE) / 12), SHORE - (y - SHORE) * 1.35);
    return mixed(mirrored, [18, 34, 62], 0.3 + 0.12 * ripple);
  }
  for (const [base, height, step, color] of RANGES)
    if (y > base - height * ridge((x / 3000 + 1) * step))
      return mixed(color, HAZE, Math.max(0, y / 1370 - 0.1));
  const distance = Math.hypot(x - 490, y - 130) - 26;
  if (distance < 0) return [255, 244, 214];
  const sky = mixed([38, 62, 118], [250, 176, 120], y / SHORE);
  return mixed(sky, [255, 226, 160], Math.exp(-distance / 70));
}

/** The whole file. */
export function landscape() {
  const bytes = new Uint8ClampedArray(LANDSCAPE_BYTES);
  const head = Int32Array.of(LANDSCAPE_BYTES, 0, HEAD_BYTES, 40, WIDTH, -HEIGHT, 0x180001);
  bytes.set([0x42, 0x4d, ...new Uint8Array(head.buffer)]);
  for (let y = 0, at = HEAD_BYTES; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const grain = 10 * ((Math.abs(Math.sin(x * 12.9898 + y * 78.233)) * 43_758.5453) % 1) - 5;
      for (const part of colorAt(x, y).reverse()) bytes[at++] = part + grain;
    }
  return new Uint8Array(bytes.buffer);
}
