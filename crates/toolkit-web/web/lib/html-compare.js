//! Whether a formatted document is still the same to a browser.

import { Refusal } from '../kit/tool.js';
import { BLOCKS } from './html-minify.js';
import { tokenizeHtml } from './html-tokens.js';
import { lineColumn } from './positions.js';

/** @typedef {import('./html-tokens.js').Token} Token */

/** Elements that browsers close implicitly. */
const MAY_BE_OPEN = new Set(
  'body caption colgroup dd dt head html li optgroup option p rp rt tbody td tfoot th thead tr'.split(
    ' ',
  ),
);
/** Elements that end an open paragraph, after which `</p>` would create an empty one. */
const CLOSES_PARAGRAPH = new Set(
  'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol plaintext pre search section summary table ul xmp'.split(
    ' ',
  ),
);

/**
 * An error that the formatter parses differently from browsers.
 * @param {Token[]} tokens
 */
export function misread(tokens) {
  const hasDoctype = tokens.some(({ kind }) => kind === 'doctype');
  /** @type {string[]} */
  const open = [];
  for (const token of tokens) {
    const { kind, name, raw } = token;
    if (kind === 'doctype' && /(["'])(?:(?!\1).)*?(?: {2}|[\t\n\f\r])/s.test(raw))
      return fault(tokens, token, 'an identifier of the DOCTYPE has white space in a row');
    if (kind === 'start') {
      if (/=[^ \t\r\n\f"'>]*\/>$/.test(raw))
        return fault(tokens, token, 'an attribute without quotes ends in a slash');
      if (name === 'table' && open.includes('p') && !hasDoctype)
        return fault(tokens, token, 'without a DOCTYPE, the paragraph around a table stays open');
      if (CLOSES_PARAGRAPH.has(name) && open.includes('p')) open.length = open.lastIndexOf('p');
      open.push(name);
    }
    if (kind !== 'end') continue;
    const from = open.lastIndexOf(name);
    if (from < 0) continue;
    if (!BLOCKS.has(name) && open.slice(from + 1).some((inner) => MAY_BE_OPEN.has(inner)))
      return fault(tokens, token, `</${name}> stands inside of another element`);
    open.length = from;
  }
  return undefined;
}

/**
 * The formatter's first change: it loses text where elements are left open.
 * @param {Token[]} before @param {string} after
 */
export function difference(before, after) {
  const left = essence(before);
  const right = essence(tokenizeHtml(after));
  const changed = left.findIndex(({ text }, i) => text !== right[i]?.text);
  if (changed < 0 && left.length === right.length) return undefined;
  const { token } = left[changed < 0 ? left.length - 1 : changed] ?? {};
  return fault(before, token, 'an element before it is not closed');
}

/** @param {Token[]} tokens @param {Token | undefined} token @param {string} offence */
function fault(tokens, token, offence) {
  const source = tokens.map(({ raw }) => raw).join('');
  return new Refusal(offence, lineColumn(source, token?.at ?? 0));
}

/** Tags and characters in order, ignoring embedded languages, comments and white space. @param {Token[]} tokens */
function essence(tokens) {
  const parts = [];
  let inParagraph = false;
  for (const token of tokens) {
    const { kind, name, raw, attributes } = token;
    if (kind === 'start') {
      const names = attributes.map((attribute) => attribute.split('=')[0]?.toLowerCase());
      parts.push({ text: `<${name} ${names.join(' ')}>`, token });
    }
    if (kind === 'end' && !MAY_BE_OPEN.has(name)) parts.push({ text: `</${name}>`, token });
    if (name === 'p' || CLOSES_PARAGRAPH.has(name)) {
      if (kind === 'end' && name === 'p' && !inParagraph) parts.push({ text: '</p>', token });
      inParagraph = kind === 'start' && name === 'p';
    }
    const counts = kind === 'text' || (kind === 'raw' && name !== 'script' && name !== 'style');
    if (counts)
      for (const word of raw.match(/\S+/g) ?? [])
        parts.push(...[...word].map((text) => ({ text, token })));
  }
  return parts;
}
