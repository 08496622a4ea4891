//! Required literals of a regular expression: a text without any of them cannot match, which is
//! faster to see than a failing match. ASCII letters are lower case in all literals.

/** Trigrams are looked up; a shorter literal rules out too little. */
const GRAM = 3;

/** Text with ASCII letters in lower case. @param {string} text */
export const folded = (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Sets of literals: each match has at least one literal of each set. @typedef {string[][]} Needed */
/** A part of an expression, with its character when it is exactly one. @typedef {{ needed: Needed, character?: string }} Part */

/** The most selective set: the one with the longest literals. @param {Needed} sets */
const best = (sets) => sets.toSorted((a, b) => shortest(b) - shortest(a) || a.length - b.length)[0];
/** @param {string[]} set */
const shortest = (set) => Math.min(...set.map(({ length }) => length));

class Reader {
  #at = 0;
  #source;
  /** @param {string} source */
  constructor(source) {
    this.#source = source;
  }
  /** Alternatives up to `)` or the end. @returns {Needed} */
  alternatives() {
    const first = this.#sequence();
    if (this.#source[this.#at] !== '|') return first;
    const found = [best(first)];
    while (this.#source[this.#at] === '|') {
      this.#at += 1;
      found.push(best(this.#sequence()));
    }
    return found.every((set) => set !== undefined) ? [[...new Set(found.flat())]] : [];
  }
  /** @returns {Needed} */
  #sequence() {
    /** @type {Needed} */
    const sets = [];
    let run = '';
    const close = () => {
      if (run.length >= GRAM) sets.push([run]);
      run = '';
    };
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source.charAt(this.#at))) {
      const part = this.#part();
      const least = this.#least();
      if (part.character !== undefined && least === undefined) {
        run += part.character;
        continue;
      }
      // The first repetition of a character still follows the text before it.
      if (part.character !== undefined && least !== undefined && least > 0) run += part.character;
      close();
      if (least !== 0) sets.push(...part.needed);
    }
    close();
    return sets;
  }
  /** Minimum number of repetitions of the preceding part; undefined without a quantifier. @returns {number | undefined} */
  #least() {
    const [all = '', sign = ''] =
      /^(?:([*+?])|\{(\d+)(?:,\d*)?\})\??/.exec(this.#source.slice(this.#at, this.#at + 16)) ?? [];
    this.#at += all.length;
    if (all === '') return undefined;
    return sign === '' ? Number(/\d+/.exec(all)?.[0]) : sign === '+' ? 1 : 0;
  }
  /** @returns {Part} */
  #part() {
    const character = this.#source.charAt(this.#at++);
    if (character === '(') return this.#group();
    if (character === '[') return this.#set();
    if (character === '\\') return escaped(this.#source.charAt(this.#at++));
    return /[.^$]/.test(character) ? { needed: [] } : { needed: [], character: folded(character) };
  }
  /** @returns {Part} */
  #group() {
    const [open = ''] = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += open.length;
    const needed = this.alternatives();
    this.#at += 1;
    return { needed: /[=!]$/.test(open) ? [] : needed };
  }
  /** A character class; one with both cases of a letter is that letter. @returns {Part} */
  #set() {
    const from = this.#at;
    while (this.#source[this.#at] !== ']') this.#at += this.#source[this.#at] === '\\' ? 2 : 1;
    const inside = folded(this.#source.slice(from, this.#at));
    this.#at += 1;
    const isLetter = /^([a-z])\1$/.test(inside);
    return { needed: [], ...(isLetter && { character: inside.charAt(0) }) };
  }
}

/** @param {string} character @returns {Part} */
const escaped = (character) =>
  /[a-z0-9]/i.test(character) ? { needed: [] } : { needed: [], character };

/**
 * Sets of literals: each match has at least one of each set. The expression must not have the flags
 * `u` and `v`.
 * @param {string} source
 */
export const neededLiterals = (source) =>
  /\\[xuckpP]/.test(source) ? [] : new Reader(source).alternatives();

const BITS = 15;
/** @param {string} text @param {number} at */
const slotOf = (text, at) =>
  ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) &
  ((1 << BITS) - 1);

/** Hashed trigrams of a text: a quick test that a literal is absent. */
export class Grams {
  #seen = new Uint8Array(1 << BITS);
  /** @param {string} text */
  constructor(text) {
    const small = folded(text);
    for (let at = 0; at + GRAM <= small.length; at++) this.#seen[slotOf(small, at)] = 1;
  }
  /** Whether the text may contain all trigrams of these slots. @param {Uint16Array} slots */
  mayHave(slots) {
    return slots.every((slot) => this.#seen[slot] === 1);
  }
}

/** The slots of a literal in `Grams`. @param {string} literal */
export const slotsOf = (literal) =>
  Uint16Array.from({ length: literal.length - GRAM + 1 }, (_, at) => slotOf(literal, at));
