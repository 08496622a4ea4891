//! The star that makes a tool a favorite.

import { el, icon, set } from './el.js';
import { get, toggleFavourite } from './store.js';
import { words } from './words.js';

const STAR = 'M8 1.5l2 4.3 4.7.6-3.5 3.2.9 4.7L8 12l-4.1 2.3.9-4.7L1.3 6.400 6 5.800z';

/** A button that makes a tool a favorite. @param {string} slug @param {string} [name] @param {() => void} [changed] */
export function star(slug, name = words.favourite, changed = () => {}) {
  const control = el('button', {
    type: 'button',
    class: 'icon star',
    'aria-label': name,
    title: name,
    'aria-pressed': String(get('favourites').includes(slug)),
    onclick: () => {
      set(control, 'aria-pressed', String(toggleFavourite(slug)));
      changed();
    },
  });
  control.append(icon(STAR));
  return control;
}
