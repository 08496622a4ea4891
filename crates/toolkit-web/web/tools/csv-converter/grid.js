//! Tables of the CSV converter: read from CSV or JSON, and written in the seven forms.

import { refuse } from '../../kit/tool.js';
import { DELIMITERS, findDelimiter, parseCsv, writeCsv, writeMarkdown } from '../../lib/csv.js';
import { duplicateWarning, readJson } from '../../lib/json/input.js';
import { writeJson } from '../../lib/json/json.js';
import { inField, lineColumn } from '../../lib/positions.js';
import { fieldText, flattenRecords, nestRecord, pathsOf, typedField } from './records.js';

const MOST_COLUMNS = 16_384;
const MOST_FIELDS = 20_000_000;
const MOST_TOLD = 20;

/** @typedef {{ names: string[] | undefined, rows: string[][] }} Grid */
/** @typedef {{ text: { string: string }, delimiter: string, header: boolean, trim: boolean, nested: boolean }} Reading */

/** @param {number} columns @param {number} rows */
function checkSize(columns, rows) {
  const hint = `At most ${MOST_COLUMNS} columns and ${MOST_FIELDS} fields are accepted.`;
  if (columns > MOST_COLUMNS) refuse('text', `has ${columns} columns`, { hint });
  if (columns * rows > MOST_FIELDS)
    refuse('text', `would be a table of ${columns} columns and ${rows} rows`, { hint });
}

/** `sep=;`, the first line that tells Excel the delimiter. @param {string} source */
const separatorLine = (source) => /^sep=([^\r\n])(?:\r\n|\r|\n)/i.exec(source);

/** @param {Reading} values @param {(sentence: string) => void} warn @returns {Grid} */
export function readCsv({ text, delimiter, header, trim }, warn) {
  const told = delimiter === 'auto' ? separatorLine(text.string) : null;
  // The line is emptied but kept, so that line numbers stay right.
  const source = told ? `\n${text.string.slice(told[0].length)}` : text.string;
  if (told) warn(`The first line says that "${told[1]}" divides the fields; it was left out.`);
  const mark = told?.[1] ?? DELIMITERS[delimiter] ?? findDelimiter(source);
  const parsed = inField('text', source, () => parseCsv(source, mark), lineColumn);
  const { quoted, lines } = parsed;
  const rows = trim
    ? parsed.rows.map((row, r) => row.map((field, c) => (quoted[r]?.[c] ? field : field.trim())))
    : parsed.rows;
  const width = rows[0]?.length ?? 0;
  const long = rows.findIndex((row) => row.length > width);
  if (long >= 0) {
    refuse(
      'text',
      `has ${rows[long]?.length} fields in row ${long + 1}, but ${width} in the first row`,
      {
        line: lines[long] ?? 1,
        column: 1,
        hint: 'No row may have more fields than the first; check the delimiter and the quotes.',
      },
    );
  }
  const short = rows.flatMap((row, at) => (row.length < width ? [lines[at] ?? 1] : []));
  const [first] = short;
  if (first !== undefined) {
    warn(
      short.length === 1
        ? `Line ${first} has fewer fields than the first row; it was filled with empty ones.`
        : `${short.length} rows, the first at line ${first}, have fewer fields than the first row; they were filled with empty ones.`,
    );
    for (const row of rows) while (row.length < width) row.push('');
  }
  checkSize(width, 1);
  if (!header) return { names: undefined, rows };
  return { names: uniqueNames(rows[0] ?? [], warn), rows: rows.slice(1) };
}

/** @param {string[]} names @param {(sentence: string) => void} warn */
function uniqueNames(names, warn) {
  const taken = new Set(names);
  /** @type {Map<string, number>} */
  const counts = new Map();
  let repeated = 0;
  const free = names.map((name, i) => {
    let count = (counts.get(name) ?? 0) + 1;
    let found = name;
    if (count > 1) {
      while (taken.has(`${name}_${count}`)) count += 1;
      found = `${name}_${count}`;
      taken.add(found);
      repeated += 1;
      if (repeated <= MOST_TOLD)
        warn(`Column ${i + 1} repeats the name "${name}"; it became "${found}".`);
    }
    counts.set(name, count);
    return found;
  });
  if (repeated > MOST_TOLD) warn(`${repeated - MOST_TOLD} more columns repeat a name.`);
  return free;
}

/** @param {Reading} values @param {(sentence: string) => void} warn @returns {Grid} */
export function readRecords({ text, nested }, warn) {
  const lines = /^\s*[{[].*[}\]]\s*\n\s*[{[]/.test(text.string);
  const found = readJson('text', text.string, {
    lines,
    onDuplicate: duplicateWarning(text.string, warn),
  });
  const records = found instanceof Map ? [found] : found;
  const hint =
    'Accepted are a list of objects, a list of lists, one object, or one of these on each line.';
  if (!Array.isArray(records))
    return refuse('text', 'is JSON, but not a list of objects', { hint });
  if (records.length > 0 && records.every(Array.isArray)) {
    checkSize(
      records.reduce((most, record) => Math.max(most, record.length), 0),
      records.length,
    );
    return { names: undefined, rows: squared(records.map((record) => record.map(fieldText))) };
  }
  const other = records.findIndex((record) => !(record instanceof Map));
  if (other >= 0)
    refuse('text', `has an entry that is not an object: number ${other + 1}`, { hint });
  const grid = flattenRecords(records, nested);
  checkSize(grid.names.length, grid.size);
  return { names: grid.names, rows: grid.rows() };
}

/** @param {string[][]} rows */
function squared(rows) {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return rows.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? ''));
}

