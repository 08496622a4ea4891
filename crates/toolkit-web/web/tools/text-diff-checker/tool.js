//! The differences between two texts, side by side or in one column, and as a unified patch; between two JSON texts by
//! structure too.
import {
  choice,
  group,
  headline,
  number,
  table,
  text,
  textOutput,
  toggle,
  tool,
  view,
} from '../../kit/tool.js';
import { writeJson } from '../../lib/json/json.js';
import { bothJson, contentOf, grainOf, keyOf, lineLimit, linesOf, summary } from './input.js';

const ROWS_MAX = 4000;
const CHANGES_MAX = 1000;
const ALIKE_MAX = 3;

/** How many of the longer text's lines differ. @param {import('./rows.js').Row[]} rows */
function answer(rows) {
  const different = rows.filter(({ kind }) => kind !== 'same').length;
  if (different === 0) return headline('Same', { tone: 'good' });
  const count = (/** @type {number} */ number) => number.toLocaleString('en');
  const verb = different === 1 ? 'differs' : 'differ';
  return headline(`${count(different)} of ${count(rows.length)} lines ${verb}`, { tone: 'note' });
}

/** Cyrillic and Greek letters with the Latin ones that they look like. */
const TWINS = [
  'авеікмнорсѕтухјАВЕІКМНОРСЅТУХЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧο',
  'abeikmhopcstyxjABEIKMHOPCSTYXJABEZHIKMNOPTYXo',
];
/** A text as it looks: similar characters as one, and invisible ones left out. @param {string} text */
const looks = (text) =>
  text
    .normalize('NFC')
    .replaceAll(/\p{Cf}|\ufe0e|\ufe0f/gu, '')
    .replaceAll(/[\u0370-\u04ff]/g, (one) => TWINS[1]?.[TWINS[0]?.indexOf(one) ?? -1] ?? one)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .replaceAll(/[‘’ʼ]/g, "'")
    .replaceAll(/[“”]/g, '"');
const codeOf = (/** @type {string} */ one) =>
  `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The characters that differ in lines that look the same. @param {import('./rows.js').Row[]} rows */
function lookAlikes(rows) {
  const changed = rows.flatMap(({ kind, left, right }) => {
    const [one, two] = [left, right].map((side) => side?.pieces.map(([text]) => text).join(''));
    const isAlike = kind === 'changed' && one && two && looks(one) === looks(two);
    return isAlike ? [{ one: Array.from(one), two: Array.from(two), line: left?.number }] : [];
  });
  return changed.slice(0, ALIKE_MAX).map(({ one, two, line }) => {
    const at = one.findIndex((letter, at) => letter !== two[at]);
    const place = at < 0 ? one.length : at;
    const code = (/** @type {string | undefined} */ letter) =>
      letter ? codeOf(letter) : 'nothing';
    return `Line ${line} looks the same in both: character ${place + 1} is ${code(one[place])} in the first text and ${code(two[place])} in the second.`;
  });
}

/** How the values differ, and where. @param {import('../../lib/json/json.js').JsonValue[]} values */
async function changesOf([one = null, two = null]) {
  const { compareJson } = await import('../../lib/json/compare.js');
  const all = compareJson(one, two, CHANGES_MAX + 1);
  const changes = all.slice(0, CHANGES_MAX);
  const told = /** @type {const} */ (['changed', 'added', 'removed'])
    .map((kind) => ({ kind, count: changes.filter((one) => one.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }, at) => {
      const verb = kind !== 'changed' ? kind : count === 1 ? 'differs' : 'differ';
      return [count.toLocaleString('en'), at === 0 && (count === 1 ? 'value' : 'values'), verb];
    })
    .map((words) => words.filter(Boolean).join(' '));
  const more = all.length > CHANGES_MAX ? ', and more' : '';
  return {
    headline: headline(told.join(', ') + more, { tone: 'note' }),
    structure: table(
      ['Path', 'Change', 'First', 'Second'],
      changes.map(({ kind, path, one, other }) => [path, kind, one, other]),
    ),
  };
}

export default tool({
  more: 'case',
  fields: {
    left: text('First text', { accepts: 'file', max: 10 << 20 }),
    right: text('Second text', { accepts: 'file', max: 10 << 20 }),
    by: choice('Highlighting within lines', {
      word: 'Words',
      character: 'Characters',
      line: 'Whole lines only',
    }),
    layout: choice('Layout', { side: 'Side by side', one: 'One column' }),
    space: choice('Whitespace', {
      exact: 'Significant',
      ends: 'Ignore at line ends',
      amount: 'Ignore amount',
      all: 'Ignore all',
    }),
    ...group('Differences to ignore', {
      case: toggle('Ignore case'),
      blank: toggle('Ignore blank lines'),
      ends: toggle('Ignore line endings', { value: true }),
    }),
    json: toggle('JSON by structure', {
      value: true,
      help: 'For JSON: ignore key order and formatting.',
    }),
    context: number('Context lines', { value: 3, min: 0, max: 100_000 }),
  },
  labels: { structure: 'JSON changes' },
  folded: ['summary', 'patch'],
  limits: { seconds: 20 },
  async run(
    { left, right, by, layout, space, case: fold, blank, ends, json, context: around },
    context,
  ) {
    if (left.empty && right.empty) return {};
    let [one, two] = [contentOf('left', left), contentOf('right', right)];
    const values = json ? bothJson(one, two, context) : undefined;
    if (values)
      [one = '', two = ''] = values.map((value) => `${writeJson(value, { sort: true })}\n`);
    const [{ rowsOf, withGaps }, { unifiedPatch }] = await Promise.all([
      import('./rows.js'),
      import('../../lib/diff/patch.js'),
    ]);
    const limit = lineLimit(context);
    const grain = grainOf(by, Math.max(one.length, two.length), context);
    const rows = rowsOf(
      linesOf(one, blank),
      linesOf(two, blank),
      keyOf({ case: fold, space, ends }),
      grain,
      limit,
    );
    const shown = withGaps(rows, around);
    if (shown.length > ROWS_MAX)
      context.warn(`The first ${ROWS_MAX} rows are shown. The patch has all of them.`);
    for (const sentence of lookAlikes(rows)) context.warn(sentence);
    const names = /** @type {[string, string]} */ ([
      left.file?.name ?? 'first',
      right.file?.name ?? 'second',
    ]);
    const isSame = rows.every(({ kind }) => kind === 'same');
    return {
      ...(values && !isSame ? await changesOf(values) : { headline: answer(rows) }),
      differences: isSame
        ? 'The texts are the same.'
        : view({ layout, rows: shown.slice(0, ROWS_MAX) }),
      summary: summary(rows),
      patch: textOutput(unifiedPatch(one, two, { names, context: Math.min(around, 1000), limit }), {
        file: 'changes.patch',
        type: 'text/x-diff',
      }),
    };
  },
  product: { patch: 'patch' },
  examples: [
    {
      title: 'A changed line',
      values: { left: 'one\ntwo\nthree\n', right: 'one\n2\nthree\nfour\n' },
      outputs: { patch: '--- first\n+++ second\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n' },
    },
    {
      title: 'JSON in another order',
      values: {
        left: '{"b": 1, "a": [1, 2]}',
        right: '{\n  "a": [1, 2],\n  "b": 1\n}',
      },
    },
    {
      title: 'JSON by structure',
      values: {
        left: '{"name": "web", "ports": [80, 443], "old": true}',
        right: '{"ports": [80, 8080, 443], "name": "api"}',
      },
    },
  ],
});
