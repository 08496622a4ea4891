//! Colors in every CSS notation: names and hex immediately, all others by a parser loaded on first use.

import { COLOR_NAMES } from '../../data/color-names.js';

/** @typedef {import('./spaces.js').Color} Color */

/** Parses a color. Rejects any other text with a `Refusal`. @param {string} text @returns {Promise<Color>} */
export const parseColor = async (text) =>
  plainColor(text.trim()) ?? (await import('./css.js')).parseCss(text);

/** The color of a name or hex. Undefined for any other text. @param {string} text @returns {Color | undefined} */
export function plainColor(text) {
  const isWord = /^[a-z]+$/i.test(text);
  const hex = (isWord && COLOR_NAMES.get(text.toLowerCase())) || text;
  if (!/^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(hex)) return undefined;
  const digits = hex.length < 6 ? hex.replace(/[\da-f]/gi, '$&$&') : hex;
  const [r = 0, g = 0, b = 0, a = 255] = (digits.match(/[\da-f]{2}/gi) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  );
  return { space: 'srgb', coords: [r / 255, g / 255, b / 255], alpha: a / 255 };
}
