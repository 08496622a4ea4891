//! Dates as programs and people write them, converted to ISO 8601. Missing parts, such as the day of "5pm", are assumed
//! and reported. Left out are time spans ("in 3 days") and languages other than English.

import { findZone } from './zone-names.js';
import { clockOf } from './zones.js';

/** @typedef {(sentence: string) => void} Warn */

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** The zones of RFC 5322 §4.3, and those of summer that no database of zones has. */
const OFFSET_BY_NAME = new Map(
  Object.entries({
    ...{ Z: 'Z', UT: 'Z', UTC: 'Z', GMT: 'Z', EST: '-05:00', EDT: '-04:00', CST: '-06:00' },
    ...{ CDT: '-05:00', MST: '-07:00', MDT: '-06:00', PST: '-08:00', PDT: '-07:00' },
    ...{ CEST: '+02:00', EEST: '+03:00', WEST: '+01:00' },
  }),
);

const MONTH = `(?<month>${MONTHS.join('|')})[a-z]{0,7}\\.?`;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
/** Dates in words, of slashes or points with the year first, and of points with the day first. */
const DATES = [
  String.raw`\b${DAY}[ /-]?\s?${MONTH}[ /,-]\s?(?<year>\d{4}|\d\d)(?!\d)`,
  String.raw`\b${MONTH}\s{1,2}${DAY},?\s(?<year>\d{4})(?![\d:])`,
  String.raw`\b(?<year>\d{4})[/.](?<month>\d\d?)[/.](?<day>\d\d?)(?!\d)`,
  String.raw`\b(?<day>\d\d?)\.(?<month>\d\d?)\.(?<year>\d{4})(?!\d)`,
].map((pattern) => new RegExp(pattern, 'i'));

/** A time alone, and a day by its distance or its name. */
const CLOCK = /^\d{1,2}(?::\d\d){1,2}(?!\d)|^\d{1,2}(?::\d\d)?\s?[ap]\.?m\b/i;
const DAYS = /^(yesterday|today|tomorrow)\b(?:,|\s+at\b)?\s*/i;
const WEEKDAY = /^(?:on )?((sun|mon|tues|wednes|thurs|fri|satur)day)\b(?:,|\s+at\b)?\s*/i;
const WEEKDAYS = ['sun', 'mon', 'tues', 'wednes', 'thurs', 'fri', 'satur'];

const two = (/** @type {string | number} */ part) => String(part).padStart(2, '0');

/** A year of two digits as RFC 5322 §4.3 has it. @param {string} year */
const yearOf = (year) => (year.length === 4 ? year : Number(year) < 50 ? `20${year}` : `19${year}`);

/** The zone at the end of a text, and the text before it. @param {string} text @param {Warn} warn @returns {[time: string, suffix: string, zone?: string]} */
function placeOf(text, warn) {
  const [, time = '', half = '', name = ''] =
    /^(.*\d)(\s?[ap]\.?m\b\.?)?(?:[\s,]|in\b)*(\p{L}\D*)$/isu.exec(text) ?? [];
  const zone = name ? findZone(name) : undefined;
  if (zone === undefined) return [text, ''];
  // The name of the offset before it.
  if (/[+-]\d\d:?\d\d$/.test(time) && !name.includes('/')) {
    warn(`What follows the offset was left out: \`${name}\`.`);
    return [time, ''];
  }
  return [time + half, OFFSET_BY_NAME.get(name.toUpperCase()) ?? `[${zone}]`, zone];
}

/** A date of two numbers and a year, where either number may be the month. @param {string} text @param {Warn} warn */
function ofSlashes(text, warn) {
  const [written = '', one = '', other = '', year] =
    /(?<![\d/])(\d\d?)\/(\d\d?)\/(\d{4}|\d\d)(?![\d/])/.exec(text) ?? [];
  if (!year) return text;
  const [first] = new Intl.DateTimeFormat(undefined, {
    day: 'numeric',
    month: 'numeric',
  }).formatToParts();
  const isOpen = Number(one) < 13 && Number(other) < 13;
  const isMonthFirst = isOpen ? first?.type === 'month' : Number(one) < 13;
  const dates = [
    [one, other],
    [other, one],
  ].map(([month = '', day = '']) => `${yearOf(year)}-${two(month)}-${two(day)}`);
  const [date = '', instead = ''] = isMonthFirst ? dates : dates.reverse();
  if (isOpen && one !== other)
    warn(
      `${written} is read as ${date}, in the order of your browser’s language. It may mean ${instead}.`,
    );
  else if (year.length < 4) warn(`${written} is read as ${date}.`);
  return text.replace(written, date);
}

