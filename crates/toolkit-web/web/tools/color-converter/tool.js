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
    const {
      difference,
      fits,
      inSrgb,
      nearestName,
      readColor,
      shades,
      writeColor,
      writeHex,
      writeRgb,
    } = await import('../../lib/color/colors.js');
    const typed = await readColor('color', color, context.warn);
    const mapped = inSrgb(typed);
    const far = figure(difference(typed, mapped), 3);
    if (!fits(typed, 'srgb') && far !== '0') {
      const p3 = fits(typed, 'display-p3')
        ? 'Display P3 holds it'
        : 'Display P3 does not hold it either';
      context.warn(
        `This color is outside sRGB: hex, rgb, hsl and hwb are the nearest that sRGB holds, at a difference of ${far} in Oklab (0.02 is just noticeable). ${p3}.`,
      );
    }
    const name = nearestName(mapped);
    const rgb = /** @type {[number, number, number]} */ (mapped.coords.map((v) => v ?? 0));
    return {
      headline: headline(writeHex(mapped), { color: writeHex(mapped) }),
      notations: pairs([
        ['Hex', writeHex(mapped)],
        ['RGB', writeRgb(mapped)],
        ['HSL', writeColor(mapped, 'hsl')],
        ['HWB', writeColor(mapped, 'hwb')],
        ['Lab', writeColor(typed, 'lab')],
        ['LCH', writeColor(typed, 'lch')],
        ['Oklab', writeColor(typed, 'oklab')],
        ['OKLCH', writeColor(typed, 'oklch')],
        ['sRGB', writeColor(typed, 'srgb')],
        ...WIDE.map(
          (space) =>
            /** @type {[string, string]} */ ([`color(${space})`, writeColor(typed, space)]),
        ),
      ]),
      other: pairs([
        ['Name', name.difference === 0 ? name.name : `nearest: ${name.name}`],
        ['CMYK, without a profile', cmyk(rgb)],
        ['Numbers from 0 to 1', rgb.map((v) => figure(v).replace(/^\d$/, '$&.0')).join(', ')],
        ['Android', `0x${toArgb(writeHex(mapped))}`],
        ['Alpha', figure(typed.alpha)],
      ]),
      shades: steps > 0 ? swatches(shades(typed, steps)) : undefined,
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
      warnings: [
        'This color is outside sRGB: hex, rgb, hsl and hwb are the nearest that sRGB holds, at a difference of 0.086 in Oklab (0.02 is just noticeable). Display P3 holds it.',
      ],
    },
  ],
});

/** @param {string} hex */
const toArgb = (hex) => (hex.slice(7) || 'ff') + hex.slice(1, 7);
