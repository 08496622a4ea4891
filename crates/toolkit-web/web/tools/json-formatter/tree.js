//! A JSON text as a tree of what is written, for the view.

import { Reader } from '../../lib/json/json.js';

/** A scalar as written, or the nodes in brackets, with their names in an object.
 * @typedef {string | { open: '[' | '{', nodes: [name: string, node: Node][] }} Node */

class Tree extends Reader {
  /** @override */
  scalar() {
    const start = this.at;
    super.scalar();
    return this.text.slice(start, this.at);
  }
  /** @override */
  string() {
    const start = this.at;
    super.string();
    return this.text.slice(start, this.at);
  }
  /** @override @param {number} depth @returns {any} */
  array(depth) {
    const items = super.array(depth, this.range);
    return {
      open: '[',
      nodes: items.map((/** @type {Node} */ node, /** @type {number} */ at) => [`${at}`, node]),
    };
  }
  /** @override @param {number} depth @returns {any} */
  object(depth) {
    /** @type {[string, Node][]} */
    const nodes = [];
    this.at += 1;
    this.space();
    if (this.text[this.at] === '}') this.at += 1;
    else
      do {
        const name = this.string();
        this.colon();
        nodes.push([name, this.value(depth + 1)]);
      } while (!this.ends('}'));
    return { open: '{', nodes };
  }
}

/** @param {string} text that is JSON @param {boolean} isLines or JSON Lines, whose lines are counted from 1 @returns {Node} */
export function treeOf(text, isLines) {
  const tree = new Tree(text, {});
  if (!isLines) return tree.whole();
  return { open: '[', nodes: tree.lines().map((node, at) => [`${at + 1}`, node]) };
}
