//! Gamuts: whether a space contains a color, and the nearest one that it contains. Standard: CSS
//! Color 4 §13.2.

import { convertColor, convertCoords, known } from './color-spaces.js';

/** @typedef {import('./color-spaces.js').Color} Color */
/** @typedef {import('./color-spaces.js').Space} Space */
/** @typedef {import('./color-spaces.js').Triple} Triple */

const JUST_NOTICEABLE = 0.02;
const PRECISION = 0.0001;

/** @param {Color} color @param {Space} space an RGB space @param {number} [slack] */
export function fits(color, space, slack = 0.000075) {
  return known(convertColor(color, space).coords).every((v) => v >= -slack && v <= 1 + slack);
}

/** Difference in Oklab; 0.02 is just noticeable. @param {Color} left @param {Color} right */
export function difference(left, right) {
  const [a, b] = [left, right].map((color) =>
    convertCoords(known(color.coords), color.space, 'oklab'),
  );
  return Math.hypot(...(a ?? []).map((v, i) => v - (b?.[i] ?? 0)));
}

/** @param {Color} color @param {Space} space @returns {Color} */
function clip(color, space) {
  const coords = known(convertColor(color, space).coords).map((v) => Math.min(1, Math.max(0, v)));
  return { space, coords: /** @type {Triple} */ (coords), alpha: color.alpha };
}

/**
 * The nearest color in the gamut of an RGB space: same lightness and hue, less chroma.
 * @param {Color} color @param {Space} space @returns {Color}
 */
export function mapToGamut(color, space) {
  const { coords, alpha } = convertColor(color, 'oklch');
  const [l, c, h] = known(coords);
  if (l >= 1) return { space, coords: [1, 1, 1], alpha };
  if (l <= 0) return { space, coords: [0, 0, 0], alpha };
  if (fits(color, space, 0)) return convertColor(color, space);
  /** @param {number} chroma @returns {Color} */
  const at = (chroma) => ({ space: 'oklch', coords: [l, chroma, h], alpha });
  let clipped = clip(color, space);
  if (difference(clipped, at(c)) < JUST_NOTICEABLE) return clipped;
  let [min, max, minFits] = /** @type {[number, number, boolean]} */ ([0, c, true]);
  while (max - min > PRECISION) {
    const chroma = (min + max) / 2;
    if (minFits && fits(at(chroma), space, 0)) {
      min = chroma;
      continue;
    }
    clipped = clip(at(chroma), space);
    const far = difference(clipped, at(chroma));
    if (far >= JUST_NOTICEABLE) max = chroma;
    else if (JUST_NOTICEABLE - far < PRECISION) return clipped;
    else {
      minFits = false;
      min = chroma;
    }
  }
  return clipped;
}
