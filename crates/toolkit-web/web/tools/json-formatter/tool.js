//! JSON and JSON Lines formatted without loss, checked, also against a JSON Schema, and searched.
//! Standards: RFC 8259, jsonlines.org. JSON5 is converted with a warning.

import {
  attempt,
  choice,
  download,
  headline,
  line,
  Refusal,
  table,
  text,
  textOutput,
  toggle,
  tool,
} from '../../kit/tool.js';
import { documentOf, JSON_BRACKETS } from '../../lib/around.js';
import { parseJson } from '../../lib/json/json.js';
import { layout, layoutLines } from '../../lib/json/layout.js';
import { find } from '../../lib/json/paths.js';
import { inField, lineAt } from '../../lib/positions.js';
import { drawn } from './page.js';
import { relaxed } from './relaxed.js';

/** A longer result becomes a file, because a page cannot show it. */
const SHOWN_CHARACTERS = 16 << 20;
const FOUND_MAX = 500;
const INDENTS = Object.fromEntries(
  [2, 4, 1, 3, 5, 6, 7, 8].map((count) => [count, `${count} space${count === 1 ? '' : 's'}`]),
);

/** @typedef {{ result: string, lines?: string[] }} Formatted `lines`: the texts of JSON Lines */

/** JSON from a string literal without its quotes, such as `{\"a\": 1}`. @param {string} typed */
function unescaped(typed) {
  if (!/^\s*[[{][\s\S]*\\"/.test(typed) || /(?<!\\)"/.test(typed)) return undefined;
  return attempt(() => String(JSON.parse(`"${typed.trim()}"`)));
}

/** @param {string} typed @param {import('../../lib/json/layout.js').Options & { warn: (sentence: string) => void }} options @param {boolean} isStrict @returns {Formatted} */
function formatted(typed, options, isStrict) {
  try {
    return { result: layout(typed, options) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const lines = layoutLines(typed, options);
    if (lines) return { result: lines.join('\n'), lines };
    const bare = isStrict ? undefined : unescaped(typed);
    if (bare !== undefined) {
      options.warn(
        'The text was JSON inside a string. The backslashes before its quotes were removed.',
      );
      return { result: layout(bare, options) };
    }
    const other = isStrict ? undefined : relaxed(typed);
    if (!other) throw error;
    try {
      const result = layout(other.text, options);
      options.warn(`This is not strict JSON. Converted: ${other.changes.join(', ')}.`);
      return { result };
    } catch {
      throw error;
    }
  }
}

/** The content of a JSON string, if that is JSON too. @param {string} result @param {import('../../lib/json/layout.js').Options} options */
function innerOf(result, options) {
  if (!/^"\s*(?:[[{]|\\")/.test(result)) return undefined;
  return attempt(() => layout(JSON.parse(result), options));
}

/** @param {string[] | undefined} lines */
const valid = (lines) =>
  lines === undefined
    ? headline('This is JSON', { tone: 'good' })
    : headline(`These are ${lines.length} JSON texts (JSON Lines), not one`, { tone: 'note' });

/** @param {readonly string[]} texts @param {string} wanted @param {(sentence: string) => void} warn */
function foundIn(texts, wanted, warn) {
  const rows = texts.flatMap((text, at) =>
    find(parseJson(text), wanted, FOUND_MAX).map(([path, value]) => [
      texts.length > 1 ? `line ${at + 1}: ${path}` : path,
      value,
    ]),
  );
  if (rows.length === 0) warn(`No key or value contains "${wanted}".`);
  if (rows.length >= FOUND_MAX) warn(`Only the first ${FOUND_MAX} matches are listed.`);
  return rows.length > 0 ? table(['Path', 'Value'], rows.slice(0, FOUND_MAX)) : null;
}

export default tool({
  labels: { inner: 'JSON inside the string' },
  drawn,
  more: 'find',
  fields: {
    text: text('JSON', {
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
    sort_keys: toggle('Sort keys', { when: { action: ['pretty', 'minify'] } }),
    strict: toggle('Strict JSON', { when: { action: ['pretty', 'minify'] } }),
    find: line('Find', { help: 'Search keys and values. Their paths are listed.' }),
    schema: text('JSON Schema', {
      accepts: 'file',
      types: '.json,application/schema+json',
      lines: 4,
      max: 4 << 20,
      help: 'Enter a schema to check the text against: draft 4, 7, 2019-09 or 2020-12.',
    }),
  },
  limits: { seconds: 600 },
  async run({ text, action, indent, sort_keys, strict, find: wanted, schema }, { warn }) {
    if (text.empty) return {};
    const typed = documentOf(text.string, warn, JSON_BRACKETS);
    const step = action !== 'pretty' ? '' : indent === 'tab' ? '\t' : ' '.repeat(Number(indent));
    const isStrict = strict || action === 'validate';
    const layouts = { step, sort: sort_keys, warn };
    const { result, lines } = inField(
      'text',
      typed,
      () => formatted(typed, layouts, isStrict),
      lineAt,
    );
    const texts = lines ?? [result];
    const judged = schema.empty
      ? undefined
      : await inField('schema', schema.string, async () =>
          (await import('./schema.js')).checked(schema.string, texts),
        );
    if (action === 'validate') return judged ?? { headline: valid(lines) };
    const isLines = lines !== undefined;
    if (isLines) warn(`These are JSON Lines: ${texts.length} texts, each formatted separately.`);
    const options = {
      file: isLines ? 'formatted.jsonl' : 'formatted.json',
      type: 'application/json',
    };
    if (result.length > SHOWN_CHARACTERS)
      return { ...judged, file: download(new Blob([result]), options) };
    return {
      ...judged,
      found: wanted === '' ? null : foundIn(texts, wanted, warn),
      inner: innerOf(result, layouts),
      result: textOutput(result, { ...options, folds: step !== '' }),
    };
  },
  product: { inner: 'JSON', result: 'JSON' },
  examples: [
    {
      title: 'Pretty-print, with digits, escapes and order kept',
      values: { text: '{"b":1.0,"a":["\\u00e9",1E400],"c":{}}' },
      outputs: {
        result: '{\n  "b": 1.0,\n  "a": [\n    "\\u00e9",\n    1E400\n  ],\n  "c": {}\n}',
      },
    },
    {
      title: 'Minify, with sorted keys',
      values: { text: '{"b": 1, "a": [1, 2]}', action: 'minify', sort_keys: true },
    },
    {
      title: 'JSON5 with comments',
      values: { text: "{\n  // a comment\n  name: 'Anna',\n  size: .5,\n}" },
    },
    {
      title: 'JSON Lines from a log',
      values: { text: '{"level":"info","n":1}\n{"level":"warn","n":2}\n', action: 'minify' },
    },
    {
      title: 'A string that holds JSON',
      values: { text: '"{\\"id\\":7}"' },
    },
    {
      title: 'Checked against a JSON Schema',
      values: {
        text: '{"name": "Anna", "age": "42"}',
        schema: '{"properties": {"age": {"type": "integer"}}, "required": ["name"]}',
      },
    },
  ],
});
