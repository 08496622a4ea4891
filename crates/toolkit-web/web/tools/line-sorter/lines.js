//! Lines: splitting with line ends, comparison, and duplicates.
import { attempt } from '../../kit/tool.js';
import { chooser } from '../../lib/random.js';

/** The lines of a text, its most frequent line end, and whether the last line has one. @param {string} text */
export function splitLines(text) {
  const ends = { '\n': 0, '\r\n': 0, '\r': 0 };
  for (const [end] of text.matchAll(/\r\n|\n|\r/g)) ends[/** @type {'\n'} */ (end)]++;
  const [first = ['\n', 0], second = ['\n', 0]] = Object.entries(ends).sort(
    ([, a], [, b]) => b - a,
  );
  const lines = ends['\r'] + ends['\r\n'] === 0 ? text.split('\n') : text.split(/\r\n|\n|\r/);
  const ended = lines.length > 1 && lines.at(-1) === '';
  if (ended) lines.pop();
  return { lines, end: String(first[0]), ended, mixed: Number(second[1]) > 0 };
}

const NUMBER =
  /([-+\u2212(]?)[$\u20ac\u00a3\u00a5]?(\d[\d.,'\u2019\u00a0\u202f]*|\.\d+)(e[-+]?\d+)?(\)?)/i;
/** The part of digits and marks that is one number: with a decimal point, and with a decimal comma. */
const WHOLE = [
  /^(?:\d{1,3}(?:,\d{3})+(?!\d)|\d*)(?:\.\d+)?/,
  /^(?:\d{1,3}(?:\.\d{3})+(?!\d)|\d*)(?:,\d+)?/,
];
/** Numbers whose marks can only be read in one way, in the same order. */
const SURE = [
  /^(?:\d{1,3}(?:,\d{3})+\.\d+|\d+\.(?!\d{3}$)\d+|0?\.\d+|\d{1,3}(?:,\d{3}){2,})$/,
  /^(?:\d{1,3}(?:\.\d{3})+,\d+|\d+,(?!\d{3}$)\d+|0,\d+|\d{1,3}(?:\.\d{3}){2,})$/,
];

/**
 * Reads the first number of a text, as spreadsheets write it, or NaN. All texts together decide whether the comma is
 * the decimal mark. `unsure` is a number that they leave open.
 * @param {readonly string[]} texts
 */
export function numberReader(texts) {
  const parts = (/** @type {string} */ text) => {
    const [, sign = '', digits = '', power = '', end = ''] = NUMBER.exec(text) ?? [];
    const dense = digits.replace(/['\u2019\u00a0\u202f](?=\d{3}(?!\d))/g, '');
    return {
      digits: dense.replace(/[^\d]+$/, ''),
      power,
      isNegative: /[-\u2212]/.test(sign) || sign + end === '()',
    };
  };
  const counts = [0, 0];
  let unsure = '';
  for (const text of texts) {
    const { digits } = parts(text);
    for (const at of [0, 1]) counts[at] = (counts[at] ?? 0) + Number(SURE[at]?.test(digits));
    if (/^[1-9]\d{0,2},\d{3}$/.test(digits)) unsure = digits;
  }
  const [dots = 0, commas = 0] = counts;
  const isComma = commas > dots;
  const [thousands, decimal] = isComma ? ['.', ','] : [',', '.'];
  const read = (/** @type {string} */ text) => {
    const { digits, power, isNegative } = parts(text);
    const [whole = ''] = WHOLE[Number(isComma)]?.exec(digits) ?? [];
    if (whole === '') return Number.NaN;
    const plain = whole.replaceAll(thousands, '').replace(decimal, '.');
    return Number(plain + (whole === digits ? power : '')) * (isNegative ? -1 : 1);
  };
  return { read, isComma, unsure };
}

/**
 * The first IPv4 or IPv6 address in a text as 32 sortable digits, IPv4 first; empty when there is
 * none.
 * @param {string} text
 */
export function addressKey(text) {
  const four = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])/.exec(text)?.[0];
  if (four !== undefined)
    return `4${four
      .split('.')
      .map((part) => part.padStart(3, '0'))
      .join('')}`;
  const six = /(?<![\da-f])[\da-f]*:[\da-f:]*:[\da-f]*/i.exec(text)?.[0];
  if (six === undefined) return '';
  const [head = '', tail] = six.toLowerCase().split('::');
  const [left, right] = [head, tail ?? ''].map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from(
    { length: Math.max(0, 8 - (left?.length ?? 0) - (right?.length ?? 0)) },
    () => '0',
  );
  return `6${[...(left ?? []), ...zeros, ...(right ?? [])].map((part) => part.padStart(4, '0')).join('')}`;
}

/** The position of the error in a pattern: after its longest valid prefix. @param {string} source */
export function patternFault(source) {
  let end = source.length - 1;
  while (end > 0 && !attempt(() => new RegExp(source.slice(0, end), 'u'))) end--;
  return end;
}

/** @typedef {'all' | 'first' | 'last' | 'repeated' | 'single'} Unique */

/**
 * Keeps some of the lines with equal `key`, and counts them.
 * @param {readonly string[]} lines @param {(line: string) => string} key @param {Unique} unique
 * @returns {{ line: string, count: number }[]}
 */
export function uniqueLines(lines, key, unique) {
  if (unique === 'all') return lines.map((line) => ({ line, count: 1 }));
  /** @type {Map<string, { line: string, count: number }>} */
  const kinds = new Map();
  for (const line of lines) {
    const name = key(line);
    const before = kinds.get(name);
    if (before === undefined) kinds.set(name, { line, count: 1 });
    else {
      before.count++;
      if (unique === 'last') {
        // It moves to the position of the last one.
        kinds.delete(name);
        kinds.set(name, { line, count: before.count });
      }
    }
  }
  const kept = [...kinds.values()];
  if (unique === 'repeated') return kept.filter(({ count }) => count > 1);
  return unique === 'single' ? kept.filter(({ count }) => count === 1) : kept;
}

/** A shuffled copy (Fisher-Yates), without bias. @template T @param {readonly T[]} items @param {(count: number) => Uint8Array} random */
export function shuffled(items, random) {
  const result = [...items];
  const below = chooser(random);
  for (let last = result.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [result[last], result[other]] = [
      /** @type {T} */ (result[other]),
      /** @type {T} */ (result[last]),
    ];
  }
  return result;
}
