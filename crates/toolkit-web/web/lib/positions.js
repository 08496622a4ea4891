//! Positions in a text as people count them: characters (code points), and lines and columns from
//! 1. Refusals of a field, whose modules know the position as an index of UTF-16 units.

import { Refusal } from '../kit/tool.js';

/**
 * Number of characters before a UTF-16 index.
 * @param {string} string
 * @param {number} index
 */
export function characterOffset(string, index) {
  let count = 0;
  for (let i = 0; i < Math.min(index, string.length); count += 1) {
    i += (string.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
  }
  return count;
}

/**
 * Line and column, from 1, of a UTF-16 index. A line ends in LF, CR LF or CR.
 * @param {string} string
 * @param {number} index
 */
export function lineColumn(string, index) {
  const before = string.slice(0, index);
  const breaks = before.match(/\r\n|\n|\r(?!$)/g)?.length ?? 0;
  const start = Math.max(before.lastIndexOf('\n'), before.slice(0, -1).lastIndexOf('\r')) + 1;
  return { line: breaks + 1, column: characterOffset(before.slice(start), before.length) + 1 };
}

/**
 * One line of a text as quoted in a sentence, truncated around the column when it is long.
 * @param {string} string
 * @param {number} line
 * @param {number} [column]
 */
export function quoteLine(string, line, column = 1) {
  const content = [...(string.split(/\r\n|\n|\r/)[line - 1] ?? '')];
  const from = Math.max(0, Math.min(column - 40, content.length - 80));
  const part = content
    .slice(from, from + 80)
    .join('')
    .trim();
  return `${from > 0 ? '…' : ''}${part}${content.length > from + 80 ? '…' : ''}`;
}

/**
 * Runs `work`, and gives the refusals that it throws or rejects with to `change` first.
 * @template T
 * @param {() => T} work
 * @param {(refusal: Refusal) => void} change
 * @returns {T}
 */
function changing(work, change) {
  /** @param {unknown} error @returns {never} */
  const changed = (error) => {
    if (error instanceof Refusal && error.field === undefined) change(error);
    throw error;
  };
  try {
    const result = work();
    return result instanceof Promise ? /** @type {T} */ (result.catch(changed)) : result;
  } catch (error) {
    return changed(error);
  }
}

/** Line and column with the line itself, for `inField`. @param {string} source @param {number} at */
export function lineAt(source, at) {
  const { line, column } = lineColumn(source, at);
  const quoted = quoteLine(source, line, column);
  return { line, column, ...(quoted && { hint: `The line is: ${quoted}` }) };
}

/** Counts characters, for `inField`. @param {string} source @param {number} at */
const characters = (source, at) => ({ offset: characterOffset(source, at) });

/** No place, for `inField`: the text is not as it was typed. */
export const nowhere = () => ({});

/**
 * Runs `work` on the content of a field: a refusal in it refuses the field, and its position is
 * counted in characters, or by `lineColumn` in lines.
 * @template T
 * @param {string} field
 * @param {string} source
 * @param {() => T} work
 * @param {(source: string, at: number) => import('../kit/types.d.ts').Position} [count]
 */
export const inField = (field, source, work, count = characters) =>
  changing(work, (refusal) => {
    const { at, ...rest } = refusal.position;
    refusal.field = field;
    refusal.position = { ...(at !== undefined && count(source, at)), ...rest };
  });

/**
 * Runs `work` on a part of a text that begins at the index `start`.
 * @template T
 * @param {number} start
 * @param {() => T} work
 */
export const inPart = (start, work) =>
  changing(work, (refusal) => {
    const { at } = refusal.position;
    if (at !== undefined) refusal.position = { ...refusal.position, at: start + at };
  });
