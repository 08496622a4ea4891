//! Search over the tools: one ranked list, for home and for the search dialog.
//!
//! A word is weighted by its place (name, keywords, category, description, form labels) and its rarity: "converter" counts
//! little. A keyword of several words counts as a phrase. If no tool has a word, it is searched inside words, then with
//! one typing error, which only breaks ties.

/** @typedef {{ slug: string, name: string, category: string, description: string, keywords: string[] }} Entry */
/** @typedef {{ word: string, stem: string, weight: number }} Indexed */

/** @param {string} text */
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** A word without its ending: "encode", "encoder" and "encoding" are one. @param {string} word */
const stemOf = (word) =>
  word.length > 4 ? word.replace(/(?:ing|ers|er|ors|or|ed|es|e|s)$/u, '') : word.replace(/s$/u, '');

/** Words that are ignored in queries. */
const SMALL = new Set(
  'a an and are as at be by can do does for from get have how i in into is it long many me much my not of on online or that the there this to tool tools two use using was what when where which who with you your'.split(
    ' ',
  ),
);

/** Whether `word` starts with `typed`, except for one changed, missing, added or swapped letter. @param {string} typed @param {string} word */
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

/** How well a typed word matches a word of an entry, from 0 to 1. @param {string} typed @param {string} stem of it @param {Indexed} one */
function same(typed, stem, { word, stem: own }) {
  if (word === typed) return 1;
  if (own === stem) return 0.9;
  return word.startsWith(typed) ? 0.4 + (0.4 * typed.length) / word.length : 0;
}

/** Weights of a label and of a typing error, below those of catalog words. */
const [LABEL, ERROR] = [0.5, 0.001];

/** Ways to match a typed word, best first. A later way is used only if no tool matches in an earlier one. @type {((typed: string, stem: string, one: Indexed) => number)[]} */
const WAYS = [
  (typed, stem, one) => (one.weight > LABEL ? same(typed, stem, one) : 0),
  (_, stem, one) => (one.weight === LABEL && one.stem === stem ? 1 : 0),
  (typed, _, { word }) => (typed.length > 2 && word.includes(typed) ? 0.5 : 0),
  (typed, _, { word, weight }) => (weight > LABEL && almost(typed, word) ? ERROR : 0),
];

/** The kind of tool in a name. */
const KIND = /(?<=.) \w+$/u;

/** The words of an entry with their weights. A word of a longer keyword weighs less. @param {Entry} entry @param {string} labels @returns {[text: string, weight: number][]} */
const partsOf = ({ name, keywords, category, description }, labels) => [
  // Several tools share the last word of a name, such as "Checker".
  [name.replace(KIND, ''), 8],
  [KIND.exec(name)?.[0] ?? '', 4],
  ...keywords.map(
    (one) => /** @type {[string, number]} */ ([one, 5 / Math.sqrt(wordsOf(one).length)]),
  ),
  [category, 2],
  [description, 1],
  [labels, LABEL],
];

/** The labels, choices and examples of a form, each word once. @param {any} tool its module's default */
export function declaredBy({ fields, labels = {}, examples = [] }) {
  /** @param {any} of @returns {string[]} */
  const said = (of) =>
    Object.values(of).flatMap(({ label, group = '', choices = {}, columns = {}, help = '' }) => [
      ...[label, group, help],
      ...Object.values(choices),
      ...said(columns),
    ]);
  const titles = examples.map((/** @type {{ title: string }} */ { title }) => title);
  const all = [...said(fields), ...Object.values(labels), ...titles].join(' ');
  return [...new Set(wordsOf(all))].filter((word) => !SMALL.has(word) && /\D/.test(word)).join(' ');
}

/**
 * A search over these entries. It returns those with any of the typed words, best first, and none for an empty query.
 * @template {Entry} E @param {readonly E[]} entries @param {Record<string, string>} [declared] by slug @returns {(query: string) => E[]}
 */
export function searchOf(entries, declared = {}) {
  const index = entries.map((entry) => ({
    entry,
    words: partsOf(entry, declared[entry.slug] ?? '').flatMap(([part, weight]) =>
      wordsOf(part).map((word) => ({ word, stem: stemOf(word), weight })),
    ),
    // Includes the name without the kind of tool: "hash" for "Hash Generator".
    phrases: [entry.name, entry.name.replace(KIND, ''), ...entry.keywords].map((phrase) =>
      wordsOf(phrase).join(' '),
    ),
  }));

  /** @param {string} stem @param {number} at */
  const labelled = (stem, at) =>
    index[at]?.words.some((one) => one.weight === LABEL && one.stem === stem) ? LABEL : 0;

  /** The weights of one typed word in all entries. @param {string} typed */
  function weights(typed) {
    const stem = stemOf(typed);
    for (const way of WAYS) {
      const all = index.map(({ words }) =>
        words.reduce((best, one) => Math.max(best, one.weight * way(typed, stem, one)), 0),
      );
      const having = all.filter(Boolean).length;
      const rarity = Math.log(1 + index.length / having);
      if (having > 0) return all.map((weight, at) => weight * rarity || labelled(stem, at));
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
        // A name or keyword typed exactly. It counts most if it is the whole query.
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
