//! Reader of points in time: numbers since 1970 or in the units of other systems, dates of ISO 8601
//! and RFC 2822, in zones by name too (RFC 9557, or after them). To the nanosecond, in the years 0001 to
//! 9999. It takes what the service takes, and dates as people write them. Left out: intervals.

import { attempt, Refusal } from '../../kit/tool.js';
import { bareOf, documentOf } from '../../lib/around.js';
import { inField, inPart, lineColumn } from '../../lib/positions.js';
import { goodRows } from '../../lib/rows.js';
import { isoOf } from '../../lib/written-dates.js';
import { findZone } from '../../lib/zone-names.js';
import { clockOf, momentsOf } from '../../lib/zones.js';
import { dayOf, firstMonday } from './days.js';

/** @typedef {{ ns: bigint, detected: string, zone?: string | undefined, isShown?: boolean }} Moment nanoseconds since 1970; the zone that is named, and whether it is one to show the time in */
/** @typedef {(sentence: string) => void} Warn */

const SECOND = 1_000_000_000n;
const [FIRST, END] = [-62_135_596_800n * SECOND, 253_402_300_800n * SECOND];
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAYS = 'sun mon tue wed thu fri sat'.split(' ');
const ZONES = /** @type {Record<string, number>} */ ({
  ...{ UT: 0, GMT: 0, UTC: 0, Z: 0, EDT: -4, EST: -5, CDT: -5, CST: -6 },
  ...{ MDT: -6, MST: -7, PDT: -7, PST: -8 },
});
const ISO_HINT = 'ISO 8601 is written as in 2023-11-14T22:13:20Z.';
const MAIL_HINT = 'RFC 2822 is written as in Tue, 14 Nov 2023 22:13:20 +0000.';
const NO_OFFSET = 'No offset from UTC is given; UTC is assumed.';
/** The longest date that people write. */
const LONGEST = 100;
const DROPPED = 'Digits after the nanosecond were dropped.';

/** Units of numbers: decimals down to the nanosecond, name. @type {Record<string, [decimals: number, name: string]>} */
const UNITS = {
  s: [9, 'seconds'],
  ms: [6, 'milliseconds'],
  us: [3, 'microseconds'],
  ns: [0, 'nanoseconds'],
};
/** Integers of other systems as nanoseconds. @type {Record<string, [name: string, read: (value: bigint) => bigint]>} */
const SYSTEMS = {
  filetime: ['Windows FILETIME', (ticks) => (ticks - 116_444_736_000_000_000n) * 100n],
  webkit: ['microseconds since 1601', (us) => us * 1000n - 11_644_473_600n * SECOND],
  discord: ['Discord Snowflake', (id) => ((id >> 22n) + 1_420_070_400_000n) * 1_000_000n],
  twitter: ['X Snowflake', (id) => ((id >> 22n) + 1_288_834_974_657n) * 1_000_000n],
};

/** Refuses an unknown notation. It may still be a date as people write it. */
class Unread extends Refusal {}

/** The systems whose numbers look like those of Unix time, and the years in which they are expected. @type {[name: string, read: (value: bigint) => bigint][]} */
const OTHERS = [
  ['a Windows FILETIME', SYSTEMS.filetime?.[1] ?? BigInt],
  ['.NET ticks', (ticks) => ticks * 100n - 62_135_596_800n * SECOND],
  ['microseconds since 1601 (WebKit)', SYSTEMS.webkit?.[1] ?? BigInt],
];
const [OTHERS_FIRST, OTHERS_END] = [631_152_000n * SECOND, 4_102_444_800n * SECOND];

/** @param {bigint} ns */
function inRange(ns) {
  if (ns < FIRST || ns >= END) throw new Refusal('is outside of the years 0001 to 9999');
  return ns;
}

/** @param {string} what @param {number} at @param {string} hint @returns {never} */
function noSuch(what, at, hint) {
  throw new Refusal(`has ${what} that does not exist`, { at, hint });
}

