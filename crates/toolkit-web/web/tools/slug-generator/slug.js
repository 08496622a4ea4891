//! Slugs of titles: transliteration by language, stop words, lengths, numbers for duplicates.

import slugify from '../../libraries/sindresorhus-slugify.js';

/** @import { Context } from '../../kit/types.d.ts' */

export const LINES_MAX = 10_000;

// Letters that a language transliterates differently from the library: `ä` is `ae` only in German.
const PLAIN = { ä: 'a', ö: 'o', ü: 'u', å: 'a' };
/** @type {Record<string, Record<string, string>>} */
const RULES = {
  de: {},
  da: {},
  nb: {},
  sv: {},
  is: { ö: 'o', æ: 'ae', þ: 'th', ð: 'd' },
  uk: {
    ...{ зг: 'zgh', г: 'h', ґ: 'g', и: 'y', і: 'i', ї: 'i', й: 'i' },
    ...{ є: 'ie', х: 'kh', ц: 'ts', щ: 'shch', ю: 'iu', я: 'ia' },
  },
  hy: { եւ: 'ev', և: 'ev' },
};
const EXTRA = {
  ə: 'e',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'ng',
  ...{ ђ: 'dj', ј: 'j', ћ: 'c', ѓ: 'gj', ќ: 'kj', ѕ: 'dz' },
  ...{ ә: 'a', ғ: 'g', қ: 'q', ң: 'n', ө: 'o', ұ: 'u', ү: 'u', һ: 'h' },
};
/** Signs of money and shares, which are words in a title. @type {Record<string, string>} */
const SIGNS = {
  ...{ '€': 'euro', '£': 'pound', $: 'dollar', '¥': 'yen', '¢': 'cent', '₹': 'rupee' },
  ...{ '₽': 'ruble', '₿': 'bitcoin', '₩': 'won', '₺': 'lira', '‰': 'permille', '°': 'degrees' },
};
/** The percent sign by language. @type {Record<string, string>} */
const PERCENT = {
  ...{ de: 'prozent', fr: 'pourcent', es: 'por ciento', pt: 'por cento', it: 'percento' },
  ...{ nl: 'procent', sv: 'procent', da: 'procent', nb: 'prosent', pl: 'procent', cs: 'procent' },
};
/** @param {string} language @returns {[string, string][]} */
const signsOf = (language) =>
  Object.entries({ ...SIGNS, '%': PERCENT[language] ?? 'percent' }).map(([sign, word]) => [
    sign,
    ` ${word} `,
  ]);

/** Ukrainian letters that are written differently at the beginning of a word (KMU 55). @type {Record<string, string>} */
const INITIAL = { є: 'ye', ї: 'yi', й: 'y', ю: 'yu', я: 'ya' };

/** @type {(language: string) => [string, string][]} */
const rulesOf = (language) =>
  Object.entries({ ...EXTRA, ...(RULES[language] ?? PLAIN) }).flatMap(([letter, latin]) => [
    [letter, latin],
    [
      letter.charAt(0).toUpperCase() + letter.slice(1),
      latin.charAt(0).toUpperCase() + latin.slice(1),
    ],
  ]);

export const STOP_WORDS = new Set(
  'a an and are as at be but by for from has in into is it its of on or that the their this to was were will with'.split(
    ' ',
  ),
);

/** @typedef {{ separator: string, lower: boolean, language: string, unicode: boolean, longest: number | null, stops: Set<string>, words: boolean, replacements: [string, string][] }} Options */

/** Truncates at the end of a word. A single word is cut. @param {string} slug @param {Options} options */
function shortened(slug, { longest, separator }) {
  const characters = Array.from(slug);
  if (longest === null || characters.length <= longest) return slug;
  const cut = characters.slice(0, longest).join('');
  if (separator === '' || slug.startsWith(separator, cut.length)) return cut;
  const end = cut.lastIndexOf(separator);
  return end > 0 ? cut.slice(0, end) : cut;
}

/** @param {string} title @param {Options} options */
function slugOf(title, options) {
  const { separator, lower, language, unicode, stops, words, replacements } = options;
  // Words are first joined by a hyphen, whatever the separator, to tell them apart. The library
  // would lose the Turkish I in lower case.
  const text = title.normalize('NFC');
  const started =
    language === 'uk' && !unicode
      ? text.replace(
          /(?<![\p{L}'’])[єїйюя]/giu,
          (letter) => INITIAL[letter.toLowerCase()] ?? letter,
        )
      : text;
  const whole = slugify(started, {
    separator: '-',
    lowercase: false,
    decamelize: words,
    transliterate: !unicode,
    locale: language || undefined,
    customReplacements: [
      ...signsOf(language),
      ...(unicode ? [] : rulesOf(language)),
      ...replacements,
    ],
  });
  const all = (lower ? whole.toLowerCase() : whole).split('-').filter((word) => word !== '');
  const kept = all.filter((word) => !stops.has(word.toLowerCase()));
  return shortened((kept.length > 0 ? kept : all).join(separator), options);
}

/** Why a title has no slug. @param {string} title @param {boolean} unicode */
function reason(title, unicode) {
  if (!/[\p{L}\p{N}]/u.test(title)) return 'it has neither letters nor digits';
  return unicode
    ? 'no character of it is allowed in a slug'
    : 'its script cannot be converted to Latin letters, so turn on "Keep Unicode letters"';
}

/** Numbers repeated slugs: `a`, `a-2`, `a-3`. @param {string} separator */
export function numbering(separator) {
  /** @type {Set<string>} */
  const taken = new Set();
  /** @type {Map<string, number>} */
  const counts = new Map();
  return (/** @type {string} */ slug) => {
    let [candidate, count] = [slug, counts.get(slug) ?? 1];
    while (taken.has(candidate)) candidate = `${slug}${separator || '-'}${++count}`;
    counts.set(slug, count);
    taken.add(candidate);
    return candidate;
  };
}

/** Letters, digits and pictures of a text that have no Latin form. @param {string} text @param {Options} options */
export function leftOut(text, options) {
  if (options.unicode) return [];
  const letters = new Set(text.match(/(?![\p{ASCII}])[\p{L}\p{N}\p{So}]/gu));
  const every = { ...options, longest: null, stops: new Set(), words: false };
  return [...letters].filter((letter) => slugOf(letter, /** @type {Options} */ (every)) === '');
}

/** @param {string} title @param {number} index @param {Options} options @param {(slug: string) => string} numbered @param {Context} context */
export function made(title, index, options, numbered, context) {
  if (title.trim() === '') return '';
  const slug = slugOf(title, options);
  if (slug === '')
    context.warn(`Line ${index + 1} has no slug: ${reason(title, options.unicode)}.`);
  return slug && numbered(slug);
}
