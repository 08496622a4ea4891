//! Mixing of colors for gradients, without the parser of CSS. Standard: CSS Color 4 §12.

import { convertColor, SPACES } from './spaces.js';

/** @typedef {import('./spaces.js').Space} Space */
/** @typedef {import('./spaces.js').Coords} Coords */
/** @typedef {import('./spaces.js').Color} Color */
/** @typedef {'shorter' | 'longer' | 'increasing' | 'decreasing'} HueWay */

/**
 * The color at a position between two. 0 is the first.
 * @param {Color} left @param {Color} right @param {number} at @param {Space} space @param {HueWay} way
 * @returns {Color}
 */
export function interpolate(left, right, at, space, way) {
  const a = carried(left, space);
  const b = carried(right, space);
  const alphas = [a.alpha ?? b.alpha, b.alpha ?? a.alpha];
  const alpha = alphas[0] === null ? null : (alphas[0] ?? 1) * (1 - at) + (alphas[1] ?? 1) * at;
  const coords = [...SPACES[space].letters].map((name, i) => {
    const [x, y] = [a.coords[i] ?? b.coords[i] ?? null, b.coords[i] ?? a.coords[i] ?? null];
    if (x === null || y === null) return null;
    if (name === 'h') return mixHues(x, y, at, way);
    // Colors are weighted by their alpha.
    const weight = (/** @type {number} */ v, /** @type {number | null | undefined} */ own) =>
      v * (own ?? 1);
    const mixed = weight(x, alphas[0]) * (1 - at) + weight(y, alphas[1]) * at;
    return alpha ? mixed / alpha : mixed;
  });
  return { space, coords: /** @type {Coords} */ (coords), alpha };
}

/** @param {number} from @param {number} to @param {number} at @param {HueWay} way */
function mixHues(from, to, at, way) {
  let [a, b] = [from, to];
  const d = b - a;
  if (way === 'shorter') {
    if (d > 180) a += 360;
    else if (d < -180) b += 360;
  } else if (way === 'longer') {
    if (d > 0 && d < 180) a += 360;
    else if (d > -180 && d <= 0) b += 360;
  } else if (way === 'increasing' && b < a) b += 360;
  else if (way === 'decreasing' && a < b) a += 360;
  return (((a * (1 - at) + b * at) % 360) + 360) % 360;
}

/** Analogous channels, which keep `none` in a conversion (CSS Color 4 §12.2). @type {Record<string, string>} */
const ALIKE = { r: 'r', x: 'r', g: 'g', y: 'g', z: 'b', l: 'l', c: 'c', s: 'c', h: 'h', a: 'a' };

/** @param {Space} space @param {number} i */
function meaning(space, i) {
  const name = SPACES[space].letters[i] ?? '';
  if (name === 'b')
    return space.endsWith('lab') ? 'opponent b' : space === 'hwb' ? 'blackness' : 'b';
  return ALIKE[name] ?? name;
}

/** @param {Color} color @param {Space} space @returns {Color} */
function carried(color, space) {
  if (color.space === space) return color;
  const converted = convertColor(color, space);
  const missing = new Set(
    color.coords.flatMap((v, i) => (v === null ? [meaning(color.space, i)] : [])),
  );
  const coords = converted.coords.map((v, i) => (missing.has(meaning(space, i)) ? null : v));
  return { ...converted, coords: /** @type {Coords} */ (coords) };
}
