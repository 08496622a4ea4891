//! A block within the next larger one.

/** @typedef {{ outer: string, ends: string[], at: number, share: number }} Place */

/** @type {import('../../kit/types.d.ts').View} */
export default (place, { el }) =>
  (/** @type {Place} */ { outer, ends, at, share }) => {
    const [first, last] = ends.map((end) => el('span', {}, end));
    place.replaceChildren(
      el('div', {
        class: 'outer',
        'aria-hidden': 'true',
        style: { '--at': `${at}%`, '--share': `${share}%` },
      }),
      el('p', { class: 'ends' }, first, `${share || 'less than 0.01'} % of ${outer}`, last),
    );
  };
