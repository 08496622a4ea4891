//! Runs of a schedule in a time zone: the schedule is of the clock on the wall, and this tells which
//! moments the clock shows.
import { Refusal } from '../../kit/tool.js';
import { clockOf, momentsOf, span } from '../../lib/zones.js';
import { runsAfter } from './schedule.js';

const DAY = 86_400_000;
const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });

/**
 * The first moment at which a clock shows a time, or undefined when it is set forward past it.
 * @param {number} shown @param {(moment: number) => number} clock
 */
export const momentOf = (shown, clock) => momentsOf(shown, clock)[0];

/** The time that the clock shows at what was entered: with an offset it is a moment. @param {string} text @param {string} timeZone @param {Date} now */
export function shownFrom(text, timeZone, now) {
  const clock = clockOf(timeZone);
  if (text.trim() === '') return clock(Number(now));
  const [, date, time = 'T00:00', offset] =
    /^(\d{4}-\d\d-\d\d)(?:([ tT]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)([zZ]|[+-]\d\d:?\d\d)?)?$/.exec(
      text.trim(),
    ) ?? [];
  const zone = offset?.toUpperCase().replace(/(\d\d)(\d\d)$/, '$1:$2') ?? 'Z';
  const instant = Date.parse(`${date}T${time.slice(1).replace(',', '.')}${zone}`);
  const isReal = date !== undefined && new Date(`${date}T00:00Z`).toJSON()?.startsWith(date);
  if (!isReal || Number.isNaN(instant))
    throw new Refusal('is not a date and time', { hint: 'It is written as 2026-07-01 12:00.' });
  return offset ? clock(instant) : instant;
}

/**
 * Rows of the next runs: the time in each zone, and how far it is from now.
 * @param {import('./schedule.js').Schedule} schedule @param {number} after as the clock of the first zone shows it
 * @param {{ count: number, zones: string[], now: Date, warn: (sentence: string) => void }} options
 */
export function runsIn(schedule, after, { count, zones, now, warn }) {
  const clocks = zones.map(clockOf);
  const shown = (/** @type {number} */ ms) =>
    `${weekday.format(ms)} ${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')}`;
  const rows = [];
  for (const wall of runsAfter(schedule, after)) {
    const moment = clocks[0] && momentOf(wall, clocks[0]);
    if (moment === undefined) {
      warn(`${shown(wall)} does not exist in ${zones[0]}: clocks are set forward past it.`);
      rows.push([shown(wall)]);
    } else {
      const seconds = (moment - Number(now)) / 1000;
      const distance = seconds < 0 ? `${span(seconds)} ago` : `in ${span(seconds)}`;
      rows.push([...clocks.map((clock) => shown(clock(moment))), distance]);
    }
    if (rows.length === count) break;
  }
  return rows;
}

/** Numbers in order, as a range if they are one. @param {readonly number[]} values */
export const ranged = (values) =>
  values.length > 2 && values.every((value, at) => value === Number(values[0]) + at)
    ? `${values[0]}-${values.at(-1)}`
    : values.join(', ');

/** Runs in each hour of seven days from a day, as the clock shows them. @param {import('./schedule.js').Schedule} schedule @param {number} after */
export function weekOf(schedule, after) {
  const first = Math.floor(after / DAY) * DAY;
  const days = Array.from({ length: 7 }, (_, at) => ({
    name: weekday.format(first + at * DAY),
    hours: Array.from({ length: 24 }, () => 0),
  }));
  for (const wall of runsAfter(schedule, first - 1)) {
    const day = days[Math.floor((wall - first) / DAY)];
    if (!day) break;
    const hour = Math.floor((wall % DAY) / 3_600_000);
    day.hours[hour] = (day.hours[hour] ?? 0) + 1;
  }
  return days;
}
