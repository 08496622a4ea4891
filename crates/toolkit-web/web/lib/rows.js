//! Rows of which one may be wrong: the others are answered, and what is left out is said.

import { Refusal } from '../kit/tool.js';

/** Longer lists of rows that are left out are cut. */
const TOLD = 5;

/**
 * The results of all good rows. A row alone, and rows that are all bad, refuse.
 * @template R, T
 * @param {readonly R[]} rows
 * @param {(row: R, index: number) => T} work
 * @param {(sentence: string) => void} warn
 * @param {(row: R, index: number) => string} [name] of a row, in the warning
 * @returns {T[]}
 */
export function goodRows(rows, work, warn, name = (_, index) => `Line ${index + 1}`) {
  /** @type {{ told: string, error: Refusal }[]} */
  const bad = [];
  const good = rows.flatMap((row, index) => {
    try {
      return [work(row, index)];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const why = /^\p{Ll}/u.test(error.message) ? `it ${error.message}` : error.message;
      bad.push({ told: `${name(row, index)} was left out: ${why}.`, error });
      return [];
    }
  });
  const [first] = bad;
  if (first && good.length === 0) throw first.error;
  for (const { told } of bad.slice(0, TOLD)) warn(told);
  if (bad.length > TOLD) warn(`${bad.length - TOLD} more were left out.`);
  return good;
}
