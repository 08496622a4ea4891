//! Draws outputs by kind, and provides the data for Copy and Download.

import { copy, copyButton, el } from './el.js';
import { part } from './lazy.js';
import { label, numbers, words } from './words.js';

/** @import * as T from './types.d.ts' */

const own = {
  item: 'this item',
  preview: 'Preview',
  sandbox: 'Shown without scripts, remote images and its own styles.',
  /** @param {number} shown @param {number} whole */
  cut: (shown, whole) =>
    `The first ${numbers.format(shown)} of ${numbers.format(whole)} are shown; Copy and Download take all.`,
  /** @param {boolean} value */
  truth: (value) => (value ? 'Yes' : 'No'),
};

const SHOWN_CHARACTERS = 200_000;
const SHOWN_ROWS = 1_000;
/** Drawn first, which is more than fits the screen. The rest follows when typing pauses. */
const FIRST_CHARACTERS = 20_000;
const FIRST_ROWS = 100;

/**
 * How one output is drawn: the content of `[data-value]`, and of Copy and Download. `rest` draws
 * what is not drawn at once; `sent` is the text that other tools are offered for, and `opens` those that are
 * offered first. `main` is the name and the value that the filled button hands over in place of all.
 * @typedef {{ value: HTMLElement, whole?: number, note?: string, text?: () => string, sent?: () => string, main?: readonly string[] | undefined,
 *   opens?: readonly T.Opens[] | undefined, folds?: boolean | undefined,
 *   file?: { name: string, type: string, data: () => BlobPart }, rest?: false | (() => void),
 *   end?: () => void }} Drawn
 * @typedef {{ slug: string, name: string, labels: Record<string, string>, folded?: boolean, isAnswer?: boolean, page?: T.ViewPage }} Where
 */

/** Text with its marked ranges. @param {string} text @param {T.TextOutput['marks']} marks */
function marked(text, marks = []) {
  /** @type {(string | HTMLElement)[]} */
  const parts = [];
  let from = 0;
  for (const [start, end, name] of marks) {
    if (start >= text.length) break;
    parts.push(text.slice(from, start), el('mark', { class: name }, text.slice(start, end)));
    from = end;
  }
  return [...parts, text.slice(from)];
}

/** @param {T.TextOutput} output @param {Where} where @returns {Drawn} */
function drawText(output, { slug, name, isAnswer }) {
  const { text, file, type = 'text/plain', marks, lang, prose, opens, folds } = output;
  const cut = text.length > SHOWN_CHARACTERS;
  const value = el(
    'pre',
    {
      class: isAnswer ? 'headline' : prose ? 'prose' : '',
      dir: 'auto',
      lang,
      tabindex: 0,
      'aria-label': label(name),
    },
    marked(text.slice(0, FIRST_CHARACTERS), marks),
  );
  return {
    value,
    rest:
      text.length > FIRST_CHARACTERS &&
      (() => value.replaceChildren(...marked(text.slice(0, SHOWN_CHARACTERS), marks))),
    whole: text.length,
    note: cut ? own.cut(SHOWN_CHARACTERS, text.length) : '',
    text: () => text,
    sent: () => text,
    opens,
    folds,
    ...((file || text.length > 2000) && {
      file: { name: file ?? `${slug}.txt`, type, data: () => text },
    }),
  };
}

