//! The rail of wide windows: all tools by category, favorites first.

import catalog from '../catalog.js';
import { el, styled } from './el.js';
import { get } from './store.js';
import { label, words } from './words.js';

/** @typedef {import('./palette.js').Entry} Entry */

const own = {
  allTools: 'All tools',
  /** Names of categories that are not their word. @type {Record<string, string>} */
  categories: { datetime: 'Date and time' },
};

const { base = '' } = document.documentElement.dataset;
const here = document.querySelector('main')?.dataset.slug;

/** @param {Entry} entry */
const link = ({ slug, name }) =>
  el(
    'li',
    {},
    el(
      'a',
      { href: `${base}/tools/${slug}`, 'aria-current': slug === here ? 'page' : undefined },
      name,
    ),
  );

/** @param {string} title @param {Entry[]} entries */
const group = (title, entries) =>
  entries.length > 0 ? [el('h2', {}, title), el('ul', {}, entries.map(link))] : [];

/** Draws the rail. */
export async function start() {
  await styled('rail');
  const all = /** @type {Entry[]} */ (catalog);
  const loved = get('favourites').flatMap((slug) => all.find((one) => one.slug === slug) ?? []);
  const categories = [...new Set(all.map(({ category }) => category))];
  const rail = el(
    'nav',
    { class: 'rail', 'aria-label': own.allTools },
    group(words.favourites, loved),
    categories.flatMap((category) =>
      group(
        own.categories[category] ?? label(category),
        all.filter((one) => one.category === category),
      ),
    ),
  );
  document.body.append(rail);
  const current = rail.querySelector('[aria-current]');
  if (current instanceof HTMLElement) rail.scrollTop = current.offsetTop - rail.clientHeight / 2;
}
