//! Suggestions for a pasted text or a dropped file: tools that open filled with it.

import catalog from '../catalog.js';
import { detect, detectFile } from './detector-client.js';
import { el } from './el.js';
import { openFilled } from './hand.js';
import { words } from './words.js';

/** @typedef {import('./palette.js').Entry} Entry */
/** @typedef {{ entry: Entry, kind: string, certainty: number, open: () => Promise<void> }} Suggested */

/** What is typed counts as a value only when it surely is one. */
const TYPED = 0.8;
const PASTED = 0.45;
const LONG = 60;

/** The tools for a text or file, best first. @param {string | File} data @returns {Promise<Suggested[]>} */
export async function suggest(data) {
  const isText = typeof data === 'string';
  const found = await (isText ? detect(data) : detectFile(data));
  return found.flatMap(({ slug, kind, certainty, values }) => {
    const entry = /** @type {Entry[]} */ (catalog).find((one) => one.slug === slug);
    const open = () => openFilled(slug, values, isText ? data : '');
    return entry ? [{ entry, kind, certainty, open }] : [];
  });
}

/**
 * Suggestions for what was pasted or typed; none for words that are searched for.
 * @param {string} text @param {boolean} isPasted
 */
export async function suggestFor(text, isPasted) {
  const isLong = isPasted && (text.length > LONG || text.includes('\n'));
  const least = isLong ? 0 : isPasted ? PASTED : TYPED;
  const all = await suggest(text);
  return (all[0]?.certainty ?? 0) >= least ? all : [];
}

/** What is said of a suggestion below its name. @param {Suggested} suggested */
export const reason = ({ kind }) => `${words.looksLike(kind)}.`;

/** Cards of suggestions. @param {Suggested[]} all */
export const suggestionCards = (all) =>
  el(
    'ul',
    { class: 'cards' },
    all.map((one) =>
      el(
        'li',
        {},
        el(
          'button',
          { type: 'button', class: 'card', 'data-suggestion': one.entry.slug, onclick: one.open },
          el('strong', {}, one.entry.name),
          el('span', {}, reason(one)),
        ),
      ),
    ),
  );
