//! CSS gradients, also as SVG and PNG. Standard: CSS Images 4.
import {
  choice,
  color,
  number,
  picture,
  refuse,
  rows,
  text,
  textOutput,
  toggle,
  tool,
  view,
} from '../../kit/tool.js';
import { writePng } from '../../lib/image/png.js';

const SPACES = {
  default: 'Default (sRGB)',
  oklab: 'Oklab',
  oklch: 'OKLCH',
  lab: 'Lab',
  lch: 'LCH',
  hsl: 'HSL',
  hwb: 'HWB',
  srgb: 'sRGB',
  'srgb-linear': 'Linear sRGB',
  'display-p3': 'Display P3',
  'xyz-d65': 'XYZ',
};

/** @param {string} label */
const center = (label) =>
  number(label, {
    value: 50,
    min: 0,
    max: 100,
    step: 'any',
    unit: '%',
    when: { kind: ['radial', 'conic'] },
  });

const STOPS = [
  { color: '#0ea5e9', at: 0 },
  { color: '#a855f7', at: 100 },
];

/** The values of a gradient in CSS. @param {{ css: { string: string } }} values @param {{ warn: (sentence: string) => void }} context */
async function imported({ css }, { warn }) {
  const { readColor } = await import('./gradient.js');
  const { readGradient } = await import('./read.js');
  return readGradient(css.string, readColor, warn);
}

export default tool({
  more: 'width',
  fields: {
    kind: choice('Kind', { linear: 'Linear', radial: 'Radial', conic: 'Conic' }),
    stops: rows(
      'Stops',
      {
        color: color('Color'),
        at: number('Position in %', { value: 0, min: -1000, max: 1000, step: 'any' }),
      },
      {
        value: STOPS,
        max: 50,
        add: 'Add a stop',
      },
    ),
    angle: number('Angle', {
      value: 180,
      min: 0,
      max: 360,
      step: 'any',
      unit: '°',
      help: '0° points up, 90° to the right; a conic gradient begins there.',
      when: { kind: ['linear', 'conic'] },
    }),
    shape: choice('Shape', { ellipse: 'Ellipse', circle: 'Circle' }, { when: { kind: 'radial' } }),
    x: center('Center x'),
    y: center('Center y'),
    repeating: toggle('Repeat'),
    space: choice('Color space', SPACES, {
      help: 'Choose Oklab for an even look, OKLCH to go around the circle of hues.',
    }),
    hue: choice(
      'Hue direction',
      { shorter: 'Shorter', longer: 'Longer', increasing: 'Increasing', decreasing: 'Decreasing' },
      { when: { space: ['oklch', 'lch', 'hsl', 'hwb'] } },
    ),
    width: number('Image width', { value: 640, min: 1, max: 2000, unit: 'px' }),
    height: number('Image height', { value: 240, min: 1, max: 2000, unit: 'px' }),
    css: text('CSS to import', {
      lines: 2,
      max: 20_000,
      help: 'Paste a gradient in CSS, and press the button to fill the form.',
    }),
  },
  async run(typed, context) {
    // As it is handed over, before its button is pressed.
    const isNew =
      typed.css.string.trim() !== '' && JSON.stringify(typed.stops) === JSON.stringify(STOPS);
    const values = isNew ? { ...typed, ...(await imported(typed, context)) } : typed;
    const { kind, stops, width, height } = values;
    const filled = stops
      .map((stop, i) => ({ ...stop, row: i + 1 }))
      .filter((stop) => stop.color.trim() !== '');
    if (filled.length === 0) return {};
    if (filled.length < 2) refuse('stops', 'must have two colors at least');
    const { beginnings, cssColor, readColor, samples, writeCss, writePixels, writeSvg } =
      await import('./gradient.js');
    const read = await Promise.all(
      filled.map(async (stop) => ({
        color: await readColor('stops', stop.color, context.warn, `Row ${stop.row}`),
        written: cssColor(stop.color, () => {}).trim(),
        at: stop.at / 100,
      })),
    );
    const sorted = inOrder(read, context.warn);
    const gradient = { ...values, stops: sorted };
    const css = writeCss(gradient);
    const old = values.space === 'default' ? '' : `background: ${writeCss(gradient, true)};\n`;
    if (kind === 'conic') context.warn('SVG has no conic gradients; the PNG shows it.');
    const alt = `The ${kind} gradient`;
    const shown = read.map(({ written }, index) => ({ color: written, at: filled[index]?.at }));
    return {
      gradient: view({ ...beginnings(gradient), stops: shown, samples: samples(gradient) }),
      css: textOutput(`${old}background: ${css};\n`, { file: 'gradient.css', type: 'text/css' }),
      picture: picture(await writePng(width, height, writePixels(gradient, width, height)), {
        alt,
        type: 'image/png',
        file: 'gradient.png',
      }),
      svg:
        kind === 'conic'
          ? null
          : textOutput(`${writeSvg(gradient, width, height)}\n`, {
              file: 'gradient.svg',
              type: 'image/svg+xml',
            }),
    };
  },
  start: true,
  folded: ['picture', 'svg'],
  labels: { gradient: 'Preview', css: 'CSS', picture: 'PNG', svg: 'SVG' },
  actions: [
    {
      title: 'Import CSS',
      field: 'css',
      run: imported,
    },
  ],
  product: { css: 'CSS' },
  examples: [
    {
      title: 'Two colors',
      values: {
        stops: [
          { color: 'orange', at: 0 },
          { color: 'hotpink', at: 100 },
        ],
        angle: 90,
        width: 100,
        height: 20,
      },
    },
    {
      title: 'A wheel of all hues',
      values: {
        kind: 'conic',
        stops: [
          { color: 'oklch(0.7 0.15 0)', at: 0 },
          { color: 'oklch(0.7 0.15 360)', at: 100 },
        ],
        angle: 0,
        space: 'oklch',
        hue: 'longer',
        width: 40,
        height: 40,
      },
    },
  ],
});

/** Warns of stops that precede the one above, which CSS moves. @template {{ at: number }} S @param {S[]} stops @param {(sentence: string) => void} warn */
function inOrder(stops, warn) {
  let last = -Infinity;
  return stops.map((stop, i) => {
    if (stop.at < last)
      warn(`Stop ${i + 1} stands before the stop above it, so it moves to ${last * 100} %.`);
    last = Math.max(last, stop.at);
    return { ...stop, at: last };
  });
}
