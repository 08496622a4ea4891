//! Steps from dark to light through a colour, even to the eye (OKLCH).

import { mapToGamut } from './color-gamut.js';
import { convertColor, known } from './color-spaces.js';

/** @typedef {import('./color-spaces.js').Color} Color */

/**
 * So many darker steps, the colour itself, and so many lighter ones, all within sRGB.
 * @param {Color} color @param {number} steps @returns {Color[]}
 */
export function ladder(color, steps) {
  const [l, c, h] = known(convertColor(color, 'oklch').coords);
  return Array.from({ length: 2 * steps + 1 }, (_, i) => {
    const place = (i - steps) / (steps + 1);
    const lightness = place < 0 ? l * (1 + place) : l + (1 - l) * place;
    // Chroma falls towards black and white, as there is less of it there.
    const chroma = c * (1 - place * place);
    return mapToGamut(
      { space: 'oklch', coords: [lightness, place === 0 ? c : chroma, h], alpha: color.alpha },
      'srgb',
    );
  });
}