/** @param {number} year @param {number} month @param {number} day @param {number} at of the day */
function calendarDay(year, month, day, at) {
  if (year === 0) throw new Refusal('is outside of the years 0001 to 9999');
  const days = dayOf(year, month, day);
  if (days !== undefined) return days;
  const name = new Date(Date.UTC(2000, month - 1)).toLocaleString('en', { month: 'long' });
  const last = [31, 30, 29, 28].find((last) => dayOf(year, month, last) !== undefined);
  return noSuch('a day', at, `${name} ${year} has ${last} days.`);
}

/** Decimal digits without floating point. @param {RegExpExecArray} number @param {string} unit @param {Warn} warn @returns {Moment} */
function readNumber(
  [, marked, sign, whole = '', fraction = '', exponent = '0', suffix],
  unit,
  warn,
) {
  const written = marked ? 's' : suffix;
  if (written && unit !== 'auto')
    warn('The unit has no effect: the number is written with its own.');
  const digits = (whole + fraction).replace(/^0+/, '');
  // Far beyond any date, but small enough for the memory.
  const shift = Math.max(-400, Math.min(400, Number(exponent)));
  const before = digits === '' ? 0 : digits.length - fraction.length + shift;
  const size = before <= 11 ? 's' : before <= 14 ? 'ms' : before <= 17 ? 'us' : 'ns';
  const taken = written ?? (unit === 'auto' ? size : unit);
  const [decimals, detected] = UNITS[taken] ?? [0, ''];
  const count = Math.max(0, before + decimals);
  if (count > 21) throw new Refusal('is outside of the years 0001 to 9999');
  const value = BigInt(digits.slice(0, count).padEnd(count, '0') || 0);
  const isExact = /^0*$/.test(digits.slice(count));
  if (!isExact) warn(DROPPED);
  const isPlain = !sign && !fraction && exponent === '0' && unit === 'auto' && !written;
  const [, year, month, day] =
    (isPlain && /^((?:19|20)\d\d)(\d\d)(\d\d)(?:\d{6})?$/.exec(whole)) || [];
  if (year && dayOf(Number(year), Number(month), Number(day)) !== undefined)
    warn(
      `The digits are read as a number of ${detected}; the date would be written ${year}-${month}-${day}.`,
    );
  const ns = inRange(sign === '-' ? -value - (isExact ? 0n : 1n) : value);
  if (isPlain && whole)
    for (const [name, read] of OTHERS) {
      const other = read(BigInt(whole));
      if (other >= OTHERS_FIRST && other < OTHERS_END)
        warn(
          `The number is taken as ${detected}; as ${name} it would be ${new Date(Number(other / 1_000_000n)).toISOString().slice(0, 19)}Z.`,
        );
    }
  return { ns, detected };
}

