//! The five fields that a refused expression probably means: known are fields before and after the five
//! (seconds, years), steps on a single value, ranges that run backwards, names in full or with a slip,
//! and intervals.
import { attempt, Refusal } from '../../kit/tool.js';
import {
  DAY_NAMES,
  DAYS,
  fieldOf,
  fromValue,
  KINDS,
  MONTH_NAMES,
  MONTHS,
  SUNDAY_AGAIN,
  wrapped,
} from './fields.js';

/** @import { Kind } from './fields.js' */

export const FIVE = 'Write five: minute, hour, day of month, month, day of week.';
/** The longest expression that is offered. */
const LONGEST = 60;

/** An expression to use, after the time zone of the line: without it, it would mean other times. @param {string | undefined} zone @param {string} written */
export const inZone = (zone, written) => ({
  expression: zone ? `CRON_TZ=${zone} ${written}` : written,
});

/** A refusal of another number of fields than five. @param {string[]} words @param {string} [zone] */
export function wrongCount(words, zone) {
  const count = words.length;
  if (count === 0) return new Refusal('is empty', { hint: FIVE });
  const offence = `has ${count} field${count === 1 ? '' : 's'}`;
  if (count !== 6 && count !== 7) return new Refusal(offence, { hint: FIVE });
  const kind = words.includes('?') ? ', as in Quartz or EventBridge' : '';
  const late = withoutSeconds(words);
  const written = late ?? (count === 6 ? withoutYear(words) : undefined);
  if (!written) {
    const quartz = words.find((word) => /#|[LW]$/i.test(word));
    const hint = quartz ? `${FIVE} They cannot say \`${quartz}\`.` : FIVE;
    return new Refusal(offence + kind, { hint });
  }
  const ends = count === 7 ? 'The first is seconds, and the last a year.' : undefined;
  const places = ends ?? (late ? 'The first is seconds.' : 'The last is a year.');
  const year = count === 7 || !late ? words.at(-1) : '*';
  const hint = places + unsaid(late ? words[0] : '0', year);
  return new Refusal(offence + kind, { hint, use: [inZone(zone, written)] });
}

/** What five fields cannot say of the seconds and the year that they leave out. @param {string | undefined} seconds @param {string | undefined} year */
export const unsaid = (seconds = '0', year = '*') =>
  (/^0+$/.test(seconds)
    ? ''
    : ' Crontab has no seconds: this runs once, at the start of each matching minute.') +
  (year === '*' ? '' : ' Crontab has no years: this runs in every year.');

/** A refusal of a space inside a list, a range or a step. @param {string[]} words @param {string | undefined} zone */
export function spaced(words, zone) {
  /** @type {string[]} */
  const joined = [];
  let sign = '';
  for (const word of words) {
    const last = joined.at(-1);
    if (last !== undefined && joined.length <= 5 && goesOn(last, word)) {
      sign ||= /^[,/-]/.exec(word)?.[0] ?? last.slice(-1);
      joined[joined.length - 1] = last + word;
    } else joined.push(word);
  }
  if (!sign || joined.length < 5 || mayBeField(joined[5] ?? 'x')) return undefined;
  const written = corrected(joined.slice(0, 5), false);
  const kind = sign === ',' ? 'list' : sign === '-' ? 'range' : 'step';
  return written && new Refusal(`has a space inside a ${kind}`, { use: [inZone(zone, written)] });
}

/** Whether a word and the next are parts of one field. @param {string} word @param {string} next */
export const goesOn = (word, next) =>
  mayBeField(next) && !/^[*?]/.test(next) && (/[,/-]$/.test(word) || /^[,/-]/.test(next));

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
  // Jenkins chooses a value for `H`, so the first one is as good.
  if (/^H$/i.test(span)) return step === undefined ? String(kind.low) : `*/${step}`;
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
function namedOf(kind, text, isFromOne) {
  const { names, high } = kind;
  const [, digits, slip = ''] = /^(\d+)([a-z]*)$/i.exec(text) ?? [];
  if (digits) {
    const number = withoutSlip(kind, digits, slip.toLowerCase());
    return high === SUNDAY_AGAIN && isFromOne ? DAYS[Number(number) - 1] : number;
  }
  if (names.includes(text.toUpperCase())) return text;
  // Names of other languages are near the wrong ones.
  const near = names.filter(
    (name) => name.charAt(0) === text.charAt(0).toUpperCase() && isNear(name, text),
  );
  return near.length === 1 ? near[0] : undefined;
}

/** A number followed by a slip. A letter that may stand for a unit, or for a.m. or p.m., is no slip. @param {Kind} kind @param {string} digits @param {string} slip */
function withoutSlip({ name }, digits, slip) {
  const hour = Number(digits);
  if (/^[ap]m?$/.test(slip) && name === 'hour' && hour > 0 && hour < 13)
    return String((hour % 12) + (slip.startsWith('p') ? 12 : 0));
  const isUnit = /[adhlmpsw]/.test(slip) && !name.startsWith(slip);
  return slip.length > 1 || isUnit ? undefined : digits;
}

/** @param {Kind} kind @param {string} value */
function numberOf({ names, low }, value) {
  const at = names.indexOf(value.toUpperCase());
  return at < 0 ? Number(value) : at + low;
}

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
