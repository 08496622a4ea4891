//! Search dialog: a combobox over all tools (Ctrl+K or ⌘K).

import catalog from '../catalog.js';
import { announce, el, set } from './el.js';
import { get } from './store.js';
import { words } from './words.js';

/** @typedef {{ slug: string, name: string, category: string, description: string, keywords: string[] }} Entry */

const { base = '' } = document.documentElement.dataset;

/** @param {string} text */
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether one changed, missing, added or swapped letter turns `typed` into the beginning of `word`. @param {string} typed @param {string} word */
function almost(typed, word) {
  if (typed.length < 4) return false;
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at++;
  const rest = typed.slice(at + 1);
  return (
    word.startsWith(rest, at + 1) ||
    word.startsWith(typed.slice(at), at + 1) ||
    word.startsWith(rest, at) ||
    (typed[at] === word[at + 1] &&
      typed[at + 1] === word[at] &&
      word.startsWith(typed.slice(at + 2), at + 2))
  );
}

/** @type {[(entry: Entry) => string, number][]} */
const PARTS = [
  [({ name }) => name, 8],
  [({ slug }) => slug, 6],
  [({ keywords }) => keywords.join(' '), 4],
  [({ category }) => category, 2],
  [({ description }) => description, 1],
];
const index = /** @type {Entry[]} */ (catalog).map((entry) => ({
  entry,
  parts: PARTS.map(([part, weight]) => ({ found: wordsOf(part(entry)), weight })),
}));

/** The weight of one typed word in an entry; 0 when it is absent. @param {string} typed @param {typeof index[number]['parts']} parts */
function weigh(typed, parts) {
  let best = 0;
  for (const { found, weight } of parts)
    for (const word of found) {
      if (word.startsWith(typed)) best = Math.max(best, weight + (word === typed ? 2 : 1));
      else if (almost(typed, word)) best = Math.max(best, weight / 4);
    }
  return best;
}

/** Words that say nothing of what is looked for. */
const SMALL = new Set(
  'a an and as for from how i in into is it my of on or the to tool with'.split(' '),
);

/** Favourites, then recent tools, then all others. @returns {Entry[]} */
function usual() {
  const first = [...get('favourites'), ...get('recent')];
  const place = (/** @type {Entry} */ { slug }) => first.indexOf(slug) + 1 || first.length + 1;
  return index.map(({ entry }) => entry).sort((a, b) => place(a) - place(b));
}

/** Entries that have any of the typed words, best first; favourites before others. @param {string} query @returns {Entry[]} */
export function find(query) {
  const favourites = get('favourites');
  const all = wordsOf(query);
  const large = all.filter((word) => !SMALL.has(word));
  const typed = large.length > 0 ? large : all;
  if (typed.length === 0) return usual();
  return index
    .map(({ entry, parts }) => {
      const weights = typed.map((word) => weigh(word, parts));
      const share = weights.filter(Boolean).length / typed.length;
      const loved = favourites.includes(entry.slug) ? 3 : 0;
      const sum = weights.reduce((a, b) => a + b, 0);
      return { entry, weight: sum && (sum + loved) * share * share };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ entry }) => entry);
}

