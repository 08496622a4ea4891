//! Answers of server tools as outputs; loaded with the first one.

import { moreWords } from './more-words.js';
import { headline, list, pairs, table, textOutput } from './tool.js';
import { label } from './words.js';

/** @import * as T from './types.d.ts' */

/** @param {any} value */
const scalar = (value) => value === null || typeof value !== 'object';

/** The answer in one sentence, by the type of the result. @type {Record<string, (result: any) => T.HeadlineOutput>} */
const HEADLINES = {
  regex: ({ count, truncated }) =>
    truncated
      ? headline(moreWords.firstMatches(count), { tone: 'note' })
      : headline(moreWords.matches(count), { tone: count > 0 ? 'good' : 'note' }),
  cron: ({ description }) => headline(description.replace(/\.$/, '')),
  'ipv4-cidr': ({ cidr, total_addresses: count }) => headline(moreWords.addresses(cidr, count)),
  'ipv6-cidr': ({ cidr, total_addresses: count }) => headline(moreWords.addresses(cidr, count)),
};

/** What a person need not be told twice, or never. @type {Record<string, string[]>} */
const UNSAID = {
  regex: ['matched', 'count', 'truncated'],
  cron: ['description'],
  jwt: ['signature_verified'],
};

/** @param {any} result @param {string} text @returns {T.Outputs} */
function regexOutputs({ matches = [], replaced, ...others }, text) {
  const marks = matches
    .map((/** @type {any} */ one) => [one.utf16_start, one.utf16_end])
    .filter((/** @type {number[]} */ [start = 0, end = 0]) => end > start);
  const groups = (/** @type {any} */ one) =>
    one.groups
      .map(
        (/** @type {any} */ group) =>
          `${group.name ?? group.index}: ${group.text ?? moreWords.absent}`,
      )
      .join('\n');
  return {
    matches: table(
      [moreWords.match, moreWords.start, moreWords.end, moreWords.groups],
      matches.map((/** @type {any} */ one) => [one.text, one.start, one.end, groups(one)]),
    ),
    marked: textOutput(text, { marks }),
    replaced,
    result: pairs(
      Object.entries(others)
        .filter(([name, value]) => scalar(value) && !UNSAID.regex?.includes(name))
        .map(([name, value]) => [label(name), value]),
    ),
  };
}

/** A name of the service as words, acronyms in capitals. @param {string} name */
const titled = (name) =>
  label(name).replace(/\b(?:cidr|dns|iso|rfc\d+)\b/gi, (word) =>
    word.toUpperCase().replace('RFC', 'RFC '),
  );

/** The fields of a cron expression. @param {Record<string, { raw: string, values: number[] }>} fields */
const cronFields = (fields) =>
  table(
    [moreWords.field, moreWords.written, moreWords.values],
    Object.entries(fields).map(([name, { raw, values }]) => [titled(name), raw, values.join(', ')]),
  );

/** @param {any} value */
const nested = (value) =>
  Array.isArray(value) && value.every(scalar)
    ? list(value.map(String))
    : JSON.stringify(value, null, 2);

/** The result of the server as outputs, with its headline. @param {any} answer @param {Record<string, any>} body @returns {T.Outputs} */
export const outputsOf = (answer, body) => ({
  headline: HEADLINES[answer.type]?.(answer.result),
  ...supporting(answer, body),
});

/** @param {any} answer @param {Record<string, any>} body @returns {T.Outputs} */
function supporting({ result, type }, body) {
  if (type === 'regex') return regexOutputs(result, String(body.text ?? body.input ?? ''));
  if (Array.isArray(result))
    return { result: list(result.map((one) => (scalar(one) ? String(one) : JSON.stringify(one)))) };
  if (scalar(result)) return { result: String(result) };
  const entries = Object.entries(result);
  const parts = entries
    .filter(([, value]) => !scalar(value))
    .map(([name, value]) => [
      name,
      type === 'cron' && name === 'fields' ? cronFields(value) : nested(value),
    ]);
  const flat = entries
    .filter(([name, value]) => scalar(value) && !UNSAID[type]?.includes(name))
    .map(([name, value]) => /** @type {[string, T.Cell]} */ ([titled(name), value]));
  if (type === 'jwt') flat.push([moreWords.signature, moreWords.notChecked]);
  return { ...Object.fromEntries(parts), result: pairs(flat) };
}
