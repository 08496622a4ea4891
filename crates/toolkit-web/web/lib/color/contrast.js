//! Color contrast. Standards: WCAG 2.2, relative luminance and contrast ratio; APCA-W3 0.98G-4g.

import { convertColor, difference, inSrgb, known } from './spaces.js';
import { bytesOf, writeHex } from './write.js';

/** @typedef {import('./spaces.js').Color} Color */
/** @typedef {import('./spaces.js').Triple} Triple */

/** @param {Color} color of sRGB */
export function luminance(color) {
  const [r, g, b] = /** @type {Triple} */ (
    known(color.coords).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** From 1 to 21. @param {Color} left @param {Color} right */
export function contrastRatio(left, right) {
  const [a, b] = [luminance(left), luminance(right)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** A ratio truncated to two decimals: 4.499 is not 4.5. @param {number} ratio */
export const writeRatio = (ratio) => `${Math.floor(ratio * 100 + 1e-9) / 100}:1`;

/** A screen's light as APCA computes it, including flare. @param {Color} color of sRGB */
function screenLuminance(color) {
  const shares = [0.2126729, 0.7151522, 0.072175];
  const y = bytesOf(color).reduce(
    (sum, byte, at) => sum + (byte / 255) ** 2.4 * (shares[at] ?? 0),
    0,
  );
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: the standard's number, which is not the root of two
  return y < 0.022 ? y + (0.022 - y) ** 1.414 : y;
}

/** Lightness contrast, from -108 (white on black) to 106 (black on white). @param {Color} text @param {Color} ground */
export function apca(text, ground) {
  const [ink, paper] = [screenLuminance(text), screenLuminance(ground)];
  if (Math.abs(paper - ink) < 0.0005) return 0;
  const isDark = paper > ink;
  const contrast = 1.14 * (isDark ? paper ** 0.56 - ink ** 0.57 : paper ** 0.65 - ink ** 0.62);
  return Math.abs(contrast) < 0.1 ? 0 : 100 * (contrast - (isDark ? 0.027 : -0.027));
}

/** A color composited over a background, as an opaque sRGB color. @param {Color} color @param {Color} [ground] @returns {Color} */
export function flatten(color, ground) {
  const own = known(inSrgb(color).coords);
  const alpha = color.alpha ?? 0;
  if (alpha === 1 || !ground) return { space: 'srgb', coords: own, alpha: 1 };
  const below = known(ground.coords);
  return {
    space: 'srgb',
    coords: /** @type {Triple} */ (own.map((v, i) => v * alpha + (below[i] ?? 0) * (1 - alpha))),
    alpha: 1,
  };
}

/**
 * The nearest color of the same hue that reaches the ratio, as hex. Undefined if black and white fail.
 * @param {Color} color @param {Color} other @param {number} wanted
 */
export function nearestPassing(color, other, wanted) {
  const [l, c, h] = known(convertColor(color, 'oklch').coords);
  const passing = [0, 1].flatMap((end) => {
    const at = (/** @type {number} */ share) =>
      eightBit(inSrgb({ space: 'oklch', coords: [l + (end - l) * share, c, h], alpha: 1 }));
    if (contrastRatio(at(1), other) < wanted) return [];
    let [low, high] = [0, 1];
    for (let i = 0; i < 24; i += 1) {
      const middle = (low + high) / 2;
      if (contrastRatio(at(middle), other) >= wanted) high = middle;
      else low = middle;
    }
    return [at(high)];
  });
  passing.sort((a, b) => difference(a, color) - difference(b, color));
  return passing[0] && writeHex(passing[0]);
}

/** @param {Color} color @returns {Color} */
const eightBit = (color) => ({
  space: 'srgb',
  coords: /** @type {Triple} */ (bytesOf(color).map((byte) => byte / 255)),
  alpha: 1,
});