class Palette {
  at = 0;
  /** Tools for what was pasted or typed. @type {import('./suggest.js').Suggested[]} */
  suggested = [];
  constructor() {
    this.list = el('ul', { id: 'search-list', role: 'listbox', 'aria-label': words.tools });
    this.none = el('p', { class: 'hint', hidden: true }, words.nothingFound);
    this.input = el('input', {
      type: 'text',
      role: 'combobox',
      'aria-label': words.search,
      'aria-controls': 'search-list',
      'aria-expanded': 'true',
      'aria-autocomplete': 'list',
      autocomplete: 'off',
      spellcheck: 'false',
      onpaste: (/** @type {ClipboardEvent} */ event) => this.paste(event),
      oninput: () => {
        this.suggested = [];
        this.draw();
        if (this.input.value.length > 2) this.suggest(this.input.value, false);
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
    });
    this.node = el(
      'dialog',
      {
        class: 'palette',
        'aria-label': words.search,
        onclick: (/** @type {Event} */ event) => {
          if (event.target === this.node) this.node.close();
        },
      },
      el(
        'div',
        { class: 'palette-box' },
        this.input,
        this.list,
        this.none,
        el('p', { class: 'help' }, words.searchKeys),
      ),
    );
    document.body.append(this.node);
  }
  /** @param {ClipboardEvent} event */
  paste(event) {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.trim() === '') return;
    event.preventDefault();
    this.input.value = text.trim().slice(0, 200).replace(/\s+/g, ' ');
    this.suggested = [];
    this.draw();
    this.suggest(text, true);
  }
  /** @param {string} text @param {boolean} isPasted */
  async suggest(text, isPasted) {
    const shown = this.input.value;
    const { reason, suggestFor } = await import('./suggest.js');
    const found = await suggestFor(text, isPasted);
    if (this.input.value !== shown || found.length === 0) return;
    this.suggested = found;
    this.draw(reason);
  }
  /** @param {(one: import('./suggest.js').Suggested) => string} [reason] */
  draw(reason = () => '') {
    const favourites = get('favourites');
    const slugs = this.suggested.map(({ entry }) => entry.slug);
    const found = find(this.input.value).filter(({ slug }) => !slugs.includes(slug));
    const rows = [
      ...this.suggested.map((one) => ({ entry: one.entry, text: reason(one), open: one.open })),
      ...found.map((entry) => ({ entry, text: entry.description, open: undefined })),
    ];
    this.list.replaceChildren(
      ...rows.map(({ entry: { slug, name }, text, open }, at) =>
        el(
          'li',
          {
            role: 'option',
            id: `search-${at}`,
            'data-slug': slug,
            'data-suggestion': open ? slug : undefined,
            'aria-selected': 'false',
            onclick: () => this.go(slug, open),
            onmousemove: () => this.move(at, false),
          },
          el('strong', {}, name, favourites.includes(slug) ? ' ★' : ''),
          el('span', {}, text),
        ),
      ),
    );
    this.none.hidden = rows.length > 0;
    const told = this.suggested.length;
    if (this.input.value) announce(told > 0 ? words.suggested(told) : words.found(found.length));
    this.list.scrollTop = 0;
    this.move(0, false);
  }
  /** @param {number} at */
  move(at, scroll = true) {
    const { children } = this.list;
    set(children[this.at] ?? this.list, 'aria-selected', 'false');
    this.at = (at + children.length) % (children.length || 1);
    const item = children[this.at];
    set(this.input, 'aria-activedescendant', item?.id);
    if (!item) return;
    set(item, 'aria-selected', 'true');
    if (scroll) item.scrollIntoView({ block: 'nearest' });
  }
  /** @param {KeyboardEvent} event */
  key(event) {
    const steps = {
      ArrowDown: this.at + 1,
      ArrowUp: this.at - 1,
      PageDown: Math.min(this.at + 8, this.list.children.length - 1),
      PageUp: Math.max(this.at - 8, 0),
    };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    const item = /** @type {HTMLElement | undefined} */ (this.list.children[this.at]);
    if (step !== undefined) this.move(step);
    else if (event.key === 'Enter' && item) item.click();
    else return;
    event.preventDefault();
  }
  /** @param {string} slug @param {() => unknown} [open] opens it filled */
  go(slug, open) {
    if (open) open();
    else location.href = `${base}/tools/${slug}`;
  }
}

/** @type {Palette | undefined} */
let palette;

/** Opens the dialog with the keyboard in its field. */
export function open() {
  palette ??= new Palette();
  const dialog = palette.node;
  if (!dialog.open) dialog.showModal();
  palette.input.value = '';
  palette.suggested = [];
  palette.draw();
  palette.input.focus();
}