/** @param {T.Cell} cell */
const cellText = (cell) => (cell === null || cell === undefined ? '' : String(cell));
/** @param {T.Cell} cell */
const csv = (cell) => {
  const text = cellText(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** @param {string} color */
const swatch = (color) => el('span', { class: 'swatch', style: { '--color': color } });

/** A swatch for a cell that is a color or starts with one. @param {string} text @param {boolean | undefined} colors */
function sampled(text, colors) {
  const color = /^#[\da-f]+/i.exec(text)?.[0] ?? text;
  return colors && CSS.supports('color', color) ? swatch(color) : null;
}

/** The headings of a table, and its rows from one to another. @param {T.TableOutput} output */
function cellsOf({ columns, rows, colors, stacked, tones = [], columnTones = [] }) {
  const kinds = columns.map(
    (_, at) => rows.every((row) => typeof row[at] === 'number') && 'number',
  );
  const heads = columns.map((column, at) => el('th', { scope: 'col', class: kinds[at] }, column));
  /** @param {T.Cell} cell @param {number} at @param {number} nth */
  const drawn = (cell, at, nth) => {
    const text = cellText(cell);
    // The first cell is the row header.
    const isName = at === 0;
    const tone = isName ? tones[nth] : columnTones[at];
    return el(
      isName ? 'th' : 'td',
      {
        ...{ class: kinds[at], dir: 'auto', scope: isName && 'row' },
        'data-column': stacked && columns[at],
      },
      sampled(text, colors),
      tone && text ? el('mark', { class: tone }, text) : text,
    );
  };
  const lines = (/** @type {number} */ from, /** @type {number} */ to) =>
    rows.slice(from, to).map((row, nth) =>
      el(
        'tr',
        {},
        columns.map((_, at) => drawn(row[at], at, from + nth)),
      ),
    );
  return { heads, lines };
}

/** @param {T.TableOutput} output @param {Where} where @returns {Drawn} */
function drawTable(output, { slug, name, labels }) {
  const { columns, rows, file, stacked } = output;
  const { heads, lines } = cellsOf(output);
  const body = el('tbody', {}, lines(0, FIRST_ROWS));
  const all = () => [columns, ...rows];
  return {
    value: el(
      'div',
      {
        ...{ class: stacked ? 'scroll stacked' : 'scroll', tabindex: 0, role: 'region' },
        'aria-label': labels[name] ?? label(name),
      },
      el('table', {}, el('thead', {}, el('tr', {}, heads)), body),
    ),
    rest: rows.length > FIRST_ROWS && (() => body.append(...lines(FIRST_ROWS, SHOWN_ROWS))),
    note: rows.length > SHOWN_ROWS ? own.cut(SHOWN_ROWS, rows.length) : '',
    text: () =>
      all()
        .map((row) => row.map(cellText).join('\t'))
        .join('\n'),
    file: {
      name: file ?? `${slug}.csv`,
      type: 'text/csv',
      data: () =>
        all()
          .map((row) => row.map(csv).join(','))
          .join('\r\n'),
    },
  };
}

/** @param {string} text @param {string} what @param {Node} shown */
const copyOne = (text, what, shown) =>
  copyButton(words.copyOne(what), (from) => copy(text, from, shown), {
    class: 'icon small quiet',
  });

/** Copies a row when it is clicked, unless the click selects text. @template {HTMLElement} E @param {E} row */
function pressed(row) {
  row.classList.add('copies');
  row.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('button')) return;
    if (getSelection()?.isCollapsed) row.querySelector('button')?.click();
  });
  return row;
}

/** A cell as readable text. @param {T.Cell} cell */
const spoken = (cell) => (typeof cell === 'boolean' ? own.truth(cell) : cellText(cell));

/** @param {T.PairsOutput} output @returns {Drawn} */
function drawPairs({ pairs, colors, opens, main }) {
  const shown = pairs.map(([name, cell]) => [name, spoken(cell)]).filter(([, text]) => text !== '');
  const rows = shown.map(([name = '', text = '']) => {
    // Sentences are not code.
    const said = / \S+\.$/.test(text) ? text : el('code', {}, text);
    const value = el('td', { dir: 'auto' }, sampled(text, colors), said);
    const end = el('td', { class: 'end' }, copyOne(text, name, value));
    return pressed(el('tr', {}, el('th', { scope: 'row' }, name), value, end));
  });
  return {
    value: el('table', { class: 'pairs' }, el('tbody', {}, rows)),
    text: () => shown.map(([name, text]) => `${name}: ${text}`).join('\n'),
    main: shown.find(([name]) => name === main),
    opens,
  };
}

/** @param {T.HeadlineOutput} output @returns {Drawn} */
function drawHeadline({ text, tone, color, below }) {
  const line = el(
    'p',
    { class: 'headline', dir: 'auto', 'data-tone': tone },
    color ? swatch(color) : null,
    text,
  );
  return {
    value: below ? el('div', {}, line, el('p', { class: 'soft', dir: 'auto' }, below)) : line,
    text: () => (below ? `${text}\n${below}` : text),
  };
}

