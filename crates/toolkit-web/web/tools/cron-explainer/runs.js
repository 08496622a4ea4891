//! Runs of a schedule in a time zone: the service computes with the clock on the wall, and this
//! tells which moments it shows.

const DAY = 86_400_000;

/**
 * What a clock in a zone shows at a moment, in milliseconds as if it were UTC.
 * @param {string | undefined} timeZone @returns {(moment: number) => number}
 */
export function clockOf(timeZone) {
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone,
  });
  return (moment) => Date.parse(`${format.format(moment).replace(' ', 'T')}Z`);
}

/**
 * The first moment at which a clock shows a time, or undefined when it is set forward past it.
 * @param {number} shown @param {(moment: number) => number} clock
 */
export function momentOf(shown, clock) {
  const moments = [-DAY, DAY].map((by) => shown - (clock(shown + by) - shown - by));
  return moments.sort((a, b) => a - b).find((moment) => clock(moment) === shown);
}

/** A time as the clock shows it, for the service: with an offset it is a moment. @param {string} from @param {(moment: number) => number} clock @param {number} now */
export function shownFrom(from, clock, now) {
  const iso = (/** @type {number} */ ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
  const text = from.trim();
  if (text === '') return iso(clock(now));
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`;
  if (!/(?:Z|[+-]\d\d:?\d\d)$/i.test(text)) return `${text}Z`;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? from : iso(clock(moment));
}

/** Numbers in order, as a range if they are one. @param {readonly number[]} values */
export const ranged = (values) =>
  values.length > 2 && values.every((value, at) => value === Number(values[0]) + at)
    ? `${values[0]}-${values.at(-1)}`
    : values.join(', ');
