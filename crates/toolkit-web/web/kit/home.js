//! Home: the field, favourites (movable with the keyboard), and recently used tools.

import { announce, button, el, iconButton } from './el.js';
import { part } from './lazy.js';
import { star } from './star.js';
import { get, put } from './store.js';
import { numbers, size, words } from './words.js';

const own = {
  filter: 'Find a tool',
  filterHint: 'Paste anything, or search',
  /** @param {string} name */
  favouriteOf: (name) => `Favorite: ${name}`,
  recent: 'Recently used',
  /** @param {number} count */
  characters: (count) => (count === 1 ? '1 character' : `${numbers.format(count)} characters`),
  /** @param {string} name @param {number} place */
  moved: (name, place) => `${name} is now at place ${place}.`,
  /** @param {string} name */
  moveBack: (name) => `Move ${name} one place up`,
  /** @param {string} name */
  moveOn: (name) => `Move ${name} one place down`,
};

/** @param {HTMLElement} main @param {string} slug */
const cardOf = (main, slug) =>
  /** @type {HTMLElement | null} */ (
    main.querySelector(`.category [data-slug="${CSS.escape(slug)}"]`)
  );

/** @param {string} title @param {string} id @param {HTMLElement[]} items */
const section = (title, id, items) =>
  el(
    'section',
    { 'aria-labelledby': id, class: 'mine' },
    el('h2', { id }, title),
    el('ul', { class: 'cards' }, items),
  );

/** @param {HTMLElement} main @param {string} slug @returns {HTMLElement | undefined} */
function copyOf(main, slug) {
  const card = /** @type {HTMLElement | undefined} */ (cardOf(main, slug)?.cloneNode(true));
  card?.removeAttribute('data-card');
  return card;
}

/** @param {HTMLElement} main @param {() => void} redraw @param {string[]} slugs @param {number} at */
function favourite(main, redraw, slugs, at) {
  const slug = slugs[at] ?? '';
  const card = copyOf(main, slug);
  const name = card?.querySelector('strong')?.textContent ?? slug;
  const move = (/** @type {number} */ to, /** @type {string} */ label) =>
    button(
      to < at ? '←' : '→',
      () => {
        const order = slugs.filter((one) => one !== slug);
        order.splice(to, 0, slug);
        put('favourites', order);
        redraw();
        announce(own.moved(name, to + 1));
        const moved = /** @type {HTMLElement[]} */ ([
          ...main.querySelectorAll(`.mine [data-move="${CSS.escape(slug)}"] button:not(:disabled)`),
        ]);
        (moved.find((one) => one.getAttribute('aria-label') === label) ?? moved[0])?.focus();
      },
      { class: 'small quiet', 'aria-label': label, disabled: to < 0 || to >= slugs.length },
    );
  return el(
    'li',
    { class: 'movable', 'data-move': slug },
    card,
    el(
      'span',
      { class: 'moves' },
      move(at - 1, own.moveBack(name)),
      move(at + 1, own.moveOn(name)),
    ),
  );
}

/** @param {HTMLElement} main @param {HTMLElement} mine */
function drawMine(main, mine) {
  const known = (/** @type {string} */ slug) => cardOf(main, slug) !== null;
  const favourites = get('favourites').filter(known);
  const recent = get('recent').filter((slug) => known(slug) && !favourites.includes(slug));
  mine.replaceChildren();
  if (favourites.length > 0)
    mine.append(
      section(
        words.favourites,
        'favourites',
        favourites.map((_, at) => favourite(main, () => drawMine(main, mine), favourites, at)),
      ),
    );
  if (recent.length > 0)
    mine.append(
      section(
        own.recent,
        'recent',
        recent.map((slug) => el('li', {}, copyOf(main, slug))),
      ),
    );
}

/** Letters of a pasted text shown in the field. */
const LINE = 300;
const CLEAR = 'M4 4l8 8M12 4l-8 8';

/** Whether a file is dragged. @param {DragEvent} event */
const isFile = ({ dataTransfer }) => dataTransfer?.types.includes('Files');

/**
 * The search field. Typing replaces the categories by one ranked list. A pasted or dropped value, or a typed one that is
 * clearly recognized, gets a card with its kind and actions. Enter runs the first action. `/` and Ctrl+K focus the field.
 */
