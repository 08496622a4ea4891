//! Tables of the CSV converter: chosen columns, and the eight forms in which a table is written.

import { attempt, refuse } from '../../kit/tool.js';
import { gridOf, MOST_TOLD, recordsOf } from '../../lib/csv/grid.js';
import { typedField } from '../../lib/csv/records.js';
import { DELIMITERS, writeCsv, writeMarkdown } from '../../lib/csv.js';
import { duplicateWarning, readJson } from '../../lib/json/input.js';
import { writeJson } from '../../lib/json/json.js';

/** @import { Grid, Reading } from '../../lib/csv/grid.js' */

/** @param {Reading} values @param {(sentence: string) => void} warn @returns {Grid} */
export function readRecords({ text, nested }, warn) {
  const start = text.string.trimStart();
  const end = start.indexOf('\n');
  const [first, rest] = [start.slice(0, Math.max(end, 0)).trimEnd(), start.slice(end).trimStart()];
  const lines = /^[{[]/.test(first) && /[}\]]$/.test(first) && /^[{[]/.test(rest);
  const value = readJson('text', text.string, {
    lines,
    warn,
    onDuplicate: duplicateWarning(text.string, warn),
  });
  return gridOf(rowsIn(value, warn), nested);
}

/** Whether a text that is set to be CSV is JSON: its table, and what is told of it. @param {Reading} values @returns {[Grid, string[]] | undefined} */
export function jsonInstead(values) {
  /** @type {string[]} */
  const said = ['The text is JSON, and was read so.'];
  if (!/^\s*[[{]/.test(values.text.string)) return undefined;
  return attempt(() => [readRecords(values, (sentence) => said.push(sentence)), said]);
}

/** The lists of objects in nested objects: each with its path and the names of what is beside it. @param {any} value @param {string[]} path @param {string[]} beside @returns {[path: string[], list: any[], beside: string[]][]} */
function listsIn(value, path = [], beside = []) {
  if (Array.isArray(value) && value.length > 0 && value.every((one) => one instanceof Map))
    return [[path, value, beside]];
  if (!(value instanceof Map)) return [];
  return [...value].flatMap(([name, inner]) => {
    const others = [...value.keys()].filter((other) => other !== name);
    return listsIn(inner, [...path, name], [...beside, ...others]);
  });
}

/** The only list of objects in the answer of an API, which has other names for its length and pages. @param {any} value @param {(sentence: string) => void} warn */
function rowsIn(value, warn) {
  const lists = value instanceof Map ? listsIn(value) : [];
  const [[path, list, others] = [[], value, []]] = lists;
  if (lists.length !== 1) return value;
  const rest = others.length > 0 ? `; ${others.slice(0, 5).join(', ')} left out` : '';
  warn(`The rows are the list \`${path.join('.')}\`${rest}.`);
  return list;
}

/** The names of the columns, or their numbers. @param {Grid} grid */
export const namesOf = ({ names, rows: [first = []] }) =>
  names ?? first.map((_, at) => `Column ${at + 1}`);

/** The columns of a list of names or numbers, in its order. @param {Grid} grid @param {string} list @returns {Grid} */
export function chosen(grid, list) {
  if (list.trim() === '') return grid;
  const names = namesOf(grid);
  const places = list.split(',').map((part) => {
    const wanted = part.trim();
    const named = names.indexOf(wanted);
    const at = named < 0 && /^[1-9]\d*$/.test(wanted) ? Number(wanted) - 1 : named;
    if (at < 0 || at >= names.length)
      refuse('columns', `has "${wanted}", which is not a column of the table`, {
        hint: `Use ${names.slice(0, MOST_TOLD).join(', ')}.`,
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

/** @param {Grid} grid @param {any} values @param {(sentence: string) => void} warn */
export async function writeGrid(grid, values, warn) {
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
  if (to === 'yaml') {
    const { writeYaml } = await import('../../lib/yaml/write.js');
    return writeYaml([recordsOf(grid, values, warn)], { indent: 2 });
  }
  if (to === 'markdown') return writeMarkdown([namesOf(grid), ...grid.rows]);
  const written = writeCsv(grid.names && !values.out_header ? grid.rows : all, {
    delimiter: DELIMITERS[out_delimiter] ?? ',',
    quoteAll: quotes === 'all',
    lineEnd: line_end === 'crlf' ? '\r\n' : '\n',
    guard,
  });
  return bom ? `\uFEFF${written}` : written;
}
