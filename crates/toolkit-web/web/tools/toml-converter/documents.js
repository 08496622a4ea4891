//! TOML, JSON and YAML documents as one kind of value, with warnings about what a conversion loses.

import { refuse } from '../../kit/tool.js';
import { compareCodePoints } from '../../lib/compare.js';
import { duplicateWarning, readJson } from '../../lib/json/input.js';
import { JsonNumber, writeJson } from '../../lib/json/json.js';
import { inField, lineAt } from '../../lib/positions.js';
import { parseToml, TomlTime } from '../../lib/toml/toml.js';
import { writeToml } from '../../lib/toml/writer.js';
import { parseYaml, writeYaml } from '../../lib/yaml.js';

/** @typedef {import('../../lib/json/json.js').JsonValue} Value */
/** @typedef {'toml' | 'json' | 'yaml'} Format */
/** @typedef {{ warn: (sentence: string) => void }} Warner */

const NAMES = { toml: 'TOML', json: 'JSON', yaml: 'YAML' };

/** What becomes of a tagged value, where that is not plain. */
const LOST = new Map([
  ['!!binary', 'The tag "!!binary" is lost: its bytes stay text in Base64.'],
  ['!!set', 'The tag "!!set" is lost: its members became names with the value null.'],
]);

/**
 * The values of a text: one, or one per document in YAML.
 * @param {string} text @param {Format} from @param {Format} to @param {Warner} context
 * @returns {Value[]}
 */
export function readDocuments(text, from, to, context) {
  if (from === 'json')
    return [readJson('text', text, { onDuplicate: duplicateWarning(text, context.warn) })];
  return inField(
    'text',
    text,
    () => (from === 'toml' ? [readToml(text, context)] : readYaml(text, to, context)),
    lineAt,
  );
}

/** @param {string} text @param {Warner} context */
function readToml(text, { warn }) {
  const { value, comments } = parseToml(text);
  if (comments > 0) warn(`${comments === 1 ? '1 comment is' : `${comments} comments are`} lost.`);
  return value;
}

/** @param {string} text @param {Format} to @param {Warner} context */
function readYaml(text, to, { warn }) {
  const { values, notes } = parseYaml(text);
  if (notes.comments > 0) warn('Comments are lost.');
  const told = /** @type {[string[], (item: string) => string][]} */ ([
    [notes.leadingZeros, (item) => `"${item}" stays text, since numbers have no leading zero.`],
    [notes.keys, (item) => `The name ${item} is not a text in YAML; it became "${item}".`],
    [notes.tags, (item) => LOST.get(item) ?? `The tag "${item}" is lost.`],
  ]);
  for (const [items, sentence] of told) {
    for (const item of [...new Set(items)].slice(0, 5)) warn(sentence(item));
  }
  if (values.length <= 1 || to === 'yaml') return values.length === 0 ? [null] : values;
  warn(`${values.length} documents became one list.`);
  return [values];
}

/**
 * @param {Value[]} values @param {Format} to
 * @param {{ indent: number, sort: boolean }} options @param {Warner} context
 */
export function writeDocuments(values, to, { indent, sort }, { warn }) {
  const losses = { dates: 0 };
  const tidy = values.map((value) => adapt(value, { to, sort, losses, path: '$' }));
  if (losses.dates > 0) {
    warn(
      `${losses.dates === 1 ? '1 date or time' : `${losses.dates} dates and times`} became text, as ${NAMES[to]} has none.`,
    );
  }
  if (to === 'json') return `${writeJson(tidy[0], { indent })}\n`;
  if (to === 'yaml') return writeYaml(tidy, { indent });
  const [root] = tidy;
  if (!(root instanceof Map)) {
    const what = root === null ? 'null' : Array.isArray(root) ? 'a list' : 'a single value';
    return refuse('text', `has ${what} at the top, but a TOML document is a table`, {
      hint: 'Accepted is an object with names.',
    });
  }
  return inField('text', '', () => writeToml(root));
}

/**
 * @param {Value} value
 * @param {{ to: Format, sort: boolean, losses: { dates: number }, path: string }} options
 * @returns {Value}
 */
function adapt(value, options) {
  const { to, sort, losses, path } = options;
  if (value instanceof TomlTime && to !== 'toml') {
    losses.dates += 1;
    return value.text;
  }
  if (typeof value === 'number' && !Number.isFinite(value) && to === 'json') {
    return refuse('text', `cannot become JSON: ${path} is ${value}`, {
      hint: 'JSON has neither infinity nor NaN.',
    });
  }
  if (Array.isArray(value))
    return value.map((item, i) => adapt(item, { ...options, path: `${path}[${i}]` }));
  if (!(value instanceof Map) || value instanceof JsonNumber) return value;
  const entries = [...value];
  if (sort) entries.sort(([left], [right]) => compareCodePoints(left, right));
  return new Map(
    entries.map(([name, item]) => [name, adapt(item, { ...options, path: `${path}.${name}` })]),
  );
}
