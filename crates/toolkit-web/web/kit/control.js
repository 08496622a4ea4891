//! Controls: their interface, and a line of text. Values are raw.

import { el, set } from './el.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */

/**
 * @typedef {{ node: HTMLElement, target: HTMLElement, read: () => any, write: (value: any) => void,
 *   accept?: (files: File[]) => boolean, ask?: () => void, tools?: HTMLElement[] }} Control
 *   `ask`: lets the file's encoding be chosen; `tools`: for the head of its pane
 * @typedef {Record<string, any>} Common attributes of the element that bears the name
 */

export const MIB = 1 << 20;
/** Longer texts get a fixed height, because every keystroke would lay them out again. */
const LONGEST = 50_000;
const MOST = 2000;

/** Whether laying out this text on every keystroke would be slow. @param {string} text */
export const isLong = (text) => text.length > LONGEST || text.split('\n', MOST + 1).length > MOST;

/** @param {Element} node */
export const changed = (node) => node.dispatchEvent(new Event('input', { bubbles: true }));

/** Shows next to the field why a paste was refused. @param {Element} node @param {string} detail */
export const tell = (node, detail) =>
  node.dispatchEvent(new CustomEvent('refusal', { detail, bubbles: true }));

/** @param {HTMLInputElement | HTMLSelectElement} input @param {HTMLElement} [node] @returns {Control} */
export const plain = (input, node = input) => ({
  node,
  target: input,
  read: () => input.value,
  write: (value) => {
    input.value = value ?? '';
  },
});

/** Calls `follow` after each change of the value, by a person or not. @param {Control} control @param {() => void} follow @returns {Control} */
export function followed(control, follow) {
  control.target.addEventListener('input', follow);
  return {
    ...control,
    write(value) {
      control.write(value);
      follow();
    },
  };
}

/** Refuses pastes that would block the browser. @param {HTMLInputElement} input @param {T.Field} field */
export function bounded(input, { label, max = 10_000 }) {
  input.addEventListener('paste', (event) => {
    const length = event.clipboardData?.getData('text/plain').length ?? 0;
    if (length <= MIB) return;
    event.preventDefault();
    tell(input, words.tooLong(label, length, max));
  });
  return input;
}

/** The text input of a control with a picker. @param {Common} common */
export const pickedInput = (common) =>
  el('input', {
    type: 'text',
    class: 'code',
    spellcheck: 'false',
    autocomplete: 'off',
    ...common,
  });

/** @param {T.Field} field @param {Common} common @returns {Control} */
export function lineControl(field, common) {
  const { kind, code, suggest } = field;
  const offered = kind === 'zone' ? Intl.supportedValuesOf('timeZone') : suggest;
  const input = el('input', {
    type: 'text',
    dir: 'auto',
    class: code ? 'code' : '',
    spellcheck: 'false',
    autocapitalize: 'off',
    ...common,
  });
  bounded(input, field);
  if (!offered) return plain(input, code ? el('div', { class: 'lined one' }, input) : input);
  const id = `${common.id}-list`;
  set(input, 'list', id);
  const list = el(
    'datalist',
    { id },
    offered.map((/** @type {string} */ value) => el('option', { value })),
  );
  return plain(input, el('div', {}, input, list));
}

/** The kinds loaded so far. @type {{ [K in T.Kind]?: (field: T.FieldOf<K>, common: Common) => Control }} */
export const kinds = { line: lineControl, zone: lineControl };

/** @param {T.Field} field @param {Common} common @returns {Control} */
export function makeControl(field, common) {
  const make = /** @type {(field: T.Field, common: Common) => Control} */ (
    kinds[field.kind] ?? lineControl
  );
  return make(field, { autocomplete: field.fills ?? 'off', ...common });
}
