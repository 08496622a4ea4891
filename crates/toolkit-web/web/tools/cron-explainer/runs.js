//! Runs of a schedule in a time zone, by the rules of cron(8) for clocks that are changed: one whose minute
//! or hour starts with `*` follows the clock; another fires once in a repeated hour, and right after a
//! change that skips its time. All follow a change of over three hours, or of three forward, which corrects the clock.
import { Refusal } from '../../kit/tool.js';
import { clockOf, momentsOf, span } from '../../lib/zones.js';
import { runsAfter } from './schedule.js';

/** @import { Schedule } from './schedule.js' */

const DAY = 86_400_000;
/** The calendar repeats after them: what did not fire then never does. */
const CENTURIES = 146_097 * DAY;
const CORRECTION = DAY / 8;
/** More than any clock was ever changed. */
const CHANGE_MAX = DAY + DAY / 12;
const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });

/**
 * The first moment at which a clock shows a time, or undefined when it is set forward past it.
 * @param {number} shown @param {(moment: number) => number} clock
 */
export const momentOf = (shown, clock) => momentsOf(shown, clock)[0];

/** The moment of what was entered: the current one, one with an offset, or what the clock of the zone shows. @param {string} text @param {string} timeZone @param {Date} now */
export function startOf(text, timeZone, now) {
  if (text.trim() === '') return Number(now);
  const [, date, time = 'T00:00', offset] =
    /^(\d{4}-\d\d-\d\d)(?:([ tT]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)([zZ]|[+-]\d\d:?\d\d)?)?$/.exec(
      text.trim(),
    ) ?? [];
  const zone = offset?.toUpperCase().replace(/(\d\d)(\d\d)$/, '$1:$2') ?? 'Z';
  const instant = Date.parse(`${date}T${time.slice(1).replace(',', '.')}${zone}`);
  const isReal = date !== undefined && new Date(`${date}T00:00Z`).toJSON()?.startsWith(date);
  if (!isReal || Number.isNaN(instant))
    throw new Refusal('is not a date and time', { hint: 'Write it as 2026-07-01 12:00.' });
  if (offset) return instant;
  const clock = clockOf(timeZone);
  return momentOf(instant, clock) ?? instant - (clock(instant - DAY) - instant + DAY);
}

/** The change of a clock between two moments, if there is one: when, and what it shows without it and with it. @param {number} start @param {number} end @param {(moment: number) => number} clock */
function changeIn(start, end, clock) {
  const offset = (/** @type {number} */ moment) => clock(moment) - moment;
  const before = offset(start);
  if (offset(end) === before) return undefined;
  while (end - start > 1000) {
    const middle = start + Math.floor((end - start) / 2000) * 1000;
    if (offset(middle) === before) start = middle;
    else end = middle;
  }
  return { at: end, from: end + before, to: clock(end) };
}

/** The moments after another at which a schedule fires. @param {Schedule} schedule @param {number} after @param {(moment: number) => number} clock */
export function* momentsAfter(schedule, after, clock) {
  const followsClock = schedule.fields.slice(0, 2).some(({ raw }) => raw.startsWith('*'));
  const isBridged = (/** @type {{ from: number, to: number }} */ { from, to }) =>
    !followsClock && to - from >= -CORRECTION && to - from < CORRECTION;
  for (let start = Math.floor(after / 1000) * 1000; ; ) {
    let shown = clock(start);
    // Until then the clock shows times again.
    const last = changeIn(start - CORRECTION, start, clock);
    if (last && isBridged(last)) shown = Math.max(shown, last.from - 1);
    // Its times may all be ones that the clocks skip.
    const end = shown + CENTURIES;
    for (;;) {
      const next = runsAfter(schedule, shown).next().value;
      if (next === undefined || next > end) return;
      const run = next - clock(start) + start;
      const reach = Math.min(run, start + CHANGE_MAX);
      const change = changeIn(start, reach, clock);
      if (!change && reach === run) {
        start = run;
        break;
      }
      if (change && isBridged(change) && next < change.to) {
        start = change.at;
        break;
      }
      // No time before `next` is of the schedule, whatever changes are between.
      if (!change) start = Math.max(reach, run - CHANGE_MAX);
      else start = change.at;
      shown = (change && !isBridged(change) ? change.to : next) - 1;
    }
    yield start;
  }
}

/**
 * Rows of the next runs: the time in each zone, and how far it is from now.
 * @param {Schedule} schedule @param {number} after
 * @param {{ count: number, zones: string[], now: Date, warn: (sentence: string) => void }} options
 */
export function runsIn(schedule, after, { count, zones, now, warn }) {
  const clocks = zones.map(clockOf);
  const [clock = clockOf('UTC')] = clocks;
  const shown = (/** @type {number} */ ms) =>
    `${weekday.format(ms)} ${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')}`;
  const rows = [];
  let isSaid = false;
  for (const moment of momentsAfter(schedule, after, clock)) {
    const wall = clock(moment);
    if (!isSaid && runsAfter(schedule, wall - 1).next().value !== wall) {
      warn(
        `The clocks of ${zones[0]} skip a time of it: it runs right after, at ${shown(wall)} (cron(8)).`,
      );
      isSaid = true;
    }
    const seconds = (moment - Number(now)) / 1000;
    const distance = seconds < 0 ? `${span(seconds)} ago` : `in ${span(seconds)}`;
    rows.push([...clocks.map((clock) => shown(clock(moment))), distance]);
    if (rows.length === count) break;
  }
  return rows;
}

/** Numbers in order, as a range if they are one. @param {readonly number[]} values */
export const ranged = (values) =>
  values.length > 2 && values.every((value, at) => value === Number(values[0]) + at)
    ? `${values[0]}-${values.at(-1)}`
    : values.join(', ');

/** Runs in each hour of seven days from a day, as the clock shows them. @param {Schedule} schedule @param {number} after */
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
