//! Tables of the CSV converter: chosen columns, and the eight forms in which a table is written.

import { refuse } from '../../kit/tool.js';
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
  return gridOf(value, nested);
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