/** @param {Grid} grid @param {{ types: boolean, nested: boolean }} options @param {(sentence: string) => void} warn */
function recordsOf({ names, rows }, { types, nested }, warn) {
  const columns = names ?? (rows[0] ?? []).map((_, i) => `column_${i + 1}`);
  const { paths, plain } = pathsOf(columns);
  if (nested && plain.length > 0)
    warn(
      `${plain.length === 1 ? `The name "${plain[0]}" stays` : `"${plain[0]}" and ${plain.length - 1} more names stay`} whole: another column has a value there already.`,
    );
  return rows.map((row) => {
    const values = types ? row.map(typedField) : row;
    return nested
      ? nestRecord(paths, values)
      : new Map(columns.map((name, i) => [name, values[i]]));
  });
}

/** The columns of a list of names or numbers, in its order. @param {Grid} grid @param {string} list @returns {Grid} */
export function chosen(grid, list) {
  if (list.trim() === '') return grid;
  const names = grid.names ?? (grid.rows[0] ?? []).map((_, at) => `Column ${at + 1}`);
  const places = list.split(',').map((part) => {
    const wanted = part.trim();
    const named = names.indexOf(wanted);
    const at = named < 0 && /^[1-9]\d*$/.test(wanted) ? Number(wanted) - 1 : named;
    if (at < 0 || at >= names.length)
      refuse('columns', `has "${wanted}", which the table has not`, {
        hint: `Its columns are ${names.slice(0, MOST_TOLD).join(', ')}.`,
      });
    return at;
  });
  const pick = (/** @type {string[]} */ row) => places.map((at) => row[at] ?? '');
  return { names: grid.names && pick(grid.names), rows: grid.rows.map(pick) };
}

/** @param {Grid} grid @param {string} name @param {boolean} types */
function writeSql({ names, rows }, name, types) {
  const quoted = (/** @type {string} */ word) => `"${word.replaceAll('"', '""')}"`;
  const cell = (/** @type {string} */ field) => {
    const value = types ? typedField(field) : field;
    if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
    return value === null
      ? 'NULL'
      : writeJson(value, { indent: 0 }).replace(/^[tf].*/, (word) => word.toUpperCase());
  };
  if (rows.length === 0) return '';
  const columns = names ? ` (${names.map(quoted).join(', ')})` : '';
  const lines = rows.map((row) => `  (${row.map(cell).join(', ')})`);
  return `INSERT INTO ${quoted(name)}${columns} VALUES\n${lines.join(',\n')};\n`;
}

/** @param {Grid} grid */
function writeHtml({ names, rows }) {
  const escaped = (/** @type {string} */ field) =>
    field.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const line = (/** @type {string[]} */ row, /** @type {string} */ tag) =>
    `    <tr>${row.map((field) => `<${tag}>${escaped(field)}</${tag}>`).join('')}</tr>\n`;
  const head = names ? `  <thead>\n${line(names, 'th')}  </thead>\n` : '';
  const body = rows.map((row) => line(row, 'td')).join('');
  return `<table>\n${head}  <tbody>\n${body}  </tbody>\n</table>\n`;
}

/** What every reader of YAML takes as text without quotes. */
const PLAIN =
  /^(?!(?:true|false|null|yes|no|on|off|y|n)$)\p{L}(?:[\p{L}\p{N}_./ -]*[\p{L}\p{N}_])?$/iu;

/** Records in the block style of YAML; JSON, which is a part of it, where that needs quotes. @param {import('../../lib/json/json.js').JsonValue} value @param {string} pad @returns {string} */
function yamlOf(value, pad) {
  const text = (/** @type {any} */ one) =>
    typeof one === 'string' && PLAIN.test(one) ? one : writeJson(one, { indent: 0 });
  const isBlock = (/** @type {any} */ one) =>
    one instanceof Map ? one.size > 0 : one?.length > 0 && Array.isArray(one);
  if (Array.isArray(value))
    return value
      .map(
        (item) =>
          `${pad}- ${isBlock(item) ? yamlOf(item, `${pad}  `).trimStart() : `${text(item)}\n`}`,
      )
      .join('');
  return [...value]
    .map(
      ([name, item]) =>
        `${pad}${text(name)}:${isBlock(item) ? `\n${yamlOf(item, `${pad}  `)}` : ` ${text(item)}\n`}`,
    )
    .join('');
}

/** @param {Grid} grid @param {any} values @param {(sentence: string) => void} warn */
export function writeGrid(grid, values, warn) {
  const { to, indent, types, out_delimiter, quotes, line_end, guard, bom } = values;
  const all = grid.names ? [grid.names, ...grid.rows] : grid.rows;
  if (to === 'objects') return `${writeJson(recordsOf(grid, values, warn), { indent })}\n`;
  if (to === 'lines')
    return recordsOf(grid, values, warn)
      .map((record) => `${writeJson(record, { indent: 0 })}\n`)
      .join('');
  if (to === 'arrays') {
    const typed = types
      ? [...(grid.names ? [grid.names] : []), ...grid.rows.map((row) => row.map(typedField))]
      : all;
    return `${writeJson(typed, { indent })}\n`;
  }
  if (to === 'sql') return writeSql(grid, values.table_name, types);
  if (to === 'html') return writeHtml(grid);
  if (to === 'yaml') return yamlOf(recordsOf(grid, values, warn), '') || '[]\n';
  if (to === 'markdown')
    return writeMarkdown(
      grid.names ? all : [(all[0] ?? []).map((_, i) => `Column ${i + 1}`), ...all],
    );
  const written = writeCsv(grid.names && !values.out_header ? grid.rows : all, {
    delimiter: DELIMITERS[out_delimiter] ?? ',',
    quoteAll: quotes === 'all',
    lineEnd: line_end === 'crlf' ? '\r\n' : '\n',
    guard,
  });
  return bom ? `\uFEFF${written}` : written;
}
