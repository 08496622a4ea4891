//! The page of regular expressions: flags as buttons, marks in the text as typed, the cheat sheet.
import { FLAGS } from './search.js';

/** @import * as T from '../../kit/types.d.ts' */

/** A file up to this size becomes text in the field, where matches can be marked. */
const SMALL = 256 * 1024;

/** @param {T.ViewPage} page @param {HTMLElement} work */
export function drawn(page, work) {
  const { el, set, values } = page;
  const buttons = Object.entries(FLAGS).map(([flag, meaning]) => {
    const onclick = () => {
      // A link may bring flags that have no button.
      const flags = [...String(values().flags)].filter((one) => Object.hasOwn(FLAGS, one)).join('');
      set({ flags: flags.includes(flag) ? flags.replaceAll(flag, '') : flags + flag });
      show();
    };
    const name = `${flag}: ${meaning}`;
    return el(
      'button',
      { type: 'button', class: 'small', title: meaning, 'aria-label': name, onclick },
      flag,
    );
  });
  const show = () => {
    for (const button of buttons)
      button.setAttribute(
        'aria-pressed',
        String(String(values().flags).includes(button.textContent ?? '')),
      );
  };
  const input = work.querySelector('[name=flags]');
  const field = input?.closest('.field');
  field?.querySelector('.actions')?.append(...buttons);
  // The buttons replace the input. Scripts that fill in forms by names still find it.
  input?.parentElement?.classList.add('unseen');
  input?.setAttribute('tabindex', '-1');
  input?.setAttribute('aria-hidden', 'true');
  work.addEventListener('input', async () => {
    show();
    const { text } = values();
    if (!(text instanceof File) || text.size > SMALL) return;
    const content = await text.text();
    if (!content.includes('\ufffd')) set({ text: content });
  });
  show();
  // After the result, for the keyboard too.
  work.append(
    /** @type {Node} */ (work.querySelector('[name=cases]')?.closest('.field')),
    cheatSheet(page),
  );
}

/** @param {T.ViewPage} page */
function cheatSheet({ el }) {
  const list = el('dl');
  const fill = async () => {
    const { SYNTAX } = await import('./syntax.js');
    list.replaceChildren(
      ...Object.entries(SYNTAX).map(([source, meaning]) =>
        el('div', {}, el('dt', {}, el('code', {}, source)), el('dd', {}, meaning)),
      ),
    );
  };
  return el('details', { class: 'cheats', ontoggle: fill }, el('summary', {}, 'Cheat sheet'), list);
}
