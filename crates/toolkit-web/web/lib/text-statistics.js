//! Statistics of a text from its counts: times, limits, frequent words.

import { number, refuse } from '../kit/tool.js';

/** @import { Counts } from './text-counts.js' */

const STOP_WORDS = new Set(
  "a an and are as at be been but by can could did do does for from had has have he her his i if in into is it its me my no not of on or our she so than that the their them then there they this to was we were what when which who will with would you your it's don't".split(
    ' ',
  ),
);

/** Limits to compare with: name, unit, most. @type {readonly [string, 'characters' | 'units' | 'words', number][]} */
export const LIMITS = [
  ['X post', 'characters', 280],
  ['Bluesky post', 'characters', 300],
  ['Mastodon post', 'characters', 500],
  ['Threads post', 'characters', 500],
  ['LinkedIn post', 'characters', 3000],
  ['SMS of one part', 'units', 160],
  ['Title of a search result', 'characters', 60],
  ['Description of a search result', 'characters', 155],
  ['Subject of a commit', 'characters', 50],
];

/** @param {number} count @param {number} perMinute */
export function minutes(count, perMinute) {
  const seconds = Math.round((count / perMinute) * 60);
  const [hours, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const parts = [
    hours ? `${hours} h` : '',
    hours || rest ? `${rest} min` : '',
    hours ? '' : `${seconds % 60} s`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** @param {Counts} counts @returns {[string, number | string][]} */
export const rowsOf = (counts) => [
  ['Words', counts.words],
  ['Characters', counts.characters],
  ['Characters without spaces', counts.characters - counts.spaces],
  ['Sentences', counts.sentences],
  ['Paragraphs', counts.paragraphs],
  ['Lines', counts.lines],
  ['Code points', counts.codePoints],
  ['UTF-16 units', counts.units],
  ['Bytes in UTF-8', counts.bytes],
];

/** @param {string} language */
export function checkLanguage(language) {
  try {
    return Intl.getCanonicalLocales(language || 'en')[0] ?? 'en';
  } catch {
    return refuse('language', `"${language}" is not a language`, {
      hint: 'Write it as en, th or zh-Hant.',
    });
  }
}

/** The most frequent words. @param {Map<string, number>} words @param {number} total @param {boolean} all */
export function frequent(words, total, all) {
  return [...words]
    .filter(([word]) => all || !STOP_WORDS.has(word))
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .slice(0, 50)
    .map(([word, count]) => [word, count, `${((100 * count) / total).toFixed(1)} %`]);
}
