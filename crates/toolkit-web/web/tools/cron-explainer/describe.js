//! A schedule in a sentence, in the words of the service. It depends on the values, not on how they
//! are written, so it is true of any expression.
import { DAY_NAMES, MONTH_NAMES } from './fields.js';

/** @import { Schedule } from './schedule.js' */

/** Times of day listed one by one, and ranges of hours. */
const TIMES_MAX = 8;
const STRETCHES_MAX = 3;

/** @param {number} hour @param {number} minute */
const clock = (hour, minute) =>
  [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
/** @param {number} pace @param {string} unit */
const every = (pace, unit) => (pace === 1 ? `Every ${unit}` : `Every ${pace} ${unit}s`);
/** @param {string[]} words @param {string} [conjunction] */
const joined = (words, conjunction = 'and') =>
  words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;

/** The constant distance between values that start at 0 and divide the cycle. @param {number[]} values @param {number} cycle */
function pace(values, cycle) {
  const by = cycle / values.length;
  return Number.isInteger(by) && values.every((value, at) => value === at * by) ? by : undefined;
}
/** Consecutive values, together. @param {number[]} values */
const stretches = (values) =>
  values.reduce(
    (all, value) => {
      const last = all.at(-1);
      if (last?.at(-1) === value - 1) last.push(value);
      else all.push([value]);
      return all;
    },
    /** @type {number[][]} */ ([]),
  );
/** Whether the values are at least three consecutive ones. @param {number[]} values */
const isRun = (values) => values.length > 2 && stretches(values).length === 1;
/** @param {number[]} values @param {(value: number) => string} word */
const listed = (values, word) =>
  stretches(values).flatMap((part) =>
    part.length > 2 ? `${word(part[0] ?? 0)} through ${word(part.at(-1) ?? 0)}` : part.map(word),
  );
/** @param {number[]} values */
const numbers = (values) => joined(listed(values, String));

/** The hours of the day at one minute. @param {number} minute @param {number[]} hours */
function byHour(minute, hours) {
  const [by, first = 0, last = 0] = [pace(hours, 24), hours[0], hours.at(-1)];
  if (by && hours.length > STRETCHES_MAX) return `${every(by, 'hour')} from ${clock(0, minute)}`;
  if (isRun(hours)) return `Every hour from ${clock(first, minute)} through ${clock(last, minute)}`;
  return `At ${joined(hours.map((hour) => clock(hour, minute)))}`;
}

/** Hours as ranges of the day, where the last minute of each is `last`. @param {number[]} hours @param {number} last */
function during(hours, last) {
  const parts = stretches(hours);
  if (parts.length > STRETCHES_MAX)
    return `in the hours that begin at ${joined(hours.map((hour) => clock(hour, 0)))}`;
  return joined(
    parts.map((part) => `from ${clock(part[0] ?? 0, 0)} through ${clock(part.at(-1) ?? 0, last)}`),
  );
}

/** @param {number[]} minutes @param {number[]} hours */
function times(minutes, hours) {
  const [first = 0, last = 0, hour = 0] = [minutes[0], minutes.at(-1), hours[0]];
  const [by, all] = [pace(minutes, 60), hours.length === 24];
  if (by && minutes.length > 1) return every(by, 'minute') + (all ? '' : ` ${during(hours, last)}`);
  if (minutes.length === 1 && all)
    return first === 0 ? 'Every hour, on the hour' : `At minute ${first} past every hour`;
  if (minutes.length === 1) return byHour(first, hours);
  if (hours.length === 1 && isRun(minutes))
    return `Every minute from ${clock(hour, first)} through ${clock(hour, last)}`;
  if (minutes.length * hours.length <= TIMES_MAX)
    return `At ${joined(hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute))))}`;
  let past = `hours ${numbers(hours)}`;
  if (all) past = 'every hour';
  else if (isRun(hours)) past = `every hour from ${hour} through ${hours.at(-1)}`;
  else if (hours.length === 1) past = `hour ${hour}`;
  return `At minutes ${numbers(minutes)} past ${past}`;
}

/** Days of the week: a range that may start or end on Sunday, or a list that begins on Monday. @param {number[]} days @param {string} conjunction */
function weekdays(days, conjunction) {
  const word = (/** @type {number} */ day) => DAY_NAMES[day % 7] ?? '';
  const fromMonday = days.map((day) => day || 7).sort((one, other) => one - other);
  const run = [days, fromMonday].find(isRun);
  if (run) return `${word(run[0] ?? 0)} through ${word(run.at(-1) ?? 0)}`;
  return `on ${joined(listed(fromMonday, word), conjunction)}`;
}

/** @param {Schedule} schedule */
export function describe({ fields: [minute, hour, ofMonth, month, ofWeek], needsBoth }) {
  const parts = [times(minute.values, hour.values)];
  const monthDays = `on day${ofMonth.values.length === 1 ? '' : 's'} ${numbers(ofMonth.values)} of the month`;
  const bare = (/** @type {string} */ conjunction) =>
    weekdays(ofWeek.values, conjunction).replace(/^on /, '');
  if (!ofMonth.isFull && !ofWeek.isFull)
    parts.push(
      monthDays + (needsBoth ? ` and only if it is ${bare('or')}` : ` or on ${bare('and')}`),
    );
  else if (needsBoth && !ofMonth.isFull) parts.push(monthDays);
  else if (needsBoth && !ofWeek.isFull) parts.push(weekdays(ofWeek.values, 'and'));
  // "Every …" says it already.
  else if (!hour.isFull && parts[0]?.startsWith('At')) parts.push('every day');
  if (!month.isFull)
    parts.push(`in ${joined(listed(month.values, (value) => MONTH_NAMES[value - 1] ?? ''))}`);
  return `${parts.join(', ')}.`;
}
