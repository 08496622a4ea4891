//! The path of the value at the cursor, in the text and in the result.

import { pathAt } from '../../lib/json/paths.js';

/** @import * as T from '../../kit/types.d.ts' */

/** Of a longer text each move of the cursor would take long. */
const LONGEST = 1 << 20;

/** @param {T.ViewPage} page @param {HTMLElement} work */
export function drawn({ el }, work) {
  const area = /** @type {HTMLTextAreaElement} */ (work.querySelector('[name=text]'));
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
