//! Points in time: Unix time, dates, and the numbers of other systems. Standards: POSIX, ISO 8601, RFC 2822.

import { attempt, choice, headline, pairs, table, text, took, tool, zone } from '../../kit/tool.js';
import { zoneOf } from '../../lib/zones.js';
import { weekOf } from './days.js';

/** @import * as T from '../../kit/types.d.ts' */
/** @import { Moment } from './read.js' */

const SECOND = 1_000_000_000n;
const DAY = 86_400_000;

/** Rounded down, unlike the division of the language. @param {bigint} value @param {bigint} by */
const floor = (value, by) => (value - (((value % by) + by) % by)) / by;

/** @param {bigint} ns */
const dateOf = (ns) => new Date(Number(floor(ns, 1_000_000n)));

/** @param {bigint} ns */
function iso(ns) {
  const fraction = String(((ns % SECOND) + SECOND) % SECOND)
    .padStart(9, '0')
    .replace(/(?<!0)0+$/, '');
  return `${dateOf(ns).toISOString().slice(0, 19)}${fraction && `.${fraction}`}Z`;
}

/** Calendar months from one moment to a later one. @param {bigint} earlier @param {bigint} later */
function monthsBetween(earlier, later) {
  const [from, to] = [dateOf(earlier), dateOf(later)];
  const months =
    (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const rest = (/** @type {bigint} */ ns, /** @type {Date} */ date) => [
    date.getUTCDate(),
    ((ns % (86_400n * SECOND)) + 86_400n * SECOND) % (86_400n * SECOND),
  ];
  const [fromDay = 0, fromTime = 0] = rest(earlier, from);
  const [toDay = 0, toTime = 0] = rest(later, to);
  return months - Number(toDay < fromDay || (toDay === fromDay && toTime < fromTime));
}

/** "3 days ago", in the largest unit of which one has passed. @param {bigint} ns @param {bigint} now */
function relative(ns, now) {
  const [earlier, later] = ns < now ? [ns, now] : [now, ns];
  const months = monthsBetween(earlier, later);
  const seconds = Number((later - earlier) / SECOND);
  /** @type {[number, Intl.RelativeTimeFormatUnit][]} */
  const units = [
    [Math.floor(months / 12), 'year'],
    [months, 'month'],
    [Math.floor(seconds / 86_400), 'day'],
    [Math.floor(seconds / 3600), 'hour'],
    [Math.floor(seconds / 60), 'minute'],
    [seconds, 'second'],
  ];
  const [count, unit] = units.find(([count]) => count > 0) ?? [0, 'second'];
  if (count === 0) return 'now';
  return new Intl.RelativeTimeFormat('en')
    .format(ns < now ? -count : count, unit)
    .replaceAll(',', '');
}

/** Writes date, time and offset in a zone. @param {string | undefined} timeZone */
function zoneWriter(timeZone) {
  const local = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone,
  });
  const offsets = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (/** @type {bigint} */ ns) => {
    const date = dateOf(ns);
    const parts = offsets.formatToParts(date);
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '');
    return `${local.format(date)}${offset || 'Z'}`;
  };
}

/** "Tuesday, 14 November 2023, 23:13:20" in a zone, and "3 years ago · Berlin (UTC+1)". @param {bigint} ns @param {bigint} now @param {string} timeZone */
function verdict(ns, now, timeZone) {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
    ...{ timeZone, timeZoneName: 'shortOffset' },
  });
  const parts = format.formatToParts(dateOf(ns));
  const of = (/** @type {string} */ type) => parts.find((part) => part.type === type)?.value ?? '';
  const place = timeZone.replace(/^.*\//, '').replaceAll('_', ' ');
  const offset = of('timeZoneName').replace('GMT', 'UTC');
  const time = [of('hour'), of('minute'), of('second')].join(':');
  return headline(`${of('weekday')}, ${of('day')} ${of('month')} ${of('year')}, ${time}`, {
    below: `${relative(ns, now)} · ${place === 'UTC' ? place : `${place} (${offset})`}`,
  });
}

/** @param {bigint} ns @param {string} detected @param {string} name @param {(ns: bigint) => string} inZone @returns {[string, T.Cell][]} */
function rowsOf(ns, detected, name, inZone) {
  const date = dateOf(ns);
  const day = Math.floor(date.getTime() / DAY);
  const year = new Date(0).setUTCFullYear(date.getUTCFullYear());
  return [
    ['ISO 8601 (UTC)', iso(ns)],
    [`In ${name}`, inZone(ns)],
    ['Unix seconds', String(floor(ns, SECOND))],
    ['Milliseconds', String(floor(ns, 1_000_000n))],
    ['Microseconds', String(floor(ns, 1000n))],
    ['Nanoseconds', String(ns)],
    ['Weekday', date.toLocaleString('en', { weekday: 'long', timeZone: 'UTC' })],
    ['Day of the year', day - Math.floor(year / DAY) + 1],
    ['ISO week', weekOf(day)],
    ['RFC 2822', date.toUTCString().replace('GMT', '+0000')],
    ['Excel serial date', Math.round((date.getTime() / DAY + 25_569) * 1e8) / 1e8],
    ['Windows FILETIME', String(floor(ns, 100n) + 116_444_736_000_000_000n)],
    ['Read as', detected],
  ];
}

