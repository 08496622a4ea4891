//! A color chosen by sliders, from the screen or from an image.
import { color, number, pairs, swatches, tool, view } from '../kit/tool.js';

export default tool({
  fields: {
    color: color('Color', {
      value: '#0ea5e9',
      help: 'Type any CSS notation, or use the sliders, the screen or an image.',
    }),
    steps: number('Lighter and darker steps', { value: 4, min: 0, max: 20 }),
  },
  async run({ color, steps }, context) {
    if (color.trim() === '') return {};
    const {
      convertColor,
      inSrgb,
      known,
      nearestName,
      readColor,
      shades,
      writeColor,
      writeHex,
      writeRgb,
    } = await import('../lib/color/colors.js');
    const found = readColor('color', color, context.warn);
    const shown = inSrgb(found);
    const hex = writeHex(shown);
    const name = nearestName(shown);
    if ((found.alpha ?? 0) < 1)
      context.warn('The sliders keep the color without its transparency.');
    return {
      picker: view({ hex, hsl: known(convertColor(shown, 'hsl').coords).map(Math.round) }),
      notations: pairs([
        ['Hex', hex],
        ['RGB', writeRgb(shown)],
        ['HSL', writeColor(shown, 'hsl')],
        ['OKLCH', writeColor(found, 'oklch')],
        ['Name', name.difference === 0 ? name.name : `nearest: ${name.name}`],
      ]),
      shades: swatches(shades(found, steps)),
    };
  },
  start: true,
  labels: { picker: 'Picker', shades: 'Lighter and darker' },
  examples: [
    {
      title: 'Sky blue',
      values: { color: 'skyblue', steps: 0 },
      outputs: {
        notations: pairs([
          ['Hex', '#87ceeb'],
          ['RGB', 'rgb(135 206 235)'],
          ['HSL', 'hsl(197.4 71.43% 72.55%)'],
          ['OKLCH', 'oklch(0.81482 0.08192 225.75)'],
          ['Name', 'skyblue'],
        ]),
      },
    },
    { title: 'Steps of a green', values: { color: 'hsl(150 60% 40%)', steps: 3 } },
  ],
});
