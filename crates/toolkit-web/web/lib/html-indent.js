//! Indents HTML with errors: tags, comments and words are left unchanged. A line breaks only where
//! there is white space already, or where it is never rendered and moves no element.
import { BLOCKS, isEdge, KeptSpace, mergeTexts, trackReopened } from './html-minify.js';
import { tokenizeHtml } from './html-tokens.js';

/** @typedef {import('./html-tokens.js').Token} Token */

/** Void block elements, which end by themselves. */
const VOID = new Set(['base', 'col', 'frame', 'hr', 'link', 'meta']);
/** Elements of a head that get their own line. */
const IN_HEAD = new Set('base link meta noscript script style template title'.split(' '));
const CELL = ['td', 'th'];
const ROW = ['tr', ...CELL];
/** The open elements that a start tag closes. @type {Record<string, string[]>} */
const ENDED = {
  li: ['li'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  option: ['option'],
  optgroup: ['option', 'optgroup'],
  td: CELL,
  th: CELL,
  tr: ROW,
  tbody: ['tbody', 'thead', 'tfoot', ...ROW],
  thead: ['tbody', 'thead', 'tfoot', ...ROW],
  tfoot: ['tbody', 'thead', 'tfoot', ...ROW],
  body: ['head'],
};

/** Lines up to a maximum width, where words allow it. */
class Lines {
  /** @type {string[]} */
  #lines = [];
  #line = '';
  #isEmpty = true;
  /** Separator of the next piece: nothing, a space or a line break. @type {'' | ' ' | '\n'} */
  gap = '';
  /** @param {string} unit @param {number} width */
  constructor(unit, width) {
    this.unit = unit;
    this.width = width;
  }
  /** @param {string} piece @param {number} depth */
  add(piece, depth) {
    const isLong = this.#line.length + 1 + piece.length > this.width;
    if (!this.#isEmpty && (this.gap === '\n' || (this.gap === ' ' && isLong))) this.#end(depth);
    else if (this.gap === ' ') this.#line += ' ';
    this.#line += piece;
    this.#isEmpty = false;
    this.gap = '';
  }
  /** @param {number} depth */
  #end(depth) {
    this.#lines.push(this.#line);
    this.#line = this.unit.repeat(Math.min(depth, 40));
  }
  text() {
    return [...this.#lines, this.#line].join('\n');
  }
}

class Indenter {
  /** @type {string[]} */
  #open = [];
  /** @type {string[]} */
  #reopened = [];
  #kept = new KeptSpace();
  #inHead = false;
  #last;
  /** End of the block that fits into the current line: at its own end tag, or before another tag. @type {{ token: Token, isOwn: boolean } | undefined} */
  #fitsTo;
  /** @param {Token[]} tokens @param {Lines} lines */
  constructor(tokens, lines) {
    this.tokens = tokens;
    this.lines = lines;
    this.#last = tokens.findLast(({ raw }) => /[^ \t\r\n\f]/.test(raw));
  }
  /** Whether white space may be inserted. */
  get #isFree() {
    return this.#kept.depth === 0 && this.#reopened.length === 0;
  }
  /** Whether a token gets its own line. @param {Token | undefined} token @param {boolean} isBlank whether only white space is next to it */
  #isBlock(token, isBlank) {
    if (!token || token.isForeign) return false;
    const isTag = token.kind === 'start' || token.kind === 'end';
    return (
      isEdge(token, isBlank) ||
      (isTag && /^(?:pre|listing)$/.test(token.name)) ||
      (this.#inHead && isTag && IN_HEAD.has(token.name))
    );
  }
  run() {
    const { tokens, lines } = this;
    for (const [at, token] of tokens.entries()) {
      const before = tokens[at - 1];
      if (token.kind === 'text') {
        this.#text(token, before, tokens[at + 1]);
        continue;
      }
      if (before && before.kind !== 'text') this.#between(before, token);
      this.#see(token, at);
      lines.add(token.raw, this.#open.length);
      this.#push(token);
    }
    const isRaw = tokens.at(-1)?.kind === 'raw';
    const ends = this.#isFree ? !isRaw : lines.gap !== '';
    return lines.text() + (ends ? '\n' : '');
  }
  /** Whether a token still belongs to the block that fits into the current line. @param {Token | undefined} token */
  #isInLine(token) {
    const end = this.#fitsTo;
    return end !== undefined && (end.isOwn || end.token !== token);
  }
  /** A line break between two tags. @param {Token} before @param {Token} after */
  #between(before, after) {
    const inLine = this.#isInLine(after);
    const isRaw = before.kind === 'raw' || after.kind === 'raw';
    if (isRaw || inLine || !this.#isFree || isOnlyClosing(before, after)) return;
    if (this.#isBlock(before, true) || this.#isBlock(after, true)) this.lines.gap = '\n';
  }
  /** @param {Token} token @param {Token | undefined} before @param {Token | undefined} after */
  #text({ raw }, before, after) {
    const { lines } = this;
    const depth = this.#open.length;
    if (this.#kept.depth > 0) return lines.add(raw, depth);
    const words = raw.match(/[^ \t\r\n\f]+/g) ?? [];
    if (words.length > 0) this.#inHead = false;
    const isBlank = words.length === 0;
    const inCell = CELL.includes(this.#open.at(-1) ?? '');
    const edge = (/** @type {Token | undefined} */ token, /** @type {boolean} */ isSpace) => {
      const isBlock = this.#isBlock(token, isBlank || inCell);
      if (isBlock && this.#isFree) return this.#isInLine(token) ? '' : '\n';
      return isSpace ? (isBlock ? '\n' : ' ') : '';
    };
    if (isBlank) {
      const gaps = [edge(before, true), edge(after, true)];
      lines.gap = gaps.includes('\n') ? '\n' : gaps.includes('') ? '' : ' ';
      return;
    }
    lines.gap = edge(before, /^[ \t\r\n\f]/.test(raw));
    for (const word of words) {
      lines.add(word, depth);
      lines.gap = ' ';
    }
    lines.gap = edge(after, /[ \t\r\n\f]$/.test(raw));
  }
  /** State before a tag is written. @param {Token} token @param {number} at */
  #see(token, at) {
    const { kind, name } = token;
    if (kind === 'start' && name === 'head') this.#inHead = true;
    else if (kind === 'start' && !IN_HEAD.has(name)) this.#inHead = false;
    if (token === this.#fitsTo?.token) this.#fitsTo = undefined;
    if (kind === 'start' && this.#isFree && BLOCKS.has(name)) this.#fitsTo = this.#fits(at);
    this.#kept.see(token);
    trackReopened(this.#reopened, token);
    if (token.isForeign || !BLOCKS.has(name)) return;
    if (kind === 'end' && this.#open.includes(name))
      this.#open.length = this.#open.lastIndexOf(name);
    if (kind !== 'start') return;
    const ended = ENDED[name] ?? [];
    while (ended.includes(this.#open.at(-1) ?? '') || this.#open.at(-1) === 'p') this.#open.pop();
  }
  /** @param {Token} token */
  #push({ kind, name, isForeign }) {
    if (kind === 'start' && BLOCKS.has(name) && !VOID.has(name) && !isForeign)
      this.#open.push(name);
  }
  /** End of a block without nested blocks, if all of it fits into a line. @param {number} from */
  #fits(from) {
    const { name = '' } = this.tokens[from] ?? {};
    let length = this.lines.unit.length * this.#open.length;
    for (const token of this.tokens.slice(from, from + 40)) {
      const { kind, raw } = token;
      const isOwn = kind === 'end' && token.name === name;
      const isBlock = token !== this.tokens[from] && kind !== 'text' && this.#isBlock(token, true);
      if (isBlock && !isOwn) {
        const isEnded = name === 'p' || ENDED[name]?.includes(name);
        return isEnded && (kind === 'end' || name === 'p' || ENDED[token.name]?.includes(name))
          ? { token, isOwn }
          : undefined;
      }
      length += kind === 'text' ? raw.replace(/[ \t\r\n\f]+/g, ' ').length : raw.length;
      if (length > this.lines.width || kind === 'raw') return undefined;
      if (isOwn || (kind !== 'start' && token === this.#last)) return { token, isOwn: true };
    }
    return undefined;
  }
}

/** `<td></td>` stays on one line. @param {Token} before @param {Token} after */
const isOnlyClosing = (before, after) =>
  before.kind === 'start' && after.kind === 'end' && before.name === after.name;

/**
 * @param {string} source without an open comment or tag: else `HtmlError`
 * @param {{ unit: string, width: number }} options what a level is indented by, and the width of lines in characters
 */
export const indentHtml = (source, { unit, width }) =>
  new Indenter(mergeTexts(tokenizeHtml(source)), new Lines(unit, width)).run();
