//! Code folding for texts with one bracket per line, such as formatted JSON. A closed fold hides the lines between two
//! brackets and shows their count. The text does not change, but is split into more nodes.

import { button, el } from './el.js';

/** @typedef {{ fold: HTMLElement, inner: HTMLElement, bracket: string, count: number }} Open */

const OPENS = /[[{]$/;
const CLOSES = /^\s*[\]}]/;
const FOLD_ALL = 'Fold all';
const UNFOLD_ALL = 'Unfold all';

/** @param {Open} open */
const counted = ({ bracket, count }) => {
  const one = bracket === '{' ? 'key' : 'item';
  return `… ${count} ${count === 1 ? one : `${one}s`}`;
};

/** Opens a fold, or closes it. @param {Element} fold @param {boolean} isOpen */
function turn(fold, isOpen) {
  if (fold.ariaExpanded === String(isOpen)) return;
  fold.ariaExpanded = String(isOpen);
  const { count = '…' } = /** @type {HTMLElement} */ (fold).dataset;
  const next = /** @type {HTMLElement} */ (fold.nextElementSibling);
  // The style sheet writes the count, so a copy of the text does not contain it.
  const [shown, inner] =
    next.className === 'count' ? [next, next.nextElementSibling] : [null, next];
  if (isOpen) shown?.remove();
  else inner?.before(el('span', { class: 'count', 'data-count': count }));
  /** @type {HTMLElement} */ (inner).hidden = !isOpen;
}

/** The fold of a marker, or of the count of a closed fold. @param {EventTarget | null} target */
function foldOf(target) {
  const hit = target instanceof Element ? target.closest('.fold, .count') : null;
  return hit?.className === 'count' ? hit.previousElementSibling : hit;
}

/** Splits a text at its brackets. Returns the nodes, all fold markers, and the nested ones. @param {string} text */
function cut(text) {
  const root = document.createDocumentFragment();
  /** @type {Open[]} */
  const open = [];
  /** @type {HTMLElement[]} */
  const folds = [];
  /** @type {HTMLElement[]} */
  const nested = [];
  let plain = '';
  const put = () => {
    (open.at(-1)?.inner ?? root).append(plain);
    plain = '';
  };
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    const end = at < lines.length - 1 ? '\n' : '';
    const top = open.at(-1);
    if (top && CLOSES.test(line)) {
      // The line break and the indentation before the closing bracket are folded too.
      const bare = line.trimStart();
      plain += line.slice(0, line.length - bare.length);
      put();
      top.fold.dataset.count = counted(top);
      open.pop();
      plain = bare + end;
      continue;
    }
    if (top) top.count += 1;
    if (!OPENS.test(line)) {
      plain += line + end;
      continue;
    }
    put();
    const inner = el('span');
    const marker = el('button', {
      type: 'button',
      class: 'fold',
      tabindex: folds.length > 0 && -1,
      'aria-expanded': 'true',
      'aria-label': `Fold ${line.trim()}`,
    });
    folds.push(marker);
    if (top) nested.push(marker);
    (top?.inner ?? root).append(marker, line, inner);
    open.push({ fold: marker, inner, bracket: line.slice(-1), count: 0 });
    plain = end;
  }
  put();
  return { root, folds, nested };
}

/**
 * Makes a text foldable. Returns a button that folds everything but the outermost level.
 * @param {HTMLElement} place with one text node
 */
export function fold(place) {
  const { root, folds, nested } = cut(place.textContent ?? '');
  if (folds.length === 0) return undefined;
  place.replaceChildren(root);
  place.classList.add('foldable');
  place.addEventListener('click', ({ target }) => {
    const marker = foldOf(target);
    if (marker) turn(marker, marker.ariaExpanded !== 'true');
  });
  // One Tab stop. The arrow keys move between folds.
  place.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const shown = step ? folds.filter((one) => one.offsetParent) : [];
    const at = shown.indexOf(/** @type {HTMLElement} */ (event.target));
    if (step === undefined || at < 0) return;
    event.preventDefault();
    shown[at + step]?.focus();
  });
  const all = nested.length > 0 ? nested : folds;
  const whole = button(
    FOLD_ALL,
    () => {
      const isOpen = whole.textContent === UNFOLD_ALL;
      for (const one of isOpen ? folds : all) turn(one, isOpen);
      whole.textContent = isOpen ? FOLD_ALL : UNFOLD_ALL;
    },
    { class: 'small quiet fold-all' },
  );
  return whole;
}
