//! Prepares texts for comparison: lines, ignored parts, sorted JSON, and totals.

import { pairs, Refusal, refuse } from '../../kit/tool.js';
import { duplicateWarning, readJson } from '../../lib/json/input.js';
import { JsonNumber } from '../../lib/json/json.js';
import { holdsExactly } from '../../lib/json/numbers.js';

const LARGE = 1 << 20;
const SECONDS = 5;

/** @import { Context, TextValue } from '../../kit/types.d.ts' */
/** @import { Grain } from './rows.js' */

/** @param {'left' | 'right'} field @param {TextValue} value */
export function contentOf(field, value) {
  if (value.file && value.raw.slice(0, 8000).includes('\0'))
    refuse(field, 'is a binary file', { hint: 'Choose a text file.' });
  return value.raw;
}

/** @param {string} source */
const looksLikeJson = (source) => /^\s*(?:\{[\s\S]*\}|\[[\s\S]*\])\s*$/.test(source);

/**
 * Both texts as JSON values, with numbers that a double holds in one spelling. Undefined if one is not JSON. If only one
 * looks like JSON but is not, it warns.
 * @param {string} left @param {string} right @param {Context} context
 */
export function bothJson(left, right, { warn }) {
  if (!looksLikeJson(left) || !looksLikeJson(right)) return undefined;
  /** @param {'left' | 'right'} field @param {string} source */
  const read = (field, source) =>
    readJson(field, source, {
      number: (raw) => (holdsExactly(raw) ? Number(raw) + 0 : new JsonNumber(raw)),
      onDuplicate: duplicateWarning(source, warn),
    });
  /** @type {import('../../lib/json/json.js').JsonValue[]} */
  const values = [];
  /** @type {string[]} */
  const faults = [];
  for (const [field, source, name] of /** @type {const} */ ([
    ['left', left, 'first'],
    ['right', right, 'second'],
  ]))
    try {
      values.push(read(field, source));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { line, column } = error.position;
      faults.push(
        `Line ${line}, column ${column}: the ${name} text is not JSON: it ${error.message}.`,
      );
    }
  if (faults.length === 1) warn(`${faults[0]} Lines are compared.`);
  return values.length === 2 ? values : undefined;
}

/** Normalises a line for comparison. @param {{ case: boolean, space: string, ends: boolean }} options */
export function keyOf({ case: fold, space, ends }) {
  return (/** @type {string} */ line) => {
    let key = ends ? line.replace(/\r$/, '') : line;
    if (space === 'ends') key = key.trim();
    else if (space === 'amount') key = key.trim().replace(/\s+/g, ' ');
    else if (space === 'all') key = key.replace(/\s+/g, '');
    return fold ? key.toLowerCase() : key;
  };
}

/** Lines without their LF, and without a last empty one. @param {string} source @param {boolean} blank */
export function linesOf(source, blank) {
  const lines = source.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return blank ? lines.filter((line) => line.trim() !== '') : lines;
}

/** @param {import('./rows.js').Row[]} rows */
export function summary(rows) {
  const of = (/** @type {string} */ kind) => rows.filter((row) => row.kind === kind).length;
  const [same, changed, removed, added] = [of('same'), of('changed'), of('removed'), of('added')];
  const all = 2 * same + 2 * changed + removed + added;
  return pairs([
    ['Changed lines', changed],
    ['Added lines', added],
    ['Removed lines', removed],
    ['Unchanged lines', same],
    ['Similarity', `${all === 0 ? 100 : Math.floor((200 * same) / all)} %`],
  ]);
}

/** The time limit for comparing lines. It warns when the time is over. @param {Context} context @returns {import('../../lib/diff/diff.js').Limit} */
export const lineLimit = ({ warn }) => ({
  milliseconds: SECONDS * 1000,
  onTimeout: () =>
    warn(
      `After ${SECONDS} seconds, the search for equal lines was stopped. The texts are shown as one change.`,
    ),
});

/**
 * The granularity that size and time allow, chosen for each changed line. It warns once when it becomes coarser.
 * @param {Grain} by @param {number} size characters of the longer text @param {Context} context
 * @returns {() => Grain}
 */
export function grainOf(by, size, context) {
  const end = context.now().getTime() + SECONDS * 1000;
  let grain = by;
  const coarsen = (/** @type {string} */ sentence) => {
    grain = 'line';
    context.warn(sentence);
  };
  if (by !== 'line' && size > LARGE) coarsen('Texts over 1 MiB are compared by line.');
  return () => {
    if (grain !== 'line' && context.now().getTime() > end)
      coarsen(
        `After ${SECONDS} seconds, the rest was compared by line. Differences within those lines are not marked.`,
      );
    return grain;
  };
}
