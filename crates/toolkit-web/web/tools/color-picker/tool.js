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
    const {
      asSeen,
      contrastRatio,
      flatten,
      harmonies,
      inSrgb,
      nearestName,
      palette,
      parseColor,
      readColor,
      shades,
      writeColor,
      writeHex,
      writeRatio,
      writeRgb,
    } = await import('../../lib/color/colors.js');
    const typed = await readColor('color', color, context.warn);
    const shown = inSrgb(typed);
    const hex = writeHex(shown);
    const name = nearestName(shown);
    const against = async (/** @type {string} */ ground) => {
      const below = await parseColor(ground);
      return writeRatio(contrastRatio(flatten(shown, below), below));
    };
    return {
      headline: headline(hex, { color: hex }),
      notations: pairs([
        ['Hex', hex],
        ['RGB', writeRgb(shown)],
        ['HSL', writeColor(shown, 'hsl')],
        ['OKLCH', writeColor(typed, 'oklch')],
        ['Name', name.difference === 0 ? name.name : `nearest: ${name.name}`],
        ['Contrast', `${await against('white')} with white, ${await against('black')} with black`],
      ]),
      picker: view(hex),
      shades: steps > 0 ? swatches(shades(typed, steps)) : undefined,
      ...palette(typed, called),
      harmonies: swatches(harmonies(shown)),
      seen: swatches(asSeen(shown)),
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
  examples: [
    {
      title: 'Sky blue',
      values: { color: 'skyblue' },
    },
    { title: 'Steps of a green', values: { color: 'hsl(150 60% 40%)', steps: 3 } },
  ],
});
