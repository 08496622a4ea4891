//! Numbers, booleans, dates and times of TOML.

import { JsonNumber } from './json.js';

/** A text that is not TOML. `offset` counts UTF-16 units from 0. */
export class TomlError extends Error {
  /** @param {string} message @param {number} offset */
  constructor(message, offset) {
    super(message);
    this.name = 'TomlError';
    this.offset = offset;
  }
}

/** A date, a time or both, as written. */
export class TomlTime {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** Characters of a number, boolean, date or time; a date may have one space before its time. */
export const SCALAR = /[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[^\s,\]}#]*|[^\s,\]}#="'[{]+/y;

const DECIMAL = /^[+-]?(?:0|[1-9](?:_?[0-9])*)$/;
const PREFIXED = /^0(?:x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)$/;
const FLOAT =
  /^[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?$/;
const DATE = '([0-9]{4})-([0-9]{2})-([0-9]{2})';
const TIME = '([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\\.[0-9]+)?)?';
const DATE_TIME = new RegExp(
  `^(?:${DATE})?(?:(?:^|[Tt ])${TIME}([Zz]|[+-]([0-9]{2}):([0-9]{2}))?)?$`,
);
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Parses a bare word.
 * @param {string} word
 * @param {number} at
 * @returns {import('./json.js').JsonValue}
 */
export function readNumberOrTime(word, at) {
  if (word === 'true') return true;
  if (word === 'false') return false;
  const special = /^([+-]?)(inf|nan)$/.exec(word);
  if (special) return special[2] === 'nan' ? Number.NaN : special[1] === '-' ? -Infinity : Infinity;
  const digits = word.replaceAll('_', '');
  if (DECIMAL.test(word) || PREFIXED.test(word)) return integer(digits, at);
  if (FLOAT.test(word)) return float(digits);
  if (/^[0-9]{2,}[-:]/.test(word)) return time(word, at);
  throw new TomlError(defect(word), at);
}

/** @param {string} digits @param {number} at */
function integer(digits, at) {
  const value =
    BigInt(digits.replace(/^\+/, '').replace(/^-/, '')) * (digits.startsWith('-') ? -1n : 1n);
  if (value !== BigInt.asIntN(64, value)) {
    throw new TomlError('has an integer that does not fit into 64 bits', at);
  }
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** The digits of a float in JSON's notation. @param {string} digits */
function float(digits) {
  return new JsonNumber(digits.replace(/^\+/, ''));
}

/** @param {string} word @param {number} at */
function time(word, at) {
  const match = DATE_TIME.exec(word);
  const zoneAlone = match?.[7] !== undefined && match[1] === undefined;
  if (!match || zoneAlone)
    throw new TomlError(`has the date or time "${word}" in an unknown form`, at);
  const [year, month, day, hour, minute, second, , zoneHour, zoneMinute] = match
    .slice(1)
    .map(Number);
  if (match[1] !== undefined && !isDay(year ?? 0, month ?? 0, day ?? 0)) {
    throw new TomlError(`has the date "${match[0].slice(0, 10)}", which does not exist`, at);
  }
  const over = Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60;
  if (over || Number(zoneHour) > 23 || Number(zoneMinute) > 59) {
    throw new TomlError(`has the time "${word}", which does not exist`, at);
  }
  return new TomlTime(word);
}

/** @param {number} year @param {number} month @param {number} day */
function isDay(year, month, day) {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (DAYS[month - 1] ?? 0) + (leap ? 1 : 0);
}

/** @param {string} word */
function defect(word) {
  if (/^[+-]?0[0-9]/.test(word)) return `has "${word}", a number with a leading zero`;
  if (/_/.test(word) && /[0-9]/.test(word))
    return `has "${word}"; an underscore needs a digit on both sides`;
  if (/^[Tt]rue$|^[Ff]alse$/i.test(word)) return `has "${word}"; TOML writes true and false`;
  if (word === 'null') return 'has null, which TOML cannot express';
  return `has "${word.slice(0, 40)}" where a value belongs; a text needs quotes`;
}
