//! Colors in all CSS notations. Standard: CSS Color 4.
import { color, headline, number, pairs, swatches, tool } from '../../kit/tool.js';
import { figure } from '../../lib/color/figure.js';

const WIDE = /** @type {const} */ ([
  'display-p3',
  'a98-rgb',
  'prophoto-rgb',
  'rec2020',
  'xyz-d65',
  'xyz-d50',
]);

/** @param {[number, number, number]} rgb */
function cmyk([r, g, b]) {
  const k = 1 - Math.max(r, g, b);
  const parts = k === 1 ? [0, 0, 0] : [r, g, b].map((v) => (1 - v - k) / (1 - k));
  return [...parts, k].map((v) => `${figure(v * 100, 1)}%`).join(' ');
}

export default tool({
  fields: {
    color: color('Color', {
      help: 'Enter any CSS notation, such as `#06c`, `oklch(0.7 0.15 150)` or `color(display-p3 1 0 0)`.',
    }),
    steps: number('Lighter and darker steps', { value: 4, min: 0, max: 20 }),
  },
  async run({ color, steps }, context) {
    const text = color.trim();
    if (text === '') return {};
    const colors = await import('../../lib/color/colors.js');
    const typed = await colors.readColor('color', color, context.warn);
    const mapped = colors.inSrgb(typed);
    const far = figure(colors.difference(typed, mapped), 3);
    if (!colors.fits(typed, 'srgb') && far !== '0') {
      const p3 = colors.fits(typed, 'display-p3')
        ? 'Display P3 holds it'
        : 'Display P3 does not hold it either';
      context.warn(
        `This color is outside sRGB: hex, rgb, hsl and hwb are the nearest that sRGB holds, at a difference of ${far} in Oklab (0.02 is just noticeable). ${p3}.`,
      );
    }
    const hex = colors.writeHex(mapped);
    const name = colors.nearestName(mapped);
    const rgb = /** @type {[number, number, number]} */ (mapped.coords.map((v) => v ?? 0));
    return {
      headline: headline(hex, { color: hex }),
      notations: pairs(
        [
          ['Hex', hex],
          ['RGB', colors.writeRgb(mapped)],
          ['HSL', colors.writeColor(mapped, 'hsl')],
          ['HWB', colors.writeColor(mapped, 'hwb')],
          ['Lab', colors.writeColor(typed, 'lab')],
          ['LCH', colors.writeColor(typed, 'lch')],
          ['Oklab', colors.writeColor(typed, 'oklab')],
          ['OKLCH', colors.writeColor(typed, 'oklch')],
          ['sRGB', colors.writeColor(typed, 'srgb')],
          ...WIDE.map((space) => [`color(${space})`, colors.writeColor(typed, space)]),
        ],
        { main: /^\s*#?[\da-f]+\s*$/i.test(color) ? 'RGB' : 'Hex' },
      ),
      other: pairs([
        ['Name', name.difference === 0 ? name.name : `nearest: ${name.name}`],
        ['CMYK, without a profile', cmyk(rgb)],
        ['Numbers from 0 to 1', rgb.map((v) => figure(v).replace(/^\d$/, '$&.0')).join(', ')],
        ['Android', `0x${hex.slice(7) || 'ff'}${hex.slice(1, 7)}`],
      ]),
      shades: steps > 0 ? swatches(colors.shades(typed, steps)) : undefined,
    };
  },
  folded: ['other'],
  labels: { other: 'Other forms', shades: 'Lighter and darker' },
  examples: [
    {
      title: 'A hex color',
      values: { color: '#663399' },
    },
    {
      title: 'A color that only some screens show',
      values: { color: 'color(display-p3 0 1 0)', steps: 1 },
    },
  ],
});
