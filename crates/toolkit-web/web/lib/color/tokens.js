//! Words, numbers and signs of a CSS color, with their positions.

import { Refusal } from '../../kit/tool.js';

/** @typedef {{ kind: 'word' | 'function' | 'hash' | 'number' | 'percent' | 'angle' | 'sign', text: string, value: number, at: number, gap: boolean }} Token */

const PIECE =
  /(?<space>\s+|\/\*[\s\S]*?\*\/)|(?<hash>#[\w-]*)|(?<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?<unit>%|[a-zA-Z]+)?|(?<word>-{0,2}(?:[a-zA-Z_]|\\[0-9a-fA-F]{1,6}\s?|\\[^\n])(?:[\w-]|\\[0-9a-fA-F]{1,6}\s?|\\[^\n])*)(?:(?=(?<open>\())|(?!\())|(?<sign>[(),/*+-])/y;
const TURNS = new Map(
  Object.entries({
    deg: 1,
    grad: 0.9,
    rad: 180 / Math.PI,
    turn: 360,
  }),
);

/** @param {string} text @returns {Token[]} */
export function tokenizeColor(text) {
  /** @type {Token[]} */
  const tokens = [];
  let gap = false;
  for (let at = 0; at < text.length; at = PIECE.lastIndex) {
    PIECE.lastIndex = at;
    const groups = PIECE.exec(text)?.groups;
    if (!groups)
      throw new Refusal(
        `has "${String.fromCodePoint(text.codePointAt(at) ?? 0)}", which no color has`,
        { at },
      );
    if (groups.space) {
      gap = true;
      continue;
    }
    tokens.push({ ...classify(groups, at), at, gap });
    gap = false;
  }
  return tokens;
}

/** Escapes of an identifier: CSS Syntax 3 §4.3.7. @param {string} word */
const unescaped = (word) =>
  word.replace(/\\(?:([0-9a-fA-F]{1,6})\s?|([^\n]))/g, (_, hex, character) =>
    hex === undefined
      ? character
      : String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(hex, 16))),
  );

/** @param {Record<string, string>} groups @param {number} at @returns {{ kind: Token['kind'], text: string, value: number }} */
function classify({ hash, number, unit, word, open, sign }, at) {
  if (hash) return { kind: 'hash', text: hash, value: 0 };
  if (word)
    return { kind: open ? 'function' : 'word', text: unescaped(word).toLowerCase(), value: 0 };
  if (sign) return { kind: 'sign', text: sign, value: 0 };
  const value = Number(number);
  if (!unit) return { kind: 'number', text: number ?? '', value };
  if (unit === '%') return { kind: 'percent', text: `${number}%`, value };
  const turns = TURNS.get(unit.toLowerCase());
  if (turns === undefined)
    throw new Refusal(`has the unknown unit "${unit}"; angles are in deg, grad, rad or turn`, {
      at,
    });
  return { kind: 'angle', text: `${number}${unit}`, value: value * turns };
}

/** A cursor over the tokens. */
export class Cursor {
  /** @param {string} text */
  constructor(text) {
    this.tokens = tokenizeColor(text);
    this.index = 0;
    this.end = text.length;
  }
  get next() {
    return this.tokens[this.index];
  }
  /** @param {string} message @returns {never} */
  fail(message) {
    throw new Refusal(message, { at: this.next?.at ?? this.end });
  }
  /** @param {string} expected @returns {never} */
  unexpected(expected) {
    const found = this.next;
    return this.fail(
      found
        ? `has "${found.text}" where ${expected} belongs`
        : `ends too early: ${expected} is missing`,
    );
  }
  /** @param {string} text @param {Token['kind']} [kind] */
  is(text, kind) {
    return this.next?.text === text && (kind === undefined || this.next.kind === kind);
  }
  /** Takes the next token if it is this one. @param {string} text */
  take(text) {
    const found = this.is(text);
    if (found) this.index += 1;
    return found;
  }
  /** @param {string} text */
  expect(text) {
    if (!this.take(text)) this.unexpected(`"${text}"`);
  }
}
