//! A token with its parts in colors: header, payload, signature.

/** @type {import('../../kit/types.d.ts').View} */
export default (place, { el }) =>
  (/** @type {string} */ compact) => {
    const parts = compact.split('.');
    const spans = parts.map((part, at) => [
      at > 0 ? '.' : '',
      el('span', { class: `part part-${Math.min(at, 2)}` }, part),
    ]);
    place.replaceChildren(
      el('pre', { class: 'token', tabindex: 0, 'aria-label': 'Token' }, ...spans.flat()),
    );
  };
