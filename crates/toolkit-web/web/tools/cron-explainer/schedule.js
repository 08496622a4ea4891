//! Cron expressions: fields and run times, as the service reads them. Standard: crontab(5) of cronie,
//! with its aliases; left out are `@reboot`, random values and the extensions of Quartz.
import { Refusal } from '../../kit/tool.js';
import { wordsIn } from './line.js';
import { corrected, fromValue, wrapped } from './rewrite.js';

/**
 * @typedef {{ raw: string, values: number[], isFull: boolean }} Field
 * @typedef {{ fields: [Field, Field, Field, Field, Field], needsBoth: boolean }} Schedule `fields`:
 *   minute, hour, day of month, month, day of week; `needsBoth`: a day must match both of its fields
 * @typedef {(sentence: string) => void} Warn
 * @typedef {{ name: string, low: number, high: number, names: string[], accepted: string }} Kind
 */

export const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
export const DAYS = 'SUN MON TUE WED THU FRI SAT'.split(' ');
export const MONTH_NAMES =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
export const DAY_NAMES = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
/** @type {(name: string, low: number, high: number, accepted: string, names?: string[]) => Kind} */
const kind = (name, low, high, accepted, names = []) => ({ name, low, high, names, accepted });
export const KINDS = [
  kind('minute', 0, 59, 'minutes are 0-59'),
  kind('hour', 0, 23, 'hours are 0-23'),
  kind('day of month', 1, 31, 'days of the month are 1-31'),
  kind('month', 1, 12, 'months are 1-12 or JAN-DEC', MONTHS),
  kind('day of week', 0, 7, 'days of the week are 0-7 or SUN-SAT; 0 and 7 are Sunday', DAYS),
];
/** The other number of Sunday, which is 0. */
export const SUNDAY_AGAIN = 7;
const YEAR_MAX = 9999;
/** The Gregorian calendar repeats after so many years: what does not fire within them never does. */
const CALENDAR_YEARS = 400;

/** The last number of `*`. @param {Kind} kind */
export const topOf = ({ high }) => (high === SUNDAY_AGAIN ? 6 : high);

/** The schedule of an expression, or of the line around it. @param {string} text @param {Warn} warn @returns {Schedule} */
export function parse(text, warn) {
  const words = wordsIn(text, warn);
  const fields = /** @type {Schedule['fields']} */ (
    KINDS.map((kind, at) => fieldOf(kind, words[at] ?? '', warn, words))
  );
  const days = [fields[2], fields[4]];
  const needsBoth = days.some(({ raw }) => raw.startsWith('*'));
  if (needsBoth && !days.some(({ isFull }) => isFull))
    warn(
      'Both day fields must match, as one of them starts with `*` (crontab(5)); other schedulers run when either does.',
    );
  return { fields, needsBoth };
}

/** @param {Kind} kind @param {string} word @param {Warn} warn @param {string[]} [words] of the whole expression @returns {Field} */
export function fieldOf(kind, word, warn, words) {
  if (word === '?') warn(`\`?\` as ${kind.name} is taken for \`*\`.`);
  const raw = word === '?' ? '*' : word;
  const values = new Set(raw.split(',').flatMap((item) => itemOf(kind, item, warn, words)));
  if (kind.high === SUNDAY_AGAIN && values.delete(SUNDAY_AGAIN)) values.add(0);
  const sorted = [...values].sort((one, other) => one - other);
  return { raw, values: sorted, isFull: sorted.length === topOf(kind) - kind.low + 1 };
}

/** The values of one item of a list. @param {Kind} kind @param {string} text @param {Warn} warn @param {string[]} [words] */
function itemOf(kind, text, warn, words) {
  const { name, low, high, accepted } = kind;
  const instead = () => {
    const expression = words && corrected(words, false);
    return expression ? { use: [{ expression }] } : {};
  };
  const refuse = (/** @type {string} */ reason, /** @type {string} */ hint) =>
    new Refusal(`has \`${text}\` in its ${name} field: ${reason}`, {
      hint: `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`,
      ...instead(),
    });
  const malformed = () =>
    refuse(
      'it is not understood',
      `${accepted}, \`*\`, ranges (1-5), steps (*/2) and lists (1,3) of them`,
    );
  if (text === '')
    throw new Refusal(`has an empty item in its ${name} field`, {
      hint: 'Remove the extra comma.',
      ...instead(),
    });
  const quartz = quartzIn(text);
  if (quartz) throw refuse(`it has ${quartz}, which is not in crontab(5)`, accepted);
  const [span = '', step] = text.split(/\/(.*)/s);
  if (step !== undefined && !/^\d+$/.test(step))
    throw refuse('it has no number as its step', 'write it like `*/5`');
  if (Number(step) === 0) throw refuse('it has a step of 0', 'a step is at least 1');
  const value = (/** @type {string} */ word) => {
    const at = kind.names.indexOf(word.toUpperCase());
    if (at >= 0) return at + low;
    if (/^\d+$/.test(word) && Number(word) >= low && Number(word) <= high) return Number(word);
    if (/^\d+$/.test(word)) throw refuse('it is out of range', accepted);
    if (MONTHS.includes(word.toUpperCase())) throw refuse('it is the name of a month', accepted);
    if (DAYS.includes(word.toUpperCase()))
      throw refuse('it is the name of a day of the week', accepted);
    throw malformed();
  };
  let [first, last] = [low, topOf(kind)];
  const [from = '', to] = span.split(/-(.*)/s);
  if (to !== undefined) {
    if (from === '' || to === '') throw malformed();
    [first, last] = [value(from), value(to)];
    if (first > last && /^SUN$/i.test(to)) {
      warn(`\`${text}\` is taken for ${first}-${SUNDAY_AGAIN}; some crons refuse it.`);
      last = SUNDAY_AGAIN;
    }
    if (first > last) throw refuse('it runs backwards', `write \`${wrapped(kind, first, last)}\``);
  } else if (span !== '*') {
    first = last = value(span);
    if (step !== undefined)
      throw refuse('it has a step on a single value', `write \`${fromValue(kind, first, step)}\``);
  }
  const by = Number(step ?? 1);
  if (first < last && by > last - first)
    warn(`The step leads beyond the ${name} field: only ${first} is left of \`${text}\`.`);
  return Array.from({ length: Math.floor((last - first) / by) + 1 }, (_, at) => first + at * by);
}

/** Syntax of other schedulers, named. @param {string} text */
function quartzIn(text) {
  const word = text.toUpperCase();
  const isDay = (/** @type {string} */ part) =>
    part.split('-').every((one) => /^\d*$/.test(one) || DAYS.includes(one));
  if (word.includes('#')) return '`#` (the nth weekday of a month)';
  if ((word.endsWith('L') && isDay(word.slice(0, -1))) || /^L-|-L$/.test(word))
    return '`L` (the last day)';
  if (
    /^(?:LW|WL)$/.test(word) ||
    (word.endsWith('W') && isDay(word.slice(0, -1))) ||
    (word.startsWith('W') && isDay(word.slice(1)))
  )
    return '`W` (the nearest weekday)';
  if (word.startsWith('H')) return '`H` (a value of Jenkins’s choice)';
  if (word.includes('~')) return '`~` (a random value)';
  return word.includes('?') ? '`?` beside anything else' : undefined;
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
