//! Entry point of every page: theme, search, copy buttons and favorites, then the page's own module.

import { copy, copyButton, el, icon, set } from './el.js';
import { part } from './lazy.js';
import { star } from './star.js';
import { get, put, visited } from './store.js';
import { words } from './words.js';

const root = document.documentElement;
const main = document.querySelector('main');

const THEMES = {
  system: 'M2 3h12v8H2zM5 14h6M8 11v3',
  light:
    'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  dark: 'M13.5 9.5A6 6 0 0 1 6.5 2.5 6 6 0 1 0 13.5 9.5',
};

/** @param {HTMLElement} control */
function themes(control) {
  const names = /** @type {(keyof typeof THEMES)[]} */ (Object.keys(THEMES));
  let at = Math.max(0, names.indexOf(/** @type {any} */ (get('theme'))));
  const show = () => {
    const name = names[at] ?? 'system';
    if (name === 'system') delete root.dataset.theme;
    else root.dataset.theme = name;
    control.replaceChildren(icon(THEMES[name]));
    set(control, 'aria-label', words.theme(name));
    set(control, 'title', words.theme(name));
    return name;
  };
  show();
  control.addEventListener('click', () => {
    at = (at + 1) % names.length;
    put('theme', show());
  });
}

/** The search dialog's field. It exists before the dialog loads, so that typing right after Ctrl+K works. */
const entry = el('input', {
  ...{ type: 'text', 'aria-label': words.search, autocomplete: 'off', spellcheck: 'false' },
  onkeydown: (/** @type {KeyboardEvent} */ { key }) => {
    isEntered = key === 'Enter';
  },
});
let isEntered = false;
const dialog = el(
  'dialog',
  {
    class: 'palette',
    'aria-label': words.search,
    onclick: (/** @type {Event} */ { target }) => target === dialog && dialog.close(),
  },
  el('div', { class: 'palette-box' }, entry),
);

/** Home has a search field, other pages a dialog. */
async function search() {
  const field = document.getElementById('filter');
  if (field) return field.focus();
  document.body.append(dialog);
  entry.value = '';
  isEntered = false;
  if (!dialog.open) dialog.showModal();
  entry.focus();
  const palette = await part(words.parts.search, () => import('./palette.js'));
  if (palette) palette.open(entry, isEntered);
  else dialog.close();
}

function searching() {
  for (const control of document.querySelectorAll('[data-search]'))
    control.addEventListener('click', search);
  if (/Mac|iP/.test(navigator.platform))
    for (const key of document.querySelectorAll('[data-search] kbd')) key.textContent = '⌘ K';
  document.addEventListener('keydown', (event) => {
    if (
      event.key.toLowerCase() !== 'k' ||
      !(event.ctrlKey || event.metaKey) ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    search();
  });
}

function codeBoxes() {
  for (const box of document.querySelectorAll('.code')) {
    const code = box.querySelector('code');
    if (code)
      box.append(
        copyButton(words.copy, (from) => copy(code.textContent ?? '', from, code), {
          class: 'icon copy',
        }),
      );
  }
}

/** @param {HTMLElement} page @param {HTMLElement} place */
async function tool(page, place) {
  const { slug = '' } = page.dataset;
  const actions = page.querySelector('[data-actions]');
  actions?.append(star(slug));
  visited(slug);
  try {
    await (await import('./tool-page.js')).start(page, place);
  } catch (error) {
    console.error(error);
    page.dataset.state = 'refused';
    place.append(el('p', { class: 'notice-line', role: 'alert' }, words.notLoaded));
  }
}

const LOCK = 'M4 7.5h8v6H4zM5.500 7.500V5a2.500 2.500 0 0 1 5 0v2.500';

/** The chip that reports requests. */
function wire() {
  const chip = /** @type {HTMLElement | null} */ (document.querySelector('[data-wire]'));
  if (!chip) return;
  chip.prepend(icon(LOCK));
  chip.addEventListener('click', async () =>
    (await part(words.parts.wire, () => import('./request-chip.js')))?.toggle(chip),
  );
}

const control = document.querySelector('[data-theme-button]');
if (control) themes(/** @type {HTMLElement} */ (control));
searching();
codeBoxes();
const { address } = main?.dataset ?? {};
if (main && address && address !== location.origin)
  import('./address.js').then(({ showAsked }) => showAsked(main, address), console.error);
wire();
const place = document.getElementById('tool-place') ?? document.getElementById('home-place');
const drawn =
  main && place && main.dataset.page === 'tool'
    ? tool(main, place)
    : main && place && import('./home.js').then(({ start }) => start(main, place));
const wide = matchMedia('(width >= 90rem)');
const rail = async () => {
  // Home already lists all tools, and documents have their own contents.
  if (!wide.matches || !main || ['home', 'docs'].includes(main.dataset.page ?? '')) return;
  wide.removeEventListener('change', rail);
  await drawn;
  (await part(words.parts.rail, () => import('./rail.js')))?.start();
};
wide.addEventListener('change', rail);
rail();
if (isSecureContext && navigator.serviceWorker && root.dataset.offline !== 'off')
  Promise.resolve(drawn).then(() =>
    setTimeout(
      async () => (await part(words.parts.offline, () => import('./offline.js')))?.start(),
      1000,
    ),
  );
