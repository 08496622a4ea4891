//! Numbers in groups of digits: bytes, UTF-16 units or code points in base 2, 8 or 10, and back.

import { Refusal } from '../../kit/tool.js';

/** @typedef {'byte' | 'utf16' | 'codepoint'} Unit */

const LARGEST = { byte: 0xff, utf16: 0xffff, codepoint: 0x10ffff };
const NAMES = { byte: 'byte', utf16: 'UTF-16 unit', codepoint: 'code point' };
const PREFIXES = { 2: '0b', 8: '0o', 10: '' };

/** Digits of the largest value of a unit. @param {Unit} unit @param {number} base */
const widthOf = (unit, base) => LARGEST[unit].toString(base).length;

/**
 * @param {Iterable<number>} numbers
 * @param {{ unit: Unit, base: 2 | 8 | 10, separator: string, pad: boolean, quads: boolean, prefix: boolean }} layout
 */
export function toDigits(numbers, { unit, base, separator, pad, quads, prefix }) {
  const width = pad ? widthOf(unit, base) : 0;
  const before = prefix ? PREFIXES[base] : '';
  return Array.from(numbers, (number) => {
    const digits = number.toString(base).padStart(width, '0');
    return before + (quads ? grouped(digits) : digits);
  }).join(separator);
}

/** Digits in groups of four from the end. @param {string} digits */
function grouped(digits) {
  const first = digits.length % 4;
  const fours = digits.slice(first).match(/.{4}/g) ?? [];
  return [...(first ? [digits.slice(0, first)] : []), ...fours].join('_');
}

/** Groups of four binary digits joined into whole units. @param {RegExpExecArray[]} groups @param {number} width */
function joined(groups, width) {
  const each = width / 4;
  const whole = [];
  for (let at = 0; at < groups.length; at += each)
    whole.push({
      digits: groups
        .slice(at, at + each)
        .map(([digits]) => digits)
        .join(''),
      index: groups[at]?.index ?? 0,
    });
  return whole;
}

/** One group as units: exactly one, or several without separators. @param {{ digits: string, index: number }} group @param {{ unit: Unit, base: number }} layout */
function split({ digits, index }, { unit, base }) {
  const width = widthOf(unit, base);
  const wrong = () =>
    new Refusal(`has a group of ${digits.length} digits`, {
      at: index,
      hint: `A ${NAMES[unit]} in base ${base} has ${base === 2 && unit !== 'codepoint' ? width : `1 to ${width}`} digits.`,
    });
  const short = digits.length < width && (base !== 2 || unit === 'codepoint');
  if (short || digits.length === width) return [{ digits, index }];
  if (digits.length % width || unit === 'codepoint') throw wrong();
  return Array.from({ length: digits.length / width }, (_, at) => ({
    digits: digits.slice(at * width, (at + 1) * width),
    index: index + at * width,
  }));
}

/**
 * The numbers of a text of digits, each with its index. White space, commas and prefixes separate
 * groups; `_` does not.
 * @param {string} string @param {{ unit: Unit, base: 2 | 8 | 10 }} layout
 */
export function fromDigits(string, { unit, base }) {
  const source = string.replace(/0b|0o/gi, '  ');
  const foreign = new RegExp(`[^0-${base - 1}\\s,;_]`, 'u').exec(source);
  if (foreign)
    throw new Refusal(`"${foreign[0]}" is not a digit of base ${base}`, {
      at: foreign.index,
      hint: `Digits are 0 to ${base - 1}; white space and commas separate groups.`,
    });
  const groups = [...source.matchAll(/[\d_]+/g)];
  const width = widthOf(unit, base);
  const quads =
    base === 2 &&
    unit !== 'codepoint' &&
    groups.length % (width / 4) === 0 &&
    groups.every(([digits]) => digits.length === 4);
  const units = quads
    ? joined(groups, width)
    : groups.map(({ 0: digits, index }) => ({ digits, index }));
  return units
    .map(({ digits, index }) => ({ digits: digits.replaceAll('_', ''), index }))
    .filter(({ digits }) => digits !== '')
    .flatMap((group) => split(group, { unit, base }))
    .map(({ digits, index }) => {
      const number = Number.parseInt(digits, base);
      if (number > LARGEST[unit])
        throw new Refusal(`The number ${digits} is larger than a ${NAMES[unit]}`, {
          at: index,
          hint: `The largest is ${LARGEST[unit].toString(base)}.`,
        });
      return { number, index };
    });
}