/** A text whose digits and signs have their own colors. @param {string} text */
const toned = (text) =>
  (text.match(/\p{L}+|\p{N}+|[^\p{L}\p{N}]+/gu) ?? []).map((part) => {
    if (/^\p{L}/u.test(part)) return part;
    return el('span', { class: /^\p{N}/u.test(part) ? 'digits' : 'signs' }, part);
  });

/** @param {T.ListOutput} output @param {Where} where @returns {Drawn} */
function drawList({ items, file, tones }, { slug }) {
  const text = () => items.join('\n');
  const lines = (/** @type {number} */ from, /** @type {number} */ to) =>
    items.slice(from, to).map((item) => {
      const value = el('code', { dir: 'auto' }, tones ? toned(item) : item);
      const name = item.length > 60 ? own.item : item;
      return pressed(el('li', {}, value, copyOne(item, name, value)));
    });
  const value = el('ol', { class: tones ? 'list toned' : 'list' }, lines(0, FIRST_ROWS));
  return {
    value,
    rest: items.length > FIRST_ROWS && (() => value.append(...lines(FIRST_ROWS, SHOWN_ROWS))),
    sent: text,
    whole: text().length,
    note: items.length > SHOWN_ROWS ? own.cut(SHOWN_ROWS, items.length) : '',
    text,
    ...((file || items.length > 20) && {
      file: { name: file ?? `${slug}.txt`, type: 'text/plain', data: text },
    }),
  };
}

/** @param {T.PictureOutput} output @returns {Drawn} */
function drawPicture({ data, type, alt, file, before }) {
  const blob = data instanceof Blob ? data : new Blob([/** @type {BlobPart} */ (data)], { type });
  const src = URL.createObjectURL(blob);
  // The size is set now, so that loading the comparison causes no layout shift.
  const attributes = before && {
    class: 'picture compared',
    style: { '--width': before.width, '--ratio': before.width / before.height },
  };
  const value = el('figure', attributes ?? { class: 'picture' }, el('img', { src, alt }));
  const compared =
    before &&
    part(words.parts.view, async () => (await import('./compare.js')).compare(value, before));
  return {
    value,
    ...(typeof data === 'string' && { text: () => data }),
    ...(file && { file: { name: file, type, data: () => blob } }),
    end: () => {
      URL.revokeObjectURL(src);
      compared?.then((end) => end?.());
    },
  };
}

/** @param {T.PreviewOutput} output @returns {Drawn} */
function drawPreview({ html, follow }) {
  // No scripts and no origin. Links open in a new page.
  const sandbox = 'allow-popups allow-popups-to-escape-sandbox';
  const frame = el('iframe', { sandbox, title: own.preview });
  const shown = part(words.parts.preview, async () =>
    (await import('./preview.js')).show(frame, html, follow),
  );
  return {
    value: el('div', { class: 'preview' }, frame),
    note: own.sandbox,
    end: () => shown.then((end) => end?.()),
  };
}

/** @param {T.SwatchesOutput} output @returns {Drawn} */
const drawSwatches = ({ swatches }) => ({
  value: el(
    'ul',
    { class: 'swatches' },
    swatches.map(({ color, label }) => {
      const value = el('code', {}, color);
      const shown = [swatch(color), el('span', {}, label), value, copyOne(color, color, value)];
      return pressed(el('li', {}, shown));
    }),
  ),
  text: () => swatches.map(({ color }) => color).join('\n'),
});

/** @param {T.DownloadOutput} output @returns {Drawn} */
const drawDownload = ({ data, file, type }) => ({
  value: el(
    'p',
    { class: 'attachments' },
    words.attached(file, data instanceof Blob ? data.size : data.length),
  ),
  file: { name: file, type, data: () => /** @type {BlobPart} */ (data) },
});

/** @type {Record<string, (output: any, where: Where) => Drawn>} */
export const KINDS = {
  text: drawText,
  table: drawTable,
  pairs: drawPairs,
  list: drawList,
  picture: drawPicture,
  preview: drawPreview,
  swatches: drawSwatches,
  download: drawDownload,
  headline: drawHeadline,
};
