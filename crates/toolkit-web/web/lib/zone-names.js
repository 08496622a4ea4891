//! Names of time zones: those of the IANA database, cities, offsets, abbreviations, Windows' names, and
//! names in words such as "Pacific Time". Left out are names in other languages than English.

import { ABBREVIATIONS, CITIES, RENAMED } from '../data/cities.js';
import { WINDOWS } from '../data/windows-zones.js';
import { attempt } from '../kit/tool.js';
import { offsetName } from './zones.js';

/** The names of all zones, UTC first. */
export const ZONES = [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map((name) => RENAMED[name] ?? name)]),
];

/** A name without accents, case and separators. @param {string} name */
export const plain = (name) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[_\s-]+/g, ' ')
    .trim();

export const BY_NAME = new Map([
  ...ZONES.map(
    (zone) => /** @type {const} */ ([plain(zone.slice(zone.lastIndexOf('/') + 1)), zone]),
  ),
  ...[...Object.entries(CITIES), ...Object.entries(RENAMED)].map(
    ([name, zone]) => /** @type {const} */ ([plain(name), zone]),
  ),
  ...ZONES.map((zone) => /** @type {const} */ ([plain(zone), zone])),
]);

/** The zone that a name, city or offset means, or undefined. @param {string} text */
export function findZone(text) {
  const source = text.trim();
  const name = plain(source);
  const known =
    ABBREVIATIONS[source.toUpperCase()] ?? BY_NAME.get(name) ?? inWords(name) ?? offsetName(source);
  if (known !== undefined) return known;
  // Links of older editions, such as US/Eastern, are recognised too.
  const isName = /^[a-z][\w+/-]*$/i.test(source);
  return isName && attempt(() => new Intl.DateTimeFormat('en', { timeZone: source }))
    ? source
    : undefined;
}

/** "Pacific Time", "W. Europe Standard Time": as Windows has it, or the browser. @param {string} name */
function inWords(name) {
  if (!/ time(?: zone \d+)?(?: \(mexico\))?$/.test(name)) return undefined;
  const windows = WINDOWS.get(name) ?? WINDOWS.get(name.replace(/ standard time$/, ''));
  if (windows !== undefined) return RENAMED[windows] ?? windows;
  return [...new Set([...Object.values(ABBREVIATIONS), ...ZONES])].find((timeZone) =>
    /** @type {const} */ (['longGeneric', 'long']).some((timeZoneName) =>
      [0, 6].some((month) => {
        const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName });
        const parts = format.formatToParts(Date.UTC(2026, month));
        return parts.some(({ type, value }) => type === 'timeZoneName' && plain(value) === name);
      }),
    ),
  );
}

/** Names like a text, if there are any. @param {string} text */
export function nearestZones(text) {
  const wanted = plain(text);
  const reach = Math.max(1, Math.floor(wanted.length / 4));
  const scored = [...BY_NAME].map(([name, zone]) => ({ zone, score: distance(wanted, name) }));
  const near = scored.filter(({ score }) => wanted !== '' && score <= reach);
  const best = near.sort((a, b) => a.score - b.score).map(({ zone }) => zone);
  return [...new Set(best)].slice(0, 3);
}

/** Edit distance of two texts. Smaller if the name begins with or contains the wanted text. @type {(wanted: string, name: string) => number} */
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
