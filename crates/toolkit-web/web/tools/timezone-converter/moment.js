//! Parser of moments: ISO 8601, RFC 9557, dates of mail (RFC 5322), HTTP, git and JavaScript, seconds and milliseconds since 1970,
//! local dates and times, and `now`.

import { attempt, Refusal } from '../../kit/tool.js';
import { Temporal } from '../../lib/temporal.js';

/** @typedef {InstanceType<typeof Temporal.PlainDateTime>} PlainDateTime */
/** @typedef {{ instant: InstanceType<typeof Temporal.Instant> } | { local: PlainDateTime, zone: string | undefined }} Moment */

const FORMS =
  'Write 2024-03-31 02:30, 2024-03-31T02:30:00Z, 2024-03-31T02:30+01:00[Europe/Berlin] or 1711848600.';

/** @param {string} text @param {Date} now @returns {Moment} */
export function readMoment(text, now) {
  const source = text.trim();
  if (/^now$/i.test(source))
    return { instant: Temporal.Instant.fromEpochMilliseconds(now.getTime()) };
  const seconds = source.replace(/^@(?=\d)/, '');
  if (/^[-+]?\d+(\.\d+)?$/.test(seconds) && !/^\d{8}$/.test(seconds)) return epoch(seconds);
  const iso = isoOf(source);
  const ways = iso.includes('[')
    ? [() => zoned(iso)]
    : [() => ({ instant: Temporal.Instant.from(iso) }), () => local(iso)];
  const moment = firstOf(ways);
  if (!moment) throw new Refusal(reason(iso), { hint: FORMS });
  return moment;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** The zones of RFC 5322 §4.3, and those of summer that no database of zones has. */
const OFFSET_BY_NAME = new Map([
  ...['Z', 'UT', 'UTC', 'GMT'].map((name) => /** @type {const} */ ([name, 'Z'])),
  .../** @type {const} */ ([
    ['EST', '-05:00'],
    ['EDT', '-04:00'],
    ['CST', '-06:00'],
    ['CDT', '-05:00'],
  ]),
  .../** @type {const} */ ([
    ['MST', '-07:00'],
    ['MDT', '-06:00'],
    ['PST', '-08:00'],
    ['PDT', '-07:00'],
  ]),
  .../** @type {const} */ ([
    ['CEST', '+02:00'],
    ['EEST', '+03:00'],
    ['WEST', '+01:00'],
  ]),
]);

const MONTH = `(?<month>${MONTHS.join('|')})[a-z]{0,7}\\.?`;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
/** Dates in words, of slashes with the year first, and of points with the day first. */
const DATES = [
  String.raw`\b${DAY}[ /-]?\s?${MONTH}[ /,-]\s?(?<year>\d{4}|\d\d)(?!\d)`,
  String.raw`\b${MONTH}\s{1,2}${DAY},?\s(?<year>\d{4})(?![\d:])`,
  String.raw`\b(?<year>\d{4})/(?<month>\d\d?)/(?<day>\d\d?)(?!\d)`,
  String.raw`\b(?<day>\d\d?)\.(?<month>\d\d?)\.(?<year>\d{4})(?!\d)`,
].map((pattern) => new RegExp(pattern, 'i'));

const two = (/** @type {string | number} */ part) => String(part).padStart(2, '0');

/** A year of two digits as RFC 5322 §4.3 has it. @param {string} year */
const yearOf = (year) => (year.length === 4 ? year : Number(year) < 50 ? `20${year}` : `19${year}`);

/**
 * The ISO form of a date of mail, HTTP, a log, git, `date`, Go or JavaScript, and of a local one with a
 * zone; other texts as they are.
 * @param {string} source
 */
function isoOf(source) {
  // What stands around a date: the name of a header, a log's brackets, a comment, Go's clock.
  const bare = source
    .replace(/^[a-z-]{1,40}:\s/i, '')
    .replace(/^from [^;]{1,1000};/i, '')
    .replace(/^\[([^[\]]*)\]$/, '$1')
    .replace(/\([^()]*\)$| m=[+-][\d.]+$/, '')
    // asctime, git and `date` have the time before the year.
    .replace(/(\d\d?:\d\d(?::\d\d)?)( [A-Z]{1,5})? (\d{4})(?= [+-]|$)/, '$3 $1$2')
    .trim();
  const match = DATES.map((pattern) => pattern.exec(bare)).find(Boolean);
  const { year = '', month = '', day = '' } = match?.groups ?? {};
  const number = MONTHS.indexOf(month.toLowerCase()) + 1 || month;
  const date = match && `${yearOf(year)}-${two(number)}-${two(day)}`;
  return (match ? date + bare.slice(match.index + match[0].length) : bare)
    .replace(/^(\d{4}-?\d{2}-?\d{2})(?:[,:]|\s)(?:\s?at)?\s?(?=\d)/, '$1T')
    .replace(/(?<=T)\d(?=\D)/, '0$&')
    .replace(/(?<=T)(\d\d)((?::\d\d){0,2}) ?([ap])\.?m\b\.?/i, (_, hour, rest, half) => {
      const hours = (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
      return `${two(hours)}${rest || ':00'}`;
    })
    .replace(/\s?(?:GMT|UTC)?([+-]\d\d:?\d\d)(?: [A-Z]{1,5})?$/, '$1')
    .replace(
      /(?<=\d)\s?(Z|[A-Z]{2,4}|(?<=\s)[A-Z][\w+-]{1,30}(?:\/[\w+-]{1,30}){0,2})$/i,
      (_, zone) => OFFSET_BY_NAME.get(zone.toUpperCase()) ?? `[${zone}]`,
    );
}

/** @param {(() => Moment)[]} ways */
function firstOf(ways) {
  for (const way of ways) {
    const moment = attempt(way);
    if (moment) return moment;
  }
  return undefined;
}

/** With a zone in brackets: its local time counts, unless there is also an offset. @param {string} iso @returns {Moment} */
function zoned(iso) {
  const zone = /\[!?([^[\]=]+)\]/.exec(iso)?.[1];
  if (/(?:Z|[+-]\d{2}(?::?\d{2})?(?::?\d{2})?)\[/i.test(iso))
    return { instant: Temporal.ZonedDateTime.from(iso).toInstant() };
  return {
    local: Temporal.PlainDateTime.from(iso.replace(/\[.*/, ''), { overflow: 'reject' }),
    zone,
  };
}

/** @param {string} iso @returns {Moment} */
const local = (iso) => ({
  local: Temporal.PlainDateTime.from(iso, { overflow: 'reject' }),
  zone: undefined,
});

/** Seconds up to 11 digits, then milliseconds, microseconds, nanoseconds. @param {string} source @returns {Moment} */
function epoch(source) {
  const [whole = '', fraction = ''] = source.replace(/^[-+]/, '').split('.');
  const digits = whole.replace(/^0+/, '').length;
  const scale = digits <= 11 ? 9 : digits <= 14 ? 6 : digits <= 17 ? 3 : 0;
  const value = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  try {
    return {
      instant: Temporal.Instant.fromEpochNanoseconds(source.startsWith('-') ? -value : value),
    };
  } catch {
    throw new Refusal('is beyond the range of dates: the years -271821 to 275760');
  }
}

/** @param {string} iso */
function reason(iso) {
  const date = /^([-+]?\d{4,6})-?(\d{2})-?(\d{2})/.exec(iso);
  const [month, day] = [Number(date?.[2]), Number(date?.[3])];
  if (date && (month < 1 || month > 12)) return `has the month ${date[2]}, which does not exist`;
  const length = date
    ? new Date(Date.UTC(2000 + (Number(date[1]) % 400), month, 0)).getUTCDate()
    : 31;
  if (date && (day < 1 || day > length))
    return `names ${date[1]}-${date[2]}-${date[3]}, a day that does not exist`;
  const time = /[T ](\d{2}):?(\d{2})(?::?(\d{2}))?/i.exec(iso);
  if (time && (Number(time[1]) > 23 || Number(time[2]) > 59))
    return `has the time ${time[0].slice(1)}, which does not exist`;
  if (/\[/.test(iso))
    return 'has a time zone that is not known, or an offset that the zone does not have then';
  return 'is not a date and time';
}
