//! JSON and JSON Lines laid out anew without loss, checked, and as a tree. Standards: RFC 8259, jsonlines.org;
//! JSON5 is read with a warning.

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
import { layout, layoutLines } from '../../lib/json/layout.js';
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

/** @typedef {{ result: string, lines?: number }} Formatted `lines`: the values of JSON Lines */

/** @param {string} typed @param {import('../../lib/json/layout.js').Options & { warn: (sentence: string) => void }} options @param {boolean} isStrict @returns {Formatted} */
function formatted(typed, options, isStrict) {
  try {
    return { result: layout(typed, options) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const lines = layoutLines(typed, options);
    if (lines) return { result: lines.join('\n'), lines: lines.length };
    const other = isStrict ? undefined : relaxed(typed);
    if (!other) throw error;
    try {
      const result = layout(other.text, options);
      options.warn(`This is not strict JSON: it was read with its ${other.found.join(', ')}.`);
      return { result };
    } catch {
      throw error;
    }
  }
}

/** @param {number | undefined} lines */
const valid = (lines) =>
  lines === undefined
    ? headline('This is JSON', { tone: 'good' })
    : headline(`These are ${lines} JSON texts (JSON Lines), not one`, { tone: 'note' });

export default tool({
  tabs: ['result', 'tree'],
  fields: {
    text: text('JSON text or file', {
      accepts: 'file',
      types: '.json,.jsonl,.ndjson,.json5,.jsonc,.geojson,application/json',
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
    const { result, lines } = inField(
      'text',
      typed,
      () => formatted(typed, { step, sort: sort_keys, warn }, isStrict),
      lineAt,
    );
    if (action === 'validate') return { headline: valid(lines) };
    const isLines = lines !== undefined;
    if (isLines) warn(`These are JSON Lines: ${lines} texts, each laid out by itself.`);
    const options = {
      file: isLines ? 'formatted.jsonl' : 'formatted.json',
      type: 'application/json',
    };
    if (result.length > SHOWN_CHARACTERS) return { file: download(new Blob([result]), options) };
    const isTree = result.length <= TREE_CHARACTERS && /^[{[]/.test(result);
    return {
      result: textOutput(result, options),
      ...(isTree && { tree: view(treeOf(result, isLines)) }),
    };
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
      title: 'JSON Lines, as logs have them',
      values: { text: '{"level":"info","n":1}\n{"level":"warn","n":2}\n', action: 'minify' },
      outputs: { result: '{"level":"info","n":1}\n{"level":"warn","n":2}' },
      warnings: ['These are JSON Lines: 2 texts, each laid out by itself.'],
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
