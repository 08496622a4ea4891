//! Actions for a result: use it as input in the other direction, or open it in a tool that accepts it.

import catalog from '../catalog.js';
import { detect, tokens } from './detector-client.js';
import { button, el, iconButton } from './el.js';
import { openFilled } from './handoff.js';
import { highlight } from './highlight.js';
import { label, words } from './words.js';

/** @import * as T from './types.d.ts' */

const own = {
  /** @param {string} name */
  openIn: (name) => `Open in ${name}`,
  openInAny: 'Open in',
  useAsInput: 'Use as input',
  /** The decision for a pasted text. @param {string} verb @param {string} kind */
  turned: (verb, kind) => `${label(verb).replace(/e?$/, 'ed')}, as it is ${kind}`,
  /** @param {string} format */
  readAs: (format) => `Read as ${format}`,
  /** @param {string} verb */
  instead: (verb) => `${verb} instead`,
};

const LEAST = 0.5;
/** Minimum certainty for an offer. */
const SURE = 0.8;
const MOST = 3;
const LONGEST = 1 << 20;
const TURN = 'M5 2.500L2 5.500l3 3M2 5.500h9a3 3 0 0 1 0 8H8';
/** Pairs of directions of one field, and pairs of fields that are swapped. */
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
 * The values that reverse the direction of a tool. Undefined if it has only one.
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

/** Fills the form. Focuses its text, because the pressed button disappears. @param {T.ViewPage} page @param {Record<string, any>} values */
function fill(page, values) {
  page.set(values);
  /** @type {HTMLElement | null} */ (
    document.querySelector('.panes textarea, .lines-pane input')
  )?.focus();
}

/**
 * The menu in the head of an output. Undefined if no tool accepts the text.
 * @param {string} text @param {Where} where @param {readonly T.Opens[]} [opens] tools that are offered first
 */
export async function sendOn(text, { slug, fields, page }, opens = []) {
  const isText = text.trim() !== '' && text.length <= LONGEST;
  if (!isText && opens.length === 0) return undefined;
  const sent = (/** @type {string} */ to) => ({ class: 'small quiet', 'data-send-to': to });
  const field = content(fields);
  const turn = isText ? turned(fields, page.values()) : undefined;
  const turner =
    turn && field
      ? iconButton(TURN, own.useAsInput, () => fill(page, { ...turn, [field]: text }), {
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
      const entry = catalog.find((one) => one.slug === to);
      if (!entry) return [];
      const open = () => openFilled(to, values, text);
      const label = own.openIn(entry.name);
      return [button(entry.name, open, { ...sent(to), 'aria-label': label })];
    });
  if (!turner && others.length === 0) return undefined;
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
    el('summary', {}, own.openInAny),
    el('div', { class: 'send', role: 'group', 'aria-label': own.openInAny }, others),
  );
  return el('span', { class: 'sends' }, turner, others.length > 0 ? menu : null);
}

/** A function that colors a displayed text by its kind. @param {string} text */
export async function colored(text) {
  const all = await tokens(text);
  return (/** @type {Node} */ place) => highlight(place, all);
}

/** The form values for a text that clearly has another direction or format. @param {string} text @param {Where} where @param {Awaited<ReturnType<typeof detect>>} [all] */
export async function direction(text, { slug, fields, page }, all) {
  const mine = (all ?? (await detect(text))).find(
    (one) => one.slug === slug && one.certainty >= SURE,
  );
  const raw = page.values();
  const changes = Object.entries(mine?.values ?? {}).filter(
    ([name, value]) => fields[name]?.kind === 'choice' && raw[name] !== value,
  );
  // The format to read matters, not the format to write.
  const [name, value] = changes.find(([name]) => !['to', 'to_format'].includes(name)) ?? [];
  const { label: option, choices } = fields[name ?? ''] ?? {};
  if (!mine || !name) return undefined;
  const isTurn = TURNS.some((turn) => turn.includes(value));
  return {
    ...{ kind: mine.kind, values: Object.fromEntries(changes) },
    label: `${option}: ${choices?.[value]}`,
    /** @type {T.TookOutput} */
    took: {
      kind: 'took',
      text: isTurn ? own.turned(value, mine.kind) : own.readAs(`${choices?.[value]}`),
      back: isTurn
        ? { label: own.instead(`${raw[name]}`), values: { [name]: raw[name] } }
        : { field: name },
    },
  };
}

/**
 * A sentence and a button for a pasted text in the other direction or format, or, if this tool refuses it, for another
 * tool.
 * @param {string} text @param {boolean} isRefused @param {Where} where @returns {Promise<(string | Node)[]>}
 */
export async function offer(text, isRefused, where) {
  const all = await detect(text);
  const turn = await direction(text, where, all);
  if (turn) {
    const act = () => fill(where.page, turn.values);
    return [`${words.looksLike(turn.kind)}.`, button(turn.label, act, { class: 'small' })];
  }
  const [first] = all.filter(({ certainty }) => certainty >= SURE);
  const isMine = all.some((one) => one.slug === where.slug && one.certainty >= SURE);
  const entry = catalog.find((one) => one.slug === first?.slug);
  if (!isRefused || isMine || !first || !entry) return [];
  const open = () => openFilled(first.slug, first.values, text);
  const attributes = { class: 'small', 'data-send-to': first.slug };
  return [`${words.looksLike(first.kind)}.`, button(own.openIn(entry.name), open, attributes)];
}
