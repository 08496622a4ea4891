//! Search dialog: a combobox over all tools (Ctrl+K or ⌘K).

import catalog from '../catalog.js';
import { DECLARED } from './declared.js';
import { announce, el, set } from './el.js';
import { part } from './lazy.js';
import { searchOf } from './search.js';
import { get } from './store.js';
import { words } from './words.js';

/** @typedef {{ slug: string, name: string, category: string, description: string, keywords: string[] }} Entry */

const own = {
  tools: 'Tools',
  searchKeys: 'Arrow keys choose, Enter opens, Escape closes.',
  /** @param {number} count */
  suggested: (count) => (count === 1 ? '1 tool is suggested.' : `${count} tools are suggested.`),
};

const { base = '' } = document.documentElement.dataset;

const entries = /** @type {Entry[]} */ (catalog);
const search = searchOf(entries, DECLARED);
const here = document.querySelector('main')?.dataset.slug;

/** Favorites, then recent tools, then all others. @returns {Entry[]} */
function usual() {
  const first = [...get('favourites'), ...get('recent')];
  const place = (/** @type {Entry} */ { slug }) => first.indexOf(slug) + 1 || first.length + 1;
  return [...entries].sort((a, b) => place(a) - place(b));
}

/** Tools for a query, best first. The current page's tool is last. @param {string} query @returns {Entry[]} */
export function find(query) {
  const all = query.trim() === '' ? usual() : search(query);
  return [...all.filter(({ slug }) => slug !== here), ...all.filter(({ slug }) => slug === here)];
}

class Palette {
  at = 0;
  /** Tools suggested for the pasted or typed text. @type {import('./suggest.js').Suggested[]} */
  suggested = [];
  /** @param {HTMLInputElement} input in the dialog */
  constructor(input) {
    this.list = el('ul', { id: 'search-list', role: 'listbox', 'aria-label': own.tools });
    this.none = el('p', { class: 'hint', hidden: true }, words.nothingFound);
    this.input = input;
    const attributes = {
      role: 'combobox',
      'aria-controls': 'search-list',
      'aria-expanded': 'true',
      'aria-autocomplete': 'list',
      onpaste: (/** @type {ClipboardEvent} */ event) => this.paste(event),
      oninput: () => this.typed(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
    };
    for (const [name, value] of Object.entries(attributes)) set(input, name, value);
    input.after(this.list, this.none, el('p', { class: 'help' }, own.searchKeys));
  }
  typed() {
    this.suggested = [];
    this.draw();
    if (this.input.value.length > 2) this.suggest(this.input.value, false);
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
    const suggest = await part(words.parts.suggestions, () => import('./suggest.js'));
    const tools = await part(words.parts.suggestions, async () => suggest?.suggest(text, isPasted));
    if (this.input.value !== shown || !suggest || !tools?.length) return;
    this.suggested = tools;
    this.draw(suggest.reason);
  }
  /** @param {(one: import('./suggest.js').Suggested) => string} [reason] */
  draw(reason = () => '') {
    const favourites = get('favourites');
    const slugs = this.suggested.map(({ entry }) => entry.slug);
    const matching = find(this.input.value).filter(({ slug }) => !slugs.includes(slug));
    const rows = [
      ...this.suggested.map((one) => ({ entry: one.entry, text: reason(one), open: one.open })),
      ...matching.map((entry) => ({ entry, text: entry.description, open: undefined })),
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
    if (this.input.value) announce(told > 0 ? own.suggested(told) : words.found(matching.length));
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

/** Lists tools in the open dialog, whose field may already contain text. @param {HTMLInputElement} input @param {boolean} isEntered whether Enter was already pressed */
export function open(input, isEntered) {
  palette ??= new Palette(input);
  palette.typed();
  if (isEntered) palette.key(new KeyboardEvent('keydown', { key: 'Enter' }));
}
