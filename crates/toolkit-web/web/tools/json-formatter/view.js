//! JSON as a tree that folds: what is inside is drawn when it is opened.

/** @import { Node } from './tree.js' */

/** Opened at first, as deep as this many nodes allow; and drawn at once of one that has more. */
const OPEN_MAX = 40;
const DRAWN_MAX = 1000;

/** @type {import('../../kit/types.d.ts').View} */
export default (place, { el }) => {
  /** @param {[name: string, node: Node][]} nodes @param {boolean} isOpen */
  const list = (nodes, isOpen) =>
    el(
      'ul',
      { class: 'tree' },
      nodes.slice(0, DRAWN_MAX).map(([name, node]) => el('li', {}, draw(name, node, isOpen))),
      nodes.length > DRAWN_MAX && el('li', {}, `… and ${nodes.length - DRAWN_MAX} more`),
    );

  /** @param {string} name @param {Node} node @param {boolean} isOpen @returns {HTMLElement} */
  function draw(name, node, isOpen) {
    if (typeof node === 'string') return el('code', {}, `${name}: ${node}`);
    const { open, nodes } = node;
    const count = open === '[' ? `[${nodes.length}]` : `{${nodes.length}}`;
    const details = el('details', {}, el('summary', {}, el('code', {}, name), ` ${count}`));
    details.addEventListener('toggle', () => {
      if (details.childElementCount === 1) details.append(list(nodes, false));
    });
    if (isOpen && nodes.length <= OPEN_MAX) {
      details.append(list(nodes, false));
      details.setAttribute('open', '');
    }
    return details;
  }

  return (/** @type {Node} */ tree) =>
    place.replaceChildren(
      typeof tree === 'string' ? '' : list(tree.nodes, tree.nodes.length <= OPEN_MAX),
    );
};
