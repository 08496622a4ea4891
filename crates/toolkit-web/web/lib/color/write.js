//! Colors as CSS text, in every notation.

import { COLOR_NAMES } from '../../data/color-names.js';
import { figure } from './figure.js';
import { convertColor, difference, known, SPACES } from './spaces.js';

/** @typedef {import('./spaces.js').Color} Color */
/** @typedef {import('./spaces.js').Space} Space */

/** Channels clamped and rounded to 0 to 255, halves up although a double may be just below. @param {Color} color @returns {[number, number, number]} */
export function bytesOf(color) {
  const { coords } = convertColor(color, 'srgb');
  return /** @type {[number, number, number]} */ (
    known(coords).map((v) => Math.round(Math.min(1, Math.max(0, v)) * 255 + 1e-9))
  );
}

/** @param {Color} color */
export function writeHex(color) {
  const alpha = color.alpha === null ? 0 : color.alpha;
  const bytes = [...bytesOf(color), ...(alpha < 1 ? [Math.round(alpha * 255)] : [])];
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** @param {Color} color */
export function writeRgb(color) {
  return `rgb(${bytesOf(color).join(' ')}${writeAlpha(color)})`;
}

/** @param {Color} color */
const writeAlpha = ({ alpha }) => (alpha === 1 ? '' : ` / ${figure(alpha)}`);

/** Decimals of each coordinate. @type {Partial<Record<Space, number[]>>} */
const DIGITS = {
  hsl: [2, 2, 2],
  hwb: [2, 2, 2],
  lab: [3, 3, 3],
  lch: [3, 3, 2],
  oklab: [5, 5, 5],
  oklch: [5, 5, 2],
};

/** A color in its space's own notation. @param {Color} color @param {Space} space */
export function writeColor(color, space) {
  const converted = convertColor(color, space);
  const digits = DIGITS[space];
  const parts = converted.coords.map((v, i) => {
    // A hue is rounded first: 359.999 is 0, not 360.
    const isHue = SPACES[space].letters[i] === 'h' && v !== null;
    const text = isHue ? figure(Number(figure(v, digits?.[i])) % 360) : figure(v, digits?.[i] ?? 5);
    return (space === 'hsl' || space === 'hwb') && i > 0 && v !== null ? `${text}%` : text;
  });
  const alpha = writeAlpha(converted);
  // Without saturation, the hue is only noise.
  const [, second = '', third = ''] = parts;
  const isWhole = Number.parseFloat(second) + Number.parseFloat(third) >= 100;
  if (space === 'hsl' ? second === '0%' : space === 'hwb' && isWhole) parts[0] = 'none';
  return digits
    ? `${space}(${parts.join(' ')}${alpha})`
    : `color(${space} ${parts.join(' ')}${alpha})`;
}

/** The closest named color. @param {Color} color */
export function nearestName(color) {
  const bytes = writeHex({ ...color, alpha: 1 });
  let best = { name: '', difference: Infinity };
  for (const [name, hex] of COLOR_NAMES) {
    if (hex === bytes) return { name, difference: 0 };
    const [r = 0, g = 0, b = 0] = (hex.slice(1).match(/../g) ?? []).map(
      (pair) => Number.parseInt(pair, 16) / 255,
    );
    const far = difference(color, { space: 'srgb', coords: [r, g, b], alpha: 1 });
    if (far < best.difference) best = { name, difference: far };
  }
  return best;
}
