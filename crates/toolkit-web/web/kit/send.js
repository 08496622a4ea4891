//! What can be done with a result: use it as input of the other direction, or open it in a tool
//! that takes its kind.

import catalog from '../catalog.js';
import { detect, tokens } from './detector-client.js';
import { button, el, iconButton } from './el.js';
import { openFilled } from './hand.js';
import { highlight } from './highlight.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @typedef {import('./palette.js').Entry} Entry */

const LEAST = 0.5;
/** An offer is made only of what surely is one. */
const SURE = 0.8;
const MOST = 3;
const LONGEST = 1 << 20;
const TURN = 'M5 2.500L2 5.500l3 3M2 5.500h9a3 3 0 0 1 0 8H8';
/** Pairs of directions of one field, and pairs of fields that trade places. */
const TURNS = [
  ['encode', 'decode'],
  ['encrypt', 'decrypt'],
];
const TRADES = [
  ['from', 'to'],
  ['from_format', 'to_format'],
];

/** @param {T.Fields} fields */
const content = (fields) =>
  Object.keys(fields).find((name) => ['text', 'line'].includes(fields[name]?.kind ?? ''));

/**
 * The values that turn the direction of a tool, or undefined when it has one only.
 * @param {T.Fields} fields @param {Record<string, any>} raw
 * @returns {Record<string, any> | undefined}
 */
export function turned(fields, raw) {
  for (const turn of TURNS) {
    const other = turn.find((one) => one !== raw.mode);
    if (
      turn.includes(raw.mode) &&
      turn.every((one) => Object.hasOwn(fields.mode?.choices ?? {}, one))
    )
      return { mode: other };
  }
  for (const [from = '', to = ''] of TRADES) {
    const fits =
      Object.hasOwn(fields[from]?.choices ?? {}, raw[to]) &&
      Object.hasOwn(fields[to]?.choices ?? {}, raw[from]);
    if (fits && raw[from] !== raw[to]) return { [from]: raw[to], [to]: raw[from] };
  }
  return undefined;
}

/** @typedef {{ slug: string, fields: T.Fields, page: T.ViewPage }} Where */

/** Fills the form; the focus goes to its text, as the button that was pressed goes. @param {T.ViewPage} page @param {Record<string, any>} values */
function fill(page, values) {
  page.set(values);
  /** @type {HTMLElement | null} */ (
    document.querySelector('.panes textarea, .lines-pane input')
  )?.focus();
}

/**
 * A menu in the head of an output; undefined when nothing takes it.
 * @param {string} text @param {Where} where @param {readonly T.Opens[]} [opens] what is offered first
 */
export async function sendOn(text, { slug, fields, page }, opens = []) {
  const isText = text.trim() !== '' && text.length <= LONGEST;
  if (!isText && opens.length === 0) return undefined;
  const sent = (/** @type {string} */ to) => ({ class: 'small quiet', 'data-send-to': to });
  const field = content(fields);
  const turn = isText ? turned(fields, page.values()) : undefined;
  const own =
    turn && field
      ? iconButton(TURN, words.useAsInput, () => fill(page, { ...turn, [field]: text }), {
          'data-send-to': slug,
        })
      : null;
  const detected = (isText ? await detect(text) : [])
    .filter((one) => one.slug !== slug && one.certainty >= LEAST)
    .map(({ slug: to, values }) => /** @type {const} */ ([to, values]));
  const others = [...opens, ...detected]
    .filter(([to], at, all) => all.findIndex(([one]) => one === to) === at)
    .slice(0, MOST)
    .flatMap(([to, values]) => {
      const entry = /** @type {Entry[]} */ (catalog).find((one) => one.slug === to);
      if (!entry) return [];
      const open = () => openFilled(to, values, text);
      const label = words.openIn(entry.name);
      return [button(entry.name, open, { ...sent(to), 'aria-label': label })];
    });
  if (!own && others.length === 0) return undefined;
  const menu = el(
    'details',
    {
      class: 'menu',
      onkeydown: (/** @type {KeyboardEvent} */ { key }) => {
        if (key !== 'Escape' || !menu.open) return;
        menu.open = false;
        menu.querySelector('summary')?.focus();
      },
    },
    el('summary', {}, words.openInAny),
    el('div', { class: 'send', role: 'group', 'aria-label': words.openInAny }, others),
  );
  return el('span', { class: 'sends' }, own, others.length > 0 ? menu : null);
}

/** Colors what shows a text, by what the text is. @param {string} text */
export async function colored(text) {
  const all = await tokens(text);
  return (/** @type {Node} */ place) => highlight(place, all);
}

/**
 * A sentence and a button for a pasted text that is of the other direction or format, or, when it
 * is refused here, for another tool.
 * @param {string} text @param {boolean} isRefused @param {Where} where @returns {Promise<(string | Node)[]>}
 */
export async function offer(text, isRefused, { slug, fields, page }) {
  const all = (await detect(text)).filter(({ certainty }) => certainty >= SURE);
  const mine = all.find((one) => one.slug === slug);
  const raw = page.values();
  const changes = Object.entries(mine?.values ?? {}).filter(
    ([name, value]) => fields[name]?.kind === 'choice' && raw[name] !== value,
  );
  // What is read matters, not what is written.
  const [name, value] = changes.find(([name]) => !['to', 'to_format'].includes(name)) ?? [];
  if (mine && name !== undefined) {
    const label = `${fields[name]?.label}: ${fields[name]?.choices?.[value]}`;
    const act = () => fill(page, Object.fromEntries(changes));
    return [`${words.looksLike(mine.kind)}.`, button(label, act, { class: 'small' })];
  }
  const [first] = all;
  const entry = /** @type {Entry[]} */ (catalog).find((one) => one.slug === first?.slug);
  if (!isRefused || mine || !first || !entry) return [];
  const open = () => openFilled(first.slug, first.values, text);
  const attributes = { class: 'small', 'data-send-to': first.slug };
  return [`${words.looksLike(first.kind)}.`, button(words.openIn(entry.name), open, attributes)];
}
