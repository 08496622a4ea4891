//! Rows of further controls, which can be added and removed.

import { changed, makeControl } from './control.js';
import { button, el } from './el.js';
import { initial } from './tool.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @import { Common, Control } from './control.js' */

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
