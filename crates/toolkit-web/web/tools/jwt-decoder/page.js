//! The payload of a token is put into the form, where it can be edited.

/** @import * as T from '../../kit/types.d.ts' */

/** @type {T.ViewPage | undefined} */
let page;
/** What was put there, which another token replaces unless it was edited. */
let filled = '';

/** @param {T.ViewPage} viewPage */
export const drawn = (viewPage) => {
  page = viewPage;
};

/** @param {T.Outputs} outputs @returns {T.Outputs} */
export function finish(outputs) {
  const typed = page?.values().payload;
  const payload =
    typeof outputs.payload === 'object' ? /** @type {T.TextOutput} */ (outputs.payload).text : '';
  if (payload !== typed && ['', filled].includes(String(typed))) page?.set({ payload });
  filled = payload;
  return outputs;
}
