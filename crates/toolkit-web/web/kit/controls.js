//! Controls of a form, one for each kind of field.

import {
  bounded,
  changed,
  isLong,
  kinds,
  lineControl,
  MIB,
  pickedInput,
  plain,
  tell,
} from './control.js';
import { button, el, iconButton, set } from './el.js';
import { attachments, encodingChoice, filesControl } from './files-control.js';
import { part } from './part.js';
import { rowsControl } from './rows-control.js';
import { SHARED, withoutButton } from './without.js';
import { words } from './words.js';

export { changed, makeControl } from './control.js';

/** @import * as T from './types.d.ts' */
/** @import { Common } from './control.js' */
/** @typedef {import('./control.js').Control} Control */

const FILE = 'M9 1.5H3.5v13h9V5zM9 1.500V5h3.500M8 12V7.500M6 9.500l2-2 2 2';
const WRAP = 'M2 3.500h12M2 8h9.500a2.250 2.250 0 0 1 0 4.500H8M2 12.500h3M9.500 10.500l-2 2 2 2';
const CLEAR = 'M4 4l8 8M12 4l-8 8';
/** Choices that stand beside each other: so many, with so many letters in a line. */
const SEGMENTS = { most: 4, letters: 44 };

/** Visible lines of a text field, which grows with its text. */
const LINES = 6;

/** A text whose first letter is written from right to left. */
const LEFTWARD =
  /^\P{L}*[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Adlam}]/u;

/** @param {string} text */
const asFile = (text) => new File([text], '', { type: 'text/plain' });

