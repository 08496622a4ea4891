//! Home: the filter, favourites (movable with the keyboard), and recently used tools.

import { announce, button, el, icon, styled } from './el.js';
import { star } from './page.js';
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

/** @param {HTMLElement} main @param {HTMLElement} mine @param {HTMLElement} none */
function filter(main, mine, none) {
  const input = el('input', {
    type: 'search',
    id: 'filter',
    maxlength: 500,
    placeholder: words.filterHint,
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: async () => {
      const { find } = await import('./palette.js');
      const found = new Set(find(input.value).map(({ slug }) => slug));
      mine.hidden = input.value !== '';
      for (const category of main.querySelectorAll('.category')) {
        const cards = /** @type {HTMLElement[]} */ ([...category.querySelectorAll('[data-card]')]);
        for (const card of cards) {
          const item = card.closest('li');
          if (item) item.hidden = !found.has(card.dataset.slug ?? '');
        }
        /** @type {HTMLElement} */ (category).hidden = cards.every(
          (card) => card.closest('li')?.hidden,
        );
      }
      none.hidden = found.size > 0;
      announce(words.found(found.size));
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const first = /** @type {HTMLAnchorElement | undefined} */ (
        [...main.querySelectorAll('.category:not([hidden]) li:not([hidden]) [data-card]')][0]
      );
      if (event.key === 'Enter' && input.value && first) first.click();
    },
  });
  return el('div', { class: 'filter' }, el('label', { for: 'filter' }, words.filter), input);
}

/** Tools for what is pasted, dropped or typed. @param {HTMLElement} place @param {HTMLInputElement} input */
function suggesting(place, input) {
  let turn = 0;
  /** @param {string | File} data @param {boolean} isGiven pasted or dropped, not typed */
  const suggest = async (data, isGiven) => {
    const mine = ++turn;
    const { suggest: of, suggestFor, suggestionCards } = await import('./suggest.js');
    const found = await (typeof data === 'string' ? suggestFor(data, isGiven) : of(data));
    if (mine !== turn) return;
    place.hidden = found.length === 0;
    if (!found[0]) return;
    const title = words.looksLike(found[0].kind);
    place.replaceChildren(el('h2', { id: 'suggestions' }, title), suggestionCards(found));
    announce(words.suggested(found.length));
  };
  const clear = () => {
    turn++;
    place.hidden = true;
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

/** An icon for each category. @type {Record<string, string>} */
const ICONS = {
  encoders: 'M5 4L1.5 8 5 12M11 4l3.5 4-3.5 4M9.5 3l-3 10',
  formatters: 'M2 3h12M5 6.500h9M5 10h6M2 13.500h12',
  crypto: 'M3.5 7h9v7h-9zM5.5 7V4.500a2.5 2.5 0 0 1 5 0V7',
  generators:
    'M8 1.500v3M8 11.500v3M1.5 8h3M11.5 8h3M3.5 3.500l2 2M10.5 10.500l2 2M12.5 3.500l-2 2M5.5 10.500l-2 2',
  network:
    'M8 1.500a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M1.5 8h13M8 1.500c4 4 4 9 0 13M8 1.500c-4 4-4 9 0 13',
  datetime: 'M8 1.500a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M8 4.500V8l2.5 2',
  text: 'M3 4V2.500h10V4M8 2.500v11M6 13.500h4',
  design: 'M8 1.500s4.5 5 4.5 8.500a4.5 4.5 0 0 1-9 0C3.5 6.5 8 1.5 8 1.5',
};

/** Icons of categories, and a star on each card. @param {HTMLElement} main @param {() => void} changed */
function adorn(main, changed) {
  for (const category of main.querySelectorAll('.category')) {
    const path = ICONS[category.id];
    if (path) category.querySelector('h2')?.prepend(icon(path), ' ');
    for (const card of category.querySelectorAll('[data-card]')) {
      const name = card.querySelector('strong')?.textContent ?? '';
      const { slug = '' } = /** @type {HTMLElement} */ (card).dataset;
      card.after(star(slug, words.favouriteOf(name), changed));
    }
  }
}

/** @param {HTMLElement} main @param {HTMLElement} place */
export function start(main, place) {
  const mine = el('div', {});
  const none = el('p', { class: 'hint', hidden: true }, words.nothingFound);
  const search = filter(main, mine, none);
  const suggestions = el('section', {
    'aria-labelledby': 'suggestions',
    class: 'mine suggestions',
    hidden: true,
  });
  place.append(search, suggestions, mine, none);
  suggesting(suggestions, /** @type {HTMLInputElement} */ (search.querySelector('input')));
  drawMine(main, mine);
  styled('lists').then(() => adorn(main, () => drawMine(main, mine)));
  main.dataset.state = 'ready';
}
