//! Outputs and warnings of examples, by title.
import { pairs, swatches } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A hex color': {
    notations: pairs(
      [
        ['Hex', '#663399'],
        ['RGB', 'rgb(102 51 153)'],
        ['HSL', 'hsl(270 50% 40%)'],
        ['HWB', 'hwb(270 20% 40%)'],
        ['Lab', 'lab(32.393 38.423 -47.691)'],
        ['LCH', 'lch(32.393 61.244 308.86)'],
        ['Oklab', 'oklab(0.44027 0.08818 -0.13386)'],
        ['OKLCH', 'oklch(0.44027 0.1603 303.37)'],
        ['sRGB', 'color(srgb 0.4 0.2 0.6)'],
        ['color(display-p3)', 'color(display-p3 0.37367 0.21033 0.57911)'],
        ['color(a98-rgb)', 'color(a98-rgb 0.358 0.21232 0.58434)'],
        ['color(prophoto-rgb)', 'color(prophoto-rgb 0.31642 0.19133 0.49481)'],
        ['color(rec2020)', 'color(rec2020 0.3957 0.27016 0.59736)'],
        ['color(xyz-d65)', 'color(xyz-d65 0.12412 0.07493 0.3093)'],
        ['color(xyz-d50)', 'color(xyz-d50 0.11627 0.0726 0.23254)'],
      ],
      { main: 'RGB' },
    ),
  },
  'A color that only some screens show': {
    shades: swatches(
      [
        ['#006300', 43],
        ['#00fb29', 86],
        ['#8cff96', 91],
      ].map(([color, percent]) => ({ color: String(color), label: `lightness ${percent} %` })),
    ),
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'A color that only some screens show': [
    'This color is outside sRGB: hex, rgb, hsl and hwb are the nearest that sRGB holds, at a difference of 0.086 in Oklab (0.02 is just noticeable). Display P3 holds it.',
  ],
};
