//! A token with its parts in colors: header, payload, signature; its payload is put into the form, where it can be edited.

/** @type {import('../../kit/types.d.ts').View} */
export default (place, { el, set, values }) => {
  /** What was put there, which another token replaces unless it was edited. */
  let filled = '';
  return (/** @type {{ compact: string, payload: string }} */ { compact, payload }) => {
    const typed = values().payload;
    if (payload !== typed && ['', filled].includes(String(typed))) set({ payload });
    filled = payload;
    const parts = compact.split('.');
    const spans = parts.map((part, at) => [
      at > 0 ? '.' : '',
      el('span', { class: `part part-${Math.min(at, 2)}` }, part),
    ]);
    place.replaceChildren(
      el('pre', { class: 'token', tabindex: 0, 'aria-label': 'Token' }, ...spans.flat()),
    );
  };
};
