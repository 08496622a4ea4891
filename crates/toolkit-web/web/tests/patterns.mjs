//! Counts the steps in which a backtracking engine searches a text for a regular expression: the same on
//! every machine, unlike time. ECMA-262, 22.2; modifiers and the operations of the flag `v` are left out.

/**
 * @typedef {{ kind: 'set', has: (one: string) => boolean }} SetNode one character
 * @typedef {SetNode
 *   | { kind: 'group', options: Node[][], index?: number | undefined }
 *   | { kind: 'look', options: Node[][], isBehind: boolean, isNot: boolean }
 *   | { kind: 'repeat', of: Node, least: number, most: number, isLazy: boolean }
 *   | { kind: 'back', index: number | string }
 *   | { kind: 'edge', of: string }} Node
 */

const ATOM =
  /\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|c[A-Za-z]|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/iuy;
const GROUP = /\((?:\?(?:[:=!]|<[=!]|<(\w+)>))?/y;
const REPEAT = /(?:[*+?]|\{(\d+)(,)?(\d*)\})(\??)/y;

/** Reads a pattern. @param {RegExp} pattern @returns {{ options: Node[][], sets: SetNode[] }} */
export function parse({ source, flags }) {
  const own = flags.replace(/[gydm]/g, '');
  /** @type {Map<string, SetNode>} */
  const sets = new Map();
  /** @type {Map<string, number>} */
  const names = new Map();
  let [at, groups] = [0, 0];
  const take = (/** @type {RegExp} */ one) => {
    one.lastIndex = at;
    const found = one.exec(source);
    if (found) at = one.lastIndex;
    return found;
  };
  /** @param {string} atom @returns {Node} */
  const atomOf = (atom) => {
    if (/^(?:\^|\$|\\b|\\B)$/.test(atom)) return { kind: 'edge', of: atom };
    if (/^\\[1-9]$/.test(atom)) return { kind: 'back', index: Number(atom[1]) };
    const known = sets.get(atom);
    if (known) return known;
    const test = new RegExp(`^${atom}$`, own);
    /** @type {Map<string, boolean>} */
    const seen = new Map();
    /** @type {SetNode} */
    const set = {
      kind: 'set',
      has(one) {
        const is = seen.get(one) ?? test.test(one);
        seen.set(one, is);
        return is;
      },
    };
    sets.set(atom, set);
    return set;
  };
  /** @returns {Node[][]} */
  function options() {
    /** @type {Node[][]} */
    const all = [[]];
    while (at < source.length && source[at] !== ')') {
      if (source[at] === '|') {
        at++;
        all.push([]);
        continue;
      }
      const head = take(GROUP);
      /** @type {Node} */
      let node;
      if (head) {
        const [opening, name] = head;
        const isLook = /^\(\?<?[=!]/.test(opening);
        const index = isLook || opening === '(?:' ? undefined : ++groups;
        if (name) names.set(name, groups);
        const inner = options();
        at++;
        node = isLook
          ? {
              kind: 'look',
              options: inner,
              isBehind: opening[2] === '<',
              isNot: opening.endsWith('!'),
            }
          : { kind: 'group', options: inner, index };
      } else if (source.startsWith('\\k<', at)) {
        const end = source.indexOf('>', at);
        node = { kind: 'back', index: source.slice(at + 3, end) };
        at = end + 1;
      } else node = atomOf(/** @type {RegExpExecArray} */ (take(ATOM))[0]);
      const times = take(REPEAT);
      if (times) {
        const [text, low, comma, high, lazy] = times;
        const least = low === undefined ? Number(text[0] === '+') : Number(low);
        const most =
          low === undefined
            ? text[0] === '?'
              ? 1
              : Number.POSITIVE_INFINITY
            : comma
              ? high
                ? Number(high)
                : Number.POSITIVE_INFINITY
              : least;
        node = { kind: 'repeat', of: node, least, most, isLazy: lazy === '?' };
      }
      all.at(-1)?.push(node);
    }
    return all;
  }
  const read = options();
  for (const node of all(read))
    if (node.kind === 'back' && typeof node.index === 'string')
      node.index = names.get(node.index) ?? 0;
  return { options: read, sets: [...sets.values()] };
}

/** Every node. @param {Node[][]} options @returns {Generator<Node>} */
function* all(options) {
  for (const node of options.flat()) {
    yield node;
    if ('options' in node) yield* all(node.options);
    if (node.kind === 'repeat') yield* all([[node.of]]);
  }
}

/** Whether a part may be repeated without end. @param {Node[][]} options */
export const isEndless = (options) => {
  for (const node of all(options))
    if (node.kind === 'repeat' && node.most === Number.POSITIVE_INFINITY) return true;
  return false;
};

const isWord = (/** @type {string | undefined} */ one) => one !== undefined && /\w/.test(one);

/**
 * The steps of a search, or `most` when there are more.
 * @param {Node[][]} options @param {string} flags @param {string} text @param {number} most
 */
export function steps(options, flags, text, most) {
  let count = 0;
  /** @type {(readonly [number, number] | undefined)[]} */
  let groups = [];
  const isMultiline = flags.includes('m');
  /** @typedef {(at: number) => boolean} Next */
  /** @param {Node} node @param {number} at @param {1 | -1} way @param {Next} next @returns {boolean} */
  function match(node, at, way, next) {
    if (++count > most) throw TOO_MANY;
    switch (node.kind) {
      case 'set': {
        const one = text[way > 0 ? at : at - 1];
        return one !== undefined && node.has(one) && next(at + way);
      }
      case 'edge':
        return isEdge(node.of, at) && next(at);
      case 'group':
        return any(node.options, at, way, (end) => {
          if (node.index === undefined) return next(end);
          const before = groups[node.index];
          groups[node.index] = [Math.min(at, end), Math.max(at, end)];
          if (next(end)) return true;
          groups[node.index] = before;
          return false;
        });
      case 'look': {
        const found = any(node.options, at, node.isBehind ? -1 : 1, () => true);
        return found !== node.isNot && next(at);
      }
      case 'back': {
        const [from, to] = groups[Number(node.index)] ?? [0, 0];
        const part = text.slice(from, to);
        count += part.length;
        const begin = way > 0 ? at : at - part.length;
        return text.startsWith(part, begin) && next(at + way * part.length);
      }
      default:
        return repeat(node, 0, at, way, next, -1);
    }
  }
  /** @param {Extract<Node, { kind: 'repeat' }>} node @param {number} times @param {number} at @param {1 | -1} way @param {Next} next @param {number} last @returns {boolean} */
  function repeat(node, times, at, way, next, last) {
    if (times >= node.least && at === last) return false;
    const more = () =>
      times < node.most &&
      match(node.of, at, way, (end) => repeat(node, times + 1, end, way, next, at));
    if (times < node.least) return more();
    return node.isLazy ? next(at) || more() : more() || next(at);
  }
  /** @param {Node[][]} branches @param {number} at @param {1 | -1} way @param {Next} next */
  const any = (branches, at, way, next) =>
    branches.some((nodes) => {
      const order = way > 0 ? nodes : nodes.toReversed();
      /** @type {(index: number, here: number) => boolean} */
      const from = (index, here) => {
        const node = order[index];
        return node ? match(node, here, way, (end) => from(index + 1, end)) : next(here);
      };
      return from(0, at);
    });
  /** @param {string} edge @param {number} at */
  function isEdge(edge, at) {
    const [before, after] = [text[at - 1], text[at]];
    if (edge === '^') return at === 0 || (isMultiline && before === '\n');
    if (edge === '$') return at === text.length || (isMultiline && after === '\n');
    return (isWord(before) !== isWord(after)) === (edge === '\\b');
  }
  try {
    for (let at = 0; at <= text.length; at++) {
      let end = -1;
      groups = [];
      const isFound = any(options, at, 1, (to) => {
        end = to;
        return true;
      });
      if (flags.includes('y') || (isFound && !flags.includes('g'))) break;
      if (isFound) at = Math.max(at, end - 1);
    }
  } catch (error) {
    if (error !== TOO_MANY) throw error;
    return most;
  }
  return count;
}
const TOO_MANY = new Error('too many steps');
