//! Controls of a form, one for each kind of field; rare kinds are in rare-controls.js.

import { changed, kinds, MIB, plain, tell } from './control.js';
import { button, el } from './el.js';
import { words } from './words.js';

export { changed, makeControl } from './control.js';

/** @import * as T from './types.d.ts' */
/** @import { Common } from './control.js' */
/** @typedef {import('./control.js').Control} Control */

/** Visible lines of a text field, which grows with its text. */
const LINES = 6;
/** Longer texts get no line numbers, and a fixed height: each key would draw and measure them. */
const NUMBERED = 50_000;

/** @param {string} text */
const asFile = (text) => new File([text], '', { type: 'text/plain' });

/** @param {T.Field} field @param {Common} common @returns {Control} */
function textControl(field, common) {
  /** @type {File | undefined} */
  let attached;
  const area = el('textarea', {
    dir: 'auto',
    ...common,
    rows: field.lines ?? LINES,
    style: { '--rows': String(field.lines ?? LINES) },
    autocapitalize: field.prose ? undefined : 'off',
    class: field.prose ? 'prose' : 'code',
    spellcheck: field.prose ? 'true' : 'false',
    onpaste: (/** @type {ClipboardEvent} */ event) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.length <= MIB) return;
      event.preventDefault();
      if (text.isWellFormed()) attach(asFile(text));
      else tell(area, words.halfPair);
    },
  });
  const frame = el('div', { class: 'lined' }, area);
  const node = el('div', { class: 'text-control' }, frame);
  let isNumbered = Boolean(field.prose);
  /** Follows the text: numbers its lines as soon as there are two. */
  const grown = async () => {
    area.classList.toggle('long', area.textLength > NUMBERED);
    if (isNumbered || area.textLength > NUMBERED || !area.value.includes('\n')) return;
    isNumbered = true;
    node.append(wrap);
    (await import('./lines.js')).number(area);
  };
  const wrap = button(
    words.wrap,
    () => {
      const isOff = area.wrap === 'off';
      area.wrap = isOff ? 'soft' : 'off';
      frame.classList.toggle('unwrapped', !isOff);
      wrap.setAttribute('aria-pressed', String(isOff));
    },
    { class: 'small', 'aria-pressed': 'true' },
  );
  area.addEventListener('input', grown);
  /** @param {File | undefined} file */
  function attach(file, quiet = false) {
    attached = file;
    frame.hidden = Boolean(file);
    if (file) area.value = '';
    node.querySelector('.attachments')?.remove();
    if (file) show(file);
    if (!quiet) changed(node);
  }
  /** @param {File} file */
  async function show(file) {
    const { attachments } = await import('./rare-controls.js');
    if (attached !== file) return;
    const remove = () => {
      attach(undefined);
      area.focus();
    };
    frame.after(attachments([file], remove));
  }
  /** @type {Control} */
  const control = {
    node,
    target: area,
    read() {
      const { value } = area;
      if (!attached && value.length > MIB && value.isWellFormed()) attach(asFile(value), true);
      return attached ?? value;
    },
    write(value) {
      if (typeof value === 'string' && value.length <= MIB) {
        attach(undefined, true);
        area.value = value;
        if (isNumbered && !field.prose) import('./lines.js').then(({ number }) => number(area));
        else grown();
      } else
        attach(
          value instanceof File ? value : new File([value.bytes ?? value], value.name ?? ''),
          true,
        );
    },
  };
  if (field.accepts !== 'file') return control;
  const accept = (/** @type {File[]} */ [file]) => {
    if (file) attach(file);
    return Boolean(file);
  };
  const input = el('input', {
    type: 'file',
    accept: field.types,
    class: 'unseen',
    tabindex: -1,
    'aria-hidden': 'true',
    'data-file': common.name,
    oninput: (/** @type {Event} */ event) => event.stopPropagation(),
    onchange: () => {
      accept([...(input.files ?? [])]);
      input.value = '';
    },
  });
  node.append(
    button(words.chooseFile, () => input.click(), {
      class: 'small',
      title: words.dropHere,
      'aria-label': words.chooseFor(field.label),
    }),
    input,
  );
  return { ...control, accept };
}

/** @param {T.Field} field @param {Common} common @returns {Control} */
function choiceControl({ choices }, common) {
  const options = Object.entries(choices).map(([value, label]) =>
    el('option', { value }, String(label)),
  );
  return plain(el('select', common, options));
}

/** @param {T.Field} field @param {Common} common @returns {Control} */
function toggleControl({ label }, common) {
  const input = el('input', { type: 'checkbox', ...common });
  return {
    node: el('label', { class: 'check' }, input, el('span', {}, label)),
    target: input,
    read: () => input.checked,
    write: (value) => {
      input.checked = value === true || value === 'true';
    },
  };
}

/** @param {T.Field} field @param {Common} common @returns {Control} */
function numberControl({ min, max, step, unit }, common) {
  const input = el('input', { type: 'number', min, max, step, ...common });
  const control = plain(
    input,
    unit ? el('div', { class: 'pair' }, input, el('span', { class: 'unit' }, unit)) : input,
  );
  return {
    ...control,
    read: () => (input.validity.badInput ? 'NaN' : input.value === '' ? null : Number(input.value)),
  };
}

Object.assign(kinds, {
  text: textControl,
  choice: choiceControl,
  toggle: toggleControl,
  number: numberControl,
});

/** @param {T.Fields} fields */
export async function prepare(fields) {
  if (Object.values(fields).every(({ kind }) => Object.hasOwn(kinds, kind))) return;
  Object.assign(kinds, (await import('./rare-controls.js')).kinds);
}