/** Hour, minute and second as nanoseconds; the places are for refusals. @param {(string | undefined)[]} parts @param {number[]} places */
function clock([hour = '0', minute = '0', second = '0'], [hourAt = 0, minuteAt = 0, secondAt = 0]) {
  if (Number(hour) > 23)
    noSuch(
      'a time of day',
      hourAt,
      'Hours are 00 to 23, and a day ends with 00:00:00 of the next one.',
    );
  if (Number(minute) > 59) noSuch('a time of day', minuteAt, 'Minutes are 00 to 59.');
  if (Number(second) > 60) noSuch('a time of day', secondAt, 'Seconds are 00 to 59.');
  return BigInt((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * SECOND;
}

/** @param {number} day @param {bigint} time @param {bigint} offset in seconds @param {number | undefined} leapAt of a second 60 @param {Warn} warn */
function moment(day, time, offset, leapAt, warn) {
  const ns = inRange(BigInt(day) * 86_400n * SECOND + time - offset * SECOND);
  if (leapAt === undefined) return ns;
  const date = new Date(Number(ns / 1_000_000n));
  if (!/-0[17]-01T00:00:00/.test(date.toISOString()))
    noSuch('a second', leapAt, 'A leap second is 23:59:60 in UTC at the end of June or December.');
  warn('Unix time has no leap seconds: the second 60 is counted as the one after it.');
  return ns;
}

/** Seconds of an offset. @param {string | undefined} sign @param {string} hours @param {string} minutes @param {number} at */
function offsetOf(sign, hours, minutes, at) {
  if (Number(hours) > 23 || Number(minutes) > 59)
    noSuch('an offset', at, 'Offsets are -23:59 to +23:59.');
  const seconds = BigInt((Number(hours) * 60 + Number(minutes)) * 60);
  return sign === '-' ? -seconds : seconds;
}

const ISO_DATE =
  /^(\d{4})(?:-(\d\d)-(\d\d)|(\d\d)(\d\d)|-W(\d\d)-(\d)|W(\d\d)(\d)|-?(\d{3}))(?!\d)/i;
const ISO_TIME = /^[T ](?=\d)(\d\d)(?::(\d\d)(?::(\d\d))?|(\d\d)(\d\d)?)?(?!\d)(?:[.,](\d+))?/i;
const ISO_OFFSET = /^ ?(?:(Z|UTC|GMT)|([-+])(\d\d)(?::?(\d\d))?)?$/i;

/** @param {RegExpExecArray} date */
function isoDay([, typed, ...parts]) {
  const [month, day, month2, day2, week, weekday, week2, weekday2, ordinal] = parts;
  const year = Number(typed);
  if (ordinal) {
    if (year === 0) throw new Refusal('is outside of the years 0001 to 9999');
    const length = dayOf(year, 2, 29) === undefined ? 365 : 366;
    if (Number(ordinal) < 1 || Number(ordinal) > length)
      noSuch('a day', 5, `${year} has ${length} days.`);
    return (dayOf(year, 1, 1) ?? 0) + Number(ordinal) - 1;
  }
  if (week || week2) {
    const [weekNumber, number] = [Number(week || week2), Number(weekday || weekday2)];
    const weeks = Math.round((firstMonday(year + 1) - firstMonday(year)) / 7);
    if (weekNumber < 1 || weekNumber > weeks) noSuch('a week', 6, `${year} has ${weeks} weeks.`);
    if (number < 1 || number > 7) noSuch('a day', 9, 'Days of the week are 1, Monday, to 7.');
    return firstMonday(year) + (weekNumber - 1) * 7 + number - 1;
  }
  const [number, at] = [Number(month ?? month2), month ? 5 : 4];
  if (number < 1 || number > 12) noSuch('a month', at, 'Months are 01 to 12.');
  return calendarDay(year, number, Number(day ?? day2), month ? 8 : 6);
}

/** @param {string} text @param {Warn} warn @returns {Moment} */
function readIso(text, warn) {
  const date = ISO_DATE.exec(text);
  if (!date)
    throw /^[-+]?\d{4,6}-/.test(text) && !/^\d{4}-/.test(text)
      ? new Refusal(
          /^\+?0*[1-9]\d{0,3}-/.test(text)
            ? 'needs a year of four digits'
            : 'is outside of the years 0001 to 9999',
          { hint: ISO_HINT },
        )
      : new Unread('needs a year, a month and a day', { hint: ISO_HINT });
  const day = isoDay(date);
  const start = date[0].length;
  const time = ISO_TIME.exec(text.slice(start));
  const [written = '', hour = '', minute, second, minute2, second2, fraction = ''] = time ?? [];
  const at = start + 1;
  const extended = minute === undefined ? 2 : 3;
  const places = [at, at + extended, at + 2 * extended];
  const smallest =
    (second ?? second2) ? SECOND : (minute ?? minute2) ? 60n * SECOND : 3600n * SECOND;
  const value = BigInt(fraction.slice(0, 18) || 0) * smallest;
  const scale = 10n ** BigInt(Math.min(18, fraction.length));
  if (smallest === SECOND && (value % scale !== 0n || /[1-9]/.test(fraction.slice(18))))
    warn(DROPPED);
  const rest = text.slice(start + written.length);
  const offset = ISO_OFFSET.exec(rest);
  if (!offset)
    throw time && /^ ?(?:\[|[a-z/_]{3,}$)/i.test(rest)
      ? new Unread('has the name of a time zone', {
          at: start + written.length,
          hint: 'Write the offset from UTC in its place, as in -08:00.',
        })
      : new Unread('goes on after the date and time', {
          at: start + written.length,
          hint: ISO_HINT,
        });
  if (!time) warn('No time of day is given; 00:00:00 is assumed.');
  const [, name, sign, hours = '0', minutes = '0'] = offset;
  if (!time && sign)
    throw new Refusal('has an offset from UTC without a time of day', {
      at: start + written.length,
      hint: /^-\d\d:/.test(rest)
        ? `Write ${date[0]}T${rest.slice(1)}; an offset needs a time before it, as in ${date[0]}T00:00${rest}.`
        : 'Write the time before it, as in 2024-01-15T00:00-03:00.',
    });
  if (!name && !sign) warn(NO_OFFSET);
  const nanoseconds =
    clock([hour || '0', minute ?? minute2, second ?? second2], places) + value / scale;
  const leapAt = (second ?? second2) === '60' ? places[2] : undefined;
  const seconds = offsetOf(sign, hours, minutes, start + written.length);
  return { ns: moment(day, nanoseconds, seconds, leapAt, warn), detected: 'ISO 8601' };
}

const CLOCK = '(\\d\\d)\\s*:\\s*(\\d\\d)(?:\\s*:\\s*(\\d\\d))?';
const ZONE = '([a-z]+|[-+]\\d{4})';
const WEEKDAY = `(${DAYS.join('|')}|(?:sun|mon|tues|wednes|thurs|fri|satur)day)`;
/** RFC 2822, RFC 850 and Apache's logs. */
const MAIL = new RegExp(
  `^(?:${WEEKDAY}\\s*,\\s*)?(\\d{1,2})[\\s/-]+([a-z]{3})[\\s/-]+(\\d{2,4})[\\s:]+${CLOCK}\\s*${ZONE}?$`,
  'i',
);
/** asctime(3) and date(1). */
const ASCTIME = new RegExp(
  `^${WEEKDAY}\\s+([a-z]{3})\\s+(\\d{1,2})\\s+${CLOCK}(?:\\s*${ZONE})?\\s+(\\d{2,4})$`,
  'i',
);

/** @param {string} digits @param {Warn} warn */
function yearOf(digits, warn) {
  if (digits.length === 4) return Number(digits);
  const year = Number(digits) + (digits.length === 2 && Number(digits) < 50 ? 2000 : 1900);
  warn(`The year is not of four digits; it is taken as ${year} (RFC 2822 §4.3).`);
  return year;
}

/** @param {string} zone @param {number} at */
function zoneSeconds(zone, at) {
  if (/^[-+]/.test(zone)) return offsetOf(zone[0], zone.slice(1, 3), zone.slice(3), at);
  const hours = ZONES[zone.toUpperCase()];
  if (hours === undefined)
    throw new Unread('has a time zone that RFC 2822 does not know', {
      at,
      hint: 'Write an offset as in +0100, or GMT.',
    });
  return BigInt(hours * 3600);
}

/** Comments as blanks, also one in another (RFC 2822, 3.2.3). @param {string} text */
function withoutComments(text) {
  let depth = 0;
  const blank = text.replace(/\\.|[\s\S]/g, (part) => {
    if (part === '(') depth++;
    const isInside = depth > 0;
    if (part === ')' && isInside) depth--;
    return isInside ? ' '.repeat(part.length) : part;
  });
  return depth === 0 ? blank : text;
}

/** @param {string} typed @param {Warn} warn @returns {Moment} */
function readMail(typed, warn) {
  const text = withoutComments(typed).trimEnd();
  const mail = MAIL.exec(text);
  const [weekday, day, month, year, hour, minute, second, zone] =
    mail?.slice(1) ??
    ASCTIME.exec(text)
      ?.slice(1)
      .map((_, at, all) => all[[0, 2, 1, 7, 3, 4, 5, 6][at] ?? 0]) ??
    [];
  if (!day || !month || !year)
    throw new Unread('is not a whole date of RFC 2822', { hint: MAIL_HINT });
  const at = (/** @type {string} */ part, from = 0) => text.indexOf(part, from);
  const number = MONTHS.indexOf(month.toLowerCase()) + 1;
  if (number === 0) noSuch('a month', at(month), 'Months are Jan to Dec.');
  const days = calendarDay(yearOf(year, warn), number, Number(day), at(day));
  const right = DAYS[(((days + 4) % 7) + 7) % 7] ?? '';
  if (weekday && !weekday.toLowerCase().startsWith(right))
    throw new Refusal('has a weekday that does not match the date', {
      at: 0,
      hint: `The date is a ${right}.`,
    });
  const place = at(`${hour}`, at(day) + day.length);
  const nanoseconds = clock([hour, minute, second], [place, place + 3, place + 6]);
  if (!zone) warn(NO_OFFSET);
  const seconds = zone ? zoneSeconds(zone, at(zone, place)) : 0n;
  const leapAt = second === '60' ? place + 6 : undefined;
  return { ns: moment(days, nanoseconds, seconds, leapAt, warn), detected: 'RFC 2822' };
}

const NUMBER = /^(@)?([-+]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?(?:\s*(ms|us|ns|s))?$/;

/** @param {string} text @param {string} unit @returns {Moment | undefined} */
function readSystem(text, unit) {
  if (/^[\da-f]{24}$/i.test(text) && unit === 'auto' && /[a-f]/i.test(text))
    return { ns: BigInt(`0x${text.slice(0, 8)}`) * SECOND, detected: 'MongoDB ObjectId' };
  if (unit === 'excel' && /^-?\d+(?:\.\d+)?$/.test(text)) {
    const milliseconds = Math.round((Number(text) - 25_569) * 86_400_000);
    if (Math.abs(milliseconds) > 8e15) throw new Refusal('is outside of the years 0001 to 9999');
    return { ns: inRange(BigInt(milliseconds) * 1_000_000n), detected: 'Excel serial date' };
  }
  const [name, read] = SYSTEMS[unit] ?? [];
  if (!name || !read) return undefined;
  if (!/^\d{1,20}$/.test(text)) throw new Refusal('must be a whole number in this unit');
  return { ns: inRange(read(BigInt(text))), detected: name };
}

/** Whether a text begins as a date of RFC 2822, which may be folded into several lines. @param {string} text */
export const looksLikeMail = (text) =>
  new RegExp(`^\\s*(?:${WEEKDAY}|\\d{1,2}[\\s/-]+[a-z]{3})\\b`, 'i').test(text);

/** @typedef {{ head: string, name: string, at: number, link: 'beside' | 'in' | 'to', suffixes?: string }} Place what precedes a place and how it is joined; UTC is one */

/** The place of a name, an offset or a city: `UTC`, `+02:00`, `Asia/Tokyo`. @param {string} name */
function placeOf(name) {
  if (/^(?:UTC|GMT|Z)$/i.test(name)) return 'UTC';
  const [, sign, hours = '', minutes = '00'] =
    /^(?:(?:UTC|GMT)(?=[-+]))?([-+])(\d\d|(?<=[CT][-+])\d)(?::?(\d\d))?$/i.exec(name) ?? [];
  if (sign)
    return Number(hours) < 24 && Number(minutes) < 60
      ? `${sign}${hours.padStart(2, '0')}:${minutes}`
      : '';
  return /^(?:[a-z]{1,2}|(?!uct)[a-z]{2}t)$|^[-+]|[^\w+/-]/i.test(name) ||
    !attempt(() => clockOf(name))
    ? ''
    : name;
}

/** The place behind a value. @param {string} text @returns {Place | undefined} */
function placeBehind(text) {
  if (NUMBER.test(text)) return undefined;
  const open = text.indexOf('[');
  const [suffixes = '', bracketed] =
    (open > 0 && /^\[!?([\w:+/-]+)\](?:\[[^[\]=]+=[^[\]]*\])*$/.exec(text.slice(open))) || [];
  if (bracketed)
    return {
      head: text.slice(0, open).trimEnd(),
      name: bracketed,
      at: open + 1,
      link: 'beside',
      suffixes,
    };
  // The current time in a place, also of a person.
  const [, now = '', there = ''] =
    /^(now\b)?[\s,]*(?:\b(?:in|to)\s+)?\(?(.*?)\)?$/is.exec(text) ?? [];
  if (now && !there) return undefined;
  const place =
    there && (now || !/^\d/.test(there)) ? placeOf(there) || findZone(there) : undefined;
  if (place) return { head: 'now', name: place, at: 0, link: 'beside' };
  const [inside = '', commented = ''] = /\(([^()]*)\)$/.exec(text) ?? [];
  const shown = placeOf(commented.trim());
  if (shown) {
    const head = text.slice(0, -inside.length).trimEnd();
    return { head, name: shown, at: head.length, link: 'in' };
  }
  const last = text.split(/\s/).at(-1) ?? '';
  const at = text.length - last.length;
  const before = text.slice(0, at).trimEnd();
  const [, word = ''] = /\s(in|to)$/i.exec(before) ?? [];
  const link = /** @type {Place['link']} */ (word.toLowerCase() || 'beside');
  const joined = before.slice(0, before.length - word.length).trimEnd();
  const head = joined.replace(/(?<!,),+$/, '');
  const isIso = /^(?:\d{4}|\d{7,8})(?!\d)/.test(head);
  const isWhole = /\dz$/i.test(head) || (NUMBER.test(head) && !isIso);
  const isApart = word !== '' || head !== joined || isWhole || now !== '';
  const name = placeOf(last) || (word && findZone(last)) || '';
  if (name && (isApart || (name !== 'UTC' && !/^[-+]/.test(name)))) return { head, name, at, link };
  if (word || now || (last.length > 4 && last.includes('/') && /^[a-z]/i.test(last)))
    throw unknown(now ? there : last, at);
  return undefined;
}

/** @param {string} name @param {number} at */
const unknown = (name, at) =>
  new Unread(`has the unknown time zone "${name}"`, {
    at,
    hint: 'Zones are named as in Europe/Berlin; or write an offset as in +01:00.',
  });

/** The clock of a place. @param {string} name @returns {(moment: number) => number} */
function clockIn(name) {
  const [, sign, hours, minutes] = /^([-+])(\d\d):(\d\d)$/.exec(name) ?? [];
  const by = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  return sign ? (moment) => moment + by : clockOf(name);
}

/** A value with the place behind it; one after `in` or `to` only where `isWhole`. @param {string} text @param {string} unit @param {Warn} warn @param {bigint} now @param {boolean} isWhole @returns {Moment} */
function placed(text, unit, warn, now, isWhole) {
  const place = placeBehind(text);
  if (!place || (!isWhole && place.link !== 'beside')) return bare(text, unit, warn, now);
  const { head, name, at, link, suffixes = '' } = place;
  const critical = /\[!([^[\]=]+=[^[\]]*)\]/.exec(suffixes)?.[1];
  if (critical && !/^u-ca=(?:iso8601|gregory)$/.test(critical))
    throw new Refusal(`has the suffix "!${critical}", which is not known,`, {
      hint: 'RFC 9557 has one time zone, and keys as in [u-ca=gregory].',
    });
  for (const [suffix] of suffixes.matchAll(/\[(?!!|u-ca=(?:iso8601|gregory)\])[^[\]=]+=[^[\]]*\]/g))
    warn(`The suffix ${suffix} was left out.`);
  if (!placeOf(name)) throw unknown(name, at);
  const clock = clockIn(name);
  let isWall = false;
  const note = (/** @type {string} */ sentence) => {
    if (sentence === NO_OFFSET && link !== 'to') isWall = true;
    else warn(sentence);
  };
  const point =
    link === 'beside' ? bare(head, unit, note, now) : placed(head, unit, note, now, false);
  const { ns } = point;
  const isShown = link !== 'beside' || point.detected === 'now';
  const found = name === 'UTC' && !suffixes ? point : { ...point, zone: name, isShown };
  const second = (ns - (((ns % SECOND) + SECOND) % SECOND)) / 1_000_000n;
  const shown = Number(second);
  const iso = (/** @type {number} */ ms) => new Date(ms).toISOString().slice(0, 19);
  if (!isWall) {
    const [, sign, hours = '', minutes = ''] =
      (link === 'beside' && !NUMBER.test(head) && /([+-])(\d\d):?(\d\d)?$/.exec(head)) || [];
    const offset = (Number(hours) * 60 + Number(minutes || 0)) * (sign === '-' ? -60_000 : 60_000);
    if (sign && Math.abs(clock(shown) - shown - offset) >= 60_000)
      throw new Refusal(`has an offset that ${name} does not have then`, {
        at,
        hint: `Leave one of them out; it is ${iso(clock(shown))} there.`,
      });
    return found;
  }
  const moments = momentsOf(shown, clock);
  // Where the clocks skip it, as the clock before would have shown it.
  const before = shown - (clock(shown - 86_400_000) - shown + 86_400_000);
  const moment = moments[0] ?? before;
  if (moments.length === 0)
    warn(`The clocks of ${name} skip this time; it is taken as ${iso(clock(moment))}.`);
  if (moments.length > 1) warn(`The clocks of ${name} show this time twice; the first is taken.`);
  return { ...found, ns: ns + BigInt(moment - shown) * 1_000_000n };
}

/** A value without a place behind it. @param {string} text @param {string} unit @param {Warn} warn @param {bigint} now @returns {Moment} */
function bare(text, unit, warn, now) {
  if (/^now$/i.test(text)) return { ns: now, detected: 'now' };
  const isUnix = unit === 'auto' || Object.hasOwn(UNITS, unit);
  const system = readSystem(text, unit);
  if (system) return system;
  const number = NUMBER.exec(text);
  if (number && !(number[1] && number[6]) && isUnix) return readNumber(number, unit, warn);
  if (/^\d{1,3}([,_'’. \u{a0}\u{202f}])\d{3}(?:\1\d{3}){0,6}$/u.test(text))
    throw new Refusal(`is "${text}", a number with separators`, {
      hint: `Write ${text.replace(/\D/g, '')}.`,
    });
  const isMail = looksLikeMail(text);
  if (!isMail && !/^(?:[-+]?\d{4,6}-|\d{4}W|\d{4}(?!\d)|\d{7,8}(?!\d))/i.test(text))
    throw new Unread(
      text === '' ? 'is empty' : `is "${text.slice(0, 60)}", neither a number nor a date`,
      { hint: 'Try 1700000000, 2023-11-14 22:13 or 14 November 2023, 10:13 pm.' },
    );
  if (unit !== 'auto') warn('The unit is for numbers; a date has no use for it.');
  return isMail ? readMail(text, warn) : readIso(text, warn);
}

/**
 * A point in time as typed: a number, or a date, and a place.
 * @param {string} typed @param {string} unit of a number, or `auto` @param {Warn} warn @param {bigint} now
 * @returns {Moment}
 */
function read(typed, unit, warn, now) {
  const text = bareOf(typed, warn);
  /** @type {string[]} */
  let said = [];
  const note = (/** @type {string} */ sentence) => {
    said.push(sentence);
  };
  const point = inPart(typed.indexOf(text), () => {
    try {
      return placed(text, unit, note, now, true);
    } catch (refusal) {
      if (!(refusal instanceof Unread) || text.length > LONGEST) throw refusal;
      said = [];
      const date = new Date(Number(now / 1_000_000n));
      const iso = isoOf(text, { now: date, zone: 'UTC', warn: note });
      const written = iso === text ? undefined : attempt(() => placed(iso, unit, note, now, true));
      if (!written) throw refusal;
      return written;
    }
  });
  for (const sentence of said) warn(sentence);
  return point;
}

/** Whether a line is the current time. @param {string} line */
const isNow = (line) => /^\s*now(?:\s|$)/i.test(line) || !/\d/.test(line);

/**
 * The points in time of a text, one on each line; lines that are none are left out with a warning.
 * @param {string} source @param {string} unit of numbers, or `auto` @param {Warn} warn @param {bigint} now
 */
export function readAll(source, unit, warn, now) {
  const text = documentOf(source, warn);
  const typed = looksLikeMail(text) ? text.replace(/\n(?=[ \t])/g, ' ') : text;
  let next = 0;
  const all = typed.split('\n').map((line) => {
    const start = next;
    next += line.length + 1;
    return { line, start };
  });
  const filled = all.filter(({ line }) => line.trim() !== '');
  const isOne = filled.length === 1;
  const points = goodRows(
    filled,
    ({ line, start }) => ({
      line: line.trim(),
      ...inField(
        'value',
        typed,
        () => inPart(start, () => read(line, unit, warn, now)),
        isOne ? undefined : lineColumn,
      ),
    }),
    warn,
    ({ line }) => `"${line.trim()}"`,
  );
  return { points, isOne, ages: filled.every(({ line }) => isNow(line)) };
}
