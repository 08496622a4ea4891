//! Two texts side by side or in one column, with buttons to step through the changes.

/** @import { Piece, Row, Side } from './rows.js' */
/** @typedef {{ layout: 'side' | 'one', rows: (Row | number)[] }} Data */

/** @type {import('../../kit/types.d.ts').View} */
export default (place, page) => {
  const { el } = page;
  /** @type {HTMLElement[]} */
  let changes = [];
  let current = -1;
  /** @type {Data | undefined} */
  let last;
  const fitsSide = () => place.clientWidth >= 500;
  let wasSide = fitsSide();

  /** @param {Piece[]} pieces @param {'ins' | 'del'} tag */
  const marked = (pieces, tag) =>
    pieces.map(([text, changed]) => (changed ? el(tag, {}, text) : text));

  /** A line number and the text after a sign. @param {Side | null} side @param {'-' | '+' | ' '} sign */
  function cells(side, sign) {
    if (side === null)
      return [el('td', { class: 'diff-number' }), el('td', { class: 'diff-none' })];
    const kind = sign === '-' ? 'diff-removed' : sign === '+' ? 'diff-added' : '';
    const name = sign === '-' ? 'removed' : 'added';
    const mark =
      sign === ' '
        ? ' '
        : el(
            'span',
            { class: 'diff-sign', role: 'img', 'aria-label': name },
            sign === '-' ? '−' : '+',
          );
    const text = marked(side.pieces, sign === '-' ? 'del' : 'ins');
    return [
      el('td', { class: 'diff-number' }, String(side.number)),
      el('td', { dir: 'auto', class: `diff-text ${kind}` }, mark, ...text),
    ];
  }

  /** @param {Row} row */
  function sideRow({ kind, left, right }) {
    const isSame = kind === 'same';
    return [el('tr', {}, ...cells(left, isSame ? ' ' : '-'), ...cells(right, isSame ? ' ' : '+'))];
  }

  /** @param {Row} row */
  function oneRow({ kind, left, right }) {
    if (kind === 'same') return [el('tr', {}, ...cells(left, ' '))];
    return [
      left && el('tr', {}, ...cells(left, '-')),
      right && el('tr', {}, ...cells(right, '+')),
    ].filter((row) => row !== null);
  }

  /** @param {number} count @param {number} columns */
  const gap = (count, columns) =>
    el(
      'tr',
      { class: 'diff-gap' },
      el('td', { colspan: String(columns) }, `${count} same ${count === 1 ? 'line' : 'lines'}`),
    );

  /** @param {number} step */
  function go(step) {
    if (changes.length === 0) return;
    current = (current + step + changes.length) % changes.length;
    const row = changes[current];
    row?.setAttribute('tabindex', '-1');
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'center' });
    page.announce(`Change ${current + 1} of ${changes.length}`);
  }

  /** @param {string} title @param {number} step */
  const button = (title, step) =>
    el('button', { type: 'button', class: 'small', onclick: () => go(step) }, title);

  const draw = (/** @type {Data} */ { layout, rows }) => {
    wasSide = fitsSide();
    const isSide = layout === 'side' && wasSide;
    [changes, current] = [[], -1];
    let before = 'same';
    const drawn = rows.flatMap((row) => {
      if (typeof row === 'number') {
        before = 'same';
        return [gap(row, isSide ? 4 : 2)];
      }
      const made = isSide ? sideRow(row) : oneRow(row);
      if (row.kind !== 'same' && before === 'same' && made[0]) changes.push(made[0]);
      before = row.kind;
      return made;
    });
    const titles = isSide ? ['Line', 'First text', 'Line', 'Second text'] : ['Line', 'Text'];
    const head = el(
      'thead',
      {},
      el('tr', {}, ...titles.map((title) => el('th', { scope: 'col' }, title))),
    );
    place.replaceChildren(
      el(
        'p',
        { class: 'diff-bar' },
        `${changes.length} ${changes.length === 1 ? 'change' : 'changes'} `,
        button('Previous change', -1),
        button('Next change', 1),
      ),
      el(
        'div',
        { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Differences' },
        el(
          'table',
          { class: `diff ${isSide ? 'diff-side' : 'diff-one'}` },
          head,
          el('tbody', {}, ...drawn),
        ),
      ),
    );
  };

  // A narrowed window has room for only one column.
  new ResizeObserver(() => {
    if (last && fitsSide() !== wasSide) draw(last);
  }).observe(place);
  return (/** @type {Data} */ data) => {
    last = data;
    draw(data);
  };
};
