//! Reads and writes JSON, YAML, TOML, XML, CSV and .env with one common value type, and warns about losses in
//! conversions.
import { attempt, Refusal, refuse } from '../../kit/tool.js';
import { compareCodePoints } from '../compare.js';
import { JsonNumber, parseJson, writeJson } from '../json/json.js';
import { layout } from '../json/layout.js';
import { inField, lineAt, lineColumn } from '../positions.js';
import { readEnv, writeEnv } from './env.js';

/** @typedef {import('../json/json.js').JsonValue} Value */
/** @typedef {'json' | 'yaml' | 'toml' | 'xml' | 'csv' | 'env'} Format */
/** @typedef {(sentence: string) => void} Warn */
/** @typedef {{ indent: number, sort?: boolean, names?: string, warn: Warn }} Options `indent`: 0 for the shortest text */

/** @type {Record<Format, string>} */
export const NAMES = {
  json: 'JSON',
  yaml: 'YAML',
  xml: 'XML',
  toml: 'TOML',
  csv: 'CSV',
  env: '.env',
};

/** Warnings for tags whose loss changes the meaning. */
const LOST = new Map([
  ['!!binary', 'The tag "!!binary" is lost: its bytes stay text in Base64.'],
  ['!!set', 'The tag "!!set" is lost: its members became names with the value null.'],
]);

/**
 * Converts a text to another format, or reformats it.
 * @param {string} text @param {Format} from @param {Format} to @param {Options} options
 */
export async function converted(text, from, to, options) {
  const { indent, warn } = options;
  const laidOut = async () => {
    if (from === 'json') return layout(text, { step: ' '.repeat(indent), warn });
    if (from === 'xml') return (await import('../xml/format.js')).formatXml(text, options);
    return (await import('../yaml/format.js')).formatYaml(text, options);
  };
  if (from === to && ['json', 'xml', 'yaml'].includes(from))
    return inField('text', text, laidOut, lineColumn);
  return writeDocuments(await readDocuments(text, from, to, options), to, options);
}

/** The values of a text. YAML has one per document, other formats have one. @param {string} text @param {Format} from @param {Format} to @param {Options} options @returns {Promise<Value[]>} */
export const readDocuments = (text, from, to, options) =>
  inField(
    'text',
    text,
    () => READERS[from](text, options, to),
    from === 'json' ? lineColumn : lineAt,
  );

