//! A schedule as it stands in a crontab, a workflow or a program: the words of its fields. Left out with
//! a warning are quotes with what is around them, comments, and the command of a crontab. A time zone in
//! front or behind is taken; refused is what else changes the times: further fields, an interval.
import { attempt, Refusal } from '../../kit/tool.js';
import { bareOf, inFence, ZERO_WIDTH } from '../../lib/around.js';
import { clockOf, offsetName } from '../../lib/zones.js';
import {
  FIVE,
  interval,
  inZone,
  mayBeField,
  mayBeMisspelt,
  spaced,
  unsaid,
  withoutYear,
  wrongCount,
} from './rewrite.js';

/** @typedef {(sentence: string) => void} Warn */

const ALIASES = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
]);
const QUOTES = new Map(
  ["''", '""', '``', '‘’', '“”', '„“', '‚‘', '«»', '»«'].map((pair) => [pair[0], pair[1] ?? '']),
);
const QUOTE = /["'`´«»‘’‚‛“”„‟]/;
const ZONE =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific|US|UTC|GMT|Z)(?:\/|$)/;

/** As PST, CET, CEST and AEDT are written, and TEST and GET are not. */
const ABBREVIATION = /^(?:[A-Z][SD]T|[CEW]ES?T|[AN][A-Z][SD]T)$/;
const OFFSET = /^(?:(?:utc|gmt)(?:[+-][\d:]+)?|[+-]\d\d:?\d\d)$/i;

/** @param {string} text */
const wordsOf = (text) => text.match(/\S+/g) ?? [];

/** The words of the five fields, and the time zone of the line. @param {string} text @param {Warn} warn @returns {{ words: string[], zone: string | undefined }} */
export function lineOf(text, warn) {
  const { line, ownLines } = onlyLine(unwrapped(text, warn), warn);
  const around = bare(unwrapped(line, warn), warn);
  const [, inFront, schedule = ''] = /^\s*(?:CRON_)?TZ=(\S*)\s*(.*)$/s.exec(around.schedule) ?? [
    '',
    undefined,
    around.schedule,
  ];
  const [first = ''] = wordsOf(schedule);
  const isAlias = first.startsWith('@');
  const all = wordsOf(isAlias ? schedule : withoutComment(schedule));
  const fifth = isAlias
    ? first.length
    : [...schedule.matchAll(/\S+/g)][all.length > 5 ? 5 : all.length]?.index;
  const [behind, rest] = zoneBehind(schedule.slice(fifth ?? schedule.length).trim());
  const zone = oneZone(text, [...(around.zones ?? []), inFront, behind, ...ownLines]);
  refuseIntervals(schedule, zone);
  const words = isAlias ? expanded(first, zone).split(' ') : all.slice(0, 5);
  const slip = spaced([...words, ...wordsOf(withoutComment(rest))], zone);
  if (slip) throw slip;
  if (words.length !== 5) throw wrongCount(words, zone);
  const further = furtherFields(rest);
  if (isAlias && further.length > 0)
    throw new Refusal('has fields after its alias', {
      hint: 'Write the alias or five fields, not both.',
    });
  if (further.length > 0) throw wrongCount([...words, ...further], zone);
  if (rest !== '') warn(`What follows the schedule was left out: \`${rest}\`.`);
  return { words, zone };
}

/** The zone after the fields, also after "in", and what is around it: further fields before it are refused, and the zone is for the advice. @param {string} rest @returns {[zone: string | undefined, rest: string]} */
function zoneBehind(rest) {
  const words = [...withoutComment(rest).matchAll(/\S+/g)];
  const isField = (/** @type {string} */ word) =>
    !isPlace(word) && !ABBREVIATION.test(word) && (mayBeField(word) || mayBeMisspelt(word));
  const further = words.findIndex(([word]) => !isField(word));
  const [first, second, third] = further < 0 ? [] : words.slice(further);
  if (first === undefined) return [undefined, rest];
  const isLinked = /^in$/i.test(first[0]) && second !== undefined && third === undefined;
  const { 0: word, index } = isLinked ? second : first;
  const isNamed = isLinked || (second === undefined && ABBREVIATION.test(word));
  if (!isNamed && !isPlace(word)) return [undefined, rest];
  const around = further > 0 ? rest.slice(0, first.index) : rest.slice(index + word.length);
  return [unbracketed(word), around.trim()];
}

const unbracketed = (/** @type {string} */ word) => word.replace(/^[[(]+|(?<![\])])[\])]+$/g, '');

