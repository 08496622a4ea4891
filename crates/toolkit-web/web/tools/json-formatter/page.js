//! The path of the value at the cursor, in the text and in the result.

import { pathAt } from '../../lib/json/paths.js';

/** @import * as T from '../../kit/types.d.ts' */

/** In a longer text, each cursor move would take too long. */
const LONGEST = 1 << 20;

/** @param {T.ViewPage} page @param {HTMLElement} work */
export function drawn({ el }, work) {
  const area = /** @type {HTMLTextAreaElement} */ (work.querySelector('[name=text]'));
  const find = /** @type {HTMLInputElement} */ (work.querySelector('[name=find]'));
  // Ctrl+F focuses it in the pane's head. Pressed there, Ctrl+F is the browser's own.
  area
    .closest('.field')
    ?.querySelector('.actions')
    ?.append(/** @type {Node} */ (find.closest('.field')));
  find.placeholder = 'Find';
  find.closest('.field')?.querySelector('.name')?.classList.add('unseen');
  document.addEventListener('keydown', (event) => {
    const isFind = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey);
    if (!isFind || event.target === find || area.value === '') return;
    event.preventDefault();
    find.select();
    find.focus();
  });
  const code = el('code', {});
  const line = el('p', { class: 'help cursor-path', hidden: true }, 'Path of the cursor: ', code);
  area.closest('.text-control')?.append(line);
  const follow = () => {
    const { value, selectionStart } = area;
    const isShown = value.length <= LONGEST && /^\s*[[{]/.test(value);
    line.hidden = !isShown;
    if (isShown) code.textContent = pathAt(value, selectionStart);
  };
  for (const type of ['selectionchange', 'input', 'keyup', 'click'])
    area.addEventListener(type, follow);
  document.addEventListener('selectionchange', () => {
    const { anchorNode = null, anchorOffset = 0 } = getSelection() ?? {};
    const result = work.querySelector('[data-output=result] pre');
    if (!anchorNode || !result?.contains(anchorNode)) return;
    const before = new Range();
    before.setStart(result, 0);
    before.setEnd(anchorNode, anchorOffset);
    line.hidden = false;
    code.textContent = pathAt(result.textContent ?? '', before.toString().length);
  });
}
