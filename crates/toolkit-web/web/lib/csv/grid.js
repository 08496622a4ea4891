//! Tables: read from CSV or from records, and as records.

import { refuse } from '../../kit/tool.js';
import { DELIMITERS, findDelimiter, isFormula, parseCsv, RARE, writeCsv } from '../csv.js';
import { inField, lineColumn } from '../positions.js';
import { fieldText, flattenRecords, nestRecord, pathsOf, typedField } from './records.js';

const MOST_COLUMNS = 16_384;
const MOST_FIELDS = 20_000_000;
const PREFACE_MAX = 20;
export const MOST_TOLD = 20;

/** @typedef {{ names: string[] | undefined, rows: string[][] }} Grid */
/** @typedef {{ text: { string: string }, delimiter: string, header: boolean, trim: boolean, nested: boolean }} Reading */

/** @param {number} columns @param {number} rows */
function checkSize(columns, rows) {
  const hint = `At most ${MOST_COLUMNS} columns and ${MOST_FIELDS} fields are accepted.`;
  if (columns > MOST_COLUMNS) refuse('text', `has ${columns} columns`, { hint });
  if (columns * rows > MOST_FIELDS)
    refuse('text', `would be a table of ${columns} columns and ${rows} rows`, { hint });
}

/** A first line `sep=;`, which tells Excel the delimiter. @param {string} source */
const separatorLine = (source) => /^sep=([^\r\n])(?:\r\n|\r|\n)/i.exec(source);

/** @param {Reading} values @param {(sentence: string) => void} warn @returns {Grid} */
export function readCsv({ text, delimiter, header, trim }, warn) {
  const told = delimiter === 'auto' ? separatorLine(text.string) : null;
  // The line is emptied but kept, so that line numbers stay right.
  const source = told ? `\n${text.string.slice(told[0].length)}` : text.string;
  if (told) warn(`The first line says that "${told[1]}" divides the fields; it was left out.`);
  const mark = told?.[1] ?? DELIMITERS[delimiter] ?? findDelimiter(source);
  if (!told && RARE.includes(mark))
    warn(`The fields seem to be divided by ${JSON.stringify(mark)}.`);
  const parsed = inField('text', source, () => parseCsv(source, mark), lineColumn);
  const { quoted, lines } = parsed;
  const above = header ? prefaceOf(parsed) : 0;
  if (above > 0) {
    warn(
      `${above === 1 ? 'One line' : `${above} lines`} above the header ${above === 1 ? 'was' : 'were'} left out: ${JSON.stringify(parsed.rows[0]?.[0])}.`,
    );
    for (const list of [parsed.rows, quoted, lines]) list.splice(0, above);
  }
  const rows = trim
    ? parsed.rows.map((row, r) => row.map((field, c) => (quoted[r]?.[c] ? field : field.trim())))
    : parsed.rows;
  const named = rows[0]?.length ?? 0;
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const of = (/** @type {(length: number) => boolean} */ isOther) => {
    const other = rows.flatMap((row, at) => (isOther(row.length) ? [lines[at] ?? 1] : []));
    if (other.length === 0) return undefined;
    return other.length === 1
      ? `Line ${other[0]} has`
      : `${other.length} rows, the first at line ${other[0]}, have`;
  };
  const [short, long] = [of((length) => length < named), of((length) => length > named)];
  if (short) warn(`${short} fewer fields than the first row; empty ones were added.`);
  if (long) warn(`${long} more fields than the first row: check the delimiter and the quotes.`);
  checkSize(width, 1);
  if (header) for (let at = named; at < width && rows[0]; at++) rows[0].push(`column_${at + 1}`);
  for (const row of rows) while (row.length < width) row.push('');
  if (!header) return { names: undefined, rows };
  return { names: uniqueNames(rows[0] ?? [], warn), rows: rows.slice(1) };
}

/**
 * Number of rows above a table, as in reports: a title of one field first, or an empty line before the table.
 * @param {{ rows: readonly string[][], lines: readonly number[] }} parsed
 */
function prefaceOf({ rows: written, lines }) {
  const width = written.at(-1)?.length ?? 0;
  const isName = (/** @type {string} */ field) => field !== '' && Number.isNaN(Number(field));
  const header = written.findIndex((row) => row.length === width && row.every(isName));
  // Excel fills lines above the header up to its width.
  const rows = written.map((row, at) =>
    at < header ? row.slice(0, row.findLastIndex((field) => field !== '') + 1) : row,
  );
  const first = rows.findLastIndex((row) => row.length !== width) + 1;
  const above = rows.slice(0, first);
  const isApart = (lines[first] ?? 0) - (lines[first - 1] ?? 0) > 1 || above.at(-1)?.length === 0;
  const isTitled = above[0]?.length === 1 && (first > 1 || width > 2);
  const isPreface = above.every((row) => row.length < width) && (isTitled || isApart);
  return first > 0 && first <= PREFACE_MAX && rows.length > first + 1 && isPreface ? first : 0;
}

/** @param {string[]} names @param {(sentence: string) => void} warn */
function uniqueNames(names, warn) {
  const taken = new Set(names);
  /** @type {Map<string, number>} */
  const counts = new Map();
  let repeated = 0;
  const free = names.map((name, i) => {
    let count = (counts.get(name) ?? 0) + 1;
    let unique = name;
    if (count > 1) {
      while (taken.has(`${name}_${count}`)) count += 1;
      unique = `${name}_${count}`;
      taken.add(unique);
      repeated += 1;
      if (repeated <= MOST_TOLD)
        warn(`Column ${i + 1} repeats the name "${name}"; it became "${unique}".`);
    }
    counts.set(name, count);
    return unique;
  });
  if (repeated > MOST_TOLD) warn(`${repeated - MOST_TOLD} more columns repeat a name.`);
  return free;
}

/** The table of records: a list of objects or of lists, or one object. @param {import('../json/json.js').JsonValue} value @param {boolean} nested @returns {Grid} */
export function gridOf(value, nested) {
  const records = value instanceof Map ? [value] : value;
  const hint =
    'Accepted are a list of objects, a list of lists, one object, or one of these on each line.';
  if (!Array.isArray(records)) return refuse('text', 'is not a list of objects', { hint });
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
export function recordsOf({ names, rows }, { types, nested }, warn) {
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

/** Records as CSV with a header. @param {import('../json/json.js').JsonValue} value @param {(sentence: string) => void} warn */
export function writeRecords(value, warn) {
  const { names, rows } = gridOf(value, true);
  warnOfFormulas(rows, warn);
  return writeCsv(names ? [names, ...rows] : rows, { delimiter: ',' });
}

/** @param {string[][]} rows @param {(sentence: string) => void} warn @param {string} [hint] */
export function warnOfFormulas(rows, warn, hint = '') {
  const count = rows.flat().filter(isFormula).length;
  if (count > 0)
    warn(
      `Spreadsheets would compute ${count === 1 ? '1 field as a formula' : `${count} fields as formulas`}${hint}.`,
    );
}
