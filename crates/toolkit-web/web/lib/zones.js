//! Time zones and spans of time, by the browser's own data.
import { attempt, refuse } from '../kit/tool.js';

/** A zone as typed, or undefined for the device's. @param {string} typed */
export function zoneOf(typed) {
  const timeZone = typed.trim() || undefined;
  if (!attempt(() => new Intl.DateTimeFormat('en', { timeZone })))
    refuse('zone', 'is not a time zone that this browser knows', {
      hint: 'Choose one of the list, such as Europe/Berlin.',
    });
  return timeZone;
}

/** "1 h 29 min", in the largest unit, and the next for hours and minutes. @param {number} seconds */
export function span(seconds) {
  const rest = Math.floor(Math.abs(seconds));
  const units = /** @type {const} */ ([
    [31_556_952, 'years', 'year'],
    [86_400, 'days', 'day'],
    [3600, 'h', 'h'],
    [60, 'min', 'min'],
    [1, 's', 's'],
  ]);
  const at = units.findIndex(([size]) => rest >= size);
  const [size, many, one] = units[at] ?? units[4];
  const count = Math.floor(rest / size);
  const [next, unit] = units[at + 1] ?? [0, ''];
  const more = size <= 3600 && next ? Math.floor((rest % size) / next) : 0;
  return `${count} ${count === 1 ? one : many}${more ? ` ${more} ${unit}` : ''}`;
}

/** "+02:00", for "+0200" and "UTC+2" too. Undefined for what is no offset. @param {string} text */
export function offsetName(text) {
  const [, sign, hours = '', minutes = '00'] =
    /^(?:UTC|GMT)?\s*([+\-−])(\d{1,2})(?::?(\d{2}))?$/i.exec(text) ?? [];
  if (sign && Number(hours) < 24 && Number(minutes) < 60)
    return `${sign === '+' ? '+' : '-'}${hours.padStart(2, '0')}:${minutes}`;
  return undefined;
}

const DAY = 86_400_000;

/**
 * The clock time in a zone at a moment, in milliseconds as if it were UTC.
 * @param {string | undefined} timeZone @returns {(moment: number) => number}
 */
export function clockOf(timeZone) {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(timeZone ?? '') ?? [];
  // Not every browser takes an offset as a zone.
  if (sign) {
    const by = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
    return (moment) => Math.floor(moment / 1000) * 1000 + by;
  }
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone,
  });
  return (moment) => Date.parse(`${format.format(moment).replace(' ', 'T')}Z`);
}

/** The moments at which a clock shows a time, in order: none where it is set forward past it, two where it is set back. @param {number} shown @param {(moment: number) => number} clock */
export function momentsOf(shown, clock) {
  const moments = [-DAY, DAY].map((by) => shown - (clock(shown + by) - shown - by));
  return [...new Set(moments)].sort((a, b) => a - b).filter((moment) => clock(moment) === shown);
}
