//! A schedule as it stands in a crontab, a workflow or a program: the words of its fields. Left out with
//! a warning are quotes with what is around them, comments, and the command of a crontab; refused is
//! what changes the times: a time zone, further fields, an interval.
import { Refusal } from '../../kit/tool.js';
import { FIVE, interval, mayBeField, mayBeMisspelt, withoutYear, wrongCount } from './rewrite.js';

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
  ["''", '""', '``', '‘’', '“”', '„“'].map((pair) => [pair[0], pair[1] ?? '']),
);
const QUOTE = /["'`‘’“”„]/;
const ZONE =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific|UTC|GMT|Z)(?:\/|$)/;

/** @param {string} text */
const wordsOf = (text) => text.match(/\S+/g) ?? [];

/** The words of the five fields. @param {string} text @param {Warn} warn @returns {string[]} */
export function wordsIn(text, warn) {
  const schedule = bare(onlyLine(text), warn);
  refuseIntervals(schedule);
  const [first = ''] = wordsOf(schedule);
  const isAlias = first.startsWith('@');
  const all = wordsOf(isAlias ? schedule : withoutComment(schedule));
  const words = isAlias ? expanded(first).split(' ') : all.slice(0, 5);
  const fifth = isAlias
    ? first.length
    : [...schedule.matchAll(/\S+/g)][all.length > 5 ? 5 : all.length]?.index;
  const rest = schedule.slice(fifth ?? schedule.length).trim();
  const zone = [words[0] ?? '', wordsOf(rest)[0] ?? ''].find((word, at) =>
    (at ? ZONE : /^(?:CRON_)?TZ=/).test(word),
  );
  if (zone) throw namesZone(zone);
  if (words.length !== 5) throw wrongCount(words);
  const further = furtherFields(rest);
  if (isAlias && further.length > 0)
    throw new Refusal('has fields after its alias', {
      hint: 'Write the alias alone, or five fields.',
    });
  if (further.length > 0) throw wrongCount([...words, ...further]);
  if (rest !== '') warn(`What follows the schedule was left out: \`${rest}\`.`);
  return words;
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

/** The line with a schedule; comments and keys above it are no lines of their own, and neither are fields on a line each. @param {string} text */
function onlyLine(text) {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !/^(?:#|\/\/)/.test(line) && !/^[^ *]*:$/.test(line));
  if (lines.length === 1) return lines[0] ?? '';
  if (lines.length === 0 && text.trim().startsWith('#'))
    throw new Refusal('is a comment alone', { hint: FIVE });
  if (lines.some((line) => line.startsWith('@') || wordsOf(line).length > 4))
    throw new Refusal(`has ${lines.length} lines`, { hint: 'Give one schedule at a time.' });
  return text.trim();
}

/** The schedule between quotes or after a key, unless the line begins with one. @param {string} line @param {Warn} warn */
function bare(line, warn) {
  const isBare = /^[\d*?,/~]|^(?:CRON_)?TZ=|^@[^\s(]*(?:\s|$)/.test(line);
  const isShort = wordsOf(line).length < 6;
  const schedule = isBare
    ? isShort
      ? withoutEnd(line, QUOTE)
      : line
    : (quoted(line) ?? afterKey(line));
  if (schedule === undefined || schedule === line) return line;
  const start = Math.max(0, line.indexOf(schedule));
  const before = line.slice(0, start).trim();
  const isQuotes = [...before].every((one) => QUOTE.test(one));
  warn(
    isQuotes
      ? 'The quotes around the schedule were left out.'
      : `What precedes the schedule was left out: \`${before}\`.`,
  );
  let after = line.slice(start + schedule.length);
  while (QUOTE.test(after.charAt(0))) after = after.slice(1);
  after = after.trim();
  const zone = withoutComment(after)
    .split(/[^\p{L}\p{N}/_]/u)
    .find((word) => word.includes('/') && ZONE.test(word));
  if (zone) throw namesZone(zone);
  if (/[\p{L}\p{N}]/u.test(after)) warn(`What follows the schedule was left out: \`${after}\`.`);
  return schedule;
}

/** A text without some characters at its end. @param {string} text @param {RegExp} some */
function withoutEnd(text, some) {
  let end = text.length;
  while (end > 0 && some.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** What is between the first quotes that do not hold a key. @param {string} line @returns {string | undefined} */
function quoted(line) {
  const at = [...line].findIndex((one) => QUOTES.has(one));
  if (at < 0) return undefined;
  const characters = [...line];
  const rest = characters.slice(at + 1).join('');
  const close = QUOTES.get(characters[at] ?? '') ?? '';
  const end = rest.indexOf(close);
  const after = end < 0 ? '' : rest.slice(end + 1);
  if (/^\s*[:=]/.test(after)) return quoted(after);
  return (end < 0 ? rest : rest.slice(0, end)).replace(/\\$/, '').trim();
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

/** @param {string} alias */
function expanded(alias) {
  const known = ALIASES.get(alias.toLowerCase());
  if (known) return known;
  if (/^@reboot$/i.test(alias))
    throw new Refusal('is `@reboot`, which names no time: it fires when the machine starts');
  throw new Refusal(`has no alias \`${alias}\``, {
    hint: `Use one of ${[...ALIASES.keys()].join(', ')}.`,
  });
}

/** @param {string} schedule */
function refuseIntervals(schedule) {
  const [, call = '', inside = ''] = /^\s*(cron|rate)\s*\((.*)$/is.exec(schedule) ?? [];
  const [first = ''] = wordsOf(schedule);
  const isEvery = /^(?:@every|every|@every_minute)$/i.test(first);
  if (!call && !isEvery) return;
  const fields = withoutEnd(inside, /[)\]};,]/);
  const expression = /^cron$/i.test(call)
    ? withoutYear(wordsOf(fields))
    : interval(call ? fields : schedule.slice(first.length));
  const offence = call
    ? `is in the notation \`${call.toLowerCase()}(…)\` of Amazon EventBridge`
    : `is \`${schedule}\`, an interval`;
  throw new Refusal(offence, expression ? { use: [{ expression }] } : { hint: FIVE });
}

/** @param {string} zone */
const namesZone = (zone) =>
  new Refusal(`names the time zone \`${zone}\``, {
    hint: 'Leave it out, and choose the time zone in its own field.',
  });
