//! Where the service, which runs fancy-regex (Rust), reads a pattern differently from JavaScript.
import { attempt } from '../../kit/tool.js';

/** @typedef {[part: string, here: string, there: string, others?: string]} Difference `others`: who else reads what JavaScript refuses */

/** The notations that differ: what is found, its meaning here and there. @type {[RegExp, string, string, string?][]} */
const NOTATIONS = [
  [/\\A/, 'the letter A', 'the start of the text'],
  [/\\[zZ]/, 'the letter z', 'the end of the text'],
  [/\\G/, 'the letter G', 'where the last match ended'],
  [/\\K/, 'the letter K', 'the match begins here'],
  [/\\[hH]/, 'the letter h', 'a hexadecimal digit, or none'],
  [/\\R/, 'the letter R', 'a line break'],
  [/\\X/, 'the letter X', 'a character with all that combines with it'],
  [/\\[ae]/, 'the letter', 'the control characters U+0007 and U+001B'],
  [/\\[xu]\{[\da-f]+\}/i, 'letters', 'one character by its number'],
  [/\\[pP](?:\{[^{}]*\}|[A-Z])/, 'letters', 'a character of a Unicode class'],
  [/\[\[:\^?[a-z]+:\]/, 'a class of these letters', 'a class by its name, as in POSIX'],
  [/\(\?P[<=]|\(\?'/, 'not known', 'a group by its name, as in Python', 'PCRE, Python and Go'],
  [/\(\?>/, 'not known', 'together, without going back into it', 'PCRE and Python since 3.11'],
  [/(?:[*+?]|\{\d+(?:,\d*)?\})\+/, 'not known', 'without going back', 'PCRE and Python since 3.11'],
  [/\(\?[imsU]*x[a-z-]*[:)]/, 'not known', 'white space and #comments are left out'],
  [/^\(\?[imsU-]+\)/, 'not known', 'flags from here on', 'PCRE, Python and Go'],
  [/(?<!^)\(\?[imsU-]+\)/, 'not known', 'flags from here on', 'PCRE and Go'],
  [/\(\?#/, 'not known', 'a comment', 'PCRE and Python'],
  [/\(\?\([<']?\w+[>']?\)/, 'not known', 'if this group took part', 'PCRE and Python'],
  [/\(\?R\)|\\g<\w+>/, 'not known', 'the pattern, or a group of it, again', 'PCRE'],
  [/\\g(?:-?\d|\{)/, 'the letter g', 'refused: a back-reference is \\1 or \\k<name>'],
  [/\[\]|\[\^\]/, 'nothing, or any character', 'a class that begins with ]'],
];
/** The sources of the groups that are repeated. @param {string} pattern */
function* repeated(pattern) {
  /** @type {number[]} */
  const open = [];
  for (const { 0: token, index } of pattern.matchAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]?|[()]/g)) {
    if (token === '(') open.push(index);
    if (token !== ')') continue;
    const start = open.pop();
    if (start !== undefined && /^(?:[*+]|\{\d+,)/.test(pattern.slice(index + 1)))
      yield pattern.slice(start, index + 1);
  }
}

/** @param {string} source @param {string} flags */
const matchesNothing = (source, flags) =>
  attempt(() => new RegExp(`^(?:${source})$`, flags.replace(/[gyxd]/g, '')).test('')) ?? false;

/** @param {string} pattern @param {string} flags @param {string} text @returns {Difference[]} */
export function differences(pattern, flags, text) {
  const bare = pattern.replace(/\\\\/g, '\u0001\u0001');
  const isUnicode = /[uv]/.test(flags);
  /** @type {Difference[]} */
  const rows = NOTATIONS.flatMap(([notation, here, there, others]) => {
    const [part] = notation.exec(bare) ?? [];
    const isSame = part === undefined || (isUnicode && here === 'letters');
    const isRefused = isUnicode && here.startsWith('the letter');
    return isSame ? [] : [[part, isRefused ? 'not known' : here, there, others]];
  });
  const isWide = /[^\0-\x7f]/.test(text + pattern);
  const [classes] = /\\[dwbDWB]/.exec(bare) ?? [];
  if (classes && isWide) rows.push([classes, 'of ASCII alone', 'of all scripts']);
  if (flags.includes('i') && !isUnicode && isWide)
    rows.push(['the flag i', 'case by upper case of single units', 'case of Unicode']);
  if (!isUnicode && /[\ud800-\udfff]/.test(text + pattern) && /(?<!\\)\.|\[\^/.test(bare))
    rows.push(['.', 'half of a character beyond U+FFFF', 'a whole character']);
  if (/[\r\u2028\u2029]/.test(text) && /(?<!\\)\./.test(bare) && !flags.includes('s'))
    rows.push(['.', 'no line break of any kind', 'no line feed']);
  if (/[\r\u2028\u2029]/.test(text) && /(?<!\\)[$^]/.test(bare) && flags.includes('m'))
    rows.push(['^ and $', 'at line breaks of any kind', 'at line feeds']);
  if (/\\[1-9]|\\k</.test(bare) && /[|?*]|\{0/.test(bare))
    rows.push([
      'the text of a group again',
      'nothing if the group took no part',
      'no match if the group took no part',
    ]);
  for (const source of repeated(bare)) {
    if (matchesNothing(source, flags))
      rows.push([
        source,
        'an empty repetition is not taken',
        'an empty repetition may be taken once',
      ]);
    if (/\((?!\?)|\(\?<\w/.test(source.slice(1)) && source.includes('|'))
      rows.push([
        source,
        'groups are forgotten at each repetition',
        'groups keep what they last matched',
      ]);
  }
  for (const [flag, there] of /** @type {const} */ ([
    ['v', 'sets in classes are always read'],
    ['y', 'begin the pattern with \\G in its place'],
  ]))
    if (flags.includes(flag)) rows.push([`the flag ${flag}`, 'known', there]);
  return rows;
}
