//! The five fields that a refused expression probably means: known are fields before and after the five
//! (seconds, years), steps on a single value, ranges that run backwards, names in full or with a slip,
//! and intervals.
import { attempt, Refusal } from '../../kit/tool.js';
import {
  DAY_NAMES,
  DAYS,
  fieldOf,
  KINDS,
  MONTH_NAMES,
  MONTHS,
  SUNDAY_AGAIN,
  topOf,
} from './schedule.js';

/** @import { Kind } from './schedule.js' */

export const FIVE = 'Write five: minute, hour, day of month, month, day of week.';
/** The longest expression that is offered. */
const LONGEST = 60;

/** A refusal of another number of fields than five. @param {string[]} words */
export function wrongCount(words) {
  const count = words.length;
  if (count === 0) return new Refusal('is empty', { hint: FIVE });
  const offence = `has ${count} field${count === 1 ? '' : 's'}`;
  if (count !== 6 && count !== 7) return new Refusal(offence, { hint: FIVE });
  const kind = words.includes('?') ? ', as in Quartz or EventBridge' : '';
  const [late, early] = [withoutSeconds(words), count === 6 ? withoutYear(words) : undefined];
  const use = [...new Set([late, early])].flatMap((expression) =>
    expression ? [{ expression }] : [],
  );
  const quartz = words.find((word) => /#|[LW]$/i.test(word));
  const lead =
    count === 7
      ? 'The first is seconds, and the last a year.'
      : 'The first is seconds, or the last a year.';
  const hint = use.length === 0 && quartz ? `${lead} Five fields cannot say \`${quartz}\`.` : lead;
  return new Refusal(offence + kind, { hint, use });
}

/** The five fields between the seconds and the year, if there is one. @param {string[]} words */
function withoutSeconds([second = '', ...words]) {
  const year = words.slice(5);
  if (!/^[\d*/,-]*$/.test(second) || !year.every(isYear)) return undefined;
  return corrected(words.slice(0, 5), year.length > 0 || words.includes('?'));
}

/** The five fields before the year. @param {string[]} words */
export function withoutYear(words) {
  const year = words.slice(5);
  if (words.length < 5 || year.length > 1 || !year.every(isYear)) return undefined;
  return corrected(words.slice(0, 5), words.includes('?'));
}

/** @param {string} word */
const isYear = (word) => word === '*' || word.split(/[,-]/).every((part) => /^\d{4}$/.test(part));

/** The expression with each field corrected. @param {string[]} words @param {boolean} isFromOne whether Sunday is 1, as in Quartz */
export function corrected(words, isFromOne) {
  const fields = KINDS.map((kind, at) => {
    const items = (words[at] ?? '')
      .split(',')
      .filter(Boolean)
      .map((item) => itemOf(kind, item, isFromOne));
    return items.every((item) => item !== undefined) ? items.join(',') : undefined;
  });
  const written = fields.join(' ');
  if (fields.includes(undefined) || written.length > LONGEST) return undefined;
  return attempt(() => {
    for (const [at, kind] of KINDS.entries()) fieldOf(kind, fields[at] ?? '', () => {});
    return written;
  });
}

/** @param {Kind} kind @param {string} item @param {boolean} isFromOne */
function itemOf(kind, item, isFromOne) {
  const [span = '', step] = item.split(/\/(.*)/s);
  const suffix = step === undefined ? '' : `/${step}`;
  if (/^\**$/.test(span)) return `*${suffix}`;
  if (span === '?')
    return kind.high === 31 || kind.high === SUNDAY_AGAIN ? `*${suffix}` : undefined;
  const [from = '', to] = span.split(/-(.*)/s);
  const first = namedOf(kind, from, isFromOne);
  if (first === undefined) return undefined;
  if (to === undefined)
    return step === undefined ? first : fromValue(kind, numberOf(kind, first), step);
  const last = namedOf(kind, to, isFromOne);
  if (last === undefined) return undefined;
  const [low, high] = [numberOf(kind, first), numberOf(kind, last)];
  const isBackwards = low > high && !/^SUN$/i.test(last);
  return (isBackwards ? wrapped(kind, low, high) : `${first}-${last}`) + suffix;
}

/** A number or name, without its slip. @param {Kind} kind @param {string} text @param {boolean} isFromOne */
function namedOf({ names, high }, text, isFromOne) {
  const [, digits] = /^(\d+)[a-z]?$/i.exec(text) ?? [];
  if (digits && !/[LW]$/i.test(text))
    return high === SUNDAY_AGAIN && isFromOne ? DAYS[Number(digits) - 1] : digits;
  return names.includes(text.toUpperCase()) ? text : names.find((name) => isNear(name, text));
}

/** @param {Kind} kind @param {string} value */
function numberOf({ names, low }, value) {
  const at = names.indexOf(value.toUpperCase());
  return at < 0 ? Number(value) : at + low;
}

/** A range that runs backwards, as one or two that do not. @param {Kind} kind @param {number} from @param {number} to */
export const wrapped = (kind, from, to) =>
  kind.high === SUNDAY_AGAIN && to === 0
    ? `${from}-${SUNDAY_AGAIN}`
    : `${from}-${topOf(kind)},${kind.low}-${to}`;

/** Steps from a value to the end of the field. @param {Kind} kind @param {number} value @param {string} step */
export const fromValue = ({ low, high }, value, step) =>
  value === low ? `*/${step}` : `${value}-${high}/${step}`;

/** The expression of an interval such as `5 minutes` or `1h`, if it divides the hour or day. @param {string} text */
export function interval(text) {
  const [, digits, unit = ''] = /^(\d*)(.*)$/s.exec(text.trim().replace(/^["']|["']$/g, '')) ?? [];
  const count = digits ? Number(digits) : 1;
  const [, kind] = /^(?:()|(m)(?:ins?|inutes?)?|(h)(?:ours?)?|(d)(?:ays?)?|(w)(?:eeks?)?)$/i
    .exec(unit.trim())
    ?.filter((part) => part !== undefined) ?? ['', 'x'];
  const letter = (kind || 'm').toLowerCase();
  if (letter === 'm' && count === 1) return '* * * * *';
  if ((letter === 'h' && count === 1) || (letter === 'm' && count === 60)) return '0 * * * *';
  if ((letter === 'd' && count === 1) || (letter === 'h' && count === 24)) return '0 0 * * *';
  if ((letter === 'w' && count === 1) || (letter === 'd' && count === 7)) return '0 0 * * 0';
  if (letter === 'm' && count > 0 && 60 % count === 0) return `*/${count} * * * *`;
  return letter === 'h' && count > 0 && 24 % count === 0 ? `0 */${count} * * *` : undefined;
}

/** Whether a word may be a field of some scheduler, that of Quartz included. @param {string} word */
export const mayBeField = (word) =>
  /^[\d*?,/#~LW-]+$/i.test(word) ||
  word
    .toUpperCase()
    .split(/[,/#~-]/)
    .every((part) => {
      const name = part.replace(/[LW]{1,3}$/, '');
      return (
        /^(?:\d*|[*?H])$/.test(name) ||
        [...MONTHS, ...DAYS].some((known) => [part, name].includes(known))
      );
    });

/** Whether a word is a list or range of names, in full or with a slip, or of numbers with one. @param {string} word */
export const mayBeMisspelt = (word) =>
  word
    .split(/[,-]/)
    .every(
      (part) =>
        (/[,-]/.test(word) && /^\d+[a-z]?$/i.test(part)) ||
        [...MONTHS, ...DAYS].some((name) => isNear(name, part)),
    );

/** Whether a name of three letters, in full or cut elsewhere, is a word or one letter off. @param {string} name @param {string} text */
function isNear(name, text) {
  const word = text.toUpperCase();
  const full = [...MONTH_NAMES, ...DAY_NAMES]
    .map((one) => one.toUpperCase())
    .filter((one) => one.startsWith(name));
  return (
    isOneOff(name, word) ||
    full.some((one) => isOneOff(one, word) || (word.length > 3 && one.startsWith(word)))
  );
}

/** Whether two words differ by one letter at most: another one, one more or one less. @param {string} one @param {string} other */
function isOneOff(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const [rest, otherRest] = [one.slice(at), other.slice(at)];
  return [rest, rest.slice(1)].some((left) => [otherRest, otherRest.slice(1)].includes(left));
}
