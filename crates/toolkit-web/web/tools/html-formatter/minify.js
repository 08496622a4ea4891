//! HTML without comments and with white space collapsed as by CSS.

import { tokenizeHtml } from './tokens.js';

/** @typedef {import('./tokens.js').Token} Token */

/** Elements next to which white space is never rendered. */
const BLOCKS = new Set(
  'address article aside base blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p search section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
/** Misplaced text here is moved out of the table, so its white space matters. */
const TABLE = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'colgroup', 'col']);
/** Elements that browsers reopen in the next block, where white space decides in which one. */
const REOPENED = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '));
const KEPT = new Set(['pre', 'listing', 'textarea', 'plaintext', 'xmp']);

/** @param {string} source @param {boolean} comments whether they are taken out */
export function minifyHtml(source, comments) {
  const all = tokenizeHtml(source);
  const tokens = mergeTexts(comments ? withoutComments(all) : all);
  const out = [];
  const kept = new KeptSpace();
  let inHead = false;
  /** @type {string[]} */
  const reopened = [];
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'start' && token.name === 'head') inHead = true;
    else if (token.name === 'body' || (token.kind === 'end' && token.name === 'head'))
      inHead = false;
    kept.see(token);
    trackReopened(reopened, token);
    if (token.kind === 'start' || token.kind === 'end') out.push(writeTag(token));
    else if (token.kind !== 'text' || kept.depth > 0) out.push(token.raw);
    else if (reopened.length > 0) out.push(token.raw.replaceAll(SPACES, ' '));
    else out.push(collapse(token.raw, tokens[i - 1], tokens[i + 1], inHead));
  }
  return out.join('');
}

const SPACES = /[ \t\r\n\f]+/g;

/** @param {string[]} open @param {Token} token */
function trackReopened(open, { kind, name }) {
  if (!REOPENED.has(name)) return;
  if (kind === 'start') open.push(name);
  else if (open.includes(name)) open.splice(open.lastIndexOf(name), 1);
}

/** Depth of open elements that preserve white space. */
class KeptSpace {
  depth = 0;
  /** @type {string[]} */
  names = [];

  /** @param {Token} token */
  see({ kind, name, attributes, isClosed }) {
    if (kind === 'start' && !isClosed && keepsSpace(name, attributes)) this.names.push(name);
    else if (kind === 'end' && this.names.at(-1) === name) this.names.pop();
    this.depth = this.names.length;
  }
}

/** @param {string} name @param {string[]} attributes */
function keepsSpace(name, attributes) {
  return (
    KEPT.has(name) ||
    attributes.some((attribute) => /^style=.*white-space|^xml:space=.*preserve/is.test(attribute))
  );
}

/** @param {Token[]} tokens */
function withoutComments(tokens) {
  const kept = new KeptSpace();
  return tokens.filter((token, i) => {
    kept.see(token);
    if (token.kind !== 'comment' || kept.depth > 0) return true;
    if (
      /^<!--(?:\[if|!|<!\[endif\]|\[endif\])/i.test(token.raw) ||
      token.raw.endsWith('<![endif]-->')
    )
      return true;
    // Without the comment, `&am` and `p;`, or `<` and `b`, would join.
    const before = tokens[i - 1];
    return (
      before?.kind === 'text' &&
      /(?:&[#\w]*|<[/!?]?)$/.test(before.raw) &&
      tokens[i + 1]?.kind === 'text'
    );
  });
}

/** @param {Token[]} tokens */
function mergeTexts(tokens) {
  /** @type {Token[]} */
  const merged = [];
  for (const token of tokens) {
    const last = merged.at(-1);
    if (token.kind === 'text' && last?.kind === 'text')
      merged[merged.length - 1] = { ...last, raw: last.raw + token.raw };
    else merged.push(token);
  }
  return merged;
}

/** @param {Token} token */
function writeTag({ kind, raw, attributes, isClosed }) {
  const name = /^<\/?[^ \t\r\n\f/>]*/.exec(raw)?.[0] ?? '';
  const list = attributes.map((attribute) => ` ${attribute}`).join('');
  const last = attributes.at(-1) ?? '';
  const unquoted = /=[^"']/.test(last) || (last.includes('=') && !/["']$/.test(last));
  const slash = isClosed && kind === 'start' ? (unquoted ? ' /' : '/') : '';
  return `${name}${list}${slash}>`;
}

/** @param {string} text @param {Token | undefined} before @param {Token | undefined} after @param {boolean} inHead */
function collapse(text, before, after, inHead) {
  let out = text.replaceAll(SPACES, ' ');
  const isBlank = out === ' ';
  if (inHead || isEdge(before, isBlank)) out = out.replace(/^ /, '');
  if (inHead || isEdge(after, isBlank)) out = out.replace(/ $/, '');
  return out;
}

/** Whether white space next to this is never rendered. @param {Token | undefined} token @param {boolean} isBlank */
function isEdge(token, isBlank) {
  if (!token || token.kind === 'doctype') return true;
  if ((token.kind !== 'start' && token.kind !== 'end') || token.isForeign) return false;
  return BLOCKS.has(token.name) && (isBlank || !TABLE.has(token.name));
}
