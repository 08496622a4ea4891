//! Tables of one moment in several time zones, and of hours for a meeting.

import { refuse, table } from '../../kit/tool.js';
import { inField } from '../../lib/positions.js';
import { goodRows } from '../../lib/rows.js';
import { readMoment } from './moment.js';
import {
  abbreviation,
  findZone,
  isSummerTime,
  nearestZones,
  nextChange,
  searchZones,
} from './zones.js';

/** @import { Context } from '../../kit/types.d.ts' */
/** @import { ZonedDateTime } from './zones.js' */

const ZONES_MAX = 50;

/** @param {string} field @param {string} name */
export function zoneOf(field, name) {
  const id = findZone(name);
  if (id !== undefined) return id;
  return refuse(field, `"${name.trim()}" is not a time zone`, {
    hint: /^\s*[+-]/.test(name)
      ? 'Offsets are written as +05:30, up to 23:59.'
      : `The nearest are ${nearestZones(name).join(', ')}.`,
  });
}

/** @param {ZonedDateTime} at */
const written = (at) => {
  const seconds = at.second === 0 && at.millisecond === 0 ? 'minute' : 'auto';
  return `${at.toPlainDate()} ${at.toPlainTime().toString({ smallestUnit: /** @type {any} */ (seconds === 'minute' ? 'minute' : undefined) })}`;
};

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
/** @param {ZonedDateTime} at */
const weekday = (at) => DAYS[at.dayOfWeek - 1] ?? '';

/** @param {ZonedDateTime} at @param {ZonedDateTime} home */
function dayDifference(at, home) {
  const days = home.toPlainDate().until(at.toPlainDate()).days;
  if (days === 0) return 'same day';
  return `${days > 0 ? '+' : '−'}${Math.abs(days)} day${Math.abs(days) === 1 ? '' : 's'}`;
}

/**
 * The moment; warns of a local time that a clock change skips or repeats, with both readings.
 * @param {string} source @param {string} home @param {string} reading @param {Context} context
 */
export function moment(source, home, reading, context) {
  const read = inField('moment', source, () => readMoment(source, context.now()));
  if ('instant' in read) return read.instant.toZonedDateTimeISO(home);
  const id = read.zone === undefined ? home : zoneOf('moment', read.zone);
  const [earlier, later] = /** @type {const} */ (['earlier', 'later']).map((disambiguation) =>
    read.local.toZonedDateTime(id, { disambiguation }),
  );
  if (earlier === undefined || later === undefined) throw new RangeError('two readings');
  if (earlier.equals(later)) return earlier;
  const clock = `${read.local.toString({ smallestUnit: 'minute' }).replace('T', ' ')} in ${id}`;
  const readings = `${written(earlier)} ${earlier.offset} and ${written(later)} ${later.offset}`;
  const exists = earlier.toPlainDateTime().equals(read.local);
  context.warn(
    exists
      ? `${clock} occurs twice, as clocks go back: ${readings}. The ${reading} one is shown.`
      : `${clock} does not exist, as clocks go forward: it may be ${readings}. The ${reading} one is shown.`,
  );
  return reading === 'later' ? later : earlier;
}

/** The times of one moment. @param {readonly string[]} ids @param {ZonedDateTime} home */
export function timesTable(ids, home) {
  const rows = ids.map((id) => {
    const at = home.withTimeZone(id);
    const name = abbreviation(at);
    const offset = name.includes(at.offset) ? at.offset : `${at.offset} ${name}`;
    return [id, `${weekday(at)} ${written(at)}`, offset, dayDifference(at, home)];
  });
  return table(['Zone', 'Time', 'Offset', 'Day'], rows);
}

/** Clock changes around a moment. @param {readonly string[]} ids @param {ZonedDateTime} home */
export function clocksTable(ids, home) {
  const rows = ids.map((id) => {
    const at = home.withTimeZone(id);
    const next = nextChange(at);
    const change = next === null ? 'none' : `${written(next)}, to ${next.offset}`;
    return [id, isSummerTime(at) ? 'yes' : 'no', change];
  });
  return table(['Zone', 'Summer time', 'Next change'], rows);
}

/** The hours of the day in all zones; working hours are marked. @param {readonly string[]} ids @param {ZonedDateTime} home */
export function meeting(ids, home) {
  const rows = [];
  const day = home.startOfDay();
  for (let at = day; at.toPlainDate().equals(day.toPlainDate()); at = at.add({ hours: 1 })) {
    const there = ids.map((id) => at.withTimeZone(id));
    const working = there.filter(
      (one) => one.hour >= 9 && one.hour < 17 && one.dayOfWeek < 6,
    ).length;
    rows.push([
      ...there.map((one) => {
        const isWork = one.hour >= 9 && one.hour < 17 && one.dayOfWeek < 6;
        const mark = isWork ? '● ' : one.hour < 7 || one.hour >= 22 ? '☾ ' : '';
        const days = dayDifference(one, at);
        return `${mark}${one.toPlainTime().toString({ smallestUnit: 'minute' })}${days === 'same day' ? '' : ` (${days})`}`;
      }),
      working === ids.length ? 'all at work' : `${working} of ${ids.length}`,
    ]);
  }
  return table(
    [...ids.map((id) => id.slice(id.lastIndexOf('/') + 1).replaceAll('_', ' ')), 'At work'],
    rows,
  );
}

/** The zones to show, one per line or separated by commas. @param {string} source @param {(sentence: string) => void} warn */
export function chosen(source, warn) {
  const names = source.split(/[\n,;]/).filter((name) => name.trim() !== '');
  if (names.length > ZONES_MAX)
    refuse('zones', `has ${names.length} zones`, { hint: `At most ${ZONES_MAX} are shown.` });
  const zones = goodRows(
    names,
    (name) => zoneOf('zones', name),
    warn,
    (name) => `"${name.trim()}"`,
  );
  return [...new Set(zones)];
}

/** @param {string} wanted @param {ZonedDateTime} at */
export function search(wanted, at) {
  if (wanted.trim() === '') return null;
  const ids = searchZones(wanted, at).slice(0, 100);
  if (ids.length === 0)
    refuse('find', `"${wanted.trim()}" is in no time zone`, {
      hint: `The nearest are ${nearestZones(wanted).join(', ')}.`,
    });
  return table(
    ['Zone', 'Offset', 'Time'],
    ids.map((id) => [id, at.withTimeZone(id).offset, written(at.withTimeZone(id))]),
  );
}
