//! Rows where one may be wrong: the others are answered, and the output says which were left out.

import { Refusal, refuse, took } from '../kit/tool.js';

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

/**
 * The item that a field of numbers chooses, and where there are several, which one it is.
 * @template {object} I
 * @param {string} field @param {number} number @param {readonly I[]} items @param {string} name of an item @param {string} source what holds them
 */
export function numbered(field, number, items, name, source) {
  const { length } = items;
  const item =
    items[number - 1] ??
    refuse(field, `must be ${length === 1 ? '' : 'from 1 to '}${length}: the ${source} no more`);
  return {
    item,
    which: length > 1 ? took(`${name} ${number} of ${length}`, { field }) : undefined,
  };
}
