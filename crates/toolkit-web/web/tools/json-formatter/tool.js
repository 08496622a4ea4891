//! JSON laid out anew without loss, checked, and as a tree. Standard: RFC 8259; JSON5 is read with a warning.

import {
  choice,
  download,
  headline,
  Refusal,
  text,
  textOutput,
  toggle,
  tool,
  view,
} from '../../kit/tool.js';
import { layout } from '../../lib/json/layout.js';
import { inField, lineAt } from '../../lib/positions.js';
import { relaxed } from './relaxed.js';
import { treeOf } from './tree.js';

/** A longer result is a file: a page cannot show it. */
const SHOWN_CHARACTERS = 16 << 20;
/** Of a longer text the page shows no tree. */
const TREE_CHARACTERS = 2 << 20;
const INDENTS = Object.fromEntries(
  [2, 4, 1, 3, 5, 6, 7, 8].map((count) => [count, `${count} space${count === 1 ? '' : 's'}`]),
);

/** @param {string} typed @param {string} step @param {boolean} sort @param {boolean} isStrict @param {(sentence: string) => void} warn */
function formatted(typed, step, sort, isStrict, warn) {
  try {
    return layout(typed, { step, sort, warn });
  } catch (error) {
    const other = error instanceof Refusal && !isStrict ? relaxed(typed) : undefined;
    if (!other) throw error;
    try {
      const result = layout(other.text, { step, sort, warn });
      warn(`This is not strict JSON: it was read with its ${other.found.join(', ')}.`);
      return result;
    } catch {
      throw error;
    }
  }
}

export default tool({
  fields: {
    text: text('JSON text or file', {
      accepts: 'file',
      types: '.json,.json5,.jsonc,.geojson,application/json',
      max: Number.MAX_SAFE_INTEGER,
      lines: 12,
    }),
    action: choice('Action', { pretty: 'Pretty-print', minify: 'Minify', validate: 'Validate' }),
    indent: choice(
      'Indent',
      { ...INDENTS, tab: 'Tab', 0: 'None' },
      { value: '2', when: { action: 'pretty' } },
    ),
    sort_keys: toggle('Sort names', { when: { action: ['pretty', 'minify'] } }),
    strict: toggle('Refuse JSON5 and comments', { when: { action: ['pretty', 'minify'] } }),
  },
  limits: { seconds: 600 },
  run({ text, action, indent, sort_keys, strict }, { warn }) {
    if (text.empty) return {};
    const typed = text.string;
    const step = action !== 'pretty' ? '' : indent === 'tab' ? '\t' : ' '.repeat(Number(indent));
    const isStrict = strict || action === 'validate';
    const result = inField(
      'text',
      typed,
      () => formatted(typed, step, sort_keys, isStrict, warn),
      lineAt,
    );
    if (action === 'validate') return { headline: headline('This is JSON', { tone: 'good' }) };
    const options = { file: 'formatted.json', type: 'application/json' };
    if (result.length > SHOWN_CHARACTERS) return { file: download(new Blob([result]), options) };
    const isTree = result.length <= TREE_CHARACTERS && /^[{[]/.test(result);
    return { result: textOutput(result, options), ...(isTree && { tree: view(treeOf(result)) }) };
  },
  examples: [
    {
      title: 'Pretty-print: digits, escapes and order stay',
      values: { text: '{"b":1.0,"a":["\\u00e9",1E400],"c":{}}' },
      outputs: {
        result: '{\n  "b": 1.0,\n  "a": [\n    "\\u00e9",\n    1E400\n  ],\n  "c": {}\n}',
      },
    },
    {
      title: 'Minify, with sorted names',
      values: { text: '{"b": 1, "a": [1, 2]}', action: 'minify', sort_keys: true },
      outputs: { result: '{"a":[1,2],"b":1}' },
    },
    {
      title: 'JSON5 with comments',
      values: { text: "{\n  // a comment\n  name: 'Anna',\n  size: .5,\n}" },
      outputs: { result: '{\n  "name": "Anna",\n  "size": 0.5\n}' },
      warnings: [
        'This is not strict JSON: it was read with its comments, names without quotes, texts in single quotes, numbers, commas after the last item.',
      ],
    },
    {
      title: 'A duplicate name',
      values: { text: '{"a": 1, "\\u0061": 2}', indent: '0' },
      outputs: { result: '{"a":1,"\\u0061":2}' },
      warnings: [
        'The name `a` at line 1, column 10 is already used at line 1, column 2: both are kept.',
      ],
    },
  ],
});
