//! Words of names and of prose, and their letter case.
//! Standards: Unicode SpecialCasing for single letters; the rules for splitting names are ours.

/**
 * Splits a name into words: at white space and punctuation, between `fooBar`, and in `XMLHttp`
 * before the last capital. Digits stay with the letters before them unless `digits` is set.
 * @param {string} text @param {{ digits?: boolean }} [options] @returns {string[]}
 */
export function splitWords(text, { digits = false } = {}) {
  let spaced = text
    .replace(/(?<=\p{L})['’ʼ](?=\p{L})/gu, '')
    .replace(/(?<=[\p{Ll}\p{Lo}]\p{M}*)(?=[\p{Lu}\p{Lt}])/gu, ' ')
    // The D of Mode3D and of 3DModel belongs to its number.
    .replace(
      /(?<=\p{N}\p{M}*)(?=[\p{Lu}\p{Lt}])(?!(?:ST|ND|RD|TH)(?!\p{L})|\p{Lu}\p{M}*(?:[^\p{L}\p{M}]|$|\p{Lu}\p{M}*\p{Ll}))/gu,
      ' ',
    )
    .replace(/(?<=[\p{Lu}\p{Lt}]\p{M}*)(?=[\p{Lu}\p{Lt}]\p{M}*\p{Ll})/gu, ' ');
  if (digits) {
    spaced = spaced.replace(/(?<=\p{L}\p{M}*)(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, ' ');
  }
  return spaced.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** The title case of one character, which JavaScript lacks. @param {string} character @param {string} locale */
export function titleCharacter(character, locale) {
  if (/^[ǄǅǆǇǈǉǊǋǌǱǲǳ]/u.test(character)) return digraph(character);
  // In title case the iota subscript stays.
  const parts = character.normalize('NFD');
  const bare = parts.replace(/\u0345/g, '');
  if (bare !== parts) return `${bare.toLocaleUpperCase(locale)}\u0345`.normalize('NFC');
  const upper = Array.from(character.toLocaleUpperCase(locale));
  const first = upper.findIndex((one) => one.toLowerCase() !== one);
  const rest = upper
    .slice(first + 1)
    .join('')
    .toLocaleLowerCase(locale);
  return upper.slice(0, first + 1).join('') + rest;
}

/** @param {string} character */
const digraph = (character) => {
  const order =
    ['ǄǅǆǄǅǆ', 'ǇǈǉǇǈǉ', 'ǊǋǌǊǋǌ', 'ǱǲǳǱǲǳ'].find((one) => one.includes(character.charAt(0))) ?? '';
  return order.charAt(1) + character.slice(1);
};

/** @param {string} word @param {string} locale */
export function capitalized(word, locale) {
  const lower = word.toLocaleLowerCase(locale);
  if (/^\p{N}+(?:st|nd|rd|th|s|am|pm)$/u.test(lower)) return lower;
  if (locale.startsWith('nl') && lower.startsWith('ij')) return `IJ${lower.slice(2)}`;
  const first = /^(?:\P{L}*)(\p{L}\p{M}*)/u.exec(lower);
  if (first === null) return lower;
  const letter = first[1] ?? '';
  const at = first[0].length - letter.length;
  return lower.slice(0, at) + titleCharacter(letter, locale) + lower.slice(at + letter.length);
}
