//! YAML formatter. Keeps comments, anchors, tags, quotes and documents, so that every reader sees the same content.
//! Standard: YAML 1.2.2.
import { Refusal } from '../../kit/tool.js';
import { isAlias, isCollection, isMap, isScalar } from '../../libraries/yaml.js';
import { aliasFault, composeYaml, noBreakIn, plain } from './read.js';
import { present } from './write.js';

/** @import { Node } from './write.js' */

const STYLES = /** @type {const} */ ({
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
});
/** Maximum distance of a tag from its node. */
const NEAR = 1000;

/** The lines of a comment from the library. @param {string | null | undefined} comment */
const linesOf = (comment) =>
  comment ? comment.split('\n').map((line) => (line ? `#${line}` : '')) : [];

/** @param {string} text @param {{ indent: number, warn: (sentence: string) => void }} options `indent`: 0 for one line a document */
export function formatYaml(text, { indent, warn }) {
  const former = new Former(text);
  const documents = composeYaml(text).map((document) => former.document(document));
  noBreakIn(text, warn);
  if (indent === 0 && former.hasComments) warn('Comments were left out.');
  return present(documents, { indent });
}

class Former {
  hasComments = false;
  /** Anchors of the document, and whether each node has ended. @type {Map<string, boolean>} */
  #anchors = new Map();
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
  /** @param {any} document */
  document({ contents, commentBefore, comment, directives, range }) {
    this.#anchors.clear();
    const node = contents === null ? this.#empty() : this.#node(contents);
    const before = this.text.slice(0, range[0]).split('\n').reverse();
    const end = before.findIndex((line) => line.trim() !== '' && !/^(?:%|#|---)/.test(line));
    const written = before
      .slice(0, end < 0 ? before.length : end)
      .reverse()
      .filter((line) => line.startsWith('%'));
    node.above = [
      ...linesOf(commentBefore),
      ...(commentBefore && node.above?.length ? [''] : []),
      ...(node.above ?? []),
    ];
    this.hasComments ||= Boolean(commentBefore || comment);
    return {
      node,
      directives: written.map((line) => (line.split(' #')[0] ?? '').trimEnd()),
      isMarked: directives.docStart === true,
      end: linesOf(comment),
    };
  }
  /** @returns {Node} */
  #empty() {
    return { text: '', style: 'empty' };
  }
  /** @param {any} node @returns {Node} */
  #node(node) {
    if (node === null) return this.#empty();
    const { range, anchor, commentBefore, comment, spaceBefore } = node;
    this.hasComments ||= Boolean(commentBefore || comment);
    const at = range[0];
    const words = node.tag
      ? this.text
          .slice(Math.max(0, at - NEAR), at)
          .split(/\s/)
          .reverse()
      : [];
    const written = words.slice(0, 4);
    const properties = [
      anchor && `&${anchor}`,
      node.tag && written.find((word) => word.startsWith('!')),
    ]
      .filter(Boolean)
      .join(' ');
    if (anchor) this.#anchors.set(anchor, false);
    /** @type {Node} */
    const made = {
      ...this.#content(node),
      properties,
      above: linesOf(commentBefore),
      isApart: spaceBefore === true,
    };
    if (anchor) this.#anchors.set(anchor, true);
    const after = linesOf(comment);
    const last = lastOf(made);
    if (isCollection(node) && !node.flow && last !== made) made.below = after;
    else if (after.length > 0) last.after = after.join(' ');
    return made;
  }
  /** @param {any} node @returns {Node} */
  #content(node) {
    const [at, end] = node.range;
    if (isAlias(node)) {
      if (this.#anchors.get(node.source)) return { alias: node.source };
      throw aliasFault(node, this.#anchors.has(node.source));
    }
    if (isMap(node)) return { pairs: this.#pairs(node) };
    if (isCollection(node))
      return { items: node.items.map((/** @type {any} */ item) => this.#node(item)) };
    const source = this.text.slice(at, end);
    const text = String(node.value ?? '');
    const style = STYLES[/** @type {keyof typeof STYLES} */ (node.type)] ?? 'plain';
    if (style === 'plain' && source === '') return this.#empty();
    if (style !== 'folded') return { text, style, source };
    const [, ...lines] = source.split('\n');
    const depth = /^ */.exec(lines.find((line) => line.trim() !== '') ?? '')?.[0].length ?? 0;
    return {
      text,
      style,
      source,
      lines: lines.map((line) => line.slice(Math.min(depth, /^ */.exec(line)?.[0].length ?? 0))),
    };
  }
  /** @param {any} node @returns {[Node, Node][]} */
  #pairs({ items }) {
    const seen = new Set();
    return items.map((/** @type {any} */ { key, value }) => {
      const name = this.#node(key);
      const own = identityOf(key);
      if (own !== undefined && seen.has(own))
        throw new Refusal(`repeats the key \`${key?.source ?? 'null'}\``, {
          at: key?.range[0] ?? 0,
        });
      seen.add(own);
      const inner = this.#node(value);
      // A comment on the colon's line, and others above the first entry.
      const [first, ...rest] = inner.above ?? [];
      const isBeside =
        first !== undefined &&
        !this.text
          .slice(key?.range[1] ?? 0, this.text.indexOf(first, key?.range[1] ?? 0))
          .includes('\n');
      const lead = isBeside ? rest : (inner.above ?? []);
      const entry =
        'items' in inner ? inner.items[0] : 'pairs' in inner ? inner.pairs[0]?.[0] : undefined;
      if (isBeside) inner.after = first;
      if (entry) entry.above = [...lead, ...(entry.above ?? [])];
      else if (lead.length > 0) name.above = [...(name.above ?? []), ...lead];
      return [name, inner];
    });
  }
}

/** The node on the last line. @param {Node} node @returns {Node} */
function lastOf(node) {
  const last =
    'items' in node ? node.items.at(-1) : 'pairs' in node ? node.pairs.at(-1)?.[1] : undefined;
  return last ? lastOf(last) : node;
}

/** A key's identity: its value, regardless of its notation. @param {any} key */
function identityOf(key) {
  if (key === null) return 'null';
  if (!isScalar(key)) return undefined;
  const node = /** @type {any} */ (key);
  const text = String(node.value ?? '');
  if (node.type !== 'PLAIN' || node.tag) return JSON.stringify(['text', text, node.tag]);
  const { kind, value } = plain(text);
  return JSON.stringify([kind, kind === 'float' ? value.text : String(value), undefined]);
}
