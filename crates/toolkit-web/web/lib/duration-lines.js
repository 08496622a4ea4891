//! Parser of several durations, one per line, with years and months counted from a date.

import { refuse } from '../kit/tool.js';
import { NANOSECONDS, parseDuration } from './duration.js';
import { Temporal } from './temporal.js';

/** @import { Context, Position } from '../kit/types.d.ts' */
/** @import { Duration, Unit } from './duration.js' */

const LINES_MAX = 1000;
export const GO_LIMIT = 2n ** 63n;

/**
 * The day from which to count years and months, when one is needed and given.
 * @param {string} reference
 */
function referenceDate(reference) {
  try {
    return Temporal.PlainDate.from(reference, { overflow: 'reject' });
  } catch {
    return refuse('reference', `"${reference}" is not a date`, { hint: 'Write it as 2024-01-31.' });
  }
}

/**
 * A whole duration in nanoseconds, with years and months counted from the reference date.
 * @param {Duration} duration @param {string} reference @param {number} offset
 */
function total({ years, months, nanoseconds }, reference, offset) {
  if (years === 0n && months === 0n) return nanoseconds;
  if (reference === '') {
    refuse('durations', 'has years or months, whose length depends on the date', {
      offset,
      hint: 'Give the reference date that they begin on.',
    });
  }
  const from = referenceDate(reference);
  try {
    const to = from.add({ years: Number(years), months: Number(months) });
    return BigInt(from.until(to).days) * NANOSECONDS.days + nanoseconds;
  } catch {
    return refuse('durations', 'leads past the year 275760, the last of the calendar', { offset });
  }
}

/**
 * Parses every line that is not empty.
 * @param {string} string @param {Unit} unit @param {string} reference @param {Context} context
 */
export function readLines(string, unit, reference, context) {
  /** @type {[string, bigint][]} */
  const found = [];
  let offset = 0;
  for (const line of string.split('\n')) {
    const start = offset;
    /** @type {(offence: string, at: Position) => never} */
    const fail = (offence, at) =>
      refuse('durations', offence, { ...at, offset: start + [...line.slice(0, at.offset)].length });
    offset += [...line].length + 1;
    if (line.trim() === '') continue;
    const duration = parseDuration(line, unit, fail);
    if (duration.rounded) context.warn(`"${line.trim()}": rounded to whole nanoseconds.`);
    if (duration.twoParts) context.warn(`"${line.trim()}" was read as minutes and seconds.`);
    found.push([line.trim(), total(duration, reference, start)]);
    if (found.length > LINES_MAX)
      refuse('durations', `has more than ${LINES_MAX} lines`, { offset: start });
  }
  return found;
}
