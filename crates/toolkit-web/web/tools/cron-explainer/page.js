//! The fields of an expression on the page: buttons that select them, and what may stand in the one
//! at the cursor.

import { KINDS } from './fields.js';

/** @import * as T from '../../kit/types.d.ts' */

/** The name and the values of each field. */
export const PARTS = KINDS.map(({ name, accepted }) => [
  name.charAt(0).toUpperCase() + name.slice(1),
  accepted.replace(/^.*? are /, ''),
]);
/** Usual schedules, to choose. */
export const SCHEDULES = {
  'Every minute': '* * * * *',
  'Every 5 minutes': '*/5 * * * *',
  'Every hour': '0 * * * *',
  'Every day at midnight': '0 0 * * *',
  'Working days at 9': '0 9 * * MON-FRI',
  'Every Sunday': '0 0 * * SUN',
  'First of the month': '0 0 1 * *',
  'Every quarter': '0 0 1 */3 *',
};

/** @param {T.ViewPage} page @param {HTMLElement} work */
export function drawn({ el, mark }, work) {
  const input = /** @type {HTMLInputElement} */ (work.querySelector('[name=expression]'));
  const field = input.closest('.field');
  const help = field?.querySelector('.help');
  const places = () => [...input.value.matchAll(/\S+/g)].slice(0, PARTS.length);
  const buttons = PARTS.map(([title], at) => {
    const onclick = () => {
      const { index = 0, 0: word = '' } = places()[at] ?? {};
      input.focus();
      input.setSelectionRange(index, index + word.length);
      follow();
    };
    return el('button', { type: 'button', class: 'small', onclick }, title);
  });
  /** Says what may stand in a field. @param {number} at -1: in none of them */
  const tell = (at) => {
    for (const [own, button] of buttons.entries())
      button.setAttribute('aria-pressed', String(own === at));
    const [name, values] = PARTS[at] ?? [
      'Fields',
      'minute, hour, day of month, month, day of week',
    ];
    const sentence = `${name}: ${values}; * any, */5 steps, 1,3 lists, 1-5 ranges.`;
    if (help && help.textContent !== sentence) help.textContent = sentence;
  };
  /** The field at the cursor has a color. */
  const follow = () => {
    const cursor = input.selectionStart ?? 0;
    const all = places();
    const at = all.findIndex(({ index, 0: word }) => cursor <= index + word.length);
    const { index = 0, 0: word = '' } = all[at] ?? {};
    mark('expression', word ? [[index, index + word.length, 'match-0']] : []);
    tell(at);
  };
  field?.querySelector('.actions')?.append(...buttons);
  for (const type of ['input', 'keyup', 'click', 'focus']) input.addEventListener(type, follow);
  help?.setAttribute('aria-live', 'polite');
  tell(-1);
}
