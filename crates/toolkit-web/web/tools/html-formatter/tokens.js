//! HTML tokens by the library parse5: tags, comments and text, split as by browsers. Standard:
//! WHATWG HTML §13.2.5.

import { Refusal } from '../../kit/tool.js';
import { Tokenizer, TokenizerMode } from '../../libraries/parse5.js';

/**
 * A piece of the document. `raw` is its source; tags have a name and attributes as written;
 * `isForeign` is true inside SVG or MathML.
 * @typedef {object} Token
 * @property {'text' | 'raw' | 'start' | 'end' | 'comment' | 'doctype' | 'other'} kind
 * @property {string} raw
 * @property {number} at
 * @property {string} name
 * @property {string[]} attributes
 * @property {boolean} isClosed `<br/>`
 * @property {boolean} isForeign
 */

const { DATA, PLAINTEXT, RAWTEXT, RCDATA, SCRIPT_DATA } = TokenizerMode;
/** What the content of an element is, where that is not markup. */
const CONTENT = new Map(
  Object.entries({
    script: SCRIPT_DATA,
    style: RAWTEXT,
    xmp: RAWTEXT,
    iframe: RAWTEXT,
    noembed: RAWTEXT,
    noframes: RAWTEXT,
    textarea: RCDATA,
    title: RCDATA,
    plaintext: PLAINTEXT,
  }),
);
const UNCLOSED = /** @type {Record<string, string>} */ ({
  'eof-in-comment': 'has a comment that is never closed',
  'eof-in-doctype': 'has a DOCTYPE that is never closed',
  'eof-in-cdata': 'has a CDATA section that is never closed',
});

/** Name and attributes of a tag, as written. @param {string} source @param {any} token */
const tagOf = (source, { tagName: name, attrs, selfClosing: isClosed, location }) => ({
  name,
  isClosed,
  attributes: attrs.map((/** @type {any} */ { name }) => {
    const { startOffset, endOffset } = location.attrs[name];
    return source
      .slice(startOffset, endOffset)
      .replace(/^(.[^=]*)=[ \t\r\n\f]*/s, (_, name) => `${name.trimEnd()}=`);
  }),
});

/** What the library calls for each token. */
class Reader {
  /** @type {Token[]} */
  tokens = [];
  #at = 0;
  #foreign = 0;
  #content = '';
  /** @param {string} source */
  constructor(source) {
    this.source = source;
    this.tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, this);
  }
  /** @param {Token['kind']} kind @param {number} end @param {Partial<Token>} [more] */
  #push(kind, end, more = {}) {
    const raw = this.source.slice(this.#at, end);
    const rest = { name: '', attributes: [], isClosed: false, isForeign: this.#foreign > 0 };
    this.tokens.push({ kind, raw, at: this.#at, ...rest, ...more });
    this.#at = end;
  }
  /** The text before a token. @param {number} end */
  before(end) {
    const isData = this.#foreign > 0 && this.source.slice(this.#at, end).includes('<![CDATA[');
    if (end > this.#at)
      this.#push(this.#content || isData ? 'raw' : 'text', end, { name: this.#content });
    this.#content = '';
  }
  /** The text up to a token, then the token. @param {any} token @param {Token['kind']} kind @param {Partial<Token>} [more] */
  #see({ location }, kind, more) {
    this.before(location.startOffset);
    this.#push(kind, location.endOffset, more);
  }
  /** @param {any} token */
  onStartTag(token) {
    const { tagName, selfClosing } = token;
    this.#see(token, 'start', tagOf(this.source, token));
    if ((tagName === 'svg' || tagName === 'math') && !selfClosing) this.#foreign += 1;
    else if (this.#foreign === 0 && CONTENT.has(tagName)) {
      this.tokenizer.state = CONTENT.get(tagName) ?? DATA;
      this.#content = tagName;
    }
    this.tokenizer.inForeignNode = this.#foreign > 0;
  }
  /** @param {any} token */
  onEndTag(token) {
    this.#see(token, 'end', tagOf(this.source, { ...token, attrs: [] }));
    if (token.tagName === 'svg' || token.tagName === 'math')
      this.#foreign = Math.max(0, this.#foreign - 1);
    this.tokenizer.inForeignNode = this.#foreign > 0;
  }
  /** @param {any} token */
  onComment(token) {
    const { startOffset = 0, endOffset = 0 } = token.location ?? {};
    if (this.source[endOffset - 1] !== '>')
      throw new Refusal('has a comment that is never closed', { at: startOffset });
    this.#see(token, this.source.startsWith('<!--', startOffset) ? 'comment' : 'other');
  }
  /** @param {any} token */
  onDoctype(token) {
    this.#see(token, 'doctype');
  }
  onCharacter() {}
  onNullCharacter() {}
  onWhitespaceCharacter() {}
  onEof() {}
  /** @param {{ code: string }} error */
  onParseError({ code }) {
    const start = /** @type {any} */ (this.tokenizer).currentToken?.location.startOffset;
    if (UNCLOSED[code])
      throw new Refusal(UNCLOSED[code], { at: start ?? this.source.lastIndexOf('<![CDATA[') });
    if (code !== 'eof-in-tag') return;
    const [name = ''] = /^<\/?[^ \t\r\n\f/>]*/.exec(this.source.slice(start)) ?? [];
    throw new Refusal(`has the tag ${name} without its ">"`, { at: start });
  }
}

/** Tokens whose concatenated sources are the input; refuses what is never closed. @param {string} source @returns {Token[]} */
export function tokenizeHtml(source) {
  const reader = new Reader(source);
  reader.tokenizer.write(source, true);
  reader.before(source.length);
  return reader.tokens;
}
