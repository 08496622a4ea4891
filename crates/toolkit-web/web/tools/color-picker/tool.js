//! A color chosen in the color field, from the screen or from an image.
import { color, headline, line, number, pairs, swatches, tool, view } from '../../kit/tool.js';

export default tool({
  fields: {
    color: color('Color', { value: '#0ea5e9', open: true, help: 'Enter any CSS notation.' }),
    steps: number('Lighter and darker steps', { value: 4, min: 0, max: 20 }),
    name: line('Name of the palette', { value: 'brand', max: 60, code: true }),
  },
  async run({ color, steps, name: called }, context) {
    if (color.trim() === '') return {};
    const colors = await import('../../lib/color/colors.js');
    const typed = await colors.readColor('color', color, context.warn);
    const shown = colors.inSrgb(typed);
    const hex = colors.writeHex(shown);
    const name = colors.nearestName(shown);
    const against = async (/** @type {string} */ ground) => {
      const below = await colors.parseColor(ground);
      return colors.writeRatio(colors.contrastRatio(colors.flatten(shown, below), below));
    };
    return {
      headline: headline(hex, { color: hex }),
      notations: pairs([
        ['Hex', hex],
        ['RGB', colors.writeRgb(shown)],
        ['HSL', colors.writeColor(shown, 'hsl')],
        ['OKLCH', colors.writeColor(typed, 'oklch')],
        ['Name', name.difference === 0 ? name.name : `nearest: ${name.name}`],
        ['Contrast', `${await against('white')} with white, ${await against('black')} with black`],
      ]),
      picker: view(hex),
      shades: steps > 0 ? swatches(colors.shades(typed, steps)) : undefined,
      ...colors.palette(typed, called),
      harmonies: swatches(colors.harmonies(shown)),
      seen: swatches(colors.asSeen(shown)),
    };
  },
  start: true,
  labels: {
    picker: 'Image and kept colors',
    css: 'Palette as CSS variables',
    tailwind: 'Palette for Tailwind',
    shades: 'Lighter and darker',
    seen: 'With color blindness',
  },
  product: { headline: 'color' },
  examples: [
    {
      title: 'Sky blue',
      values: { color: 'skyblue' },
    },
    { title: 'Steps of a green', values: { color: 'hsl(150 60% 40%)', steps: 3 } },
  ],
});
