//! Parser of several durations, one per line, with years and months counted from a date.

import { Refusal, refuse } from '../../kit/tool.js';
import { NANOSECONDS, parseDuration } from '../../lib/duration.js';
import { inPart } from '../../lib/positions.js';
import { Temporal } from '../../lib/temporal.js';

/** @import { Context } from '../../kit/types.d.ts' */
/** @import { Duration, Unit } from '../../lib/duration.js' */

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
 * @param {Duration} duration @param {string} reference @param {number} at
 */
function total({ years, months, nanoseconds }, reference, at) {
  if (years === 0n && months === 0n) return nanoseconds;
  if (reference === '') {
    throw new Refusal('has years or months, whose length depends on the date', {
      at,
      hint: 'Give the reference date that they begin on.',
    });
  }
  const from = referenceDate(reference);
  try {
    const to = from.add({ years: Number(years), months: Number(months) });
    return BigInt(from.until(to).days) * NANOSECONDS.days + nanoseconds;
  } catch {
    throw new Refusal('leads past the year 275760, the last of the calendar', { at });
  }
}

/**
 * Parses every line that is not empty.
 * @param {string} string @param {Unit} unit @param {string} reference @param {Context} context
 */
export function readLines(string, unit, reference, context) {
  /** @type {[string, bigint][]} */
  const found = [];
  let next = 0;
  for (const line of string.split('\n')) {
    const start = next;
    next += line.length + 1;
    if (line.trim() === '') continue;
    const duration = inPart(start, () => parseDuration(line, unit));
    if (duration.rounded) context.warn(`"${line.trim()}": rounded to whole nanoseconds.`);
    if (duration.twoParts) context.warn(`"${line.trim()}" was read as minutes and seconds.`);
    found.push([line.trim(), total(duration, reference, start)]);
    if (found.length > LINES_MAX)
      throw new Refusal(`has more than ${LINES_MAX} lines`, { at: start });
  }
  return found;
}
