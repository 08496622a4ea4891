//! Loads parts of a page on demand. If a part fails to load, a notice names it and the rest of the page keeps working.

import { el } from './el.js';
import { words } from './words.js';

/** @type {HTMLElement | undefined} */
let notice;

/**
 * The result of `load`, or undefined with a notice if it fails.
 * @template T @param {string} name name of the missing part: "Search" @param {() => Promise<T>} load
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
