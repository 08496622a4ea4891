//! Results of date calculations: time between dates, dates at a distance, facts about a date.

import { headline, pairs, refuse } from '../../kit/tool.js';
import { inField } from '../../lib/positions.js';
import { goodRows } from '../../lib/rows.js';
import {
  addWorkingDays,
  counted,
  dayNumber,
  inWords,
  readDate,
  WEEKENDS,
  workingDays,
} from './calendar.js';

/** @import { Context } from '../../kit/types.d.ts' */
/** @import { PlainDate } from './calendar.js' */

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOLIDAYS_MAX = 1000;
const YEARLY_MAX = 5_000_000;
const LARGEST_FIRST = ['years', 'months', 'weeks', 'days', 'working_days'];

/** @param {string} field @param {string} source @param {Context} context */
export function dateOf(field, source, context) {
  if (source.trim() === '' || /^today$/i.test(source.trim())) {
    const now = context.now();
    const local = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) =>
      String(part).padStart(2, '0'),
    );
    return readDate(local.join('-'));
  }
  return inField(field, source, () => readDate(source));
}

/** Day numbers of holidays, one per line; a line without a year applies to every year. @param {string} source @param {PlainDate} from @param {PlainDate} to @param {(sentence: string) => void} warn */
function holidaysOf(source, from, to, warn) {
  const names = source
    .split(/[\n,;]/)
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean);
  if (names.length > HOLIDAYS_MAX)
    refuse('holidays', `must be at most ${HOLIDAYS_MAX} lines, not ${names.length}`);
  const isYearly = (/** @type {string} */ name) => /^(--)?\d{2}-\d{2}$/.test(name);
  const read = (/** @type {string} */ name) => ({
    name,
    date: readDate(isYearly(name) ? `2024-${name.slice(-5)}` : name),
  });
  const dates = inField('holidays', source, () =>
    goodRows(names, read, warn, (name) => `The holiday "${name}"`),
  );
  const numbers = new Set(
    dates.filter(({ name }) => !isYearly(name)).map(({ date }) => dayNumber(date)),
  );
  const yearly = new Map(
    dates
      .filter(({ name }) => isYearly(name))
      .map(({ date }) => [`${date.month}-${date.day}`, date]),
  );
  const years = yearly.size > 0 ? yearsBetween(from, to) : [];
  if (years.length * yearly.size > YEARLY_MAX)
    refuse('holidays', `has ${yearly.size} days of every year, for ${years.length} years`, {
      hint: `At most ${YEARLY_MAX} holidays are counted.`,
    });
  for (const { month, day } of yearly.values())
    for (const year of years) {
      const moment = new Date(0);
      moment.setUTCFullYear(year, month - 1, day);
      // 29 February is a holiday only in leap years.
      if (moment.getUTCDate() === day) numbers.add(moment.getTime() / 86_400_000);
    }
  return numbers;
}

/** @param {PlainDate} from @param {PlainDate} to */
const yearsBetween = (from, to) => {
  // One more year at each end, since days off may move a date past the end of its year.
  const first = Math.min(from.year, to.year) - 1;
  return Array.from({ length: Math.abs(to.year - from.year) + 3 }, (_, index) => first + index);
};

/** @param {PlainDate} start @param {PlainDate} end @param {any} values @param {(sentence: string) => void} warn */
export function between(start, end, { inclusive, weekend, holidays }, warn) {
  const isBackward = dayNumber(start) > dayNumber(end);
  const [from, last] = isBackward ? [end, start] : [start, end];
  const to = inclusive ? last.add({ days: 1 }) : last;
  const days = from.until(to).days;
  const free = WEEKENDS[weekend] ?? [];
  const off = holidaysOf(holidays.string, from, to, warn);
  const working = workingDays(dayNumber(from), dayNumber(to), free, off);
  const sign = isBackward ? '−' : '';
  // A sign before several numbers would seem to be that of the first.
  const earlier = isBackward ? ' earlier' : '';
  const months = from.until(to, { largestUnit: 'month' });
  const years = inWords(from.until(to, { largestUnit: 'year' })) + earlier;
  const rows = pairs([
    ['Months, days', inWords(months) + earlier],
    ['Weeks, days', inWords(from.until(to, { largestUnit: 'week' })) + earlier],
    ['Days', `${sign}${days}`],
    ['Working days', `${sign}${working}`],
    ['Days off', `${sign}${days - working}`],
    ['Hours', `${sign}${days * 24}`],
    ['From', `${start}, ${DAYS[start.dayOfWeek - 1]}`],
    ['To', `${end}, ${DAYS[end.dayOfWeek - 1]}${inclusive ? ', included' : ''}`],
  ]);
  return { headline: headline(years), between: rows };
}

/** @param {PlainDate} start @param {any} values @param {Context} context */
export function moved(start, values, context) {
  const sign = values.direction === 'subtract' ? -1 : 1;
  const amount = (/** @type {string} */ unit) => sign * (values[unit] ?? 0);
  const [years, months, weeks, days] = [
    amount('years'),
    amount('months'),
    amount('weeks'),
    amount('days'),
  ];
  try {
    const monthwise = start.add({ years, months });
    if (monthwise.day !== start.day)
      context.warn(
        `${start} ${sign > 0 ? 'plus' : 'minus'} ${inWords({ years, months, weeks: 0, days: 0 })} has no day ${start.day}; it became ${monthwise}.`,
      );
    const whole = start.add({ years, months, weeks, days });
    const working = amount('working_days');
    const off = holidaysOf(
      values.holidays.string,
      whole,
      whole.add({ days: Math.trunc(working * 2) }),
      context.warn,
    );
    const free = WEEKENDS[values.weekend] ?? [];
    return whole.add({
      days: addWorkingDays(dayNumber(whole), working, free, off) - dayNumber(whole),
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const field = LARGEST_FIRST.find((unit) => values[unit]) ?? 'start';
    return refuse(field, 'must not lead past the calendar', {
      hint: 'Stay between -271821-04-19 and +275760-09-13.',
    });
  }
}

/** @param {PlainDate} day @param {PlainDate} today */
export function facts(day, today) {
  const away = today.until(day).days;
  const quarter = Math.ceil(day.month / 3);
  return pairs([
    ['Date', String(day)],
    ['Weekday', DAYS[day.dayOfWeek - 1] ?? ''],
    [
      'ISO week',
      `${String(day.yearOfWeek).padStart(4, '0')}-W${String(day.weekOfYear).padStart(2, '0')}-${day.dayOfWeek}`,
    ],
    ['Day of the year', `${day.dayOfYear} of ${day.daysInYear}`],
    ['Quarter', quarter],
    ['Days in the month', day.daysInMonth],
    ['Leap year', day.inLeapYear ? 'yes' : 'no'],
    [
      'From today',
      away === 0
        ? 'today'
        : away > 0
          ? `in ${counted(away, 'day')}`
          : `${counted(-away, 'day')} ago`,
    ],
    ['Days since 1970-01-01', dayNumber(day)],
  ]);
}
