//! Cases of names and of prose, each as a function of one line. Letters follow Unicode
//! SpecialCasing.

import { capitalized } from './words.js';

const SMALL = new Set(
  'a an and as at but by for from if in into nor of on or over per so than the to up upon via vs with yet'.split(
    ' ',
  ),
);

/** @typedef {{ locale: string, words: readonly string[], known: Map<string, string>, seen: Map<string, string> }} Options */

/** A word as spelt in the list of acronyms, else capitalised. @type {(word: string, options: Options) => string} */
function capital(word, { locale, known, seen }) {
  const written = seen.get(word) ?? known.get(word.toLowerCase()) ?? capitalized(word, locale);
  seen.set(word, written);
  return written;
}

/** Whether a line is a name rather than prose. @param {string} line */
const isName = (line) => !/\s|\p{L}['’]\p{L}/u.test(line.trim());

/** The words of a line: prose keeps its separators, the words of a name are separated by spaces. @type {(line: string, options: Options) => string} */
const spaced = (line, options) => (isName(line) ? options.words.join(' ') : line);

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu;

/** @type {(line: string, options: Options) => string} */
function title(line, options) {
  const prose = spaced(line, options);
  const all = [...prose.matchAll(WORD)];
  let index = 0;
  return prose.replace(WORD, (word, place) => {
    const isEdge =
      index++ === 0 ||
      index === all.length ||
      /[.:!?]\s*$/.test(prose.slice(Math.max(0, place - 8), place));
    const isSmall = !isEdge && options.locale === 'en' && SMALL.has(word.toLowerCase());
    return isSmall ? word.toLowerCase() : capital(word, options);
  });
}

/** @type {(line: string, options: Options) => string} */
function sentence(line, options) {
  const prose = spaced(line, options);
  let start = true;
  return prose.replace(
    /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*|(?<![.!?…])[.!?…]+(?=\s)/gu,
    (piece) => {
      if (/^[.!?…]/.test(piece)) {
        start = true;
        return piece;
      }
      const known = options.known.get(piece.toLowerCase());
      const written =
        known ??
        (start ? capitalized(piece, options.locale) : piece.toLocaleLowerCase(options.locale));
      start = false;
      return written;
    },
  );
}

/** @type {(line: string, options: Options) => string} */
function alternating(line, { locale }) {
  let upper = true;
  return line.replace(/\p{L}\p{M}*/gu, (letter) => {
    upper = !upper;
    return upper ? letter.toLocaleUpperCase(locale) : letter.toLocaleLowerCase(locale);
  });
}

/** @type {(line: string, options: Options) => string} */
const inverse = (line, { locale }) =>
  line.replace(/\p{L}\p{M}*/gu, (letter) => {
    const upper = letter.toLocaleUpperCase(locale);
    return letter === upper ? letter.toLocaleLowerCase(locale) : upper;
  });

/** Makes a case of names: writes each word, then joins them. @param {(word: string, index: number, options: Options) => string} write @param {string} separator */
const named = (write, separator) => (/** @type {string} */ _, /** @type {Options} */ options) =>
  options.words.map((word, index) => write(word, index, options)).join(separator);

/** @type {(word: string, index: number, options: Options) => string} */
const lower = (word, _, { locale }) => word.toLocaleLowerCase(locale);
/** @type {(word: string, index: number, options: Options) => string} */
const upper = (word, _, { locale }) => word.toLocaleUpperCase(locale);
/** @type {(word: string, index: number, options: Options) => string} */
const capitals = (word, _, options) => capital(word, options);

/** @type {Record<string, (line: string, options: Options) => string>} */
export const CASES = {
  camel: named(
    (word, index, options) => (index === 0 ? lower : capitals)(word, index, options),
    '',
  ),
  pascal: named(capitals, ''),
  snake: named(lower, '_'),
  constant: named(upper, '_'),
  kebab: named(lower, '-'),
  cobol: named(upper, '-'),
  train: named(capitals, '-'),
  dot: named(lower, '.'),
  path: named(lower, '/'),
  words: named(lower, ' '),
  title,
  sentence,
  lower: (line, { locale }) => line.toLocaleLowerCase(locale),
  upper: (line, { locale }) => line.toLocaleUpperCase(locale),
  alternating,
  inverse,
};
