//! Parses moments: ISO 8601, RFC 9557, dates of e-mail (RFC 5322), HTTP, git and JavaScript, seconds and milliseconds since
//! 1970, local dates and times as programs and people write them, and `now`.

import { attempt, Refusal } from '../../kit/tool.js';
import { Temporal } from '../../lib/temporal.js';
import { isoOf } from '../../lib/written-dates.js';

/** @typedef {InstanceType<typeof Temporal.PlainDateTime>} PlainDateTime */
/** @typedef {{ instant: InstanceType<typeof Temporal.Instant> } | { local: PlainDateTime, zone: string | undefined }} Moment */

const FORMS =
  'Write 2024-03-31 02:30, 2024-03-31T02:30:00Z, 2024-03-31T02:30+01:00[Europe/Berlin] or 1711848600.';

/** @param {string} text @param {{ now: Date, zone: string, warn: (sentence: string) => void }} options @returns {Moment} */
export function readMoment(text, options) {
  const source = text.trim();
  const { now } = options;
  if (/^(?:now)?$/i.test(source))
    return {
      instant: Temporal.Instant.fromEpochMilliseconds(Math.floor(now.getTime() / 1000) * 1000),
    };
  const seconds = source.replace(/^@(?=\d)/, '');
  if (/^[-+]?\d+(\.\d+)?$/.test(seconds) && !/^\d{8}$/.test(seconds)) return epoch(seconds);
  const iso = isoOf(source, options);
  const ways = iso.includes('[')
    ? [() => zoned(iso)]
    : [() => ({ instant: Temporal.Instant.from(iso) }), () => local(iso)];
  const moment = firstOf(ways);
  if (!moment) throw new Refusal(reason(iso), { hint: FORMS });
  return moment;
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
  return 'is not a date that this page knows';
}
