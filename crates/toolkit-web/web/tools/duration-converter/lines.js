//! Parser of several durations, one per line, with years and months counted from a date.

import { attempt, Refusal, refuse } from '../../kit/tool.js';
import { NANOSECONDS, parseDuration } from '../../lib/duration.js';
import { inPart } from '../../lib/positions.js';
import { goodRows } from '../../lib/rows.js';
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
  return (
    attempt(() => Temporal.PlainDate.from(reference, { overflow: 'reject' })) ??
    refuse('reference', `"${reference}" is not a date`, { hint: 'Write it as 2024-01-31.' })
  );
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
      hint: 'Enter the reference date on which they begin.',
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
  let next = 0;
  const lines = string.split('\n').flatMap((line) => {
    const start = next;
    next += line.length + 1;
    return line.trim() === '' ? [] : [{ line, start }];
  });
  const beyond = lines[LINES_MAX];
  if (beyond) throw new Refusal(`has more than ${LINES_MAX} lines`, { at: beyond.start });
  return goodRows(
    lines,
    ({ line, start }) => {
      const duration = inPart(start, () => parseDuration(line, unit));
      const value = total(duration, reference, start);
      if (duration.rounded) context.warn(`"${line.trim()}": rounded to whole nanoseconds.`);
      if (duration.twoParts) context.warn(`"${line.trim()}" was read as minutes and seconds.`);
      return /** @type {[string, bigint]} */ ([line.trim(), value]);
    },
    context.warn,
    ({ line }) => `"${line.trim()}"`,
  );
}
