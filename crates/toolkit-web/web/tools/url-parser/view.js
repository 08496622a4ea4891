//! The query of a URL as editable rows. The URL in the form follows.

/** @typedef {{ href: string, query: string[][] }} Data */

/** @type {import('../../kit/types.d.ts').View} */
export default (place, { el, set }) => {
  let href = '';
  const list = el('ol', { class: 'rows', style: { padding: '0', 'list-style': 'none' } });
  const rows = () =>
    Array.from(list.children, (row) =>
      Array.from(row.querySelectorAll('input'), ({ value }) => value),
    );
  const follow = () => {
    const url = new URL(href);
    const filled = rows().filter(([name, value]) => name || value);
    url.search = new URLSearchParams(filled).toString();
    href = url.href;
    set({ url: href, base: '' });
  };
  const input = (/** @type {string} */ value, /** @type {string} */ label) =>
    el('input', { type: 'text', value, 'aria-label': label, spellcheck: 'false', oninput: follow });
  const draw = (/** @type {string[][]} */ query) =>
    list.replaceChildren(
      ...query.map(([name = '', value = ''], index) => {
        const label = `Remove parameter ${index + 1}`;
        const onclick = () => {
          draw(rows().toSpliced(index, 1));
          follow();
        };
        return el(
          'li',
          { class: 'row' },
          input(name, `Name ${index + 1}`),
          input(value, `Value ${index + 1}`),
          el('button', { type: 'button', 'aria-label': label, onclick }, 'Remove'),
        );
      }),
    );
  const onclick = () => draw([...rows(), []]);
  place.append(list, el('button', { type: 'button', onclick }, 'Add a parameter'));
  return (/** @type {Data} */ data) => {
    // The change came from the rows, which keep the cursor.
    if (data.href === href) return;
    href = data.href;
    draw(data.query);
  };
};
