//! Markdown to HTML, by micromark. Standards: CommonMark 0.31.2; GitHub Flavored Markdown 0.29 (tables, task lists,
//! strikethrough, autolinks) and its footnotes.

import { gfm, gfmHtml, micromark } from '../../libraries/micromark.js';

/**
 * @param {string} markdown
 * @param {{ github: boolean, raw: boolean, protocols?: boolean }} options `raw`: HTML in the text stays
 *   HTML, to be sanitised; `protocols`: addresses of any protocol stay (only for the public suites)
 */
export function toHtml(markdown, { github, raw, protocols = false }) {
  const html = micromark(markdown, {
    allowDangerousHtml: raw,
    allowDangerousProtocol: true,
    extensions: github ? [gfm()] : [],
    htmlExtensions: github ? [gfmHtml()] : [],
  });
  if (protocols) return html;
  const safe = html.replace(TAG, (tag) =>
    tag.replace(ADDRESS, (all, name, address) => (isSafe(name, address) ? all : ` ${name}=""`)),
  );
  return github ? safe.replace(ALERT, alerted) : safe;
}

/** GitHub's alerts: quotes that begin with their kind, alone on a line. */
const ALERT =
  /<blockquote>\n<p>\[!(note|tip|important|warning|caution)\][ \t]*(?:(?:<br \/>)?\n|(<\/p>))/gi;

/** @param {string} _ @param {string} kind @param {string | undefined} end of the paragraph, when it holds nothing else */
function alerted(_, kind, end) {
  const name = kind.toLowerCase();
  const title = `${kind.charAt(0).toUpperCase()}${name.slice(1)}`;
  return `<blockquote class="markdown-alert markdown-alert-${name}">\n<p class="markdown-alert-title"><strong>${title}</strong></p>${end ? '' : '\n<p>'}`;
}

/** Addresses as micromark writes them. */
const TAG = /<(?:a|img)(?: [a-z]+="[^"]*")+/g;
const ADDRESS = / (href|src)="([^"]*)"/g;

/** Whether an address is relative, or has a protocol that cannot run code. @param {string} name @param {string} address */
const isSafe = (name, address) =>
  !/^[^/?#]*:/.test(address) ||
  /^(?:https?|ircs?|mailto|xmpp):/i.test(address) ||
  (name === 'src' && /^data:image\//i.test(address));

/** @typedef {{ level: number, text: string, anchor: string }} Heading */

const ENTITIES = new Map(Object.entries({ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }));

/** Gives headings GitHub's anchors, and lists them. @param {string} html */
export function withAnchors(html) {
  /** @type {Heading[]} */
  const headings = [];
  /** @type {Map<string, number>} */
  const taken = new Map();
  const anchored = html.replace(
    /<h([1-6])>((?:[^<]|<(?!\/?h[1-6]>))*)<\/h\1>/g,
    (_, level, content) => {
      const text = content
        .replace(/<[^<>]*>/g, '')
        .replace(/&(?:amp|lt|gt|quot);/g, (/** @type {string} */ one) => ENTITIES.get(one) ?? one);
      const base = anchorOf(text);
      const count = taken.get(base) ?? 0;
      taken.set(base, count + 1);
      const anchor = count === 0 ? base : `${base}-${count}`;
      headings.push({ level: Number(level), text: text.trim(), anchor });
      return `<h${level} id="${anchor}">${content}</h${level}>`;
    },
  );
  return { html: anchored, headings };
}

/** @param {string} text */
const anchorOf = (text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const VOID = /^<(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b|\/>$/i;

/**
 * Gives each top-level block an id, if it has none, and lists the share of the text before each.
 * @param {string} html
 */
export function withBlockAnchors(html) {
  /** @type {[id: string, length: number][]} */
  const blocks = [];
  let depth = 0;
  let length = 0;
  const anchored = html.replace(/<!--[\s\S]*?(?:-->|$)|<\/?[a-z][^>]*(?:>|$)|[^<]+/gi, (part) => {
    if (!part.startsWith('<')) length += part.trim().length;
    else if (part.startsWith('</')) depth = Math.max(0, depth - 1);
    else if (!part.startsWith('<!')) {
      const isOuter = depth === 0;
      if (!VOID.test(part)) depth += 1;
      if (isOuter) {
        const own = /\sid="([^"]*)"/.exec(part)?.[1];
        blocks.push([own ?? `block-${blocks.length}`, length]);
        if (own === undefined)
          return part.replace(/^<[a-z][\w-]*/i, `$& id="block-${blocks.length - 1}"`);
      }
    }
    return part;
  });
  const anchors = blocks.map(
    ([id, before]) => /** @type {const} */ ([id, before / Math.max(1, length)]),
  );
  return { html: anchored, anchors };
}

/** The headings as a nested list of Markdown links. @param {readonly Heading[]} headings */
export function contentsOf(headings) {
  const top = Math.min(...headings.map(({ level }) => level));
  return headings
    .map(
      ({ level, text, anchor }) =>
        `${'  '.repeat(level - top)}- [${text.replace(/[[\]\\]/g, '\\$&')}](#${anchor})`,
    )
    .join('\n');
}

/** The text without front matter (YAML between lines of three hyphens). @param {string} markdown */
export function withoutFrontMatter(markdown) {
  const match = /^---[ \t]*\r?\n[\s\S]*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(markdown);
  const isFields = match !== null && /^[\w-]+\s*:/m.test(match[0]);
  return isFields ? markdown.slice(match[0].length) : markdown;
}
