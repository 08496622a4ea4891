//! Lossless JSON layout: digits, escapes, order and repeated keys stay as written. Standard: RFC 8259.

import { compareCodePoints } from '../compare.js';
import { lineColumn } from '../positions.js';
import { Reader } from './json.js';

const WARNINGS_MAX = 5;

/** @typedef {{ step: string, sort?: boolean, warn?: (sentence: string) => void }} Options `step`: of each level; empty for none */

/** Reads values as their text. */
class Layout extends Reader {
  #warned = 0;
  /** @param {string} text @param {Options} options */
  constructor(text, options) {
    super(text, {});
    this.layout = options;
  }

  /** @param {() => string} sentence */
  #warn(sentence) {
    if (++this.#warned <= WARNINGS_MAX) this.layout.warn?.(sentence());
  }

  /** @param {number} at */
  #place(at) {
    const { line, column } = lineColumn(this.text, at);
    return `line ${line}, column ${column}`;
  }

  /** @override */
  scalar() {
    const start = this.at;
    super.scalar();
    return this.text.slice(start, this.at);
  }

  /** @override */
  string() {
    return this.#written()[0];
  }

  /** A string as written, and its value. */
  #written() {
    const start = this.at;
    const meaning = super.string();
    if (!meaning.isWellFormed())
      this.#warn(
        () =>
          `The text at ${this.#place(start)} has half of a surrogate pair in an escape, which many readers refuse.`,
      );
    return /** @type {const} */ ([this.text.slice(start, this.at), meaning]);
  }

  /** @override @param {number} depth @returns {string} */
  array(depth) {
    /** @type {any[]} */
    const items = [];
    this.at += 1;
    this.space();
    if (this.text[this.at] === ']') this.at += 1;
    else
      do items.push(this.value(depth + 1));
      while (!this.ends(']'));
    return this.#joined('[', items, ']', depth);
  }

  /** @override @param {number} depth @returns {string} */
  object(depth) {
    /** @type {[name: string, text: string][]} */
    const members = [];
    /** @type {Map<string, number>} */
    const places = new Map();
    this.at += 1;
    this.space();
    if (this.text[this.at] === '}') this.at += 1;
    else
      do members.push(this.#member(depth, places));
      while (!this.ends('}'));
    if (this.layout.sort) members.sort(([one], [other]) => compareCodePoints(one, other));
    return this.#joined(
      '{',
      members.map(([, text]) => text),
      '}',
      depth,
    );
  }

  /** @param {number} depth @param {Map<string, number>} places @returns {[name: string, text: string]} */
  #member(depth, places) {
    if (this.text[this.at] !== '"') throw this.defect('a name in quotes');
    const start = this.at;
    const [written, name] = this.#written();
    const first = places.get(name);
    if (first === undefined) places.set(name, start);
    else
      this.#warn(
        () =>
          `The name \`${name}\` at ${this.#place(start)} is already used at ${this.#place(first)}: both are kept.`,
      );
    this.colon();
    return [name, `${written}:${this.layout.step && ' '}${this.value(depth + 1)}`];
  }

  /** @param {string} open @param {string[]} items @param {string} close @param {number} depth */
  #joined(open, items, close, depth) {
    const { step } = this.layout;
    if (items.length === 0 || step === '') return open + items.join(',') + close;
    const margin = `\n${step.repeat(depth - 1)}`;
    return `${open}${margin}${step}${items.join(`,${margin}${step}`)}${margin}${close}`;
  }
}

/** Lays out a JSON text. Throws a `Refusal` if it is not JSON. @param {string} text @param {Options} options @returns {string} */
export function layout(text, options) {
  return new Layout(text, options).whole();
}

/** Lays out the texts of JSON Lines. Undefined for any other text. @param {string} text @param {Options} options @returns {string[] | undefined} */
export function layoutLines(text, options) {
  return new Layout(text, options).isLines() ? new Layout(text, options).lines() : undefined;
}
