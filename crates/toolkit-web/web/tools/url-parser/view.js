//! The query of a URL as editable rows; the URL in the form follows.

/** @typedef {{ href: string, query: [string, string][] }} Data */

/** @type {import('../../kit/types.d.ts').View} */
export default (place, page) => {
  /** @type {[string, string][]} */
  let rows = [];
  let href = '';

  function follow() {
    const url = new URL(href);
    url.search = new URLSearchParams(rows.filter(([name, value]) => name || value)).toString();
    href = url.href;
    page.set({ url: href, base: '' });
  }

  /** @param {number} index @param {0 | 1} column @param {string} label */
  function input(index, column, label) {
    return page.el('input', {
      type: 'text',
      value: rows[index]?.[column] ?? '',
      'aria-label': `${label} ${index + 1}`,
      spellcheck: 'false',
      /** @param {Event} event */
      oninput(event) {
        const row = rows[index];
        if (row) row[column] = /** @type {HTMLInputElement} */ (event.target).value;
        follow();
      },
    });
  }

  /** @param {number} index */
  const row = (index) =>
    page.el(
      'li',
      { class: 'row' },
      input(index, 0, 'Name'),
      input(index, 1, 'Value'),
      page.el(
        'button',
        {
          type: 'button',
          'aria-label': `Remove parameter ${index + 1}`,
          onclick: () => change(rows.filter((_, at) => at !== index)),
        },
        'Remove',
      ),
    );

  /** @param {[string, string][]} next */
  function change(next) {
    rows = next;
    draw();
    follow();
  }

  function draw() {
    const add = page.el(
      'button',
      {
        type: 'button',
        onclick: () => {
          rows = [...rows, ['', '']];
          draw();
        },
      },
      'Add a parameter',
    );
    place.replaceChildren(
      page.el(
        'ol',
        { class: 'rows', style: { padding: '0', 'list-style': 'none' } },
        ...rows.map((_, index) => row(index)),
      ),
      add,
    );
  }

  return (/** @type {Data} */ data) => {
    const same = data.href === href && place.childElementCount > 0;
    href = data.href;
    if (same) return;
    rows = data.query.map(([name, value]) => [name, value]);
    draw();
  };
};
