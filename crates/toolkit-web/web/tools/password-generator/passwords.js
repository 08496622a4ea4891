//! Passwords, and how many there are. The entropy is exact: the logarithm of the number of equally likely passwords.

/** @typedef {(below: number) => number} Choose */

export const SETS = {
  lower: 'abcdefghijklmnopqrstuvwxyz',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  digits: '0123456789',
};
/** Characters that look alike in many fonts. */
const LOOKALIKES = new Set('Il1|O0oB8S5Z2');
const MOST_DRAWS = 1_000_000;

/** The distinct characters of a set. @param {string} set @param {boolean} distinct leaves look-alikes out */
export const charactersOf = (set, distinct) =>
  [...new Set(set)].filter((one) => !distinct || !LOOKALIKES.has(one));

/** Number of strings of a length with at least one character of each set (inclusion and exclusion). @param {string[][]} sets @param {number} length */
export function countWithEach(sets, length) {
  const all = new Set(sets.flat());
  let count = 0n;
  for (let mask = 0; mask < 2 ** sets.length; mask++) {
    const left = new Set(all);
    let sign = 1n;
    for (const [at, set] of sets.entries()) {
      if (!(mask & (1 << at))) continue;
      sign = -sign;
      for (const one of set) left.delete(one);
    }
    count += sign * BigInt(left.size) ** BigInt(length);
  }
  return count;
}

/** Logarithm to base 2. @param {bigint} number */
export function bitsOf(number) {
  const digits = number.toString(2);
  const head = Number.parseInt(digits.slice(0, 52), 2);
  return Math.log2(head) + Math.max(0, digits.length - 52);
}

/**
 * A string of random characters. With `each`, strings without a character of every set are rejected and drawn again,
 * so that all remaining ones are equally likely.
 * @param {string[][]} sets @param {number} length @param {boolean} each @param {Choose} choose
 */
export function drawCharacters(sets, length, each, choose) {
  const all = [...new Set(sets.flat())];
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const drawn = Array.from({ length }, () => all[choose(all.length)] ?? '');
    if (!each || sets.every((set) => drawn.some((one) => set.includes(one)))) return drawn.join('');
  }
  throw new Error('no password has all sets');
}

/**
 * Random words of a list. A digit, if wanted, follows one of them.
 * @param {readonly string[]} list
 * @param {{ words: number, separator: string, capitals: boolean, digit: boolean }} options @param {Choose} choose
 */
export function drawWords(list, { words, separator, capitals, digit }, choose) {
  const drawn = Array.from({ length: words }, () => list[choose(list.length)] ?? '');
  const shown = capitals
    ? drawn.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    : drawn;
  if (digit) shown[choose(words)] += String(choose(10));
  return shown.join(separator);
}

const UNITS = /** @type {const} */ ([
  [31_556_952, 'years'],
  [86_400, 'days'],
  [3_600, 'hours'],
  [60, 'minutes'],
  [1, 'seconds'],
]);
const GUESSES = 1e10;
/** Seconds since the beginning: 13.8 thousand million years. */
const UNIVERSE = 4.35e17;

/** Time for half of all guesses, at 10,000,000,000 per second. @param {number} bits */
export function guessTime(bits) {
  const seconds = 2 ** (bits - 1) / GUESSES;
  if (seconds > UNIVERSE) return 'longer than the age of the universe';
  const [by, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, 'seconds'];
  const value = seconds / by;
  if (value < 1) return 'less than a second';
  return `${value >= 1e6 ? value.toExponential(1) : Math.round(value).toLocaleString('en')} ${unit}`;
}
