//! Dates: differences, working days, weeks. Standards: Temporal.PlainDate (ISO calendar), ISO 8601 weeks.

import { Refusal } from '../../kit/tool.js';
import { Temporal } from '../../lib/temporal.js';

/** @typedef {InstanceType<typeof Temporal.PlainDate>} PlainDate */

/** Days of the weekend by ISO weekday. @type {Record<string, readonly number[]>} */
export const WEEKENDS = { 'sat-sun': [6, 7], 'fri-sat': [5, 6], sun: [7], fri: [5], none: [] };

/** @param {string} source @returns {PlainDate} */
export function readDate(source) {
  const text = source.trim();
  const week = /^(\d{4})-?W(\d{2})(?:-?([1-7]))?$/i.exec(text);
  if (week) return weekDate(Number(week[1]), Number(week[2]), Number(week[3] ?? 1));
  const ordinal = /^(\d{4})-?(\d{3})$/.exec(text);
  if (ordinal) return ordinalDate(Number(ordinal[1]), Number(ordinal[2]));
  const parts = /^([-+]\d{6}|\d{4})-?(\d{2})-?(\d{2})$/.exec(text);
  if (parts === null)
    throw new Refusal(`"${text}" is not a date`, {
      hint: 'Write it as 2024-01-31, 2024-W05-3 or 2024-031.',
    });
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
  } catch {
    const [offence, hint] = whyNot(text, year, month, day);
    throw new Refusal(offence, { hint });
  }
}

/** @type {(text: string, year: number, month: number, day: number) => [string, string]} */
function whyNot(text, year, month, day) {
  if (month < 1 || month > 12) return [`"${text}" has the month ${month}`, 'Months are 01 to 12.'];
  // Before the calendar begins, months are as long as four hundred years later.
  const days = Temporal.PlainYearMonth.from({ year: (year % 400) + 2000, month }).daysInMonth;
  if (day < 1 || day > days) return [`"${text}" does not exist`, `That month has ${days} days.`];
  return [`"${text}" is out of range`, 'Dates from -271821-04-19 to +275760-09-13 are possible.'];
}

/** @type {(year: number, week: number, day: number) => PlainDate} */
function weekDate(year, week, day) {
  const fourth = Temporal.PlainDate.from({ year, month: 1, day: 4 });
  const date = fourth.add({ days: (week - 1) * 7 + day - fourth.dayOfWeek });
  if (date.yearOfWeek === year && date.weekOfYear === week) return date;
  throw new Refusal(`has the week ${week} of ${year}, which does not exist`, {
    hint: 'Years have 52 or 53 weeks.',
  });
}

/** @type {(year: number, day: number) => PlainDate} */
function ordinalDate(year, day) {
  const first = Temporal.PlainDate.from({ year, month: 1, day: 1 });
  if (day >= 1 && day <= first.daysInYear) return first.add({ days: day - 1 });
  throw new Refusal(`has the day ${day} of ${year}, which does not exist`, {
    hint: `That year has ${first.daysInYear} days.`,
  });
}

/** Days since 1970-01-01. @param {PlainDate} date */
export const dayNumber = (date) => Temporal.PlainDate.from('1970-01-01').until(date).days;

/** The ISO weekday, 1 to 7, of a day number. @param {number} day */
const weekdayOf = (day) => ((((day + 3) % 7) + 7) % 7) + 1;

/**
 * Working days from one day number to another, excluding the last.
 * @param {number} from @param {number} to @param {readonly number[]} weekend @param {ReadonlySet<number>} holidays
 */
export function workingDays(from, to, weekend, holidays) {
  const weeks = Math.floor((to - from) / 7);
  let count = weeks * (7 - weekend.length);
  for (let day = from + weeks * 7; day < to; day++) if (!weekend.includes(weekdayOf(day))) count++;
  for (const day of holidays)
    if (day >= from && day < to && !weekend.includes(weekdayOf(day))) count--;
  return count;
}

/**
 * The day number that is this many working days after (or before) another.
 * @param {number} from @param {number} count @param {readonly number[]} weekend @param {ReadonlySet<number>} holidays
 */
export function addWorkingDays(from, count, weekend, holidays) {
  const step = count < 0 ? -1 : 1;
  let [day, left] = [from, Math.abs(count)];
  while (left > 0) {
    day += step;
    if (!weekend.includes(weekdayOf(day)) && !holidays.has(day)) left--;
  }
  return day;
}

/** @param {number} count @param {string} unit */
export const counted = (count, unit) => `${count} ${unit}${Math.abs(count) === 1 ? '' : 's'}`;

/** `2 years, 1 month, 3 days`; `0 days` for nothing. @param {{ years: number, months: number, weeks: number, days: number }} duration */
export function inWords({ years, months, weeks, days }) {
  const parts = /** @type {const} */ ([
    [years, 'year'],
    [months, 'month'],
    [weeks, 'week'],
    [days, 'day'],
  ])
    .filter(([count]) => count !== 0)
    .map(([count, unit]) => counted(Math.abs(count), unit));
  return parts.length > 0 ? parts.join(', ') : '0 days';
}