/**
 * The ISO form of a date from mail, HTTP, a log, git, `date`, Go or JavaScript, of one written by a person, or of a
 * local date with a zone. Other texts are returned unchanged.
 * @param {string} source @param {{ now: Date, zone: string, warn: Warn }} options `zone`: where a day is meant
 */
export function isoOf(source, { now, zone: home, warn }) {
  // Text around a date: a header's name, a log's brackets, a comment, Go's clock.
  const bare = source
    .replace(/^[a-z-]{1,40}:\s/i, '')
    .replace(/^from [^;]{1,1000};/i, '')
    .replace(/^\[([^[\]]*)\]$/, '$1')
    .replace(/\b(?:noon|midnight)\b/i, (word) => (word.length === 4 ? '12:00' : '00:00'))
    .replace(/\([^()]*\)$| m=[+-][\d.]+$/, '')
    // asctime, git and `date` have the time before the year.
    .replace(/(\d\d?:\d\d(?::\d\d)?)( [A-Z]{1,5})? (\d{4})(?= [+-]|$)/, '$3 $1$2')
    .trim();
  const [time, place, zone = home] = placeOf(bare, warn);
  const [said = '', word, weekday] = DAYS.exec(time) ?? WEEKDAY.exec(time) ?? [];
  // With a date, the name of the day says nothing more.
  if ((word && !weekday) || CLOCK.test(time.slice(said.length))) {
    const today = new Date(clockOf(zone)(Number(now)));
    const ahead = WEEKDAYS.indexOf(`${weekday}`.toLowerCase()) - today.getUTCDay();
    const days = { yesterday: -1, tomorrow: 1 }[`${word}`.toLowerCase()] ?? 0;
    today.setUTCDate(today.getUTCDate() + (weekday ? (ahead + 7) % 7 : days));
    const date = today.toISOString().slice(0, 10);
    warn(`The day is taken as ${date}, ${word ?? 'today'} in ${zone}.`);
    return isoWithClock(`${date} ${time.slice(said.length)}`.trim()) + place;
  }
  return isoWithClock(ofDate(ofSlashes(time, warn))) + place;
}

/** The text with its date first and in the form of ISO. @param {string} bare */
function ofDate(bare) {
  const match = DATES.map((pattern) => pattern.exec(bare)).find(Boolean);
  const { year = '', month = '', day = '' } = match?.groups ?? {};
  const number = MONTHS.indexOf(month.toLowerCase()) + 1 || month;
  const date = match && `${yearOf(year)}-${two(number)}-${two(day)}`;
  return match ? date + bare.slice(match.index + match[0].length) : bare;
}

/** The time after a date, and its zone, in the form of ISO. @param {string} text */
const isoWithClock = (text) =>
  text
    .replace(/^(\d{4}-?\d{2}-?\d{2})(?:[,:]|\s)(?:\s?at)?\s?(?=\d)/, '$1T')
    .replace(/(?<=T)\d(?=\D)/, '0$&')
    .replace(
      /(?<=T)(0[1-9]|1[0-2])((?::\d\d(?::\d\d(?:[.,]\d+)?)?)?) ?([ap])\.?m\b\.?/i,
      (_, hour, rest, half) => {
        const hours = (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
        return `${two(hours)}${rest || ':00'}`;
      },
    )
    .replace(/\s?(?:GMT|UTC)?([+-]\d\d:?\d\d)(?: [A-Z]{1,5})?$/, '$1')
    .replace(
      /(?<=\d)\s?(?![ap]m$)(Z|[A-Z]{2,4}|(?<=\s)[A-Z][\w+-]{1,30}(?:\/[\w+-]{1,30}){0,2})$/i,
      (_, zone) => OFFSET_BY_NAME.get(zone.toUpperCase()) ?? `[${zone}]`,
    );
