//! Tables of one moment in several time zones, and of hours for a meeting.

import { ABBREVIATIONS } from '../../data/cities.js';
import { refuse, table } from '../../kit/tool.js';
import { inField } from '../../lib/positions.js';
import { goodRows } from '../../lib/rows.js';
import { findZone, nearestZones } from '../../lib/zone-names.js';
import { readMoment } from './moment.js';
import { abbreviation, isSummerTime, nextChange, searchZones } from './zones.js';

/** @import { Context } from '../../kit/types.d.ts' */
/** @import { ZonedDateTime } from './zones.js' */

const ZONES_MAX = 50;
const NOW = /^(?:what(?:['’]?s| is)? (?:the )?time(?: is it)?|(?:current )?time|now)(?: now)?$/i;

/** @param {string} field @param {string} name */
export function zoneOf(field, name) {
  const id = findZone(name);
  if (id !== undefined) return id;
  return refuse(field, `"${name.trim()}" is not a time zone`, {
    hint: /^\s*[+-]/.test(name) ? 'Write an offset as +05:30, up to 23:59.' : nearest(name),
  });
}

/** A moment, and the place whose time then is asked for. @param {string} source @returns {[when: string, place?: string]} */
export function asked(source) {
  const words = source.trim().replace('?', '').split(' ');
  const at = Math.max(words.lastIndexOf('in'), words.lastIndexOf('to'), 0);
  const [when, place] = [words.slice(0, at).join(' '), words.slice(at + 1).join(' ')];
  if (NOW.test(when)) return ['', place];
  const zone = /\d/.test(when) && /^[-+\p{L}]/u.exec(words[at - 1] ?? '') && words[at - 1];
  return zone && !/^[ap]m$/i.test(zone) && findZone(zone) ? [when, place] : [source];
}

/** @param {string} name */
function nearest(name) {
  const zones = nearestZones(name);
  if (zones.length > 0) return `Did you mean ${zones.join(' or ')}?`;
  return 'Write a name such as Europe/Berlin, a large city, or an offset such as +05:30.';
}

/** @param {ZonedDateTime} at */
const written = (at) => {
  const isWhole = at.second === 0 && at.millisecond === 0;
  const time = at.toPlainTime();
  return `${at.toPlainDate()} ${isWhole ? time.toString({ smallestUnit: 'minute' }) : time}`;
};

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

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
  const read = inField('moment', source, () =>
    readMoment(source, { now: context.now(), zone: home, warn: context.warn }),
  );
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
    const time = `${DAYS[at.dayOfWeek - 1]} ${written(at)}`;
    return [id, time, offset, dayDifference(at, home)];
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
    const times = ids.map((id) => {
      const there = at.withTimeZone(id);
      const { hour, dayOfWeek } = there;
      const isWork = hour >= 9 && hour < 17 && dayOfWeek < 6;
      const mark = isWork ? '● ' : hour < 7 || hour >= 22 ? '☾ ' : '';
      const days = dayDifference(there, at);
      const time = there.toPlainTime().toString({ smallestUnit: 'minute' });
      return `${mark}${time}${days === 'same day' ? '' : ` (${days})`}`;
    });
    const working = times.filter((time) => time.startsWith('●')).length;
    rows.push([...times, working === ids.length ? 'all at work' : `${working} of ${ids.length}`]);
  }
  return table(
    [...ids.map((id) => id.slice(id.lastIndexOf('/') + 1).replaceAll('_', ' ')), 'At work'],
    rows,
  );
}

/** The zones to show, one per line or separated by commas. @param {string} source @param {ZonedDateTime} at @param {(sentence: string) => void} warn */
export function chosen(source, at, warn) {
  const names = source.split(/[\n,;]/).filter((name) => name.trim() !== '');
  if (names.length > ZONES_MAX)
    refuse('zones', `has ${names.length} zones`, { hint: `Enter at most ${ZONES_MAX}.` });
  const zones = goodRows(
    names,
    (name) => {
      const id = zoneOf('zones', name);
      const short = name.trim().toUpperCase();
      const there = abbreviation(at.withTimeZone(id));
      if (
        /^[A-Z]{3,5}$/.test(there) &&
        short in ABBREVIATIONS &&
        short.length > 2 &&
        there !== short
      )
        warn(`${short} was read as ${id}, where it is ${there} then.`);
      return id;
    },
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
    refuse('find', `"${wanted.trim()}" matches no time zone`, { hint: nearest(wanted) });
  return table(
    ['Zone', 'Offset', 'Time'],
    ids.map((id) => [id, at.withTimeZone(id).offset, written(at.withTimeZone(id))]),
  );
}
