//! The picture of the example: a lake in the evening, drawn by code, as BMP. It has what shows how well a format
//! keeps a picture: a smooth sky, sharp edges, fine grain.

const WIDTH = 720;
const HEIGHT = 480;
const HEAD_BYTES = 54;
const SHORE = 0.6 * HEIGHT;
const SUN = { x: 0.68 * WIDTH, y: 0.27 * HEIGHT, radius: 26 };

/** @typedef {readonly [red: number, green: number, blue: number]} Color */

/** @type {Color} */
const HAZE = [214, 138, 112];
/** The ranges of mountains, the nearest first. @type {{ base: number, height: number, step: number, color: Color }[]} */
const RANGES = [
  { base: 0.61, height: 0.07, step: 61, color: [24, 28, 38] },
  { base: 0.57, height: 0.17, step: 17, color: [58, 52, 82] },
  { base: 0.54, height: 0.26, step: 9, color: [112, 82, 118] },
];

/** @param {Color} a @param {Color} b @param {number} share of b @returns {Color} */
const mixed = (a, b, share) => {
  const part = Math.min(1, Math.max(0, share));
  return [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part];
};

/** From -1 to 1, without a pattern that is seen. @param {number} x @param {number} y */
const grain = (x, y) => {
  const wave = Math.sin(x * 12.9898 + y * 78.233) * 43_758.5453;
  return 2 * (wave - Math.floor(wave)) - 1;
};

/** Where each range ends in each column. */
const tops = () =>
  RANGES.map(({ base, height, step }) =>
    Float64Array.from({ length: WIDTH }, (_, x) => {
      const waves = [1, 2.3, 5.1, 11.7].map(
        (octave) => Math.abs(Math.sin((x * octave * step) / 3000 + octave * step)) / octave,
      );
      return HEIGHT * (base - (height * waves.reduce((sum, wave) => sum + wave)) / 1.8);
    }),
  );

/** The color of the land and the sky at a place. @param {readonly Float64Array[]} ends @param {number} x @param {number} y @returns {Color} */
function above(ends, x, y) {
  const range = ends.findIndex((end) => y > (end[x] ?? 0));
  if (range >= 0) return mixed(RANGES[range]?.color ?? HAZE, HAZE, (0.35 * y) / HEIGHT - 0.1);
  const distance = Math.hypot(x - SUN.x, y - SUN.y);
  if (distance < SUN.radius) return [255, 244, 214];
  const sky = mixed([38, 62, 118], [250, 176, 120], y / SHORE);
  return mixed(sky, [255, 226, 160], Math.exp((SUN.radius - distance) / 70));
}

/** @param {readonly Float64Array[]} ends @param {number} x @param {number} y @returns {Color} */
function colorAt(ends, x, y) {
  if (y < SHORE) return above(ends, x, y);
  const depth = y - SHORE;
  const ripple = Math.sin(depth * depth * 0.011 + Math.sin(x / 23) * 1.4);
  const moved = Math.round(x + ripple * (1 + depth / 12));
  const mirrored = above(ends, Math.min(WIDTH - 1, Math.max(0, moved)), SHORE - depth * 1.35);
  return mixed(mirrored, [18, 34, 62], 0.3 + 0.12 * ripple);
}

/** The whole file. */
export function landscape() {
  const bytes = new Uint8Array(LANDSCAPE_BYTES);
  const head = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  head.setUint32(2, bytes.length, true);
  head.setUint32(10, HEAD_BYTES, true);
  head.setUint32(14, 40, true);
  head.setInt32(18, WIDTH, true);
  head.setInt32(22, -HEIGHT, true);
  head.setUint16(26, 1, true);
  head.setUint16(28, 24, true);
  const ends = tops();
  let at = HEAD_BYTES;
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const noise = 5 * grain(x, y);
      const [red, green, blue] = colorAt(ends, x, y);
      for (const part of [blue, green, red])
        bytes[at++] = Math.min(255, Math.max(0, Math.round(part + noise)));
    }
  return bytes;
}

export const LANDSCAPE_BYTES = HEAD_BYTES + 3 * WIDTH * HEIGHT;
