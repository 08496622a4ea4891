//! Parser of moments: ISO 8601, RFC 9557, dates of mail (RFC 5322), HTTP, git and JavaScript, seconds and milliseconds since 1970,
//! local dates and times, and `now`.

import { Refusal } from '../../kit/tool.js';
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
  if (/^[-+]?\d+(\.\d+)?$/.test(source) && !/^\d{8}$/.test(source)) return epoch(source);
  const written = mailDate(source);
  if (written !== undefined && attempt([() => ({ instant: Temporal.Instant.from(written) })]))
    return { instant: Temporal.Instant.from(written) };
  const iso = source
    .replace(/^(\d{4}-?\d{2}-?\d{2})\s+(?=\d)/, '$1T')
    .replace(/(?<!\s)\s+(?=[+-]\d|Z$)/i, '');
  const ways = iso.includes('[')
    ? [() => zoned(iso)]
    : [() => ({ instant: Temporal.Instant.from(iso) }), () => local(iso)];
  const found = attempt(ways);
  if (!found) throw new Refusal(reason(iso), { hint: FORMS });
  return found;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** The zones of RFC 5322 §4.3. @type {Record<string, string>} */
const OFFSETS = {
  ...{ EST: '-05:00', EDT: '-04:00', CST: '-06:00', CDT: '-05:00' },
  ...{ MST: '-07:00', MDT: '-06:00', PST: '-08:00', PDT: '-07:00' },
};
const CLOCK = String.raw`(?<time>\d{1,2}:\d{2}(?::\d{2})?)`;
const OFFSET = String.raw`(?<zone>(?:GMT|UTC)?[+-]\d{2}:?\d{2}|GMT|UTC?|Z|[ECMP][SD]T)(?:\s*\(.*\))?$`;
/** Mail and HTTP; git, `date` and asctime; JavaScript. */
const DATES = [
  `^(?:[a-z]{3,9},?\\s+)?(?<day>\\d{1,2})[ -](?<month>[a-z]{3})[a-z]*[ -](?<year>\\d{4}),?\\s+${CLOCK}\\s*${OFFSET}`,
  `^[a-z]{3}\\s+(?<month>[a-z]{3})\\s+(?<day>\\d{1,2})\\s+${CLOCK}\\s+(?<year>\\d{4})\\s+${OFFSET}`,
  `^[a-z]{3}\\s+(?<month>[a-z]{3})\\s+(?<day>\\d{1,2})\\s+(?<year>\\d{4})\\s+${CLOCK}\\s+${OFFSET}`,
].map((pattern) => new RegExp(pattern, 'i'));

/** A date in words as ISO 8601, or undefined. @param {string} source */
function mailDate(source) {
  const text = source.replace(/^(?:Date|Last-Modified|Expires):\s*/i, '');
  const found = DATES.map((pattern) => pattern.exec(text)?.groups).find(Boolean);
  if (!found) return undefined;
  const { day = '', month = '', year, time = '', zone = '' } = found;
  const number = MONTHS.indexOf(month.toLowerCase()) + 1;
  const offset = OFFSETS[zone.toUpperCase()] ?? (zone.replace(/^(?:GMT|UTC?)(?=.)/i, '') || 'Z');
  const two = (/** @type {string | number} */ part) => String(part).padStart(2, '0');
  return `${year}-${two(number)}-${two(day)}T${time.padStart(time.length + (time.indexOf(':') === 1 ? 1 : 0), '0')}${/^[a-z]/i.test(offset) ? 'Z' : offset}`;
}

/** @param {(() => Moment)[]} ways */
function attempt(ways) {
  for (const way of ways) {
    try {
      return way();
    } catch {
      // Falls through to the next form.
    }
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
