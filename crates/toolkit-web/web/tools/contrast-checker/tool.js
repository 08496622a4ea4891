//! Contrast of text and background. Standards: WCAG 2.2, criteria 1.4.3, 1.4.6 and 1.4.11; APCA.
import { color, headline, pairs, picture, refuse, rows, table, tool } from '../../kit/tool.js';

/** @typedef {import('../../lib/color/spaces.js').Color} Color */
/** @typedef {import('../../kit/types.d.ts').Context} Context */

/** @type {typeof import('../../lib/color/colors.js')} */
let colors;

const LEVELS = /** @type {[string, number][]} */ ([
  ['Normal text, AA (1.4.3)', 4.5],
  ['Normal text, AAA (1.4.6)', 7],
  ['Large text, AA (1.4.3)', 3],
  ['Large text, AAA (1.4.6)', 4.5],
  ['Interface and graphics, AA (1.4.11)', 3],
]);

/** @param {number} ratio @param {number} wanted */
const verdict = (ratio, wanted) => (ratio >= wanted ? 'passes' : `fails: ${wanted}:1 is needed`);

/** Smallest lightness contrasts of the draft, by use. */
const USES = /** @type {[number, string][]} */ ([
  [90, 'columns of text'],
  [75, 'body text'],
  [60, 'text that is not body text'],
  [45, 'headlines'],
  [30, 'placeholders and icons'],
  [0, 'nothing that is read'],
]);

/** @param {number} contrast */
const apcaVerdict = (contrast) =>
  `Lc ${contrast.toFixed(1)}: enough for ${USES.find(([least]) => Math.abs(contrast) >= least)?.[1]}`;

/** The ratio with the best that it reaches for text of normal size. @param {number} ratio */
function answer(ratio) {
  const text = colors.writeRatio(ratio);
  if (ratio >= 7) return headline(`${text} passes AAA`, { tone: 'good' });
  if (ratio >= 4.5) return headline(`${text} passes AA`, { tone: 'good' });
  if (ratio >= 3)
    return headline(`${text} passes AA for large text only: other text fails`, { tone: 'bad' });
  return headline(`${text} fails AA`, { tone: 'bad' });
}

/** @param {Color} text @param {Color} ground */
function sample(text, ground) {
  const [ink, paper] = [colors.writeHex(text), colors.writeHex(ground)];
  const lines = [
    ['Normal text of 16 pixels', 16],
    ['Large text of 24 pixels', 24],
    ['Large bold text of 19 pixels', 19, ' font-weight="bold"'],
  ].map(
    ([words, size, weight = ''], at) =>
      `<text x="24" y="${56 + 44 * at}" font-size="${size}"${weight}>${words}</text>`,
  );
  const shapes = `<g fill="none" stroke="${ink}" stroke-width="4"><circle cx="50" cy="202" r="24"/><path d="m39 202 8 9 15-18"/><rect x="96" y="180" width="150" height="44" rx="6"/></g><text x="171" y="208" font-size="16" text-anchor="middle">A button</text>`;
  // Without a view box: letters have the size that they name on every page.
  return `<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="260" font-family="sans-serif" fill="${ink}"><rect width="100%" height="100%" fill="${paper}"/>${lines.join('')}${shapes}</svg>`;
}

/** @param {string} now @param {string | undefined} wanted */
const advice = (now, wanted) =>
  wanted === undefined
    ? 'no lightness of this hue reaches it'
    : wanted === now
      ? `${now} already passes`
      : wanted;

