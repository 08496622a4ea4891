//! CSS color spaces: conversions, gamuts and differences, by the library Color.js. Standard: CSS
//! Color 4, sections 10 to 18.

import * as library from '../../libraries/colorjs.js';

/** @typedef {keyof typeof SPACES} Space */
/** Three coordinates; `null` is `none`. @typedef {[number | null, number | null, number | null]} Coords */
/** @typedef {[number, number, number]} Triple */
/** @typedef {{ space: Space, coords: Coords, alpha: number | null }} Color */

const SPACES = {
  srgb: library.sRGB,
  'srgb-linear': library.sRGB_Linear,
  'display-p3': library.P3,
  'display-p3-linear': library.P3_Linear,
  'a98-rgb': library.A98RGB,
  'prophoto-rgb': library.ProPhoto,
  rec2020: library.REC_2020,
  'xyz-d65': library.XYZ_D65,
  'xyz-d50': library.XYZ_D50,
  lab: library.Lab,
  lch: library.LCH,
  oklab: library.OKLab,
  oklch: library.OKLCH,
  hsl: library.HSL,
  hwb: library.HWB,
};

/** Names of the coordinates. */
export const CHANNELS = /** @type {Record<Space, [string, string, string]>} */ (
  Object.fromEntries(
    Object.entries(SPACES).map(([name, { coords }]) => [name, Object.keys(coords)]),
  )
);

/** @param {Color} color */
const plain = ({ space, coords, alpha }) => ({ space: SPACES[space], coords, alpha });

/** A color in another space; a powerless hue becomes `none`. @param {Color} color @param {Space} space @returns {Color} */
export function convertColor(color, space) {
  if (color.space === space) return color;
  const { coords } = library.to(plain(color), SPACES[space]);
  return { space, coords: /** @type {Coords} */ (coords), alpha: color.alpha };
}

/** Coordinates with 0 for `none`. @param {Coords} coords @returns {Triple} */
export const known = (coords) => /** @type {Triple} */ (coords.map((v) => v ?? 0));

/** Whether an RGB space contains a color. @param {Color} color @param {Space} space */
export const fits = (color, space) => library.inGamut(plain(color), SPACES[space]);

/** Difference in Oklab; 0.02 is just noticeable. @param {Color} left @param {Color} right */
export const difference = (left, right) =>
  library.distance(plain(left), plain(right), library.OKLab);

/**
 * The nearest color in the gamut of an RGB space: same lightness and hue, less chroma.
 * @param {Color} color @param {Space} space @returns {Color}
 */
export function mapToGamut(color, space) {
  const { coords } = library.toGamutCSS(plain(color), { space: SPACES[space] });
  return { space, coords: /** @type {Coords} */ (coords), alpha: color.alpha };
}
