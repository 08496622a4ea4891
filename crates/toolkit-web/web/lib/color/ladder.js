//! Perceptually even steps from dark to light through a color (OKLCH).

import { convertColor, inSrgb, known } from './spaces.js';
import { writeHex } from './write.js';

/** @typedef {import('./spaces.js').Color} Color */

/**
 * The given number of darker steps, the color itself, and as many lighter ones, all within sRGB.
 * @param {Color} color @param {number} steps @returns {Color[]}
 */
function ladder(color, steps) {
  const [l, c, h] = known(convertColor(color, 'oklch').coords);
  return Array.from({ length: 2 * steps + 1 }, (_, i) => {
    const place = (i - steps) / (steps + 1);
    const lightness = place < 0 ? l * (1 + place) : l + (1 - l) * place;
    // Chroma falls towards black and white, where the gamut is narrower.
    const chroma = c * (1 - place * place);
    return inSrgb({
      space: 'oklch',
      coords: [lightness, place === 0 ? c : chroma, h],
      alpha: color.alpha,
    });
  });
}

/** The same as swatches, with their lightness. @param {Color} color @param {number} steps */
export const shades = (color, steps) =>
  ladder(color, steps).map((one) => {
    const [lightness] = known(convertColor(one, 'oklch').coords);
    return { color: writeHex(one), label: `lightness ${Math.round(lightness * 100)} %` };
  });

/** Names of eleven steps from light to dark, with the color itself in the middle. */
const STEPS = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950];

/** A palette as custom properties, and as the theme of Tailwind 4. @param {Color} color @param {string} name */
export function palette(color, name) {
  const own =
    name
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-') || 'brand';
  const colors = ladder(color, 5).reverse().map(writeHex);
  const lines = (/** @type {string} */ before) =>
    STEPS.map((step, at) => `  --${before}${own}-${step}: ${colors[at]};`).join('\n');
  return { css: `:root {\n${lines('')}\n}`, tailwind: `@theme {\n${lines('color-')}\n}` };
}

/** Turns of the hue in degrees. @type {[string, number][]} */
const HARMONIES = [
  ['complement', 180],
  ['analogous', -30],
  ['analogous', 30],
  ['triad', 120],
  ['triad', 240],
];

/** Colors of the same lightness and chroma whose hues go with a color's. @param {Color} color */
export function harmonies(color) {
  const [l, c, h] = known(convertColor(color, 'oklch').coords);
  return HARMONIES.map(([label, turn]) => {
    const turned = { ...color, space: /** @type {const} */ ('oklch') };
    const coords = /** @type {Color['coords']} */ ([l, c, (h + turn + 360) % 360]);
    return { color: writeHex(inSrgb({ ...turned, coords })), label };
  });
}
