//! Rows of two texts side by side: corresponding lines, with the differences inside them.

import { diff } from '../../lib/diff/diff.js';

/** @typedef {[text: string, changed: boolean]} Piece */
/** @typedef {{ number: number, pieces: Piece[] }} Side */
/** @typedef {{ kind: 'same' | 'changed' | 'removed' | 'added', left: Side | null, right: Side | null }} Row */
/** @typedef {'line' | 'word' | 'character'} Grain */

const TOKENS = {
  word: /[\p{L}\p{M}\p{N}_]+|\s+|[\s\S]/gu,
  character: /\P{M}\p{M}*|\p{M}/gu,
};
// Lines that are longer, or take longer, than this are marked as a whole.
const INSIDE_MAX = 5000;
const INSIDE_MILLISECONDS = 500;

/**
 * @param {readonly string[]} left @param {readonly string[]} right @param {(line: string) => string} key
 * @param {() => Grain} grain of the next changed line: it may become coarser when the time is spent
 * @param {import('../../lib/diff/diff.js').Limit} [limit] of the comparison by line
 * @returns {Row[]}
 */
export function rowsOf(left, right, key, grain, limit) {
  /** @type {Row[]} */
  const rows = [];
  const side = (/** @type {readonly string[]} */ lines, /** @type {number} */ index) => ({
    number: index + 1,
    pieces: /** @type {Piece[]} */ ([[lines[index] ?? '', false]]),
  });
  for (const { same, a, b } of diff(left.map(key), right.map(key), limit)) {
    const count = Math.max(a[1] - a[0], b[1] - b[0]);
    for (let step = 0; step < count; step++) {
      const one = a[0] + step < a[1] ? side(left, a[0] + step) : null;
      const two = b[0] + step < b[1] ? side(right, b[0] + step) : null;
      if (same) rows.push({ kind: 'same', left: one, right: two });
      else if (one && two) rows.push(changed(one, two, grain()));
      else rows.push({ kind: one ? 'removed' : 'added', left: one, right: two });
    }
  }
  return rows;
}

/** @param {Side} one @param {Side} two @param {Grain} grain @returns {Row} */
function changed(one, two, grain) {
  const [from, to] = [one.pieces[0]?.[0] ?? '', two.pieces[0]?.[0] ?? ''];
  if (grain !== 'line' && from.length + to.length <= INSIDE_MAX) {
    const [a, b] = [from.match(TOKENS[grain]) ?? [], to.match(TOKENS[grain]) ?? []];
    const blocks = diff(a, b, { milliseconds: INSIDE_MILLISECONDS });
    const written = (/** @type {Piece[]} */ all) => all.filter(([text]) => text !== '');
    one.pieces = written(blocks.map((block) => [a.slice(...block.a).join(''), !block.same]));
    two.pieces = written(blocks.map((block) => [b.slice(...block.b).join(''), !block.same]));
  }
  return { kind: 'changed', left: one, right: two };
}

/**
 * Leaves out runs of equal rows except this many next to a change. A number counts the rows left out.
 * @param {readonly Row[]} rows @param {number} context @returns {(Row | number)[]}
 */
export function withGaps(rows, context) {
  const near = new Uint8Array(rows.length);
  for (const [index, { kind }] of rows.entries())
    if (kind !== 'same') near.fill(1, Math.max(0, index - context), index + context + 1);
  /** @type {(Row | number)[]} */
  const result = [];
  for (const [index, row] of rows.entries()) {
    const last = result.length - 1;
    if (near[index]) result.push(row);
    else if (typeof result[last] === 'number') result[last] = Number(result[last]) + 1;
    else result.push(1);
  }
  return result;
}