export default tool({
  more: 'behind',
  fields: {
    text: color('Text color', {
      value: '#6b7280',
      help: 'Enter a color in any CSS notation, translucent or not.',
    }),
    ground: color('Background color', { value: '#ffffff' }),
    behind: color('Color behind the background', {
      help: 'Choose one if the background is translucent.',
    }),
    more: rows(
      'More pairs',
      { text: color('Text'), ground: color('Background') },
      { add: 'Add a pair' },
    ),
  },
  start: true,
  async run({ text, ground, behind, more }, context) {
    colors ??= await import('../../lib/color/colors.js');
    const { apca, contrastRatio, flatten, nearestPassing, readColor, writeHex, writeRatio } =
      colors;
    const rows = [];
    // One after the other: the first wrong row is the one that is named.
    for (const [i, row] of more.entries())
      if (row.text.trim() !== '' && row.ground.trim() !== '')
        rows.push(await compareRow(row, i, behind, context));
    const list = table(['Text', 'Background', 'Contrast', 'Normal text', 'Large text'], rows, {
      colors: true,
    });
    if (text.trim() === '' || ground.trim() === '') return rows.length > 0 ? { more: list } : {};
    const below = await readColor('ground', ground, context.warn);
    const paper = await opaqueGround(below, behind, context);
    const typed = await readColor('text', text, context.warn);
    const ink = flatten(typed, paper);
    const ratio = contrastRatio(ink, paper);
    const [inkHex, paperHex] = [writeHex(ink), writeHex(paper)];
    return {
      headline: answer(ratio),
      sample: picture(sample(ink, paper), {
        alt: `Sample of text in ${inkHex} on ${paperHex}`,
        file: 'contrast.svg',
      }),
      contrast: pairs([
        ['Contrast', writeRatio(ratio)],
        ...LEVELS.map(([name, wanted]) => [name, verdict(ratio, wanted)]),
        ['APCA, a draft', apcaVerdict(apca(ink, paper))],
      ]),
      nearest: pairs(
        [4.5, 7].flatMap((wanted) => [
          [
            `Text for ${wanted}:1`,
            advice(inkHex, ratio >= wanted ? inkHex : nearestPassing(ink, paper, wanted)),
          ],
          [
            `Background for ${wanted}:1`,
            advice(paperHex, ratio >= wanted ? paperHex : nearestPassing(paper, ink, wanted)),
          ],
        ]),
        { colors: true },
      ),
      compared:
        (typed.alpha ?? 0) < 1 || (below.alpha ?? 0) < 1
          ? pairs(
              [
                ['Text as compared', inkHex],
                ['Background as compared', paperHex],
              ],
              { colors: true },
            )
          : null,
      more: rows.length > 0 ? list : null,
    };
  },
  folded: ['compared'],
  labels: {
    nearest: 'Nearest colors that pass',
    compared: 'Compared colors',
    more: 'More pairs',
  },
  product: { contrast: 'contrast' },
  examples: [
    {
      title: 'Gray on white',
      values: { text: '#777', ground: 'white' },
    },
    {
      title: 'Translucent text, and more pairs',
      values: {
        text: 'rgb(0 0 0 / 60%)',
        ground: '#fff',
        more: [{ text: 'navy', ground: 'gold' }],
      },
    },
  ],
});

/** @param {Color} ground @param {string} behind @param {Context} context */
async function opaqueGround(ground, behind, { warn }) {
  const { flatten, readColor } = colors;
  if ((ground.alpha ?? 0) === 1) return flatten(ground);
  if (behind.trim() === '')
    return refuse('behind', 'is needed, because the background is translucent', {
      hint: 'Enter the color that shows through.',
    });
  const below = await readColor('behind', behind, warn);
  if ((below.alpha ?? 0) < 1)
    refuse('behind', 'is translucent itself', { hint: 'Enter an opaque color.' });
  return flatten(ground, flatten(below));
}

/** @param {{ text: string, ground: string }} row @param {number} i @param {string} behind @param {Context} context */
async function compareRow(row, i, behind, context) {
  const { contrastRatio, flatten, readColor, writeRatio } = colors;
  const place = `Row ${i + 1}`;
  const ground = await readColor('more', row.ground, context.warn, place, 'The background');
  const paper = await opaqueGround(ground, behind, context);
  const ink = await readColor('more', row.text, context.warn, place, 'The text');
  const ratio = contrastRatio(flatten(ink, paper), paper);
  const level = (/** @type {number} */ aa, /** @type {number} */ aaa) =>
    ratio >= aaa ? 'AAA' : ratio >= aa ? 'AA' : 'fails';
  return [row.text, row.ground, writeRatio(ratio), level(4.5, 7), level(3, 4.5)];
}
