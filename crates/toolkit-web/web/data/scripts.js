//! Scripts of letters, and letters that look like Latin ones.
//! Sources: Unicode 17.0, Scripts.txt (names); a manual selection of the confusables of UTS #39 in
//! the scripts that occur in domain names (November 2026).

/** Names for `\p{Script=…}`, those of domain names first. */
export const SCRIPTS = (
  'Latin Cyrillic Greek Han Hiragana Katakana Hangul Bopomofo Arabic Hebrew Devanagari ' +
  'Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan ' +
  'Myanmar Khmer Georgian Armenian Ethiopic Cherokee Thaana Mongolian Syriac Nko Coptic ' +
  'Gothic Runic Ogham Javanese Tifinagh Yi Canadian_Aboriginal'
).split(' ');

/** Sets of scripts that one language uses together: Japanese, Korean, Chinese with Bopomofo. */
export const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ['Latin', 'Han', 'Bopomofo'],
];

/** Letters that look like these ASCII letters in most fonts, in pairs. */
const PAIRS =
  'аaсcԁdеeһhіiјjӏlоoрpԛqѕsѵvԝwхxуyүyкkмmтtвbнh' +
  'αaοoνvρpιiκkτtυuχxγyηn' +
  'օoոnսuհhզqցgյjքfաwռn' +
  'ɑaɡgıiꭓxʋv';

/** @type {Map<string, string>} */
export const LOOKALIKES = new Map(
  Array.from(PAIRS.matchAll(/(.)(.)/gu), ([, one = '', ascii = '']) => [one, ascii]),
);
