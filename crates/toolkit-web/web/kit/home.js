//! Home: the filter, favourites (movable with the keyboard), and recently used tools.

import { announce, button, el } from './el.js';
import { star } from './page.js';
import { part } from './part.js';
import { get, put } from './store.js';
import { words } from './words.js';

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
        announce(words.moved(name, to + 1));
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
      move(at - 1, words.moveBack(name)),
      move(at + 1, words.moveOn(name)),
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
        words.recent,
        'recent',
        recent.map((slug) => el('li', {}, copyOf(main, slug))),
      ),
    );
}

/**
 * The field: what is typed leaves one ranked list in place of the categories. Enter opens the first suggestion, or else
 * the first hit; `/` and Ctrl+K come back to it.
 * @param {HTMLElement} main @param {HTMLElement} mine @param {HTMLElement} suggestions @param {{ pending: Promise<void> }} looked
 */
function filter(main, mine, suggestions, looked) {
  const hits = el('ul', { class: 'cards', 'data-hits': '', hidden: true });
  const none = el('p', { class: 'hint', hidden: true }, words.nothingFound);
  const draw = async () => {
    const { value } = input;
    const palette = await part(words.parts.search, () => import('./palette.js'));
    if (!palette || value !== input.value) return;
    const isSearch = value.trim() !== '';
    const entries = isSearch ? palette.find(value) : [];
    hits.replaceChildren(...entries.map(({ slug }) => el('li', {}, copyOf(main, slug))));
    /** @type {NodeListOf<HTMLElement>} */
    const categories = main.querySelectorAll('.category');
    for (const other of [mine, ...categories]) other.hidden = isSearch;
    hits.hidden = entries.length === 0;
    none.hidden = !isSearch || entries.length > 0;
    if (isSearch) announce(words.found(entries.length));
  };
  const input = el('input', {
    type: 'search',
    id: 'filter',
    maxlength: 500,
    placeholder: words.filterHint,
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: draw,
    onkeydown: async (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      // What was typed or pasted a moment ago is drawn first.
      await Promise.all([draw(), looked.pending]);
      const first = suggestions.hidden ? hits : suggestions;
      /** @type {HTMLElement | null} */ (first.querySelector('a, button'))?.click();
    },
  });
  document.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof Element && target.closest('input, textarea, select, dialog');
    if (key !== '/' || ctrlKey || metaKey || altKey || isTyping) return;
    event.preventDefault();
    input.focus();
  });
  return el(
    'div',
    { class: 'filter' },
    el('label', { for: 'filter', class: 'unseen' }, words.filter),
    input,
    suggestions,
    el('div', { class: 'found' }, hits),
    none,
  );
}

/** A shorter text has nothing inside. */
const SHORTEST = 8;

/** Tools for what is pasted, dropped or typed, and what is inside of it. @param {HTMLElement} main @param {HTMLElement} place @param {HTMLElement} inside @param {HTMLInputElement} input @param {{ pending: Promise<void> }} looked */
function suggesting(main, place, inside, input, looked) {
  let turn = 0;
  /** @param {string | File} data @param {boolean} isGiven pasted or dropped, not typed */
  const look = async (data, isGiven) => {
    const mine = ++turn;
    const shown = await part(words.parts.suggestions, async () => {
      const { suggest, suggestFor, suggestionCards } = await import('./suggest.js');
      const tools = await (typeof data === 'string' ? suggestFor(data, isGiven) : suggest(data));
      return { tools, cards: suggestionCards(tools) };
    });
    const [best] = shown?.tools ?? [];
    if (mine !== turn) return;
    place.hidden = best === undefined;
    if (!shown || !best) return;
    for (const button of shown.cards.querySelectorAll('button')) {
      const { suggestion = '' } = button.dataset;
      const face = cardOf(main, suggestion)?.querySelector('.face')?.cloneNode(true);
      if (face) button.prepend(face);
    }
    place.replaceChildren(el('h2', { id: 'suggestions' }, words.looksLike(best.kind)), shown.cards);
    announce(words.suggested(shown.tools.length));
  };
  /** @param {string | File} data */
  const open = async (data) => {
    const mine = turn;
    const text = typeof data === 'string' && data.trim().length >= SHORTEST ? data : undefined;
    const tree =
      text === undefined
        ? undefined
        : await part(words.parts.peel, async () => (await import('./peel.js')).inside(text));
    if (mine !== turn) return;
    inside.hidden = tree === undefined;
    inside.replaceChildren(...(tree ?? []));
  };
  /** @param {string | File} data @param {boolean} isGiven */
  const suggest = (data, isGiven) => {
    looked.pending = look(data, isGiven);
    open(data);
  };
  const clear = () => {
    turn++;
    place.hidden = inside.hidden = true;
  };
  input.addEventListener('input', (event) => {
    if (/** @type {InputEvent} */ (event).inputType === 'insertFromPaste') return;
    if (input.value.length > 2) suggest(input.value, false);
    else clear();
  });
  document.addEventListener('paste', (event) => {
    const { target, clipboardData: data } = event;
    if (target instanceof Element && target.closest('dialog')) return;
    const text = data?.getData('text/plain') ?? '';
    const [file] = data?.files ?? [];
    if (text.trim() !== '') suggest(text, true);
    else if (file) suggest(file, true);
    // A field of one line would join the lines.
    if (text.includes('\n') || text.length > input.maxLength) event.preventDefault();
  });
  const isFile = (/** @type {DragEvent} */ { dataTransfer }) =>
    dataTransfer?.types.includes('Files');
  document.addEventListener('dragover', (event) => isFile(event) && event.preventDefault());
  document.addEventListener('drop', (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    suggest(file, true);
  });
}

/** A star on each tile. @param {HTMLElement} main @param {() => void} changed */
function adorn(main, changed) {
  for (const card of main.querySelectorAll('.category [data-card]')) {
    const name = card.querySelector('strong')?.textContent ?? '';
    const { slug = '' } = /** @type {HTMLElement} */ (card).dataset;
    card.after(star(slug, words.favouriteOf(name), changed));
  }
}

/** @param {HTMLElement} main @param {HTMLElement} place */
export function start(main, place) {
  const mine = el('div', {});
  const suggestions = el('section', {
    'aria-labelledby': 'suggestions',
    class: 'found suggestions',
    hidden: true,
  });
  const inside = el('section', { 'aria-labelledby': 'inside', class: 'inside', hidden: true });
  const looked = { pending: Promise.resolve() };
  const search = filter(main, mine, suggestions, looked);
  place.append(search, mine);
  const input = /** @type {HTMLInputElement} */ (search.querySelector('input'));
  suggestions.before(inside);
  suggesting(main, suggestions, inside, input, looked);
  drawMine(main, mine);
  adorn(main, () => drawMine(main, mine));
  // On a touch screen the keyboard would cover the page.
  if (matchMedia('(hover: hover)').matches) input.focus({ preventScroll: true });
  main.dataset.state = 'ready';
}
