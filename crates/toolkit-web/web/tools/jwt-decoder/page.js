//! Page layout: the secret format is beside the key, and a token's payload goes into the form, where it can be edited.

/** @import * as T from '../../kit/types.d.ts' */

/** @type {T.ViewPage | undefined} */
let page;
/** The payload that the page filled in. The next token's replaces it, unless it was edited. */
let filled = '';
/** The button that undoes changes of the payload. @type {HTMLElement | null | undefined} */
let undo;

/** @param {T.ViewPage} viewPage @param {HTMLElement} work */
export function drawn(viewPage, work) {
  page = viewPage;
  const [key, format] = ['key', 'format'].map((name) =>
    work.querySelector(`[name=${name}]`)?.closest('.field'),
  );
  // Beside the key that it is for.
  if (format) key?.querySelector('.actions')?.append(format);
  undo = work
    .querySelector('[name=payload]')
    ?.closest('.field')
    ?.querySelector('.actions > button');
  if (undo) undo.hidden = true;
}

/** @param {T.Outputs} outputs @returns {T.Outputs} */
export function finish(outputs) {
  const typed = page?.values().payload;
  const payload =
    typeof outputs.payload === 'object' ? /** @type {T.TextOutput} */ (outputs.payload).text : '';
  if (payload !== typed && ['', filled].includes(String(typed))) page?.set({ payload });
  filled = payload;
  if (undo) undo.hidden = page?.values().payload === payload;
  return outputs;
}
