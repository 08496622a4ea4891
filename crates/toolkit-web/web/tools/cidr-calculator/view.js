//! A block within a larger one, and of IPv4 its network, hosts and broadcast address.

/** @typedef {{ outer: string, ends: string[], at: number, share: number, parts: [name: string, text: string][] }} Place */

/** @type {import('../../kit/types.d.ts').View} */
export default (place, { el }) =>
  (/** @type {Place} */ { outer, ends, at, share, parts }) => {
    const [first, last] = ends.map((end) => el('span', {}, end));
    place.replaceChildren(
      el(
        'dl',
        { class: 'block' },
        parts.map(([name, text]) => el('div', {}, el('dt', {}, name), el('dd', {}, text))),
      ),
      el('div', {
        class: 'outer',
        'aria-hidden': 'true',
        style: { '--at': `${at}%`, '--share': `${share}%` },
      }),
      el('p', { class: 'ends' }, first, `${share || 'less than 0.01'} % of ${outer}`, last),
    );
  };