/** @type {Record<Format, (text: string, options: Options, to: Format) => Promise<Value[]>>} */
const READERS = {
  json: async (text) => [readJson(text)],
  async yaml(text, { warn }, to) {
    const { noBreakIn, parseYaml } = await import('../yaml/read.js');
    // Faster for YAML that is JSON.
    const json = /^[[{]/.test(text) && attempt(() => readJson(text));
    if (json) return [json];
    const { values, notes } = parseYaml(text);
    noBreakIn(text, warn);
    if (notes.comments > 0) warn('Comments are lost.');
    const told = /** @type {[string[], (item: string) => string][]} */ ([
      [notes.leadingZeros, (item) => `"${item}" stays text, since numbers have no leading zero.`],
      [notes.keys, (item) => `The name ${item} is not a text in YAML; it became "${item}".`],
      [notes.tags, (item) => LOST.get(item) ?? `The tag "${item}" is lost.`],
    ]);
    for (const [items, sentence] of told)
      for (const item of [...new Set(items)].slice(0, 5)) warn(sentence(item));
    if (values.length <= 1 || to === 'yaml') return values.length === 0 ? [null] : values;
    warn(`${values.length} documents became one list.`);
    return [values];
  },
  async toml(text, { warn }) {
    const { parseToml } = await import('../toml/toml.js');
    const { value, comments } = parseToml(text);
    if (comments > 0) warn(`${comments === 1 ? '1 comment is' : `${comments} comments are`} lost.`);
    return [value];
  },
  async xml(text, { warn, names }) {
    const { parseXml } = await import('../xml/values.js');
    return [parseXml(text, warn, names)];
  },
  async csv(text, { warn }) {
    const { readCsv, recordsOf } = await import('../csv/grid.js');
    const grid = readCsv(
      { text: { string: text }, delimiter: 'auto', header: true, trim: false, nested: true },
      warn,
    );
    return [recordsOf(grid, { types: true, nested: true }, warn)];
  },
  env: async (text) => [new Map(Object.entries(readEnv(text)))],
};

/** Parses JSON for another format. Refuses duplicate keys and lone surrogates. @param {string} text @returns {Value} */
function readJson(text) {
  const value = parseJson(text, {
    onDuplicate(name, at) {
      throw new Refusal(`has the name "${name}" twice in one object`, {
        at,
        hint: 'Remove or rename one.',
      });
    },
  });
  if (!/\\u[dD][89abAB]|[\ud800-\udfff]/.test(text) || !hasHalf(value)) return value;
  throw new Refusal('has half of a surrogate pair, which no other format can hold', {
    at: Math.max(0, text.search(/\\u[dD][89a-fA-F]/)),
  });
}

/** Whether a text in it has a lone surrogate. @param {Value} value @returns {boolean} */
function hasHalf(value) {
  if (typeof value === 'string') return !value.isWellFormed();
  return (value instanceof Map ? [...value].flat() : Array.isArray(value) ? value : []).some(
    hasHalf,
  );
}

/** @param {Value[]} values @param {Format} to @param {Options} options @returns {Promise<string>} */
export async function writeDocuments(values, to, options) {
  const { warn, sort = false, indent } = options;
  /** @type {{ dates: number, nulls: string[] }} */
  const losses = { dates: 0, nulls: [] };
  const tidy = values.map((value) => adapt(value, { to, sort, losses, path: '$' }));
  if (losses.dates > 0)
    warn(
      `${losses.dates === 1 ? '1 date or time' : `${losses.dates} dates and times`} became text, as ${NAMES[to]} has none.`,
    );
  const [first, ...others] = losses.nulls;
  if (first)
    warn(
      `TOML has no null: ${first}${others.length > 0 ? ` and ${others.length} more` : ''} ${others.length > 0 ? 'were' : 'was'} left out.`,
    );
  if (to === 'yaml') return (await import('../yaml/write.js')).writeYaml(tidy, { indent });
  const [root] = tidy;
  if (to === 'json') return writeJson(root, { indent });
  return inField('text', '', async () => {
    if (to === 'xml') return (await import('../xml/values.js')).writeXml(root, options);
    if (to === 'csv') return (await import('../csv/grid.js')).writeRecords(root, warn);
    if (to === 'env') return writeEnv(root);
    if (root instanceof Map) return (await import('../toml/writer.js')).writeToml(root);
    const what = root === null ? 'null' : Array.isArray(root) ? 'a list' : 'a single value';
    return refuse('text', `has ${what} at the top, but a TOML document is a table`, {
      hint: 'Accepted is an object with names.',
    });
  });
}

/**
 * @param {Value} value
 * @param {{ to: Format, sort: boolean, losses: { dates: number, nulls: string[] }, path: string }} options
 * @returns {Value}
 */
function adapt(value, options) {
  const { to, sort, losses, path } = options;
  if (isTime(value) && to !== 'toml') {
    losses.dates += 1;
    return value.text;
  }
  if (typeof value === 'number' && !Number.isFinite(value) && !['toml', 'yaml'].includes(to)) {
    return refuse('text', `cannot become ${NAMES[to]}: ${path} is ${value}`, {
      hint: `${NAMES[to]} has neither infinity nor NaN.`,
    });
  }
  if (Array.isArray(value))
    return value.map((item, i) => adapt(item, { ...options, path: `${path}[${i}]` }));
  if (!(value instanceof Map)) return value;
  const entries = [...value].filter(([name, item]) => {
    const isLost = to === 'toml' && item === null;
    if (isLost) losses.nulls.push(`${path}.${name}`);
    return !isLost;
  });
  if (sort) entries.sort(([left], [right]) => compareCodePoints(left, right));
  return new Map(
    entries.map(([name, item]) => [name, adapt(item, { ...options, path: `${path}.${name}` })]),
  );
}

/** Whether a value is a TOML date or time. @param {Value} value */
const isTime = (value) =>
  value !== null && typeof value === 'object' && 'text' in value && !(value instanceof JsonNumber);
