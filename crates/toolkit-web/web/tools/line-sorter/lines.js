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

/** The first number in a text, or NaN. @param {string} text */
export const firstNumber = (text) =>
  Number(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/i.exec(text.replace('−', '-'))?.[0] ?? Number.NaN);

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

/** Position of the error in a pattern: after its longest valid prefix. @param {string} source */
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
        // The position of the last one counts too.
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
