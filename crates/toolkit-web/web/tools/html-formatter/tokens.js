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

/** Tokens whose concatenated sources are the input; refuses what is never closed. @param {string} source @returns {Token[]} */
export function tokenizeHtml(source) {
  /** @type {Token[]} */
  const tokens = [];
  let at = 0;
  let foreign = 0;
  let content = '';
  /** @param {Token['kind']} kind @param {number} end @param {Partial<Token>} [more] */
  const push = (kind, end, more = {}) => {
    const raw = source.slice(at, end);
    const rest = { name: '', attributes: [], isClosed: false, isForeign: foreign > 0 };
    tokens.push({ kind, raw, at, ...rest, ...more });
    at = end;
  };
  /** The text up to a token, then the token. @param {any} token @param {Token['kind']} kind @param {Partial<Token>} [more] */
  const see = ({ location }, kind, more) => {
    const isData = foreign > 0 && source.slice(at, location.startOffset).includes('<![CDATA[');
    if (location.startOffset > at)
      push(content || isData ? 'raw' : 'text', location.startOffset, { name: content });
    content = '';
    if (kind) push(kind, location.endOffset, more);
  };
  /** @param {any} token */
  const tag = ({ tagName: name, attrs, selfClosing: isClosed, location }) => ({
    name,
    isClosed,
    attributes: attrs.map((/** @type {any} */ { name }) => {
      const { startOffset, endOffset } = location.attrs[name];
      return source
        .slice(startOffset, endOffset)
        .replace(/^(.[^=]*)=[ \t\r\n\f]*/s, (_, name) => `${name.trimEnd()}=`);
    }),
  });
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const { tagName, selfClosing } = token;
        see(token, 'start', tag(token));
        if ((tagName === 'svg' || tagName === 'math') && !selfClosing) foreign += 1;
        else if (foreign === 0 && CONTENT.has(tagName)) {
          tokenizer.state = CONTENT.get(tagName) ?? DATA;
          content = tagName;
        }
        tokenizer.inForeignNode = foreign > 0;
      },
      onEndTag(token) {
        see(token, 'end', tag({ ...token, attrs: [] }));
        if (token.tagName === 'svg' || token.tagName === 'math') foreign = Math.max(0, foreign - 1);
        tokenizer.inForeignNode = foreign > 0;
      },
      onComment(token) {
        const { startOffset = 0, endOffset = 0 } = token.location ?? {};
        if (source[endOffset - 1] !== '>')
          throw new Refusal('has a comment that is never closed', { at: startOffset });
        see(token, source.startsWith('<!--', startOffset) ? 'comment' : 'other');
      },
      onDoctype: (token) => see(token, 'doctype'),
      onCharacter() {},
      onNullCharacter() {},
      onWhitespaceCharacter() {},
      onEof() {},
      onParseError({ code }) {
        const start = /** @type {any} */ (tokenizer).currentToken?.location.startOffset;
        if (UNCLOSED[code])
          throw new Refusal(UNCLOSED[code], { at: start ?? source.lastIndexOf('<![CDATA[') });
        if (code !== 'eof-in-tag') return;
        const [name = ''] = /^<\/?[^ \t\r\n\f/>]*/.exec(source.slice(start)) ?? [];
        throw new Refusal(`has the tag ${name} without its ">"`, { at: start });
      },
    },
  );
  tokenizer.write(source, true);
  see({ location: { startOffset: source.length } }, /** @type {any} */ (''));
  return tokens;
}
