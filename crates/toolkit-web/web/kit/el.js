//! Elements: `el('p', { class: 'note', onclick: f }, 'text', node)`. Attributes as in HTML; functions
//! are listeners, `style` is an object of properties, and children that are null or false are skipped.

import { words } from './words.js';

/** @typedef {Node | string | number | null | undefined | false} Child */

/** @param {any} node @param {string} name @param {any} value */
export function set(node, name, value) {
  if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
  else if (name === 'style')
    for (const [property, to] of Object.entries(value)) node.style.setProperty(property, to);
  else if (name === 'value' || name === 'checked') node[name] = value;
  else if ((value ?? false) === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? '' : String(value));
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, any>} [attributes] @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const name of Object.keys(attributes)) set(node, name, attributes[name]);
  for (const child of children.flat())
    if ((child ?? false) !== false) node.append(child instanceof Node ? child : String(child));
  return node;
}

/** A button with a text label. @param {string} label @param {(event: Event) => unknown} onclick @param {Record<string, any>} [attributes] */
export const button = (label, onclick, attributes) =>
  el('button', { type: 'button', onclick, ...attributes }, label);

/** An icon of 16 by 16 units. @param {string} path */
export function icon(path) {
  const [svg, line] = ['svg', 'path'].map((tag) =>
    document.createElementNS('http://www.w3.org/2000/svg', tag),
  );
  for (const [name, value] of Object.entries({
    class: 'icon-image',
    viewBox: '0 0 16 16',
    'aria-hidden': 'true',
  }))
    svg?.setAttribute(name, value);
  line?.setAttribute('d', path);
  svg?.append(/** @type {Element} */ (line));
  return /** @type {Element} */ (svg);
}

/** Text whose backticks mark code. @param {string} text */
export const prose = (text) =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? el('code', {}, part) : part));

/** @type {HTMLElement | undefined} */
let region;
let waiting = false;
let next = '';

/** Announces the last sentence of 500 ms to screen readers. @param {string} sentence */
export function announce(sentence) {
  region ??= document.body.appendChild(el('p', { class: 'unseen', role: 'status' }));
  next = sentence.replaceAll('`', '');
  if (waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    if (region) region.textContent = region.textContent === next ? `${next}\u00a0` : next;
  }, 500);
}

/** Over plain HTTP browsers copy only by this command. WebKit needs a selection for it. @param {string} text @param {Node} shown */
function copyByCommand(text, shown) {
  getSelection()?.selectAllChildren(shown);
  const put = (/** @type {ClipboardEvent} */ event) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener('copy', put, { capture: true, once: true });
  const isCopied = document.execCommand('copy');
  removeEventListener('copy', put, true);
  if (isCopied) getSelection()?.removeAllRanges();
  return isCopied;
}

/**
 * Copies a text. If the browser refuses, the displayed text stays selected.
 * @param {string} text @param {HTMLElement} [from] the button that confirms it
 * @param {Node} [shown]
 */
export async function copy(text, from, shown) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copyByCommand(text, shown ?? document.body)) {
      announce(words.notCopied);
      return false;
    }
  }
  announce(words.copied);
  if (from) confirm(from);
  return true;
}

const COPY = 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1';
const DONE = 'M3 8.5l3.5 3.5L13 4.5';
const CONFIRMED = 1500;

/** A button with an icon. @param {string} path @param {string} name @param {(button: HTMLElement) => unknown} act @param {Record<string, any>} [attributes] */
export function iconButton(path, name, act, attributes) {
  const node = el('button', {
    type: 'button',
    class: 'icon small',
    'aria-label': name,
    title: name,
    onclick: () => act(node),
    ...attributes,
  });
  node.append(icon(path));
  return node;
}

/** A button with an icon that copies. @param {string} name @param {(button: HTMLElement) => unknown} act @param {Record<string, any>} [attributes] */
export const copyButton = (name, act, attributes) => iconButton(COPY, name, act, attributes);

/** Briefly confirms a copy on the button, without resizing it. @param {HTMLElement} from */
function confirm(from) {
  if (from.dataset.copied) return;
  const before = [...from.childNodes];
  from.dataset.copied = 'true';
  from.style.setProperty('min-width', `${from.offsetWidth}px`);
  from.replaceChildren(from.querySelector('svg') ? icon(DONE) : words.copied);
  setTimeout(() => {
    from.replaceChildren(...(from.dataset.label ? [from.dataset.label] : before));
    from.style.removeProperty('min-width');
    delete from.dataset.copied;
  }, CONFIRMED);
}

/** @type {Map<string, Promise<unknown>>} */
const sheets = new Map();

/** Loads a style sheet once, on demand. Resolves when it has loaded. @param {string} name */
export function styled(name) {
  const loading =
    sheets.get(name) ??
    new Promise((resolve) => {
      const href = `${document.documentElement.dataset.assets}/style/${name}.css`;
      document.head.append(
        el('link', { rel: 'stylesheet', href, onload: resolve, onerror: resolve }),
      );
    });
  sheets.set(name, loading);
  return loading;
}
