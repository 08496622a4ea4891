//! Whole numbers in another base, from 2 to 36.

import { pairs, Refusal } from '../../kit/tool.js';

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';
const NAMES = /** @type {[number, string][]} */ ([
  [2, 'Binary'],
  [8, 'Octal'],
  [10, 'Decimal'],
  [16, 'Hexadecimal'],
]);
const PREFIXES = /** @type {Record<string, number>} */ ({ '0b': 2, '0o': 8, '0x': 16 });
const LONGEST = 10_000;

/** A number as typed: `_`, commas and white space between digits do not count, a prefix names its base. @param {string} source @param {number} chosen */
function read(source, chosen) {
  const [head = '', sign = '', prefix = ''] =
    /^\s*([-−+]?)\s*(0[box](?=[\da-f]))?/i.exec(source) ?? [];
  const named = PREFIXES[prefix.toLowerCase()];
  // Not in a base where the letter of the prefix is a digit.
  const isPrefix =
    named === chosen || (prefix !== '' && DIGITS.indexOf(prefix.charAt(1).toLowerCase()) >= chosen);
  const base = isPrefix ? (named ?? chosen) : chosen;
  const start = head.length - (isPrefix ? 0 : prefix.length);
  const digits = source.slice(start).trimEnd();
  let value = 0n;
  if (digits.length > LONGEST) throw new Refusal(`has more than ${LONGEST} digits`);
  for (const [at, character] of [...digits].entries()) {
    if (/[\s_,]/.test(character)) continue;
    const digit = DIGITS.indexOf(character.toLowerCase());
    if (digit < 0 || digit >= base)
      throw new Refusal(`has "${character}", which is not a digit of base ${base}`, {
        at: start + at,
        hint: `Digits are 0 to ${DIGITS[Math.min(9, base - 1)]}${base > 10 ? ` and a to ${DIGITS[base - 1]}` : ''}.`,
      });
    value = value * BigInt(base) + BigInt(digit);
  }
  if (!/\w/.test(digits)) throw new Refusal('has no digit', { at: start });
  return /[-−]/.test(sign) ? -value : value;
}

/** A number in the usual bases and a chosen one. @param {string} source @param {number} from @param {number} to */
export function inBases(source, from, to) {
  const value = read(source, from);
  const bases = NAMES.some(([base]) => base === to)
    ? NAMES
    : [...NAMES, /** @type {[number, string]} */ ([to, `Base ${to}`])];
  return {
    number: value.toString(to),
    bases: pairs(bases.map(([base, name]) => [name, value.toString(base)])),
  };
}
