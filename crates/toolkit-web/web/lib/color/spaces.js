//! CSS color spaces: conversions, gamuts and differences, by @csstools/color-helpers. Standard: CSS
//! Color 4, sections 10 to 18.

import * as library from '../../libraries/csstools-color.js';

/** @typedef {keyof typeof SPACES} Space */
/** Three coordinates. `null` is `none`. @typedef {[number | null, number | null, number | null]} Coords */
/** @typedef {[number, number, number]} Triple */
/** @typedef {{ space: Space, coords: Coords, alpha: number | null }} Color */

/** Letters of the coordinates, and the ways to and from XYZ under D50. */
export const SPACES = {
  srgb: space('rgb', library.sRGB_to_XYZ_D50, library.XYZ_D50_to_sRGB),
  'srgb-linear': space('rgb', library.lin_sRGB_to_XYZ_D50, library.XYZ_D50_to_lin_sRGB),
  'display-p3': space('rgb', library.P3_to_XYZ_D50, library.XYZ_D50_to_P3),
  'display-p3-linear': space('rgb', library.lin_P3_to_XYZ_D50, library.XYZ_D50_to_lin_P3),
  'a98-rgb': space('rgb', library.a98_RGB_to_XYZ_D50, library.XYZ_D50_to_a98_RGB),
  'prophoto-rgb': space('rgb', library.ProPhoto_RGB_to_XYZ_D50, library.XYZ_D50_to_ProPhoto),
  rec2020: space('rgb', library.rec_2020_to_XYZ_D50, library.XYZ_D50_to_rec_2020),
  'xyz-d65': space('xyz', library.XYZ_D65_to_XYZ_D50, library.XYZ_D50_to_XYZ_D65),
  'xyz-d50': space('xyz', library.XYZ_D50_to_XYZ_D50, library.XYZ_D50_to_XYZ_D50),
  lab: space('lab', library.Lab_to_XYZ_D50, library.XYZ_D50_to_Lab),
  lch: space('lch', library.LCH_to_XYZ_D50, library.XYZ_D50_to_LCH),
  oklab: space('lab', library.OKLab_to_XYZ_D50, library.XYZ_D50_to_OKLab),
  oklch: space('lch', library.OKLCH_to_XYZ_D50, library.XYZ_D50_to_OKLCH),
  hsl: space('hsl', library.HSL_to_XYZ_D50, library.XYZ_D50_to_HSL),
  hwb: space('hwb', library.HWB_to_XYZ_D50, library.XYZ_D50_to_HWB),
};

/** @typedef {(coords: Triple) => Triple} Way */

/** @param {string} letters @param {Way} toXyz @param {Way} fromXyz */
function space(letters, toXyz, fromXyz) {
  return { letters, toXyz, fromXyz };
}

/** The library writes `none` as NaN. @param {number[]} coords */
const withNone = (coords) =>
  /** @type {Coords} */ (coords.map((v) => (Number.isNaN(v) ? null : v)));

/** Converts a color to another space. A powerless hue becomes `none`. @param {Color} color @param {Space} space @returns {Color} */
export function convertColor(color, space) {
  if (color.space === space) return color;
  const xyz = SPACES[color.space].toXyz(known(color.coords));
  return { space, coords: withNone(SPACES[space].fromXyz(xyz)), alpha: color.alpha };
}

/** Coordinates with 0 for `none`. @param {Coords} coords @returns {Triple} */
export const known = (coords) => /** @type {Triple} */ (coords.map((v) => v ?? 0));

/** Whether an RGB space contains a color, as far as one can see. @param {Color} color @param {Space} space */
export const fits = (color, space) =>
  known(convertColor(color, space).coords).every((v) => v > -0.000075 && v < 1.000075);

/** Difference in Oklab. 0.02 is just noticeable. @param {Color} left @param {Color} right */
export function difference(left, right) {
  const other = known(convertColor(right, 'oklab').coords);
  const apart = known(convertColor(left, 'oklab').coords).map((v, i) => v - (other[i] ?? 0));
  return Math.hypot(...apart);
}

/**
 * The nearest color in sRGB: same lightness and hue, less chroma.
 * @param {Color} color @returns {Color}
 */
export function inSrgb(color) {
  const inside = convertColor(color, 'srgb');
  if (fits(inside, 'srgb')) return inside;
  const { oklch, srgb } = SPACES;
  const [l, c, h] = known(convertColor(color, 'oklch').coords);
  // The ends of lightness, reached but for rounding, are black and white (§13.2).
  if (l < 1e-9) return { ...inside, coords: [0, 0, 0] };
  if (l > 1 - 1e-9) return { ...inside, coords: [1, 1, 1] };
  const coords = library.mapGamut(
    [l, c, h],
    (coords) => srgb.fromXyz(oklch.toXyz(coords)),
    (coords) => oklch.fromXyz(srgb.toXyz(coords)),
  );
  return { ...inside, coords };
}
