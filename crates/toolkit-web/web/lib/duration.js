//! Durations as written by people and programs, exact to the nanosecond.
//!
//! Read: ISO 8601 (as in Temporal and RFC 3339 appendix A), Go's `1h30m`, words, clock time, .NET's `d.hh:mm:ss`, plain
//! numbers. In ISO 8601 each number may have a sign, as in Java. Years and months stay separate, because their length
//! depends on a date. Left out: ISO 8601's alternative form (`P0001-02-03T…`).

import { Refusal } from '../kit/tool.js';
import { inPart } from './positions.js';

/** @typedef {{ years: bigint, months: bigint, nanoseconds: bigint, rounded: boolean, twoParts: boolean }} Duration */

/** Nanoseconds of each unit of fixed length, largest first. */
export const NANOSECONDS = {
  weeks: 604_800_000_000_000n,
  days: 86_400_000_000_000n,
  hours: 3_600_000_000_000n,
  minutes: 60_000_000_000n,
  seconds: 1_000_000_000n,
  milliseconds: 1_000_000n,
  microseconds: 1_000n,
  nanoseconds: 1n,
};

/** @typedef {keyof typeof NANOSECONDS} Unit */

/** Limit of `Temporal.Duration`: 2^53 seconds, exclusive. */
export const LIMIT = 2n ** 53n * NANOSECONDS.seconds;

const NAMES = new Map(
  [
    'years y yr yrs year',
    'months mo mon mos month',
    'weeks w wk wks week',
    'days d day',
    'hours h hr hrs hour',
    'minutes m min mins minute',
    'seconds s sec secs second',
    'milliseconds ms msec millis millisecond',
    'microseconds us µs μs usec microsecond',
    'nanoseconds ns nsec nanosecond',
  ].flatMap((names) => names.split(' ').map((name, _, [unit = '']) => [name, unit])),
);

/** @returns {Duration} */
const zero = () => ({ years: 0n, months: 0n, nanoseconds: 0n, rounded: false, twoParts: false });

/**
 * Reads a duration in any of the forms.
 * @param {string} source
 * @param {Unit} unit of a plain number
 * @returns {Duration}
 */
export function parseDuration(source, unit) {
  const start = source.search(/\S|$/);
  const signed = /^([+\-−]?)\s*/.exec(source.slice(start)) ?? ['', ''];
  const from = start + signed[0].length;
  const body = source.slice(from).trimEnd();
  if (body === '') throw new Refusal('has no number', { at: from, hint: FORMS });
  const value = inPart(from, () => parseUnsigned(body, unit));
  const sizes = [value.years << 21n, value.months << 21n, value.nanoseconds / NANOSECONDS.seconds];
  if (sizes.some((size) => size >= 2n ** 53n || size <= -(2n ** 53n))) {
    throw new Refusal('is longer than 2^53 seconds (285 million years)', { at: from });
  }
  return signed[1] === '-' || signed[1] === '−' ? negated(value) : value;
}

const FORMS = 'Write 90, 1h 30m, 01:30:00, PT1H30M or 1 hour 30 minutes.';

/** @type {(value: Duration) => Duration} */
const negated = (value) => ({
  ...value,
  years: -value.years,
  months: -value.months,
  nanoseconds: -value.nanoseconds,
});

/** @type {(body: string, unit: Unit) => Duration} */
function parseUnsigned(body, unit) {
  if (/^p/i.test(body)) return parseIso(body);
  if (/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(body)) return fixed(zero(), body, unit);
  if (body.includes(':')) return parseClock(body);
  return parseUnits(body);
}

/**
 * Adds a decimal number of a unit with fixed length, rounded to the nearest nanosecond.
 * @type {(value: Duration, digits: string, unit: Unit) => Duration}
 */
function fixed(value, digits, unit) {
  const [whole = '', fraction = ''] = digits.replace(',', '.').replace(/^[-+]/, '').split('.');
  const scale = 10n ** BigInt(fraction.length);
  const product = BigInt(`0${whole}${fraction}`) * NANOSECONDS[unit];
  const size = (2n * product + scale) / (2n * scale);
  value.nanoseconds += digits.startsWith('-') ? -size : size;
  value.rounded ||= product % scale !== 0n;
  return value;
}

const ISO_UNITS = /** @type {const} */ ({
  date: { Y: 'years', M: 'months', W: 'weeks', D: 'days' },
  time: { H: 'hours', M: 'minutes', S: 'seconds' },
});

/** @type {(body: string) => Duration} */
function parseIso(body) {
  const value = zero();
  let position = 1;
  for (const part of /** @type {const} */ (['date', 'time'])) {
    if (part === 'time') {
      if (body[position]?.toUpperCase() !== 'T') break;
      position += 1;
    }
    position = isoPart(body, position, part, value);
  }
  if (position < body.length) {
    throw new Refusal(`has ${quoted(body, position)}, which is not expected here`, {
      at: position,
      hint: 'ISO 8601 is P, then years Y, months M, weeks W, days D, then T, hours H, minutes M, seconds S.',
    });
  }
  if (/^p?t?$/i.test(body) || /t$/i.test(body)) {
    throw new Refusal('has no number after its last letter', {
      at: body.length,
      hint: 'Write PT0S for nothing.',
    });
  }
  return value;
}

