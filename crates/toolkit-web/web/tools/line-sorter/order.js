//! Line orders: sort keys and their comparison.

import { attempt, refuse } from '../../kit/tool.js';
import { compareCodePoints } from '../../lib/compare.js';
import { addressKey, numberReader, patternFault, splitLines } from './lines.js';

/** @import { Context } from '../../kit/types.d.ts' */

export const SEPARATORS = {
  line: 'Lines',
  comma: 'Commas',
  semicolon: 'Semicolons',
  tab: 'Tabs',
  space: 'Spaces',
};
const MARKS = { comma: ',', semicolon: ';', tab: '\t', space: ' ' };

export const ORDERS = {
  text: 'Text (A, Z, a, z)',
  locale: 'Dictionary order',
  natural: 'Natural (2, 10)',
  number: 'First number',
  length: 'Length',
  address: 'IP address',
  none: 'Unchanged',
  shuffle: 'Shuffled',
};

/** @typedef {keyof typeof ORDERS} Order */

/** @param {string} one */
const whole = (one) => one;

/** The sort key of a line. @type {(by: string, column: number, separator: string, pattern: RegExp | undefined) => (line: string) => string} */
export function keyOf(by, column, separator, pattern) {
  if (by === 'line') return whole;
  if (by === 'column') {
    const split = separator === '' ? /\s+/ : separator;
    return (one) => (separator === '' ? one.trim() : one).split(split)[column - 1] ?? '';
  }
  return (one) => {
    const match = pattern?.exec(one);
    return match ? (match[1] ?? match[0]) : '';
  };
}

/**
 * Sort keys and their comparison; lines without a number or address come last.
 * @type {(order: Order, language: string, keys: string[]) => { make: (key: string) => any, compare: (a: any, b: any) => number }}
 */
function ordering(order, language, keys) {
  if (order === 'number')
    return {
      make: numberReader(keys).read,
      compare: (a, b) => (Number.isNaN(a) ? 1 : 0) - (Number.isNaN(b) ? 1 : 0) || a - b || 0,
    };
  if (order === 'length')
    return { make: (key) => Array.from(key).length, compare: (a, b) => a - b };
  if (order === 'address')
    return {
      make: addressKey,
      compare: (a, b) => (a === '' ? 1 : 0) - (b === '' ? 1 : 0) || compareCodePoints(a, b),
    };
  if (order === 'text') return { make: (key) => key, compare: compareCodePoints };
  const collator = new Intl.Collator(language || 'en', { numeric: order === 'natural' });
  return { make: (key) => key, compare: collator.compare };
}

/** @type {(lines: string[], order: Order, key: (line: string) => string, descending: boolean, language: string) => string[]} */
export function sorted(lines, order, key, descending, language) {
  if (order === 'text' && key === whole && !lines.some((one) => /[\ud800-\udfff]/.test(one))) {
    // Without a comparison function, engines sort several times faster.
    const result = [...lines].sort();
    return descending ? result.reverse() : result;
  }
  const keys = lines.map(key);
  const { make, compare } = ordering(order, language, keys);
  const sign = descending ? -1 : 1;
  return lines
    .map((one, at) => ({ one, key: make(/** @type {string} */ (keys[at])) }))
    .sort((a, b) => sign * compare(a.key, b.key))
    .map(({ one }) => one);
}

/** @param {string} source */
export function readPattern(source) {
  try {
    return new RegExp(source, 'u');
  } catch (error) {
    // Engines write "Invalid regular expression: /(/u: Unterminated group" or a part of it.
    const reason = /** @type {Error} */ (error).message.split(': ').at(-1) ?? '';
    return refuse('pattern', 'is not a regular expression', {
      hint: `${reason.replace(/\.$/, '')}. Write a \\ before a sign such as ( or * to match it literally.`,
      offset: Array.from(source.slice(0, patternFault(source))).length,
    });
  }
}

/** @param {string} language */
export function checkLanguage(language) {
  if (!attempt(() => new Intl.Collator(language || 'en')))
    refuse('language', `"${language}" is not a language`, {
      hint: 'Write it as de, sv or zh-Hant.',
    });
}

/** @param {string} source @param {keyof typeof SEPARATORS} separator @param {Context} context */
export function readItems(source, separator, context) {
  const { lines, end, ended, mixed } = splitLines(source);
  if (separator !== 'line')
    return {
      lines: lines
        .flatMap((one) => one.split(MARKS[separator]))
        .map((one) => one.trim())
        .filter((one) => one !== ''),
      end,
      ended,
    };
  if (mixed)
    context.warn(
      `Line ends are mixed. All become ${end === '\n' ? 'LF' : end === '\r' ? 'CR' : 'CR LF'}.`,
    );
  return { lines, end, ended };
}
