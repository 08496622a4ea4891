//! Parser of moments: ISO 8601, RFC 9557, RFC 9110 dates, seconds and milliseconds since 1970,
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
  const mail = /^[a-z]{3}, \d{2} [a-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/i.test(source);
  if (mail && !Number.isNaN(Date.parse(source)))
    return { instant: Temporal.Instant.fromEpochMilliseconds(Date.parse(source)) };
  const iso = source
    .replace(/^(\d{4}-?\d{2}-?\d{2})\s+(?=\d)/, '$1T')
    .replace(/\s+(?=[+-]\d|Z$)/i, '');
  const ways = iso.includes('[')
    ? [() => zoned(iso)]
    : [() => ({ instant: Temporal.Instant.from(iso) }), () => local(iso)];
  const found = attempt(ways);
  if (!found) throw new Refusal(reason(iso), { hint: FORMS });
  return found;
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
  const zone = /\[!?([^\]=]+)\]/.exec(iso)?.[1];
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
