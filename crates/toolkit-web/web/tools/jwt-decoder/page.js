//! Layout of the page: the format of the key stands with the key, and the payload of a token is put into the form, where it can be
//! edited.

/** @import * as T from '../../kit/types.d.ts' */

/** @type {T.ViewPage | undefined} */
let page;
/** What was put there, which another token replaces unless it was edited. */
let filled = '';

/** @param {T.ViewPage} viewPage @param {HTMLElement} work */
export function drawn(viewPage, work) {
  page = viewPage;
  const [key, format] = ['key', 'format'].map((name) =>
    work.querySelector(`[name=${name}]`)?.closest('.field'),
  );
  // How the key is read is chosen where the key is entered.
  if (format) key?.querySelector('.actions')?.append(format);
}

/** @param {T.Outputs} outputs @returns {T.Outputs} */
export function finish(outputs) {
  const typed = page?.values().payload;
  const payload =
    typeof outputs.payload === 'object' ? /** @type {T.TextOutput} */ (outputs.payload).text : '';
  if (payload !== typed && ['', filled].includes(String(typed))) page?.set({ payload });
  filled = payload;
  return outputs;
}
