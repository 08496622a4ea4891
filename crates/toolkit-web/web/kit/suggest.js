//! Suggestions for a pasted text or a dropped file: tools that open filled with it.

import catalog from '../catalog.js';
import { detect, detectFile } from './detector-client.js';
import { el } from './el.js';
import { openFilled } from './hand.js';
import { words } from './words.js';

/** @typedef {import('./palette.js').Entry} Entry */
/** @typedef {{ entry: Entry, kind: string, certainty: number, act: string, open: () => Promise<void> }} Suggested `act`: what the tool will do */

/** What is typed counts as a value only when it surely is one. */
const TYPED = 0.8;
const PASTED = 0.45;
const LONG = 60;

/** What a suggested tool will do: by its slug, its direction, or the last word of its slug. @type {Record<string, string>} */
const ACTS = {
  'jwt-encoder': 'Verify or sign it',
  'json-typescript-converter': 'Convert it to types',
  decode: 'Decode it',
  encode: 'Encode it',
  decrypt: 'Decrypt it',
  encrypt: 'Encrypt it',
  minify: 'Minify it',
  verify: 'Verify it',
  calculator: 'Calculate with it',
  checker: 'Check it',
  converter: 'Convert it',
  counter: 'Count its words',
  decoder: 'Decode it',
  encoder: 'Encode it',
  encryptor: 'Encrypt it',
  explainer: 'Explain it',
  finder: 'Look it up',
  formatter: 'Format it',
  generator: 'Use it',
  optimizer: 'Optimize it',
  parser: 'Take it apart',
  picker: 'Show the color',
  previewer: 'Preview it',
  sorter: 'Sort it',
  tester: 'Search in it',
};

/** What a tool does with a text, by its values and the last word of its slug. @param {string} slug @param {Record<string, any>} values */
function actOf(slug, { mode, to, to_format: format = to }) {
  if (format && format !== 'auto') return `Convert it to ${String(format).toUpperCase()}`;
  const last = slug.split('-').at(-1) ?? '';
  return ACTS[slug] ?? ACTS[mode] ?? ACTS[last] ?? '';
}

/** The tools for a text or file, best first. @param {string | File} data @returns {Promise<Suggested[]>} */
export async function suggest(data) {
  const isText = typeof data === 'string';
  const kinds = await (isText ? detect(data) : detectFile(data));
  return kinds.flatMap(({ slug, kind, certainty, values }) => {
    const entry = /** @type {Entry[]} */ (catalog).find((one) => one.slug === slug);
    const open = () => openFilled(slug, values, isText ? data : '');
    return entry ? [{ entry, kind, certainty, act: actOf(slug, values), open }] : [];
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

/** What the search dialog says of a suggestion below its name. @param {Suggested} suggested */
export const reason = ({ act, kind }) => `${act}. ${words.looksLike(kind)}.`;

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
          el('span', {}, one.act),
        ),
      ),
    ),
  );
