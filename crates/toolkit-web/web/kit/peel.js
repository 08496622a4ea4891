//! What is inside a text, as a tree below home's field: a sentence for each layer, a copy of it, and a tool that opens it.

import catalog from '../catalog.js';
import { peel } from './detector-client.js';
import { button, copy, copyButton, el, styled } from './el.js';
import { openFilled } from './hand.js';
import { words } from './words.js';

/** @import { Node as Layer } from '../lib/peel/peel.js' */
/** @typedef {import('./palette.js').Entry} Entry */

/** @param {Layer} layer */
function opener({ opens, text = '' }) {
  const [[slug, values] = ['', {}]] = opens;
  const entry = /** @type {Entry[]} */ (catalog).find((one) => one.slug === slug);
  const open = () => openFilled(slug, values, text);
  return (
    entry && button(words.openIn(entry.name), open, { class: 'small quiet', 'data-open': slug })
  );
}

/** @param {Layer} layer @returns {HTMLElement} */
function item(layer) {
  const { label, said, text, inside } = layer;
  const shown = el('span', { dir: 'auto', class: 'said' }, said);
  return el(
    'li',
    {},
    el(
      'div',
      { class: 'layer' },
      label ? el('code', {}, label) : null,
      shown,
      text === undefined
        ? null
        : copyButton(words.copyOne(label || said), (from) => copy(text, from, shown)),
      opener(layer),
    ),
    inside.length > 0 ? el('ul', {}, inside.map(item)) : null,
  );
}

/** The tree of a text; undefined when nothing is inside. @param {string} text */
export async function inside(text) {
  const [root] = await Promise.all([peel(text), styled('peel')]);
  if (!root) return undefined;
  return [
    el('h2', { id: 'inside' }, words.inside),
    el('ul', { class: 'layers' }, item(root)),
    root.more ? el('p', { class: 'help' }, words.moreInside[root.more]) : '',
  ];
}
