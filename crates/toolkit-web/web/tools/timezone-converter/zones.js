//! Search in time zones, and clock changes around a moment.
//! Standards: the IANA time zone database through Temporal; RFC 9557 names.

import { Temporal } from '../../lib/temporal.js';
import { BY_NAME, findZone, plain, ZONES } from '../../lib/zone-names.js';

/** @typedef {InstanceType<typeof Temporal.ZonedDateTime>} ZonedDateTime */

/** Zones whose name, city or current offset contains a text. @param {string} text @param {ZonedDateTime} at */
export function searchZones(text, at) {
  const wanted = plain(text);
  const offset = /^(?:utc|gmt)?\s*[+\-−]?\d/.test(wanted) ? findZone(text) : undefined;
  if (offset !== undefined) return ZONES.filter((zone) => at.withTimeZone(zone).offset === offset);
  return [
    ...new Set([...BY_NAME].filter(([name]) => name.includes(wanted)).map(([, zone]) => zone)),
  ];
}

/** The abbreviation, such as CET; otherwise the offset. @param {ZonedDateTime} at */
export function abbreviation(at) {
  if (/^[+-]/.test(at.timeZoneId)) return `UTC${at.offset}`;
  for (const locale of ['en-US', 'en-GB', 'en-AU', 'en-IN']) {
    const parts = new Intl.DateTimeFormat(locale, {
      timeZone: at.timeZoneId,
      timeZoneName: 'short',
    }).formatToParts(at.epochMilliseconds);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    if (/^[A-Z]{2,5}$/.test(name)) return name;
  }
  return `UTC${at.offset}`;
}

/** Whether summer time is in force: the offset exceeds the smallest of the year. @param {ZonedDateTime} at */
export function isSummerTime(at) {
  const offsets = [1, 7].map((month) => at.with({ month, day: 1 }).offsetNanoseconds);
  const changes = Math.min(...offsets) !== Math.max(...offsets);
  return changes && at.offsetNanoseconds > Math.min(...offsets);
}

/** The next change of the offset within about two years, or null. @param {ZonedDateTime} at */
export function nextChange(at) {
  if (/^[+-]/.test(at.timeZoneId)) return null;
  const next = at.getTimeZoneTransition('next');
  return next !== null && next.year <= at.year + 2 ? next : null;
}
