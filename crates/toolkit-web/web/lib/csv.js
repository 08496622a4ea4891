//! CSV reader and writer. Standard: RFC 4180, with other delimiters and line ends.

import { Refusal } from '../kit/tool.js';

export const DELIMITERS = /** @type {Record<string, string>} */ ({
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
});

/** @typedef {{ rows: string[][], quoted: boolean[][], lines: number[] }} CsvTable */

/**
 * Rows of a CSV text. Empty lines are skipped.
 * @param {string} text
 * @param {string} delimiter
 * @returns {CsvTable} `lines` holds the line, from 1, on which each row begins
 */
export function parseCsv(text, delimiter) {
  /** @type {CsvTable} */
  const table = { rows: [], quoted: [], lines: [] };
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const row = readRow(text, at, delimiter);
    const blank = row.end === at;
    if (!blank) {
      table.rows.push(row.fields);
      table.quoted.push(row.quoted);
      table.lines.push(line);
    }
    line += row.breaks + 1;
    at = afterBreak(text, row.end);
  }
  return table;
}

/** @param {string} text @param {number} at */
function afterBreak(text, at) {
  return at + (text.startsWith('\r\n', at) ? 2 : 1);
}

/** @param {string} text @param {number} start @param {string} delimiter */
function readRow(text, start, delimiter) {
  const fields = [];
  const quoted = [];
  let at = start;
  let breaks = 0;
  for (;;) {
    const inQuotes = text[at] === '"';
    const end = inQuotes ? closingQuote(text, at, delimiter) : plainEnd(text, at, delimiter);
    if (inQuotes) {
      const content = text.slice(at + 1, end - 1);
      breaks += content.match(/\r\n|\r|\n/g)?.length ?? 0;
      fields.push(content.replaceAll('""', '"'));
    } else fields.push(text.slice(at, end));
    quoted.push(inQuotes);
    at = end;
    if (text[at] !== delimiter) return { fields, quoted, end: at, breaks };
    at += 1;
  }
}

/** @param {string} text @param {number} at @param {string} delimiter */
function plainEnd(text, at, delimiter) {
  let end = at;
  while (end < text.length) {
    const mark = text[end];
    if (mark === delimiter || mark === '\n' || mark === '\r') break;
    end += 1;
  }
  return end;
}

/** The offset after the closing quote of the field. @param {string} text @param {number} start @param {string} delimiter */
function closingQuote(text, start, delimiter) {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0)
      throw new Refusal('has a quote that is never closed', {
        at: start,
        hint: 'A quote inside a field in quotes is written twice.',
      });
    const next = text[quote + 1];
    if (next === undefined || next === delimiter || next === '\n' || next === '\r')
      return quote + 1;
    if (next !== '"')
      throw new Refusal('has text after a closing quote; a quote in a field is written twice', {
        at: quote + 1,
      });
    at = quote + 2;
  }
}

/** Delimiters that are seldom meant: they must be equally often on all of two or more lines. */
export const RARE = ['\x1f', '\x1e', '\x01', '^', '~', '}', '¦', '§', '¬', '¶', 'þ'];

/**
 * The delimiter that splits the first rows most evenly; below a title, the one that splits the most rows at the end.
 * A comma if none does.
 * @param {string} text
 */
export function findDelimiter(text) {
  const sample = text.slice(0, 65536);
  const most = (/** @type {readonly string[]} */ delimiters) =>
    delimiters
      .map((delimiter) => ({ delimiter, ...evenness(sample, delimiter) }))
      .reduce((best, one) =>
        one.score > best.score || (one.score === best.score && one.below > best.below) ? one : best,
      );
  const usual = most([',', '\t', ';', '|']);
  if (usual.score > 0) return usual.delimiter;
  const rare = most(RARE);
  if (rare.score > 0 && rare.share === 1 && rare.lines > 1) return rare.delimiter;
  return usual.below > 0 ? usual.delimiter : ',';
}

/** @param {string} sample @param {string} delimiter */
function evenness(sample, delimiter) {
  const counts = [];
  let count = 0;
  let inQuotes = false;
  for (const mark of sample) {
    if (mark === '"') inQuotes = !inQuotes;
    else if (!inQuotes && mark === delimiter) count += 1;
    else if (!inQuotes && mark === '\n') {
      counts.push(count);
      count = 0;
    }
    if (counts.length >= 50) break;
  }
  if (counts.length === 0 || count > 0) counts.push(count);
  const [first = 0, last = 0] = [counts[0], counts.at(-1)];
  const share = counts.filter((other) => other === first).length / counts.length;
  const score = first === 0 ? 0 : share * 1000 + Math.min(first, 100);
  const rows = counts.length - 1 - counts.findLastIndex((other) => other !== last);
  const below = last === 0 || rows < 2 ? 0 : rows * 1000 + last;
  return { score, share, below, lines: counts.length };
}

/**
 * @typedef {object} CsvLayout
 * @property {string} delimiter
 * @property {boolean} [quoteAll]
 * @property {string} [lineEnd]
 * @property {boolean} [guard] escapes fields that a spreadsheet would take for a formula
 */

/** CSV text of rows. @param {string[][]} rows @param {CsvLayout} layout */
export function writeCsv(rows, { delimiter, quoteAll = false, lineEnd = '\n', guard = false }) {
  const special = new RegExp(`["\\r\\n${delimiter === '|' ? '\\|' : delimiter}]|^\\s|\\s$`);
  /** @param {string} field @param {number} columns */
  const write = (field, columns) => {
    const safe = guard && isFormula(field) ? `'${field}` : field;
    const needed = quoteAll || special.test(safe) || (safe === '' && columns === 1);
    return needed ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows
    .map((row) => row.map((field) => write(field, row.length)).join(delimiter) + lineEnd)
    .join('');
}

/** Whether a spreadsheet would evaluate this field as a formula. A plain number does not count. @param {string} field */
export function isFormula(field) {
  return (
    /^[=+\-@\t\r]/.test(field) &&
    !/^[+-]?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?%?$/.test(field)
  );
}

/** Markdown table of rows, the first being the header. @param {string[][]} rows */
export function writeMarkdown(rows) {
  const [head = [], ...body] = rows.map((row) => row.map(markdownCell));
  const widths = head.map(() => 3);
  for (const row of [head, ...body])
    for (const i of widths.keys()) widths[i] = Math.max(widths[i] ?? 3, lengthOf(row[i] ?? ''));
  /** @param {string[]} row */
  const line = (row) =>
    `| ${head.map((_, i) => pad(row[i] ?? '', widths[i] ?? 3)).join(' | ')} |\n`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |\n`;
  return line(head) + rule + body.map(line).join('');
}

/** Escapes the characters of a cell. @param {string} cell */
const lengthOf = (cell) => (/[\ud800-\udfff]/.test(cell) ? [...cell].length : cell.length);

/** @param {string} cell @param {number} width */
function pad(cell, width) {
  return cell + ' '.repeat(Math.max(0, width - lengthOf(cell)));
}

/** @param {string} field */
function markdownCell(field) {
  return field
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll(/\r\n|\r|\n/g, '<br>')
    .trim();
}
