//! Rows of controls that can be added and removed.

import { changed, makeControl } from './control.js';
import { button, el } from './el.js';
import { initial } from './tool.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @import { Common, Control } from './control.js' */

/** A cell of a row with its control. @param {T.Field} column @param {Common} attributes @param {string} name */
function cell(column, attributes, name) {
  const isToggle = column.kind === 'toggle';
  const control = makeControl(
    { ...column, label: name },
    { ...attributes, 'aria-label': isToggle ? undefined : name },
  );
  const label = isToggle
    ? null
    : el('span', { 'aria-hidden': 'true', class: 'column' }, column.label);
  return { control, node: el('div', { class: 'cell' }, label, control.node) };
}

/** @param {T.FieldOf<'rows'>} field @param {Common} common @returns {Control} */
export function rowsControl({ columns, label, add, max = 100 }, common) {
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
      const attributes = {
        name: `${common.name}.${at}.${key}`,
        id: `${common.id}-${at}-${key}`,
      };
      const { control, node } = cell(column, attributes, words.cell(column.label, at + 1));
      control.write(values[key] ?? initial(column));
      row[key] = control;
      return node;
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