class Entry {
  #hits = el('ul', { class: 'cards', 'data-hits': '', hidden: true });
  #none = el('p', { class: 'hint', hidden: true }, words.nothingFound);
  #card = el('section', { 'aria-labelledby': 'what', class: 'what', hidden: true });
  #length = el('span', { class: 'length' });
  #input = el('input', {
    ...{ type: 'text', id: 'filter', maxlength: 500, placeholder: own.filterHint },
    ...{ autocomplete: 'off', spellcheck: 'false', oninput: () => this.#typed() },
  });
  #clear = iconButton(CLEAR, words.clear('text'), () => this.#cleared(), { hidden: true });
  /** Counts inputs, so that late answers to older ones are dropped. */
  #turn = 0;
  /** Enter waits for this. @type {Promise<unknown>} */
  #pending = Promise.resolve();

  /** @param {HTMLElement} main @param {HTMLElement} mine */
  constructor(main, mine) {
    this.main = main;
    this.mine = mine;
    this.node = el(
      'div',
      { class: 'filter', onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) },
      el('label', { for: 'filter', class: 'unseen' }, own.filter),
      el('div', { class: 'entry' }, this.#input, this.#length, this.#clear),
      this.#card,
      el('div', { class: 'found' }, this.#hits),
      this.#none,
    );
    document.addEventListener('keydown', (event) => this.#slash(event));
    document.addEventListener('paste', (event) => this.#pasted(event));
    document.addEventListener('dragover', (event) => isFile(event) && event.preventDefault());
    document.addEventListener('drop', (event) => this.#dropped(event));
  }

  /** Shows the list of tools, a card, or the categories. @param {{ held?: boolean, slugs?: string[], told?: boolean }} what */
  #show({ held = false, slugs = [], told = false }) {
    this.#hits.replaceChildren(...slugs.map((slug) => el('li', {}, copyOf(this.main, slug))));
    /** @type {NodeListOf<HTMLElement>} */
    const categories = this.main.querySelectorAll('.category');
    for (const other of [this.mine, ...categories]) other.hidden = held || told;
    this.#hits.hidden = slugs.length === 0;
    this.#none.hidden = !told || slugs.length > 0;
    this.#card.hidden = !held || this.#card.childElementCount === 0;
    this.#clear.hidden = this.#input.value === '';
    if (!held) this.#length.textContent = '';
    this.node.classList.toggle('held', held);
  }

  /** Lists the tools for the query. */
  async #search() {
    const { value } = this.#input;
    const turn = this.#turn;
    const palette = await part(words.parts.search, () => import('./palette.js'));
    if (!palette || turn !== this.#turn) return;
    const slugs = value.trim() === '' ? [] : palette.find(value).map(({ slug }) => slug);
    this.#show({ slugs, told: value.trim() !== '' });
    if (value.trim() !== '') announce(words.found(slugs.length));
  }

  /** Shows the card for a recognized text or file. @param {string | File} data @param {boolean} isGiven pasted or dropped, not typed */
  async #look(data, isGiven) {
    const turn = this.#turn;
    const suggested = await part(words.parts.suggestions, async () => {
      const { card, suggest } = await import('./suggest.js');
      const all = await suggest(data, isGiven, isGiven);
      const face = (/** @type {string} */ slug) =>
        cardOf(this.main, slug)?.querySelector('.face')?.cloneNode(true);
      return all.length > 0 ? card(all, face) : undefined;
    });
    if (turn !== this.#turn) return;
    this.#card.replaceChildren(...(suggested ?? []));
    if (!suggested) return isGiven && this.#search();
    this.#show({ held: true });
    announce(this.#card.querySelector('h2')?.textContent ?? '');
  }

  #typed() {
    const { value } = this.#input;
    this.#turn++;
    this.#pending = this.#search().then(() => value.trim().length > 2 && this.#look(value, false));
  }

  #cleared() {
    this.#input.value = '';
    this.#typed();
    this.#input.focus();
  }

  /** Shows a text or file as one line, with its length. @param {string | File} data */
  #hold(data) {
    const isText = typeof data === 'string';
    this.#input.value = (isText ? data : data.name).slice(0, LINE).trim().replace(/\s+/g, ' ');
    this.#length.textContent = isText ? own.characters(data.length) : size(data.size);
    this.#input.focus();
    // Typing replaces the text.
    this.#input.select();
    this.#turn++;
    this.#card.replaceChildren();
    this.#show({ held: true });
    this.#pending = this.#look(data, true);
  }

  /** Moves between the actions of the card, and runs the first. @param {KeyboardEvent} event */
  async #key(event) {
    const { key, target, isComposing } = event;
    if (isComposing) return;
    const actions = /** @type {HTMLElement[]} */ ([...this.#card.querySelectorAll('button')]);
    // In the field, Enter runs the first action.
    const at = Math.max(0, actions.indexOf(/** @type {any} */ (target)));
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[key];
    if (key === 'Escape') this.#clear.click();
    else if (next !== undefined && !this.#card.hidden) {
      event.preventDefault();
      (next < 1 ? this.#input : actions[next])?.focus();
    } else if (key === 'Enter' && target === this.#input) {
      // The latest input may still be being drawn.
      await this.#pending;
      /** @type {HTMLElement | null} */ (
        (this.#card.hidden ? this.#hits : this.#card).querySelector('a, button')
      )?.click();
    }
  }

  /** @param {KeyboardEvent} event */
  #slash(event) {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof Element && target.closest('input, textarea, select, dialog');
    if (key !== '/' || ctrlKey || metaKey || altKey || isTyping) return;
    event.preventDefault();
    this.#input.focus();
  }

  /** @param {ClipboardEvent} event */
  #pasted(event) {
    const { target, clipboardData: data } = event;
    if (target instanceof Element && target.closest('dialog')) return;
    const text = data?.getData('text/plain') ?? '';
    const [file] = data?.files ?? [];
    const { value, selectionStart, selectionEnd } = this.#input;
    // A word pasted into a longer query is part of the search.
    const isPart = target === this.#input && selectionEnd !== (selectionStart ?? 0) + value.length;
    if (isPart && text.length < LINE && !text.includes('\n')) return;
    const given = text.trim() === '' ? file : text;
    if (!given) return;
    event.preventDefault();
    this.#hold(given);
  }

  /** @param {DragEvent} event */
  #dropped(event) {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    this.#hold(file);
  }
}

/** Adds a star to each tile. @param {HTMLElement} main @param {() => void} changed */
function adorn(main, changed) {
  for (const card of main.querySelectorAll('.category [data-card]')) {
    const name = card.querySelector('strong')?.textContent ?? '';
    const { slug = '' } = /** @type {HTMLElement} */ (card).dataset;
    card.after(star(slug, own.favouriteOf(name), changed));
  }
}

/** @param {HTMLElement} main @param {HTMLElement} place */
export function start(main, place) {
  const mine = el('div', {});
  place.append(new Entry(main, mine).node, mine);
  drawMine(main, mine);
  adorn(main, () => drawMine(main, mine));
  // On a touch screen the keyboard would cover the page.
  if (matchMedia('(hover: hover)').matches)
    document.getElementById('filter')?.focus({ preventScroll: true });
  main.dataset.state = 'ready';
}
