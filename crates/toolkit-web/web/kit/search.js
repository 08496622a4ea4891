//! Search over the tools: one ranked list, for home and for the search dialog.
//!
//! A word counts by its place (name, keywords, category, description) and by its rarity: "converter" says little. A
//! keyword of several words counts as a phrase. A word that no tool has is looked for inside words, then with one typing
//! error.

/** @typedef {{ slug: string, name: string, category: string, description: string, keywords: string[] }} Entry */
/** @typedef {{ word: string, stem: string, weight: number }} Indexed */

/** @param {string} text */
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** A word without its ending: "encode", "encoder" and "encoding" are one. @param {string} word */
const stemOf = (word) =>
  word.length > 4 ? word.replace(/(?:ing|ers|er|ors|or|ed|es|e|s)$/u, '') : word.replace(/s$/u, '');

/** Words that say nothing of what is looked for. */
const SMALL = new Set(
  'a an and as for from how i in into is it my of on online or the to tool tools with'.split(' '),
);

/** Whether one changed, missing, added or swapped letter turns `typed` into the beginning of `word`. @param {string} typed @param {string} word */
function almost(typed, word) {
  if (typed.length < 4) return false;
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at++;
  const rest = typed.slice(at + 1);
  return (
    word.startsWith(rest, at + 1) ||
    word.startsWith(typed.slice(at), at + 1) ||
    word.startsWith(rest, at) ||
    (typed[at] === word[at + 1] &&
      typed[at + 1] === word[at] &&
      word.startsWith(typed.slice(at + 2), at + 2))
  );
}

/** Ways in which a typed word is one of an entry, the best first; a later one counts only if no tool has an earlier one. @type {((typed: string, stem: string, one: Indexed) => number)[]} */
const WAYS = [
  (typed, stem, { word, stem: own }) => {
    if (word === typed) return 1;
    if (own === stem) return 0.9;
    return word.startsWith(typed) ? 0.4 + (0.4 * typed.length) / word.length : 0;
  },
  (typed, _, { word }) => (typed.length > 2 && word.includes(typed) ? 0.5 : 0),
  (typed, _, { word }) => (almost(typed, word) ? 0.5 : 0),
];

const NAME = 8;
const KEYWORD = 5;
/** [part, weight] @type {[(entry: Entry) => string, number][]} */
const PARTS = [
  [({ name }) => name, NAME],
  [({ keywords }) => keywords.join(' '), KEYWORD],
  [({ category }) => category, 2],
  [({ description }) => description, 1],
];

/**
 * A search over these entries: those that have any of the typed words, best first, none for nothing typed.
 * @template {Entry} E @param {readonly E[]} entries @returns {(query: string) => E[]}
 */
export function searchOf(entries) {
  const index = entries.map((entry) => ({
    entry,
    words: PARTS.flatMap(([part, weight]) =>
      wordsOf(part(entry)).map((word) => ({ word, stem: stemOf(word), weight })),
    ),
    // The name without what kind of tool it is too: "hash" of "Hash Generator".
    phrases: [entry.name, entry.name.replace(/ \w+$/u, ''), ...entry.keywords].map((phrase) =>
      wordsOf(phrase).join(' '),
    ),
  }));

  /** The weights of one typed word in all entries. @param {string} typed */
  function weights(typed) {
    const stem = stemOf(typed);
    for (const way of WAYS) {
      const all = index.map(({ words }) =>
        words.reduce((best, one) => Math.max(best, one.weight * way(typed, stem, one)), 0),
      );
      const having = all.filter(Boolean).length;
      const rarity = Math.log(1 + index.length / having);
      if (having > 0) return all.map((weight) => weight * rarity);
    }
    return undefined;
  }

  return (query) => {
    const all = wordsOf(query);
    const large = all.filter((word) => !SMALL.has(word));
    const typed = large.length > 0 ? large : all;
    const weighed = typed.map(weights);
    const whole = ` ${all.join(' ')} `;
    return index
      .map(({ entry, phrases }, at) => {
        const own = weighed.map((weights) => weights?.[at] ?? 0);
        const share = own.filter(Boolean).length / typed.length;
        // A name or keyword that was typed as it is; the whole of what was typed counts most.
        const phrase = phrases.reduce((best, one) => {
          if (one === '' || !whole.includes(` ${one} `)) return best;
          const isAll = one.length === whole.length - 2;
          return Math.max(best, isAll ? 40 : 6 * (one.split(' ').length - 1));
        }, 0);
        return { entry, weight: share ** 2 * own.reduce((a, b) => a + b, 0) + phrase };
      })
      .filter(({ weight }) => weight > 0)
      .sort((a, b) => b.weight - a.weight)
      .map(({ entry }) => entry);
  };
}
