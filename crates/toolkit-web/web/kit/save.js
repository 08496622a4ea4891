//! Files to save.

import { el } from './el.js';

/** Offers bytes or text as a file to save. @param {BlobPart} data @param {string} name @param {string} type */
export function save(data, name, type) {
  const href = URL.createObjectURL(new Blob([data], { type }));
  el('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