/**
 * What was entered, or now. The page opens with now, which needs no reader.
 * @param {string} source @param {string} unit @param {T.Context} context @param {bigint} now
 * @returns {Promise<{ points: (Moment & { line: string })[], isOne: boolean, ages: boolean }>}
 */
async function pointsOf(source, unit, { warn }, now) {
  if (source.trim() === '')
    return { points: [{ line: '', ns: now, detected: 'now' }], isOne: true, ages: true };
  return (await import('./read.js')).readAll(source, unit, warn, now);
}

export default tool({
  fields: {
    value: text('Time', {
      lines: 3,
      max: 1 << 20,
      help: 'Enter numbers, or dates such as `2023-11-14 22:13`, `14 Nov 2023, 10 pm` or `15:00 New York`, one per line. Leave empty for now.',
    }),
    zone: zone('Time zone', { help: 'Leave empty for your device’s zone.' }),
    unit: choice(
      'Unit of numbers',
      {
        auto: 'Automatic (by size)',
        s: 'Seconds',
        ms: 'Milliseconds',
        us: 'Microseconds',
        ns: 'Nanoseconds',
        excel: 'Excel serial dates',
        filetime: 'Windows FILETIME',
        webkit: 'Microseconds since 1601 (WebKit)',
        discord: 'Discord Snowflakes',
        twitter: 'X Snowflakes',
      },
      { help: 'Choose the unit of a bare number. MongoDB ObjectIds are recognized.' },
    ),
  },
  start: true,
  // The service takes one time a call.
  call: async ({ value, ...others }) => {
    const [first = '', ...more] = value.trim().split('\n');
    const isMail = more.length > 0 && (await import('./read.js')).looksLikeMail(value);
    return { ...others, value: isMail ? value : first };
  },
  labels: { result: 'Notations' },
  async run({ value, zone, unit }, context) {
    const now = BigInt(context.now().getTime()) * 1_000_000n;
    const timeZone = zoneOf(zone);
    const name = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    const inZone = zoneWriter(timeZone);
    const source = value.string;
    let isAssumed = false;
    // Of one time the head says it, and offers the reader's own zone.
    const warn = (/** @type {string} */ sentence) => {
      if (!/UTC is assumed/.test(sentence) || name === 'UTC' || /\n./.test(source.trim()))
        return context.warn(sentence);
      isAssumed = true;
    };
    const { points, isOne, ages } = await pointsOf(source, unit, { ...context, warn }, now);
    if (ages) context.again(1);
    const [first] = points;
    if (isOne && first) {
      const { ns, detected } = first;
      const named = first.isShown || zone.trim() === '' ? first.zone : undefined;
      // Not every browser knows offsets as zones.
      const place = named && attempt(() => zoneWriter(named)) ? named : name;
      const local = { label: `in ${name} instead`, values: { value: `${source.trim()} ${name}` } };
      return {
        took: isAssumed ? took('Read as UTC', local) : undefined,
        headline: verdict(ns, now, place),
        result: pairs(rowsOf(ns, detected, place, place === name ? inZone : zoneWriter(place)), {
          // A number is read as a date, and a date becomes a number.
          main: /^\s*[-+\d._]+\s*$/.test(first.line) ? 'ISO 8601 (UTC)' : 'Unix seconds',
        }),
      };
    }
    const rows = points.map(({ line, ns }) => {
      const unix = String(floor(ns, SECOND));
      return [line, iso(ns), inZone(ns), unix, relative(ns, now)];
    });
    return {
      result: table(['As written', 'UTC', `In ${name}`, 'Unix seconds', 'Relative to now'], rows),
    };
  },
  examples: [
    {
      title: 'Seconds since 1970',
      values: { value: '1700000000', zone: 'Europe/Berlin' },
    },
    {
      title: 'A time in a zone by its name',
      values: { value: '2023-07-14T09:00[America/New_York]', zone: 'UTC' },
    },
    {
      title: 'Several, one on each line',
      values: {
        value: '1700000000\n2023-11-14T23:13:20+01:00\n507f1f77bcf86cd799439011',
        zone: 'UTC',
      },
    },
    {
      title: 'The time in a Snowflake',
      values: { value: '175928847299117063', unit: 'discord', zone: 'UTC' },
    },
  ],
});
