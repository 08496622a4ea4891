//! Mixing of colors, also for gradients. Standard: CSS Color 4 §12, CSS Color 5 §3.

import { CHANNELS, convertColor } from './spaces.js';

/** @typedef {import('./spaces.js').Space} Space */
/** @typedef {import('./spaces.js').Coords} Coords */
/** @typedef {import('./spaces.js').Color} Color */
/** @typedef {import('./tokens.js').Cursor} Cursor */
/** @typedef {'shorter' | 'longer' | 'increasing' | 'decreasing'} HueWay */
/** @typedef {{ space: Space, way: HueWay, colors: Color[], shares: number[], strength: number }} Mix */

const POLAR = new Set(['hsl', 'hwb', 'lch', 'oklch']);

/** The arguments of `color-mix()`. @param {Cursor} cursor @param {(cursor: Cursor) => Color} readColor @returns {Mix} */
export function readMix(cursor, readColor) {
  /** @type {Space} */
  let space = 'oklab';
  /** @type {HueWay} */
  let way = 'shorter';
  if (cursor.take('in')) {
    const name = cursor.next?.text === 'xyz' ? 'xyz-d65' : (cursor.next?.text ?? '');
    if (!Object.hasOwn(CHANNELS, name)) cursor.unexpected('a color space');
    space = /** @type {Space} */ (name);
    cursor.index += 1;
    if (
      POLAR.has(space) &&
      /^(?:shorter|longer|increasing|decreasing)$/.test(cursor.next?.text ?? '')
    ) {
      way = /** @type {HueWay} */ (cursor.next?.text);
      cursor.index += 1;
      cursor.expect('hue');
    }
    cursor.expect(',');
  }
  const first = readShare(cursor, readColor);
  cursor.expect(',');
  const second = readShare(cursor, readColor);
  const [p, q] = [
    first.share ?? 100 - (second.share ?? 50),
    second.share ?? 100 - (first.share ?? 50),
  ];
  if (p + q === 0) cursor.fail('mixes nothing: both shares are 0 %');
  return {
    space,
    way,
    colors: [first.color, second.color],
    shares: [p / (p + q), q / (p + q)],
    strength: Math.min(1, (p + q) / 100),
  };
}

/** @param {Cursor} cursor @param {(cursor: Cursor) => Color} readColor */
function readShare(cursor, readColor) {
  let share = takePercent(cursor);
  const color = readColor(cursor);
  share ??= takePercent(cursor);
  return { color, share };
}

/** @param {Cursor} cursor */
function takePercent(cursor) {
  if (cursor.next?.kind !== 'percent') return undefined;
  const { value } = cursor.next;
  if (value < 0 || value > 100) cursor.fail('has a share that is not from 0 % to 100 %');
  cursor.index += 1;
  return value;
}

/** @param {Mix} mix @returns {Color} */
export function mixColors({ space, way, colors, shares, strength }) {
  const [left, right] = colors;
  if (!left || !right) throw new TypeError('two colors are needed');
  const mixed = interpolate(left, right, shares[1] ?? 0.5, space, way);
  const alpha = mixed.alpha === null ? null : mixed.alpha * strength;
  const color = { ...mixed, alpha };
  return space === 'hsl' || space === 'hwb' ? { ...convertColor(color, 'srgb'), alpha } : color;
}

/**
 * The color at a position between two; 0 is the first.
 * @param {Color} left @param {Color} right @param {number} at @param {Space} space @param {HueWay} [way]
 * @returns {Color}
 */
export function interpolate(left, right, at, space, way = 'shorter') {
  const a = carried(left, space);
  const b = carried(right, space);
  const alphas = [a.alpha ?? b.alpha, b.alpha ?? a.alpha];
  const alpha = alphas[0] === null ? null : (alphas[0] ?? 1) * (1 - at) + (alphas[1] ?? 1) * at;
  const coords = CHANNELS[space].map((name, i) => {
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
  const name = CHANNELS[space][i] ?? '';
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
