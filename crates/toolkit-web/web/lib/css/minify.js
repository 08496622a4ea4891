//! Minifies CSS, SCSS and Less by removing comments and needless white space. Rules are not changed.

import { scanCss } from './scan.js';

/** @typedef {import('./scan.js').Piece} Piece */
/** @typedef {import('./scan.js').Syntax} Syntax */

/** @param {string} source @param {Syntax} syntax */
export function minifyCss(source, syntax) {
  return new Minifier(scanCss(source, syntax), syntax).sheet();
}

class Minifier {
  /** @param {Piece[]} pieces @param {Syntax} syntax */
  constructor(pieces, syntax) {
    this.pieces = pieces;
    this.syntax = syntax;
    this.at = 0;
    this.out = '';
    this.blocks = 0;
  }

  sheet() {
    while (this.at < this.pieces.length) this.statement();
    return this.out;
  }

  /** One rule, declaration or at-rule, up to its end or the start of its block. */
  statement() {
    /** @type {Piece[]} */
    const part = [];
    let depth = 0;
    let isCustom = false;
    for (; this.at < this.pieces.length; this.at += 1) {
      const piece = /** @type {Piece} */ (this.pieces[this.at]);
      const { kind, text } = piece;
      if (kind === 'mark') {
        const opens =
          text === '(' ||
          text === '[' ||
          (text === '{' && (depth > 0 || isCustom || this.isInterpolation()));
        if (depth === 0 && !opens && (text === ';' || text === '{' || text === '}')) break;
        depth += opens ? 1 : text === ')' || text === ']' || text === '}' ? -1 : 0;
        if (text === ':' && depth === 0 && !isCustom) isCustom = isCustomProperty(part);
      }
      part.push(piece);
    }
    this.finish(part, this.pieces[this.at]?.text ?? '', isCustom);
    this.at += 1;
  }

  /** Whether the bracket is part of `#{` or `@{`. */
  isInterpolation() {
    const before = this.pieces[this.at - 1]?.text;
    return this.syntax !== 'css' && before === (this.syntax === 'scss' ? '#' : '@');
  }

  /** @param {Piece[]} part @param {string} end @param {boolean} isCustom */
  finish(part, end, isCustom) {
    const kept = part.filter(({ kind, text }) => kind === 'comment' && text.startsWith('/*!'));
    const written = isCustom ? customProperty(part) : this.compress(part, end);
    for (const { text } of isCustom ? [] : kept) this.out += text;
    if (end === '}') {
      this.out = `${written === '' ? this.out.replace(/;$/, '') : this.out + written}}`;
      this.blocks -= 1;
    } else if (end === ';') {
      // Outside all blocks a lone semicolon is part of the selector that follows.
      this.out += written === '' && this.blocks > 0 ? '' : `${written};`;
    } else {
      this.out += written + end;
      if (end === '{') this.blocks += 1;
    }
  }

  /** @param {Piece[]} part @param {string} end */
  compress(part, end) {
    const isAtRule =
      part.find(({ kind }) => kind !== 'space' && kind !== 'comment')?.text.startsWith('@') ??
      false;
    const isSelector = end === '{' && !isAtRule;
    let out = '';
    let gap = false;
    let depth = 0;
    let colons = 0;
    let removed = false;
    for (const { kind, text } of part) {
      if (kind === 'space' || kind === 'line-comment') {
        gap = true;
        continue;
      }
      if (kind === 'comment') {
        removed = true;
        continue;
      }
      if (out !== '') {
        const between = this.between(out, text, {
          gap,
          removed,
          isSelector,
          depth,
          colons,
          isAtRule,
        });
        // The first white space after a numeric escape belongs to the escape.
        out += between === ' ' && OPEN_ESCAPE.test(out) ? '  ' : between;
      }
      if (kind === 'mark') {
        if (text === '(' || text === '[' || text === '{') depth += 1;
        else if (text === ')' || text === ']' || text === '}') depth -= 1;
        else if (text === ':' && depth === 0) colons += 1;
      }
      out += text;
      gap = false;
      removed = false;
    }
    return out;
  }

  /**
   * Separator of two pieces: a space, an empty comment, or none.
   * @param {string} before @param {string} text
   * @param {{ gap: boolean, removed: boolean, isSelector: boolean, depth: number, colons: number, isAtRule: boolean }} place
   */
  between(before, text, { gap, removed, isSelector, depth, colons, isAtRule }) {
    const last = before.at(-1) ?? '';
    // White space after an escape ends the escape and does not separate.
    const joins = (JOINS.test(last) || /\s/.test(last)) && JOINS.test(text[0] ?? '');
    if (!gap) return removed && (joins || becomesMark(before, text)) ? '/**/' : '';
    if (last === ',' || text === ',' || last === '(' || text === ')') return '';
    if (isSelector) {
      const combinators = depth === 0 ? '>~+' : '>';
      return this.syntax !== 'less' || depth === 0
        ? combinators.includes(last) || combinators.includes(text)
          ? ''
          : ' '
        : ' ';
    }
    if (isAtRule) return last === ':' && depth > 0 && /[\w-]:$/.test(before) ? '' : ' ';
    if (last === ':' && colons === 1 && depth === 0 && this.isName(before.slice(0, -1))) return '';
    if (text === ':' && colons === 0 && this.isName(before)) return '';
    return text === '!' && this.syntax === 'css' ? '' : ' ';
  }

  /** Whether a text can be the name of a property or variable. @param {string} text */
  isName(text) {
    return /^[$@]?[\p{L}\p{N}_*-]+$/u.test(text);
  }
}

const OPEN_ESCAPE = /\\[0-9a-fA-F]{1,6}$/;
const JOINS = /[\p{L}\p{N}_\-\\#@.+%"'(]|[^\p{ASCII}]/u;

/** Whether together they would open a comment or form `<!--` or `-->`. @param {string} before @param {string} text */
const becomesMark = (before, text) =>
  (before.endsWith('--') && text.startsWith('>')) ||
  (before.endsWith('/') && text.startsWith('*')) ||
  (before.endsWith('<') && text.startsWith('!'));

/** @param {Piece[]} part */
function isCustomProperty(part) {
  const [name, ...rest] = part.filter(
    ({ kind }) => kind !== 'space' && kind !== 'comment' && kind !== 'line-comment',
  );
  return rest.length === 0 && (name?.text.startsWith('--') ?? false);
}

/** A custom property's value is text that scripts can read: only its ends are trimmed. @param {Piece[]} part */
function customProperty(part) {
  const text = part.map((piece) => piece.text).join('');
  const colon = text.indexOf(':');
  const name = text
    .slice(0, colon)
    .replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .trim();
  return `${name}:${text.slice(colon + 1).trim()}`;
}
