//! The kind of a text or file, and the tools that accept it. They open with the input filled in.

import catalog from '../catalog.js';
import { detect, detectFile, tries } from './detector-client.js';
import { el } from './el.js';
import { openFilled } from './handoff.js';
import { label, words } from './words.js';

/** @typedef {(typeof catalog)[number]} Entry */
/** @typedef {Partial<import('./trial.js').Said> & { entry: Entry, kind: string, certainty: number, act: string, open: () => Promise<void> }} Suggested `act`: the action in words */

/** Minimum certainty for typed and for pasted texts. */
const TYPED = 0.8;
const PASTED = 0.45;
/** Longer texts are not search queries. */
const LONG = 60;

/** Actions by slug, or by its last word. @type {Record<string, string>} */
const ACTS = {
  'case-converter': 'Change its case',
  'gradient-generator': 'Edit it',
  'hash-generator': 'Hash it',
  'json-typescript-converter': 'Convert it to types',
  'jwt-encoder': 'Verify or sign it',
  'meta-tag-generator': 'Read its meta tags',
  'qr-code-generator': 'Make a QR code of it',
  'rsa-key-generator': 'Check it',
  'slug-generator': 'Make a slug of it',
  'text-diff-checker': 'Compare it',
  'timezone-converter': 'Show it in other zones',
  'totp-generator': 'Get its code',
  'uuid-generator': 'Inspect it',
  'ulid-generator': 'Inspect it',
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
  optimizer: 'Optimize it',
  parser: 'Take it apart',
  picker: 'Show the color',
  previewer: 'Preview it',
  sorter: 'Sort it',
  tester: 'Search in it',
};

/** The action of a tool with these values. @param {string} slug @param {Record<string, any>} values */
function actOf(slug, { mode, to, to_format: format = to, compare }) {
  if (format && format !== 'auto')
    return `Convert it to ${format === 'objects' ? 'JSON' : String(format).toUpperCase()}`;
  if (compare) return 'Compare a file with it';
  const last = mode ? `${label(mode)} it` : ACTS[slug.split('-').at(-1) ?? ''];
  return ACTS[slug] ?? last ?? '';
}

/**
 * Tools for a pasted, dropped or typed input, each tried with it, best first. None for a search query.
 * @param {string | File} data @param {boolean} isGiven pasted or dropped, not typed
 * @param {boolean} [isAny] what is not recognized is no search query @returns {Promise<Suggested[]>}
 */
export async function suggest(data, isGiven, isAny = false) {
  const isText = typeof data === 'string';
  const isLong = !isText || (isGiven && (data.length > LONG || data.includes('\n')));
  const all = (await (isText ? detect(data) : detectFile(data))).filter(
    ({ kind, certainty }) => isLong || !isAny || certainty >= PASTED || kind === 'text',
  );
  const least = isLong || isAny ? 0 : isGiven ? PASTED : TYPED;
  if ((all[0]?.certainty ?? 0) < least) return [];
  const good = (await tries(all)) ?? all;
  // What only looked like a value is searched for.
  if ((good[0]?.certainty ?? 0) < least) return [];
  return (good.length > 0 ? good : all).flatMap(({ slug, values, ...said }) => {
    const entry = catalog.find((one) => one.slug === slug);
    const open = () => openFilled(slug, values, isText ? data : '');
    return entry ? [{ ...said, entry, act: actOf(slug, values), open }] : [];
  });
}

/** The line below a suggestion in the search dialog. @param {Suggested} suggested */
export const reason = ({ act, kind }) => `${act}. ${words.looksLike(kind)}.`;

/** Tools whose notes say what a text is. Those of others are about their other fields. */
const NAMING = ['hash-generator', 'base64-encoder'];

/** The title of the card. @param {Suggested} suggested */
function title({ entry, kind, headline = '', tone }) {
  const verdict = headline && `, ${headline.charAt(0).toLowerCase()}${headline.slice(1)}`;
  const isNamed = headline && NAMING.includes(entry.slug);
  const said = tone !== 'note' ? kind + verdict : isNamed ? headline : kind;
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** Keys that open the first two suggestions. */
const KEYS = ['Enter', '↓ Enter'];

/** The content of the card. @param {Suggested[]} all at least one @param {(slug: string) => Node | null | undefined} faceOf */
export function card(all, faceOf) {
  const [best] = /** @type {[Suggested]} */ (all);
  return [
    el('h2', { id: 'what', class: best.tone, dir: 'auto' }, title(best)),
    best.below ? el('p', { dir: 'auto' }, best.below) : '',
    el(
      'ul',
      {},
      all
        .slice(0, 4)
        .map(({ entry, act, open }, at) =>
          el(
            'li',
            {},
            el(
              'button',
              { type: 'button', 'data-suggestion': entry.slug, onclick: open },
              faceOf(entry.slug),
              el('strong', {}, act),
              el('span', {}, entry.name),
              KEYS[at] ? el('kbd', { 'aria-hidden': 'true' }, KEYS[at]) : null,
            ),
          ),
        ),
    ),
  ];
}
