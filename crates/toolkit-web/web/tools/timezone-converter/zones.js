//! Time zones: search by name, city or offset, and clock changes around a moment.
//! Standards: the IANA time zone database through Temporal; RFC 9557 names.

import { CITIES, RENAMED } from '../../data/cities.js';
import { attempt } from '../../kit/tool.js';
import { Temporal } from '../../lib/temporal.js';

/** @typedef {InstanceType<typeof Temporal.ZonedDateTime>} ZonedDateTime */

/** The names of all zones, UTC first. */
export const ZONES = [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map((name) => RENAMED[name] ?? name)]),
];

/** A name without accents, case and separators. @param {string} name */
const plain = (name) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[_\s-]+/g, ' ')
    .trim();

const BY_NAME = new Map([
  ...ZONES.map(
    (zone) => /** @type {const} */ ([plain(zone.slice(zone.lastIndexOf('/') + 1)), zone]),
  ),
  ...Object.entries(CITIES).map(([city, zone]) => /** @type {const} */ ([plain(city), zone])),
  ...Object.entries(RENAMED).map(([old, zone]) => /** @type {const} */ ([plain(old), zone])),
  ...ZONES.map((zone) => /** @type {const} */ ([plain(zone), zone])),
]);

/** The zone that a name, city or offset means, or undefined. @param {string} text */
export function findZone(text) {
  const source = text.trim();
  const offset = /^(?:UTC|GMT)?\s*([+\-−])(\d{1,2})(?::?(\d{2}))?$/i.exec(source);
  const named = BY_NAME.get(plain(source));
  if (named !== undefined) return named;
  const id = offset
    ? `${offset[1] === '+' ? '+' : '-'}${String(offset[2]).padStart(2, '0')}:${offset[3] ?? '00'}`
    : source;
  // Links of older editions, such as US/Eastern, are recognised too.
  return attempt(() => Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(id).timeZoneId);
}

/** The names closest to a text. @param {string} text */
export function nearestZones(text) {
  const wanted = plain(text);
  const scored = [...BY_NAME].map(([name, zone]) => ({ zone, score: distance(wanted, name) }));
  const best = scored.sort((a, b) => a.score - b.score).map(({ zone }) => zone);
  return [...new Set(best)].slice(0, 3);
}

/** Edit distance of two texts; smaller when the name begins with or contains the wanted text. @type {(wanted: string, name: string) => number} */
function distance(wanted, name) {
  if (name.startsWith(wanted)) return 0.5;
  if (wanted.length > 2 && name.includes(wanted)) return 1;
  let row = Array.from({ length: name.length + 1 }, (_, index) => index);
  for (const [at, letter] of Array.from(wanted).entries()) {
    const next = [at + 1];
    for (let index = 0; index < name.length; index++)
      next.push(
        Math.min(
          (next[index] ?? 0) + 1,
          (row[index + 1] ?? 0) + 1,
          (row[index] ?? 0) + (name[index] === letter ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 99;
}

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
