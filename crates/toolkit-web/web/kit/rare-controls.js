//! Controls that only some tools have: secrets, files, dates, times and rows.

import { colorControl } from './color-control.js';
import { bounded, changed, lineControl, makeControl, pickedInput, plain } from './control.js';
import { button, el, set } from './el.js';
import { initial } from './tool.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @import { Common, Control } from './control.js' */

export { colorPlace } from './color-control.js';

/** Files as a list with buttons that remove them. @param {readonly File[]} files @param {(at: number) => void} remove */
export const attachments = (files, remove) =>
  el(
    'ul',
    { class: 'attachments' },
    files.map((file, at) => {
      const name = file.name || words.pasted;
      const beginning = el('code', { class: 'beginning' });
      if (/^$|text|json|xml|script/.test(file.type))
        file
          .slice(0, 160)
          .text()
          .then((text) => beginning.append(text));
      const remover = button(words.remove, () => remove(at), {
        class: 'small',
        'aria-label': words.removeOne(name),
      });
      return el('li', {}, el('span', {}, words.attached(name, file.size)), remover, beginning);
    }),
  );

/** @param {T.Field} field @param {(files: File[]) => boolean} accept @param {Common} [attributes] */
function picker({ types, kind }, accept, attributes) {
  const input = el('input', {
    type: 'file',
    accept: types,
    multiple: kind === 'files',
    ...attributes,
    oninput: (/** @type {Event} */ event) => event.stopPropagation(),
    onchange: () => {
      accept([...(input.files ?? [])]);
      input.value = '';
    },
  });
  return input;
}

/** @param {T.Field} field @param {Common} common @returns {Control} */
function filesControl(field, common) {
  /** @type {File[]} */
  let chosen = [];
  const node = el('div', { class: 'files-control' });
  const put = (/** @type {File[]} */ files) => {
    chosen = files;
    const old = node.querySelector('.attachments');
    const list = attachments(files, (at) => {
      put(chosen.filter((_, index) => index !== at));
      changed(node);
      input.focus();
    });
    list.hidden = files.length === 0;
    if (old) old.replaceWith(list);
    else node.append(list);
  };
  const accept = (/** @type {File[]} */ files) => {
    if (files.length === 0) return false;
    put(field.kind === 'files' ? [...chosen, ...files] : files.slice(0, 1));
    changed(node);
    return true;
  };
  const input = picker(field, accept, common);
  node.append(input, el('p', { class: 'help' }, words.dropHere));
  return {
    node,
    target: input,
    accept,
    read: () => (field.kind === 'files' ? chosen : (chosen[0] ?? null)),
    write: (value) =>
      put(
        [value ?? []]
          .flat()
          .map((/** @type {any} */ one) =>
            one instanceof File ? one : new File([one.bytes], one.name, { type: one.type }),
          ),
      ),
  };
}

/** A secret that can be shown. Not of the type "password", which browsers offer to save. @param {T.Field} field @param {Common} common @returns {Control} */
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

/** @param {T.Field} field @param {Common} common @returns {Control} */
function rowsControl({ columns, label, add, max = 100 }, common) {
  /** @type {Record<string, Control>[]} */
  let all = [];
  const list = el('div', {
    class: 'rows',
    role: 'group',
    id: common.id,
    tabindex: -1,
    'aria-label': label,
    'aria-describedby': common['aria-describedby'],
  });
  const adder = button(
    add ?? words.addRow,
    () => {
      write([...read(), {}]);
      Object.values(all.at(-1) ?? {})[0]?.target.focus();
      changed(list);
    },
    { class: 'small' },
  );
  const read = () =>
    all.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, control]) => [key, control.read()])),
    );
  const entries = /** @type {[string, T.Field][]} */ (Object.entries(columns));

  /** @param {any} values @param {number} at */
  function draw(values, at) {
    /** @type {Record<string, Control>} */
    const row = {};
    const cells = entries.map(([key, column]) => {
      const control = makeControl(
        { ...column, label: words.cell(column.label, at + 1) },
        {
          name: `${common.name}.${at}.${key}`,
          id: `${common.id}-${at}-${key}`,
          'aria-label': column.kind === 'toggle' ? undefined : words.cell(column.label, at + 1),
        },
      );
      control.write(values[key] ?? initial(column));
      row[key] = control;
      return el(
        'div',
        { class: 'cell' },
        column.kind === 'toggle'
          ? null
          : el('span', { 'aria-hidden': 'true', class: 'column' }, column.label),
        control.node,
      );
    });
    all.push(row);
    const remove = button(
      '×',
      () => {
        write(read().filter((_, index) => index !== at));
        list.focus();
        changed(list);
      },
      { class: 'small', 'aria-label': words.removeRow(at + 1) },
    );
    return el('div', { class: 'row' }, cells, remove);
  }
  /** @param {any[]} values */
  function write(values) {
    all = [];
    list.replaceChildren(...values.map(draw));
    adder.disabled = values.length >= max;
  }
  return { node: el('div', {}, list, adder), target: list, read, write };
}

/** @type {Record<string, (field: T.Field, common: Common) => Control>} */
export const kinds = {
  secret: secretControl,
  file: filesControl,
  files: filesControl,
  color: colorControl,
  date: pickedControl,
  time: pickedControl,
  rows: rowsControl,
};