/** Whether a word is a zone, an offset or anything in square brackets. @param {string} word */
const isPlace = (word) =>
  /^\[.*\]$/.test(word) || ZONE.test(unbracketed(word)) || OFFSET.test(unbracketed(word));

/** The zone that a line names. @param {string} text @param {(string | undefined)[]} names */
function oneZone(text, names) {
  /** @type {string | undefined} */
  let found;
  for (const name of names) {
    if (name === undefined) continue;
    const bare = withoutEnd(name.replace(/^["';]+/, ''), /["';]/);
    const known = offsetName(bare) ?? (/^z$/i.test(bare) ? 'UTC' : bare);
    const zone = attempt(() => clockOf(known)) && known;
    if (zone === undefined)
      throw new Refusal(`has the unknown time zone \`${bare}\``, {
        at: text.indexOf(bare),
        hint: 'Zones are named as in Europe/Berlin.',
      });
    if (found !== undefined && found.toLowerCase() !== zone.toLowerCase())
      throw new Refusal(`names two time zones, \`${found}\` and \`${zone}\``, {
        hint: 'Leave one of them out.',
      });
    found = zone;
  }
  return found;
}

/** The words after the fields that may be further ones, also with a slip in the last. @param {string} rest */
function furtherFields(rest) {
  const all = wordsOf(withoutComment(rest));
  const [sixth = '', seventh = ''] = all;
  if (
    all.length > 0 &&
    all.length < 3 &&
    mayBeMisspelt(sixth) &&
    (all.length === 1 || mayBeField(seventh))
  )
    return all;
  const end = all.findIndex((word) => !mayBeField(word));
  return all.slice(0, end < 0 ? all.length : end);
}

/** A text without the quotes, brackets or comma around all of it. Quotes inside it are those of a key or of a command, so that the outer ones may be too. @param {string} text @param {Warn} warn */
function unwrapped(text, warn) {
  if (QUOTE.test(bareOf(text)) && inFence(text) === undefined) return text.replace(ZERO_WIDTH, '');
  return bareOf(text, warn, 'schedule');
}

/** The line with a schedule, and the zones of other lines. Comments, keys, brackets and settings of a crontab around it are no lines of their own, and neither are fields on a line each. @param {string} text @param {Warn} warn @returns {{ line: string, ownLines: string[] }} */
function onlyLine(text, warn) {
  const all = text
    .split('\n')
    .map((line) => line.trim())
    .filter(
      (line) => /[\p{L}\p{N}*]/u.test(line) && !/^(?:#|\/\/)/.test(line) && !/^[^ *]*:$/.test(line),
    );
  const ownLines = all.map(zoneOfLine).filter((zone) => zone !== undefined);
  const rest = all.filter((line) => zoneOfLine(line) === undefined);
  const others = rest.filter((line) => isWhole(line) || !/^[A-Z\d_]*\s*=/.test(line));
  const lines = others.length > 0 ? others : rest;
  const [line] = lines;
  if (line === undefined && text.trim().startsWith('#'))
    throw new Refusal('is a comment alone', { hint: FIVE });
  if (line !== undefined && lines.length === 1) {
    if (all.some((one) => one.startsWith('TZ') && zoneOfLine(one) !== undefined))
      warn(
        'The line `TZ=` is taken for the time zone of the schedule, as in Jenkins; in a crontab it is that of the commands alone.',
      );
    const settings = rest.filter((one) => one !== line).join(' ');
    if (settings) warn(`Settings of the commands were left out: \`${settings}\`.`);
    return { line, ownLines };
  }
  if (lines.some(isWhole))
    throw new Refusal(`has ${lines.length} lines`, { hint: 'Give one schedule at a time.' });
  return { line: text.trim(), ownLines };
}

/** Whether a line has a schedule. @param {string} line */
const isWhole = (line) => line.startsWith('@') || wordsOf(line).length > 4;

/** The zone of a line such as `CRON_TZ=Asia/Tokyo` or `timeZone: Asia/Tokyo`. @param {string} line */
function zoneOfLine(line) {
  const at = line.search(/[:=]/);
  if (at < 0) return undefined;
  const [, key = ''] = /^(?:- +)?["']?([\w-]*)["']?$/.exec(line.slice(0, at).trim()) ?? [];
  const value = withoutComment(line.slice(at + 1)).trim();
  const zone = withoutEnd(value.replace(/^["']+/, ''), /["',;]/);
  const isZone = /^(?:(?:cron)?tz|.*timezone)$/i.test(key.replace(/[_-]/g, ''));
  return isZone && !/\s/.test(zone) ? zone : undefined;
}

/** The schedule between quotes or after a key, unless the line begins with one, and a zone before it and one after it. @param {string} line @param {Warn} warn @returns {{ schedule: string, zones?: (string | undefined)[] }} */
function bare(line, warn) {
  const isBare = /^[\d*?,/~]|^(?:CRON_)?TZ=|^@[^\s(]*(?:\s|$)/.test(line);
  const schedule = isBare ? undefined : (quoted(line) ?? afterKey(line));
  if (schedule === undefined || schedule === line) return { schedule: line };
  const start = Math.max(0, line.indexOf(schedule));
  const before = line.slice(0, start).trim();
  let after = line.slice(start + schedule.length);
  while (QUOTE.test(after.charAt(0))) after = after.slice(1);
  after = after.trim();
  const zones = [before, withoutComment(after)].map(zoneIn);
  const [butBefore, but] = zones.map((zone) => (zone ? ' but for its time zone' : ''));
  warn(
    [...before].every((one) => QUOTE.test(one))
      ? 'Left out around the schedule: quotes.'
      : `What precedes the schedule was left out${butBefore}: \`${before}\`.`,
  );
  if (/[\p{L}\p{N}]/u.test(after))
    warn(`What follows the schedule was left out${but}: \`${after}\`.`);
  return { schedule, zones };
}

/** The first word of a text that is a zone of some area. @param {string} text */
const zoneIn = (text) =>
  text.split(/[^\p{L}\p{N}/_+-]/u).find((word) => word.includes('/') && ZONE.test(word));

/** A text without some characters at its end. @param {string} text @param {RegExp} some */
function withoutEnd(text, some) {
  let end = text.length;
  while (end > 0 && some.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** What is between the first quotes that hold neither a key nor a zone. @param {string} line @returns {string | undefined} */
function quoted(line) {
  for (let at = 0; at < line.length; at++) {
    const close = QUOTES.get(line.charAt(at));
    if (close === undefined) continue;
    const end = line.indexOf(close, at + 1);
    const inside = line.slice(at + 1, end < 0 ? undefined : end);
    const isKey = end >= 0 && /^\s*[:=]/.test(line.slice(end + 1));
    if (!isKey && !ZONE.test(inside)) return inside.replace(/\\$/, '').trim();
    at = end;
  }
  return undefined;
}

/** What follows the dash of a list of YAML, or a key. @param {string} line */
function afterKey(line) {
  const item = line.startsWith('- ') ? line.slice(2).trimStart() : undefined;
  const [, value] = /^[\w.-]*\s*[:=](.*)$/s.exec(item ?? line) ?? [];
  return value === undefined ? item : value.replace(/^[=>]*/, '').trim();
}

/** A schedule without the comment after it. @param {string} text */
function withoutComment(text) {
  const comment = [...text.matchAll(/\S+/g)].find(
    ([word], at) =>
      (word.startsWith('#') && !(at < 5 && /^#\d/.test(word))) || word.startsWith('//'),
  );
  return text.slice(0, comment?.index ?? text.length).trimEnd();
}

/** @param {string} alias @param {string | undefined} zone */
function expanded(alias, zone) {
  const known = ALIASES.get(alias.toLowerCase());
  if (known) return known;
  if (/^@reboot$/i.test(alias))
    throw new Refusal('is `@reboot`, which names no time: it fires when the machine starts');
  throw new Refusal(`has no alias \`${alias}\``, {
    hint: `Use one of ${[...ALIASES.keys()].join(', ')}${zone ? `, after \`CRON_TZ=${zone}\`` : ''}.`,
  });
}

/** @param {string} schedule @param {string | undefined} zone */
function refuseIntervals(schedule, zone) {
  const [, call = '', inside = ''] = /^\s*(cron|rate)\s*\((.*)$/is.exec(schedule) ?? [];
  const [first = ''] = wordsOf(schedule);
  const isEvery = /^(?:@every|every|@every_minute)$/i.test(first);
  if (!call && !isEvery) return;
  const fields = withoutEnd(inside, /[)\]};,]/);
  const written = /^cron$/i.test(call)
    ? withoutYear(wordsOf(fields))
    : interval(call ? fields : schedule.slice(first.length));
  const offence = call
    ? `is in the notation \`${call.toLowerCase()}(…)\` of Amazon EventBridge`
    : `is \`${schedule}\`, an interval`;
  if (!written) throw new Refusal(offence, { hint: FIVE });
  const hint = /^cron$/i.test(call) ? unsaid('0', wordsOf(fields)[5]).trim() : '';
  throw new Refusal(offence, { ...(hint && { hint }), use: [inZone(zone, written)] });
}
