//! Parts of a page that are loaded when they are needed: one that does not arrive is named, beside what works.

import { el } from './el.js';
import { words } from './words.js';

/** @type {HTMLElement | undefined} */
let notice;

/**
 * What `load` brings, or undefined, and the page says what it lacks.
 * @template T @param {string} name what the person lacks: "Search" @param {() => Promise<T>} load
 * @returns {Promise<T | undefined>}
 */
export async function part(name, load) {
  try {
    return await load();
  } catch (error) {
    console.error(error);
    notice ??= el('p', { class: 'notice-line lack', role: 'alert' });
    notice.textContent = words.lacks(name);
    document.body.append(notice);
    return undefined;
  }
}
