//! Cron expressions: fields and run times, as the service reads them. Standard: crontab(5) of cronie,
//! with its aliases; left out are `@reboot`, random values and the extensions of Quartz.
import { fieldOf, KINDS } from './fields.js';
import { lineOf } from './line.js';
import { corrected, goesOn, inZone } from './rewrite.js';

/** @import { Field, Warn } from './fields.js' */

/**
 * @typedef {{ fields: [Field, Field, Field, Field, Field], needsBoth: boolean, zone: string | undefined }} Schedule
 *   `fields`: minute, hour, day of month, month, day of week; `needsBoth`: a day must match both of its
 *   fields; `zone`: that of the line
 */

const YEAR_MAX = 9999;
/** The Gregorian calendar repeats after so many years: what does not fire within them never does. */
const CALENDAR_YEARS = 400;

/** The schedule of an expression, or of the line around it. @param {string} text @param {Warn} warn @returns {Schedule} */
export function parse(text, warn) {
  const { words, zone } = lineOf(text, warn);
  // Two words that belong together leave too few fields.
  const isShort = words.some((word, at) => goesOn(word, words[at + 1] ?? '*'));
  const instead = () => {
    const written = isShort ? undefined : corrected(words, false);
    return written && inZone(zone, written).expression;
  };
  const fields = /** @type {Schedule['fields']} */ (
    KINDS.map((kind, at) => fieldOf(kind, words[at] ?? '', warn, instead))
  );
  const days = [fields[2], fields[4]];
  const needsBoth = days.some(({ raw }) => raw.startsWith('*'));
  if (needsBoth && !days.some(({ isFull }) => isFull))
    warn(
      'Both day fields must match, as one of them starts with `*` (crontab(5)); other schedulers run when either does.',
    );
  return { fields, needsBoth, zone };
}

/** The wall-clock times after another at which a schedule fires, as milliseconds of UTC; ends at the year 10000. @param {Schedule} schedule @param {number} after */
export function* runsAfter({ fields, needsBoth }, after) {
  const [minutes, hours, monthDays, months, weekdays] = fields.map(({ values }) => values);
  const at = (/** @type {number} */ year, /** @type {number} */ month, /** @type {number} */ day) =>
    new Date(0).setUTCFullYear(year, month, day);
  let [year, month] = [new Date(after).getUTCFullYear(), new Date(after).getUTCMonth()];
  for (let last = year; year <= Math.min(YEAR_MAX, last + CALENDAR_YEARS); ) {
    if (months?.includes(month + 1)) {
      const [begin, end] = [at(year, month, 1), at(year, month + 1, 1)];
      for (let day = begin; day < end; day += 86_400_000) {
        const date = new Date(day);
        const matches = [
          monthDays?.includes(date.getUTCDate()),
          weekdays?.includes(date.getUTCDay()),
        ];
        if (
          day + 86_400_000 <= after ||
          !(needsBoth ? matches.every(Boolean) : matches.some(Boolean))
        )
          continue;
        last = year;
        for (const hour of hours ?? [])
          for (const minute of minutes ?? []) {
            const run = day + hour * 3_600_000 + minute * 60_000;
            if (run > after) yield run;
          }
      }
    }
    [year, month] = month === 11 ? [year + 1, 0] : [year, month + 1];
  }
}
