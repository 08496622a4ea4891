//! Writers of durations: clock time, ISO 8601, Go, short units, words and decimal totals.
//! All of them take whole nanoseconds and are exact unless they state otherwise.

import { NANOSECONDS } from '../../lib/duration.js';

/** @typedef {import('../../lib/duration.js').Unit} Unit */

const UNITS = /** @type {Unit[]} */ (Object.keys(NANOSECONDS));
const SHORT = {
  weeks: 'w',
  days: 'd',
  hours: 'h',
  minutes: 'm',
  seconds: 's',
  milliseconds: 'ms',
  microseconds: 'µs',
  nanoseconds: 'ns',
};

/**
 * Splits an amount into units, starting with the largest wanted.
 * @param {bigint} nanoseconds not negative
 * @param {Unit} largest
 * @returns {[Unit, bigint][]}
 */
export function split(nanoseconds, largest) {
  let rest = nanoseconds;
  return UNITS.slice(UNITS.indexOf(largest)).map((unit) => {
    const count = rest / NANOSECONDS[unit];
    rest %= NANOSECONDS[unit];
    return [unit, count];
  });
}

/** @type {(nanoseconds: bigint) => [string, bigint]} */
const signed = (nanoseconds) => (nanoseconds < 0n ? ['-', -nanoseconds] : ['', nanoseconds]);

/** @type {(nanoseconds: bigint) => string} the digits after the point, without zeros at the end */
const fraction = (nanoseconds) => {
  const digits = String(nanoseconds % NANOSECONDS.seconds)
    .padStart(9, '0')
    .replace(/(?<!0)0+$/, '');
  return digits === '' ? '' : `.${digits}`;
};

/** @type {(value: bigint | string) => string} */
const two = (value) => String(value).padStart(2, '0');

/** @type {(nanoseconds: bigint) => string} `-26:03:04.5`: hours are not cut at a day */
export function toClock(nanoseconds) {
  const [sign, value] = signed(nanoseconds);
  const seconds = value / NANOSECONDS.seconds;
  return `${sign}${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}${fraction(value)}`;
}

/** @type {(nanoseconds: bigint, largest: Unit) => string} `-PT1H30M`; weeks stand alone, as RFC 3339 wants it */
export function toIso(nanoseconds, largest) {
  const [sign, value] = signed(nanoseconds);
  if (largest === 'weeks' && value !== 0n && value % NANOSECONDS.weeks === 0n) {
    return `${sign}P${value / NANOSECONDS.weeks}W`;
  }
  const from =
    largest === 'weeks'
      ? 'days'
      : UNITS.indexOf(largest) > UNITS.indexOf('seconds')
        ? 'seconds'
        : largest;
  const counts = Object.fromEntries(split(value, from));
  const date = counts.days ? `${counts.days}D` : '';
  const rest = fraction(value);
  let time = '';
  if (counts.hours) time += `${counts.hours}H`;
  if (counts.minutes) time += `${counts.minutes}M`;
  if (counts.seconds || rest) time += `${counts.seconds}${rest}S`;
  if (date === '' && time === '') return 'PT0S';
  return `${sign}P${date}${time === '' ? '' : `T${time}`}`;
}

/** @type {(nanoseconds: bigint) => string} as Go's `Duration.String`: `1h30m0s`, `1.5ms` */
export function toGo(nanoseconds) {
  const [sign, value] = signed(nanoseconds);
  if (value === 0n) return '0s';
  if (value < NANOSECONDS.seconds) {
    const unit =
      value < 1_000n ? 'nanoseconds' : value < 1_000_000n ? 'microseconds' : 'milliseconds';
    return `${sign}${toDecimal(value, unit).text}${SHORT[unit]}`;
  }
  const seconds = value / NANOSECONDS.seconds;
  const [hours, minutes] = [seconds / 3600n, (seconds / 60n) % 60n];
  const head = hours > 0n ? `${hours}h${minutes}m` : minutes > 0n ? `${minutes}m` : '';
  return `${sign}${head}${seconds % 60n}${fraction(value)}s`;
}

/** @type {(nanoseconds: bigint, largest: Unit) => string} `-1h 30m` */
export function toShort(nanoseconds, largest) {
  const [sign, value] = signed(nanoseconds);
  const parts = split(value, largest).filter(([, count]) => count > 0n);
  if (parts.length === 0) return `0${SHORT[largest]}`;
  return sign + parts.map(([unit, count]) => `${count}${SHORT[unit]}`).join(' ');
}

/** @type {(nanoseconds: bigint, largest: Unit) => string} `minus 1 hour, 30 minutes` */
export function toWords(nanoseconds, largest) {
  const [sign, value] = signed(nanoseconds);
  const parts = split(value, largest).filter(([, count]) => count > 0n);
  if (parts.length === 0) return `0 ${largest}`;
  const words = parts.map(([unit, count]) => `${count} ${count === 1n ? unit.slice(0, -1) : unit}`);
  return (sign && 'minus ') + words.join(', ');
}

/**
 * A whole amount as a decimal number of one unit, truncated after 15 digits.
 * @type {(nanoseconds: bigint, unit: Unit) => { text: string, exact: boolean }}
 */
export function toDecimal(nanoseconds, unit) {
  const [sign, value] = signed(nanoseconds);
  const scaled = (value % NANOSECONDS[unit]) * 10n ** 15n;
  const digits = String(scaled / NANOSECONDS[unit])
    .padStart(15, '0')
    .replace(/(?<!0)0+$/, '');
  const whole = `${sign}${value / NANOSECONDS[unit]}`;
  return {
    text: digits === '' ? whole : `${whole}.${digits}`,
    exact: scaled % NANOSECONDS[unit] === 0n,
  };
}