/** @type {(body: string, from: number, part: 'date' | 'time', value: Duration) => number} */
function isoPart(body, from, part, value) {
  /** @type {Record<string, string>} */
  const units = ISO_UNITS[part];
  let allowed = Object.keys(units);
  let position = from;
  let fraction = false;
  for (;;) {
    const piece = /([-+−]?\d+)(?:([.,])(\d*))?([a-z])/iy;
    piece.lastIndex = position;
    const [all, whole = '', point, decimals = '', letter = ''] = piece.exec(body) ?? [];
    const unit = letter.toUpperCase();
    if (all === undefined || !allowed.includes(unit)) return position;
    if (fraction)
      throw new Refusal('has a unit after a fraction', {
        at: position,
        hint: 'Only the last number may have one.',
      });
    if (point !== undefined) {
      fraction = true;
      checkFraction(part, decimals, position + whole.length);
    }
    addUnit(
      value,
      (point === undefined ? whole : `${whole}.${decimals}`).replace('−', '-'),
      units[unit] ?? '',
      position,
    );
    allowed = allowed.slice(allowed.indexOf(unit) + 1);
    position += all.length;
  }
}

/** @type {(part: string, decimals: string, at: number) => void} */
function checkFraction(part, decimals, at) {
  if (part === 'date') {
    throw new Refusal('has a fraction of a day or more', {
      at,
      hint: 'Hours, minutes and seconds may have one.',
    });
  }
  if (decimals.length < 1 || decimals.length > 9) {
    throw new Refusal(`has a fraction of ${decimals.length} digits`, {
      at,
      hint: 'Write 1 to 9 digits.',
    });
  }
}

/** @type {(value: Duration, digits: string, unit: string, at: number) => void} */
function addUnit(value, digits, unit, at) {
  if (unit !== 'years' && unit !== 'months') {
    fixed(value, digits, /** @type {Unit} */ (unit));
  } else if (/[.,]/.test(digits)) {
    throw new Refusal(`has a fraction of ${unit}, which differ in length`, {
      at,
      hint: 'Write it in days or smaller units.',
    });
  } else {
    value[unit] += BigInt(digits.replace('+', ''));
  }
}

/** @type {(body: string) => Duration} */
function parseClock(body) {
  const match = /^(?:(\d+)(?:\.|\s*d(?:ays?)?,?\s*))?(\d+):(\d+)(?::(\d+)(?:[.,](\d+))?)?$/i.exec(
    body,
  );
  if (match === null)
    throw new Refusal('is not clock time', {
      at: 0,
      hint: 'Write 01:30:00, 1:30:00.5 or 2d 01:30:00.',
    });
  const [, days, first = '', second = '', third, fraction] = /** @type {string[]} */ (match);
  const twoParts = third === undefined && days === undefined;
  const [hours, minutes, seconds] = twoParts ? ['0', first, second] : [first, second, third ?? '0'];
  const place = body.indexOf(':');
  if (!twoParts && minutes.length !== 2)
    throw new Refusal('has minutes that are not two digits', { at: place + 1 });
  if (!twoParts && Number(minutes) > 59)
    throw new Refusal(`has ${minutes} minutes; 00 to 59 are possible`, { at: place + 1 });
  if ((third ?? second).length !== 2) {
    throw new Refusal('has seconds that are not two digits', { at: body.lastIndexOf(':') + 1 });
  }
  if (Number(seconds) > 59) {
    throw new Refusal(`has ${seconds} seconds; 00 to 59 are possible`, {
      at: body.lastIndexOf(':') + 1,
    });
  }
  if (days !== undefined && Number(hours) > 23) {
    throw new Refusal(`has ${hours} hours after days; 00 to 23 are possible`, {
      at: place - hours.length,
    });
  }
  const value = { ...zero(), twoParts };
  fixed(value, days ?? '0', 'days');
  fixed(value, hours, 'hours');
  fixed(value, minutes, 'minutes');
  return fixed(value, fraction === undefined ? seconds : `${seconds}.${fraction}`, 'seconds');
}

/** @type {(body: string) => Duration} */
function parseUnits(body) {
  const value = zero();
  const pieces = /(\d+(?:\.\d*)?|\.\d+)\s*([\p{L}]+)\.?(?:\s*(?:,\s*(?:and\s+)?|and\s+)?)/uy;
  let [position, last] = [0, ''];
  while (position < body.length) {
    pieces.lastIndex = position;
    const [all, digits = '', name = ''] = pieces.exec(body) ?? [];
    if (all === undefined) {
      throw new Refusal(`has ${quoted(body, position)} where a number with a unit is expected`, {
        at: position,
        hint: FORMS,
      });
    }
    const at = position + all.indexOf(name, digits.length);
    const unit = NAMES.get(name) ?? NAMES.get(name.toLowerCase());
    if (unit === undefined) {
      throw new Refusal(`has the unknown unit "${name.slice(0, 20)}"`, {
        at,
        hint: 'Use y, mo, w, d, h, min, s, ms, µs or ns.',
      });
    }
    if (/^m$/i.test(name)) checkMinutes(name, last, body.slice(position + all.length), at);
    addUnit(value, digits, /** @type {string} */ (unit), position);
    [position, last] = [position + all.length, /** @type {string} */ (unit)];
  }
  return value;
}

/**
 * Refuses an `m` that may mean months: a capital, after years, or before weeks or days.
 * @type {(name: string, last: string, rest: string, at: number) => void}
 */
function checkMinutes(name, last, rest, at) {
  const next = /^[\d.\s]+(\p{L}+)/u.exec(rest)?.[1] ?? '';
  const larger = ['weeks', 'days'].includes(NAMES.get(next.toLowerCase()) ?? '');
  if (name === 'M' || last === 'years' || larger) {
    throw new Refusal(`has "${name}", which could be minutes or months`, {
      at,
      hint: 'Write min or mo.',
    });
  }
}

/** @type {(body: string, position: number) => string} */
const quoted = (body, position) =>
  position < body.length ? `"${String.fromCodePoint(body.codePointAt(position) ?? 0)}"` : 'its end';
