//! Everything inside a text, layer by layer: what is encoded, packed or embedded in it, up to a depth, a number of
//! parts, an amount of bytes and a time. Left out: what is encrypted, archives, and secrets of keys.

import { detect } from '../detect/detect.js';
import { openBytes, textIn } from './bytes.js';
import { openText } from './texts.js';

/**
 * What a layer is: its sentence, and what is in it. `isKept`: parts that are plain text are shown too; `isValue`: worth
 * saying though there is nothing in it.
 * @typedef {{ said: string, parts?: readonly Part[], isKept?: boolean, isValue?: boolean, opens?: readonly [slug: string, values: Record<string, any>][] }} Layer
 * @typedef {{ label: string, content: string | Uint8Array, as?: 'base64' | 'deflate', isLine?: boolean }} Part `as`: how it is known to be encoded; `isLine`: shown as it is if nothing is in it
 * @typedef {{ label: string, said: string, text?: string, opens: readonly [slug: string, values: Record<string, any>][], inside: Node[], isPlain?: boolean, more?: 'time' | 'size' }} Node
 *   `more`: there may be more inside, and why the search ended
 */

const DEPTH = 8;
const NODES = 200;
/** Of all that is decoded and unpacked. */
const BYTES = 8 << 20;
const MS = 300;
/** So many are looked at on the slowest machine too. */
const FEW = 12;
const LEAST = 0.5;
const SHOWN = 120;

/** @param {string} text */
const shortened = (text) =>
  text.length > SHOWN ? `${text.slice(0, SHOWN).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

export class Search {
  #nodes = 0;
  #bytes = 0;
  /** @type {Node['more']} */
  over;
  /** @param {number} now in milliseconds @param {() => number} clock */
  constructor(now, clock) {
    this.now = now;
    this.clock = clock;
    this.end = clock() + MS;
  }
  /** How many bytes may still be unpacked. */
  get room() {
    return BYTES - this.#bytes;
  }
  /** Whether the search goes on with a content. @param {string | Uint8Array} content */
  #goesOn({ length }) {
    this.#nodes += 1;
    this.#bytes += length;
    if (this.#nodes > NODES || this.#bytes > BYTES) this.over ??= 'size';
    if (this.#nodes > FEW && this.clock() > this.end) this.over ??= 'time';
    return this.over === undefined;
  }
  /** What a part is; undefined for plain text that is not kept. @param {Part} part @param {number} depth @param {boolean} isKept @returns {Promise<Node | undefined>} */
  async node({ label, content, as, isLine }, depth, isKept) {
    if (!this.#goesOn(content)) return undefined;
    const text = typeof content === 'string' ? content : await textIn(content, as);
    const layer =
      text === undefined
        ? await openBytes(/** @type {Uint8Array} */ (content), this, as)
        : await openText(text, this, as);
    const isDeepest = depth >= DEPTH;
    const inside = layer && !isDeepest ? await this.#inside(layer, depth + 1) : [];
    const isCut = layer?.isKept && (isDeepest || this.over);
    if (!layer || (inside.length === 0 && !layer.isValue && !isCut)) {
      if (text === undefined || !(isKept || isLine) || text.trim() === '') return undefined;
      const said = (isLine ? '' : `${layer?.said ?? 'Text'}: `) + shortened(text);
      return { label, said, text, opens: opensOf(text), inside, isPlain: true };
    }
    const [only] = inside;
    // "Base64: hello", not one in the other.
    if (layer.isKept && only?.isPlain && inside.length === 1 && !layer.isValue)
      return {
        ...only,
        label,
        said: `${layer.said}: ${shortened(only.text ?? '')}`,
        isPlain: false,
      };
    return {
      label,
      said: layer.said,
      ...(text !== undefined && { text }),
      opens: layer.opens ?? (text === undefined ? [] : opensOf(text)),
      inside,
    };
  }
  /** @param {Layer} layer @param {number} depth */
  async #inside({ parts = [], isKept = false }, depth) {
    /** @type {Node[]} */
    const nodes = [];
    for (const part of parts) {
      const node = await this.node(part, depth, isKept);
      if (node) nodes.push(node);
      if (this.over) break;
    }
    return nodes;
  }
}

/** The tools for a text. @param {string} text */
const opensOf = (text) =>
  detect(text)
    .filter(({ certainty }) => certainty >= LEAST)
    .slice(0, 2)
    .map(({ slug, values }) => /** @type {[string, Record<string, any>]} */ ([slug, values]));

/**
 * The tree of a text; undefined when nothing is in it that a person could not read.
 * @param {string} text @param {{ now?: number, clock?: () => number }} [of] `clock`: milliseconds from any beginning
 */
export async function peel(text, { now = Date.now(), clock = () => performance.now() } = {}) {
  const search = new Search(now, clock);
  const root = await search.node({ label: '', content: text.trim() }, 0, false);
  return root && search.over ? { ...root, more: search.over } : root;
}

/** Loads what most texts need, before the time of `peel` counts. @param {string} text */
export async function prepare(text) {
  await Promise.all([
    import('../x509/x509.js'),
    import('../../kit/decode.js'),
    // YAML, or something in Base64 that may hold it.
    /^[ \t-]*[\w."'][\w."'-]*:(?:\s|$)/m.test(text) && import('../yaml/read.js').catch(() => {}),
  ]);
}
