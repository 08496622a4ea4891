//! Differences between two sequences, by Myers' algorithm (the library `diff`) within a time limit.

import { diffArrays } from '../../libraries/diff.js';

/** A block: equal, or `a` replaced by `b`. @typedef {{ same: boolean, a: [number, number], b: [number, number] }} Block */
/** When the time is over, everything is one block. @typedef {{ milliseconds?: number, onTimeout?: () => void }} Limit */

/**
 * The blocks, in order, that turn one sequence into the other.
 * @param {readonly string[]} a @param {readonly string[]} b @param {Limit} [limit]
 * @returns {Block[]}
 */
export function diff(a, b, { milliseconds = Infinity, onTimeout } = {}) {
  // Lines that only one side has are in no common subsequence, so leaving them out makes the search short.
  const left = placesIn(a, new Set(b));
  const right = placesIn(b, new Set(a));
  const changes = diffArrays(
    left.map((at) => a[at]),
    right.map((at) => b[at]),
    { timeout: milliseconds },
  );
  if (!changes) onTimeout?.();
  /** @type {Block[]} */
  const blocks = [];
  let [x, y, i, j] = [0, 0, 0, 0];
  const upTo = (/** @type {number} */ toA, /** @type {number} */ toB) => {
    if (toA > x || toB > y) blocks.push({ same: false, a: [x, toA], b: [y, toB] });
    [x, y] = [toA, toB];
  };
  for (const { added, removed, count } of changes ?? []) {
    if (added) j += count;
    else if (removed) i += count;
    else
      for (const end = i + count; i < end; i += 1, j += 1) {
        upTo(left[i] ?? 0, right[j] ?? 0);
        const last = blocks.at(-1);
        if (last?.same) [last.a[1], last.b[1]] = [x + 1, y + 1];
        else blocks.push({ same: true, a: [x, x + 1], b: [y, y + 1] });
        [x, y] = [x + 1, y + 1];
      }
  }
  upTo(a.length, b.length);
  return blocks;
}

/** Positions of the tokens that the other side has too. @param {readonly string[]} tokens @param {Set<string>} other */
const placesIn = (tokens, other) => tokens.flatMap((token, at) => (other.has(token) ? [at] : []));
