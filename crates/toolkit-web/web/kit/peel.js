//! What is inside a text, as a tree below home's field: a sentence for each layer, a copy of it, and a tool that opens it.

import catalog from '../catalog.js';
import { peel } from './detector-client.js';
import { button, copy, copyButton, el, styled } from './el.js';
import { openFilled } from './hand.js';
import { words } from './words.js';

/** @import { Node as Layer } from '../lib/peel/peel.js' */
/** @typedef {import('./palette.js').Entry} Entry */

/** Why the search ended. */
const MORE = {
  time: 'There may be more inside: the search ended after 0.3 seconds.',
  size: 'There may be more inside: the search ended after 200 parts or 8 MiB.',
};

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
    el('h2', { id: 'inside' }, 'What is inside'),
    el('ul', { class: 'layers' }, item(root)),
    root.more ? el('p', { class: 'help' }, MORE[root.more]) : '',
  ];
}
