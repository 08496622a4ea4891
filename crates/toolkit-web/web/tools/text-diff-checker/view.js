//! Two texts side by side or in one column, with buttons to step through the changes.

/** @import * as T from '../../kit/types.d.ts' */
/** @import { Row, Side } from './rows.js' */
/** @typedef {{ layout: 'side' | 'one', rows: (Row | number)[] }} Data */
/** @typedef {'-' | '+' | ' '} Sign */

/** How a line is shown by its sign. */
const SIGNS = {
  ' ': { kind: '', tag: /** @type {const} */ ('ins'), name: '', shown: ' ' },
  '-': { kind: 'diff-removed', tag: /** @type {const} */ ('del'), name: 'removed', shown: '−' },
  '+': { kind: 'diff-added', tag: /** @type {const} */ ('ins'), name: 'added', shown: '+' },
};

/** Draws rows as rows of a table. @param {T.ViewPage['el']} el */
function drawing(el) {
  /** A line number and the text after a sign. @param {Side | null} side @param {Sign} sign */
  function cells(side, sign) {
    if (side === null)
      return [el('td', { class: 'diff-number' }), el('td', { class: 'diff-none' })];
    const { kind, tag, name, shown } = SIGNS[sign];
    const mark = name
      ? el('span', { class: 'diff-sign', role: 'img', 'aria-label': name }, shown)
      : shown;
    const text = side.pieces.map(([text, changed]) => (changed ? el(tag, {}, text) : text));
    return [
      el('td', { class: 'diff-number' }, String(side.number)),
      el('td', { dir: 'auto', class: `diff-text ${kind}` }, mark, ...text),
    ];
  }
  return {
    /** @param {Row} row */
    side({ kind, left, right }) {
      const isSame = kind === 'same';
      return [
        el('tr', {}, [...cells(left, isSame ? ' ' : '-'), ...cells(right, isSame ? ' ' : '+')]),
      ];
    },
    /** @param {Row} row */
    one({ kind, left, right }) {
      if (kind === 'same') return [el('tr', {}, cells(left, ' '))];
      return [
        left && el('tr', {}, cells(left, '-')),
        right && el('tr', {}, cells(right, '+')),
      ].filter((row) => row !== null);
    },
    /** @param {number} count @param {number} columns */
    gap: (count, columns) =>
      el(
        'tr',
        { class: 'diff-gap' },
        el('td', { colspan: String(columns) }, `${count} same ${count === 1 ? 'line' : 'lines'}`),
      ),
    /** @param {HTMLElement[]} rows @param {boolean} isSide */
    table(rows, isSide) {
      const titles = isSide ? ['Line', 'First text', 'Line', 'Second text'] : ['Line', 'Text'];
      const heads = titles.map((title) => el('th', { scope: 'col' }, title));
      return el(
        'table',
        { class: `diff ${isSide ? 'diff-side' : 'diff-one'}` },
        el('thead', {}, el('tr', {}, heads)),
        el('tbody', {}, rows),
      );
    },
  };
}

/** @type {T.View} */
export default (place, page) => {
  const { el } = page;
  const draws = drawing(el);
  /** @type {[HTMLElement[], number]} */
  let [changes, current] = [[], -1];
  /** @type {Data | undefined} */
  let last;
  const fitsSide = () => place.clientWidth >= 500;
  let wasSide = fitsSide();

  /** @param {string} title @param {number} step */
  const button = (title, step) => {
    const onclick = () => {
      if (changes.length === 0) return;
      current = (current + step + changes.length) % changes.length;
      const row = changes[current];
      row?.setAttribute('tabindex', '-1');
      row?.focus({ preventScroll: true });
      row?.scrollIntoView({ block: 'center' });
      page.announce(`Change ${current + 1} of ${changes.length}`);
    };
    return el('button', { type: 'button', class: 'small', onclick }, title);
  };

  /** Draws the rows, and keeps the first of each change. @param {Data['rows']} rows @param {boolean} isSide */
  const drawn = (rows, isSide) => {
    [changes, current] = [[], -1];
    let before = 'same';
    return rows.flatMap((row) => {
      const kind = typeof row === 'number' ? 'same' : row.kind;
      const made =
        typeof row === 'number'
          ? [draws.gap(row, isSide ? 4 : 2)]
          : draws[isSide ? 'side' : 'one'](row);
      if (kind !== 'same' && before === 'same' && made[0]) changes.push(made[0]);
      before = kind;
      return made;
    });
  };

  const draw = (/** @type {Data} */ { layout, rows }) => {
    wasSide = fitsSide();
    const isSide = layout === 'side' && wasSide;
    const body = drawn(rows, isSide);
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
        draws.table(body, isSide),
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
