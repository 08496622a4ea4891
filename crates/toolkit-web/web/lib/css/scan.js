//! Splits CSS, SCSS and Less into comments, strings, URLs and brackets. Standard: CSS Syntax 3.

import { Refusal } from '../../kit/tool.js';

/** @typedef {'css' | 'scss' | 'less'} Syntax */
/** @typedef {'space' | 'comment' | 'line-comment' | 'text' | 'word' | 'mark'} Kind */
/** @typedef {{ kind: Kind, text: string, at: number }} Piece */

const SPACE = /[ \t\r\n\f]+/y;
/** A numeric escape includes one white space after it (§4.3.7). */
const WORD =
  /(?:[\p{L}\p{N}\p{M}\p{S}_-]|\\[0-9a-fA-F]{1,6}(?:\r\n|[ \t\r\n\f])?|\\[^\n]|[^\p{ASCII}])+/uy;
const ADDRESS = /url\([ \t\r\n\f]*(?!["' \t\r\n\f#@$])(?:[^)\\]|\\.)*\)/isy;
const PAIRS = /** @type {Record<string, string>} */ ({ '(': ')', '[': ']', '{': '}' });
const SYMBOLS = new Set(['+', '<', '>', '=', '|', '~', '^', '$', '`']);

/**
 * Splits the input into pieces whose texts add up to it. Refuses unclosed pieces.
 * @param {string} source
 * @param {Syntax} syntax
 * @returns {Piece[]}
 */
export function scanCss(source, syntax) {
  /** @type {Piece[]} */
  const pieces = [];
  /** @type {{ mark: string, at: number }[]} */
  const open = [];
  let at = 0;
  while (at < source.length) {
    const piece = readPiece(source, at, syntax);
    pieces.push(piece);
    if (piece.kind === 'mark') nest(piece, open);
    at += piece.text.length;
  }
  const last = open.at(-1);
  if (last) throw new Refusal(`has a "${last.mark}" that is never closed`, { at: last.at });
  return pieces;
}

/** @param {Piece} piece @param {{ mark: string, at: number }[]} open */
function nest({ text, at }, open) {
  if (PAIRS[text]) open.push({ mark: text, at });
  if (text !== ')' && text !== ']' && text !== '}') return;
  const last = open.pop();
  if (!last) throw new Refusal(`has a "${text}" that closes nothing`, { at });
  if (PAIRS[last.mark] !== text)
    throw new Refusal(`has a "${last.mark}" that is never closed`, { at: last.at });
}

/** @param {string} source @param {number} at @param {Syntax} syntax @returns {Piece} */
function readPiece(source, at, syntax) {
  const make = (/** @type {Kind} */ kind, /** @type {number} */ end) => ({
    kind,
    text: source.slice(at, end),
    at,
  });
  const mark = source[at] ?? '';
  const space = match(SPACE, source, at);
  if (space) return make('space', at + space.length);
  if (source.startsWith('/*', at)) {
    const end = source.indexOf('*/', at + 2);
    if (end < 0) throw new Refusal('has a comment that is never closed', { at });
    return make('comment', end + 2);
  }
  if (syntax !== 'css' && source.startsWith('//', at)) {
    const end = source.slice(at).search(/[\r\n]|$(?![\s\S])/);
    return make('line-comment', at + end);
  }
  if (mark === '"' || mark === "'") return make('text', textEnd(source, at, syntax));
  if (mark === 'u' || mark === 'U') {
    const address = match(ADDRESS, source, at);
    if (address) return make('text', at + address.length);
  }
  if (SYMBOLS.has(mark)) return make('mark', at + 1);
  const word = match(WORD, source, at);
  return word ? make('word', at + word.length) : make('mark', at + 1);
}

/** @param {RegExp} pattern @param {string} source @param {number} at */
function match(pattern, source, at) {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/** @param {string} source @param {number} start @param {Syntax} syntax @returns {number} */
function textEnd(source, start, syntax) {
  const quote = source[start];
  for (let at = start + 1; at < source.length; at += 1) {
    const mark = source[at];
    if (mark === quote) return at + 1;
    if (mark === '\n' || mark === '\r' || mark === '\f') break;
    if (mark === '\\') at += source.startsWith('\r\n', at + 1) ? 2 : 1;
    else if (syntax === 'scss' && source.startsWith('#{', at))
      at = interpolationEnd(source, at + 2);
  }
  throw new Refusal('has a text whose quote is not closed on its line', { at: start });
}

/** Index of the bracket that ends `#{`. @param {string} source @param {number} from @returns {number} */
function interpolationEnd(source, from) {
  let at = from;
  for (let depth = 1; at < source.length; at += 1) {
    const mark = source[at];
    if (mark === '"' || mark === "'") at = textEnd(source, at, 'scss') - 1;
    else if (mark === '{') depth += 1;
    else if (mark === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  throw new Refusal('has a "#{" that is never closed', { at: from - 2 });
}
