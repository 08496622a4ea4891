//! The fields of an expression: their kinds, names and values.
import { Refusal } from '../../kit/tool.js';

/**
 * @typedef {{ raw: string, values: number[], isFull: boolean }} Field
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
  kind('day of week', 0, 7, 'days of the week are 0-7 (0 and 7 are Sunday) or SUN-SAT', DAYS),
];
/** The other number of Sunday, which is 0. */
export const SUNDAY_AGAIN = 7;

/** The last number of `*`. @param {Kind} kind */
export const topOf = ({ high }) => (high === SUNDAY_AGAIN ? 6 : high);

/** @param {Kind} kind @param {string} word @param {Warn} warn @param {() => string | undefined} [instead] the expression to write in place of a refused one @returns {Field} */
export function fieldOf(kind, word, warn, instead = () => undefined) {
  if (word === '?') warn(`\`?\` as ${kind.name} is taken for \`*\`.`);
  const raw = word === '?' ? '*' : word;
  const values = new Set(raw.split(',').flatMap((item) => itemOf(kind, item, warn, instead)));
  if (kind.high === SUNDAY_AGAIN && values.delete(SUNDAY_AGAIN)) values.add(0);
  const sorted = [...values].sort((one, other) => one - other);
  return { raw, values: sorted, isFull: sorted.length === topOf(kind) - kind.low + 1 };
}

/** The values of one item of a list. @param {Kind} kind @param {string} text @param {Warn} warn @param {() => string | undefined} instead */
function itemOf(kind, text, warn, instead) {
  const { name, low, high, accepted } = kind;
  const cure = () => {
    const expression = instead();
    return expression ? { use: [{ expression }] } : {};
  };
  const refuse = (/** @type {string} */ reason, /** @type {string} */ hint) =>
    new Refusal(`has \`${text}\` in its ${name} field: ${reason}`, {
      hint: `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`,
      ...cure(),
    });
  const malformed = () =>
    refuse(
      'it is not understood',
      `${accepted}, \`*\`, ranges (1-5), steps (*/2) and lists (1,3) of them`,
    );
  if (text === '')
    throw new Refusal(`has an empty item in its ${name} field`, {
      hint: 'Remove the extra comma.',
      ...cure(),
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

/** A range that runs backwards, as one or two that do not. @param {Kind} kind @param {number} from @param {number} to */
export const wrapped = (kind, from, to) =>
  kind.high === SUNDAY_AGAIN && to === 0
    ? `${from}-${SUNDAY_AGAIN}`
    : `${from}-${topOf(kind)},${kind.low}-${to}`;

/** Steps from a value to the end of the field. @param {Kind} kind @param {number} value @param {string} step */
export const fromValue = ({ low, high }, value, step) =>
  value === low ? `*/${step}` : `${value}-${high}/${step}`;