/** @param {T.Field} field @param {Common} common @returns {Control} */
function textControl(field, common) {
  /** @type {File | undefined} */
  let attached;
  /** @type {HTMLElement | undefined} */
  let encoding;
  const area = el('textarea', {
    ...common,
    rows: field.lines ?? LINES,
    style: { '--rows': String(field.lines ?? LINES) },
    autocapitalize: field.prose ? undefined : 'off',
    class: field.prose ? 'prose' : 'code',
    spellcheck: field.prose ? 'true' : 'false',
    onpaste: (/** @type {ClipboardEvent} */ event) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.length <= MIB) return isLong(text) && fit(text);
      event.preventDefault();
      if (text.isWellFormed()) attach(asFile(text));
      else tell(area, words.halfPair);
    },
  });
  const frame = el('div', { class: 'lined' }, area);
  const node = el('div', { class: 'text-control' }, frame);
  let isNumbered = Boolean(field.prose);
  /** Height and direction. Not `dir=auto`: Chromium takes seconds for that of many lines. @param {string} text */
  const fit = (text) => {
    area.classList.toggle('long', isLong(text));
    const dir = LEFTWARD.test(text) ? 'rtl' : 'ltr';
    // The same one, written again, styles all lines anew.
    if (area.dir !== dir) area.dir = dir;
  };
  /** Follows the text: numbers its lines as soon as there are two. */
  const grown = async () => {
    fit(area.value);
    without.hidden = area.value.length < SHARED;
    if (isNumbered || isLong(area.value) || !area.value.includes('\n')) return;
    isNumbered = true;
    wrap.hidden = false;
    (await part(words.parts.lines, () => import('./lines.js')))?.number(area);
  };
  const wrap = iconButton(
    WRAP,
    words.wrap,
    () => {
      const isOff = area.wrap === 'off';
      area.wrap = isOff ? 'soft' : 'off';
      frame.classList.toggle('unwrapped', !isOff);
      set(wrap, 'aria-pressed', String(isOff));
    },
    { 'aria-pressed': 'true', hidden: true },
  );
  const clear = iconButton(CLEAR, words.clear(field.label), () => {
    control.write('');
    changed(node);
    area.focus();
  });
  const without = withoutButton(
    () => area.value,
    () => frame,
  );
  area.addEventListener('input', grown);
  /** @param {File | undefined} file */
  function attach(file, quiet = false) {
    attached = file;
    frame.hidden = Boolean(file);
    if (file) area.value = '';
    node.querySelector('.attachments')?.remove();
    encoding?.remove();
    encoding = undefined;
    const remove = () => {
      attach(undefined);
      area.focus();
    };
    if (file) frame.after(attachments([file], remove));
    if (!quiet) changed(node);
  }
  /** @type {Control} */
  const control = {
    node,
    target: area,
    tools: [wrap, without, clear],
    read() {
      const { value } = area;
      if (!attached && value.length > MIB && value.isWellFormed()) attach(asFile(value), true);
      return attached ?? value;
    },
    write(value) {
      if (typeof value === 'string' && value.length <= MIB) {
        attach(undefined, true);
        fit(value);
        area.value = value;
        if (isNumbered && !field.prose)
          part(words.parts.lines, () => import('./lines.js')).then((lines) => lines?.number(area));
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
  node.append(input);
  const choose = iconButton(FILE, words.chooseFor(field.label), () => input.click(), {
    title: `${words.chooseFile}. ${words.dropHere}`,
  });
  const ask = async () => {
    const decode = await part(words.parts.encodings, () => import('./decode.js'));
    if (!decode || !attached || encoding) return;
    encoding = encodingChoice(decode.ENCODINGS, attached, (file) => {
      attached = file;
    });
    frame.after(encoding);
  };
  return { ...control, accept, ask, tools: [choose, wrap, without, clear] };
}

/** Whether choices stand beside each other. @param {Record<string, unknown>} choices */
function isShort(choices) {
  const labels = Object.values(choices).map(String);
  return labels.length <= SEGMENTS.most && labels.join('  ').length <= SEGMENTS.letters;
}

/** @param {T.FieldOf<'choice'>} field @param {Common} common @returns {Control} */
function choiceControl({ choices }, common) {
  if (isShort(choices) && !common.name.includes('.')) return segments(choices, common);
  const options = Object.entries(choices).map(([value, label]) =>
    el('option', { value }, String(label)),
  );
  return plain(el('select', common, options));
}

/** A few choices beside each other. @param {Record<string, unknown>} choices @param {Common} common @returns {Control} */
function segments(choices, { name, id, ...common }) {
  const inputs = Object.keys(choices).map((value) =>
    el('input', {
      ...{ type: 'radio', name: `${name}:one`, value },
      oninput: () => {
        list.value = value;
      },
    }),
  );
  const write = (/** @type {unknown} */ value) => {
    for (const input of inputs) input.checked = input.value === String(value);
    list.value = String(value);
  };
  // What fills in a form by names finds the choice as a list, as every other choice is one.
  const list = el(
    'select',
    {
      ...{ class: 'unseen', name, tabindex: -1, 'aria-hidden': 'true' },
      oninput: () => write(list.value),
    },
    Object.entries(choices).map(([value, label]) => el('option', { value }, String(label))),
  );
  const labels = Object.values(choices).map((label, at) =>
    el('label', {}, inputs[at], el('span', {}, String(label))),
  );
  const node = el(
    'div',
    { class: 'segments', role: 'radiogroup', id, 'aria-labelledby': `${id}-label`, ...common },
    labels,
    list,
  );
  node.focus = (options) => (inputs.find(({ checked }) => checked) ?? inputs[0])?.focus(options);
  return {
    node,
    target: node,
    read: () => inputs.find(({ checked }) => checked)?.value ?? '',
    write,
  };
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
function numberControl({ label, min, max, step, unit, slider }, common) {
  const input = el('input', { type: 'number', min, max, step, ...common });
  const parts = [input, unit ? el('span', { class: 'unit' }, unit) : null];
  const control = plain(input, unit || slider ? el('div', { class: 'pair' }, parts) : input);
  control.read = () =>
    input.validity.badInput ? 'NaN' : input.value === '' ? null : Number(input.value);
  if (!slider) return control;
  const range = el('input', {
    ...{ type: 'range', min, max: slider, step, 'aria-label': words.slider(label) },
    oninput: () => control.write(range.value),
  });
  const follow = () => {
    range.value = input.value;
  };
  input.addEventListener('input', follow);
  input.before(range);
  return {
    ...control,
    write(value) {
      control.write(value);
      follow();
    },
  };
}

/** A secret that can be shown. Not of the type "password", which browsers offer to save. @param {T.FieldOf<'secret'>} field @param {Common} common @returns {Control} */
function secretControl(field, common) {
  const { target, ...control } = lineControl({ ...field, code: true }, common);
  target.classList.add('masked');
  const show = button(
    words.show,
    () => set(show, 'aria-pressed', String(!target.classList.toggle('masked'))),
    {
      class: 'small',
      'aria-pressed': 'false',
      'aria-label': words.showOne(field.label),
    },
  );
  return { ...control, target, node: el('div', { class: 'pair' }, target, show) };
}

/** What the browser's pickers accept; of anything else they warn in the console. @type {Record<string, (value: string) => boolean>} */
const ACCEPTS = {
  // Not the 30th of February, which would be read as a day of March.
  date: (value) =>
    /^\d{4}-\d\d-\d\d$/.test(value) &&
    new Date(`${value}T00:00Z`).getUTCDate() === Number(value.slice(-2)),
  time: (value) => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(value),
};

/** Text with the browser's own picker next to it: dates, times. @param {T.Field} field @param {Common} common @returns {Control} */
function pickedControl(field, common) {
  const { kind, label } = field;
  const input = pickedInput(common);
  const pick = el('input', {
    type: kind,
    class: 'pick',
    step: kind === 'time' ? 1 : undefined,
    'aria-label': words.pick(label),
    oninput: () => {
      input.value = pick.value;
    },
  });
  const follow = () => {
    if (ACCEPTS[kind]?.(input.value)) pick.value = input.value;
  };
  bounded(input, field).addEventListener('input', follow);
  const control = plain(input, el('div', { class: 'pair' }, input, pick));
  return {
    ...control,
    write(value) {
      control.write(value);
      follow();
    },
  };
}

Object.assign(kinds, {
  text: textControl,
  choice: choiceControl,
  toggle: toggleControl,
  number: numberControl,
  secret: secretControl,
  file: filesControl,
  files: filesControl,
  date: pickedControl,
  time: pickedControl,
  rows: rowsControl,
});

/** Loads what a form needs besides: the color field is larger than all other controls. @param {T.Fields} fields */
export async function prepare(fields) {
  const all = Object.values(fields).flatMap((field) => [
    field,
    ...Object.values(field.columns ?? {}),
  ]);
  if (!all.some(({ kind }) => kind === 'color')) return;
  const color = await part(words.parts.colorField, () => import('./color-control.js'));
  kinds.color = color?.colorControl ?? lineControl;
}
