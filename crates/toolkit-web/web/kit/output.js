//! Results: draws outputs by kind, with Copy and Download; warnings, and the state of the run.

import { announce, button, copy, copyButton, el, icon, prose, set } from './el.js';
import { save } from './save.js';
import { label, words } from './words.js';

/** @import * as T from './types.d.ts' */

const SHOWN_CHARACTERS = 200_000;
const SHOWN_ROWS = 1_000;
/** Drawn at once: more than fits the screen; the rest follows when typing pauses. */
const FIRST_CHARACTERS = 20_000;
const FIRST_ROWS = 100;
const REST_PAUSE = 300;

/**
 * How one output is drawn: the content of `[data-value]`, and of Copy and Download. `rest` draws
 * what is not drawn at once.
 * @typedef {{ value: HTMLElement, whole?: number, note?: string, text?: () => string,
 *   file?: { name: string, type: string, data: () => BlobPart }, rest?: false | (() => void),
 *   end?: () => void }} Drawn
 * @typedef {{ slug: string, name: string, labels: Record<string, string>, folded?: boolean, isAnswer?: boolean, page?: T.ViewPage }} Where
 */

/** Text with its marked ranges. @param {string} text @param {T.TextOutput['marks']} marks */
function marked(text, marks = []) {
  /** @type {(string | HTMLElement)[]} */
  const parts = [];
  let from = 0;
  for (const [start, end] of marks) {
    if (start >= text.length) break;
    parts.push(text.slice(from, start), el('mark', {}, text.slice(start, end)));
    from = end;
  }
  return [...parts, text.slice(from)];
}

/** @param {T.TextOutput} output @param {Where} where @returns {Drawn} */
function drawText(output, { slug, name, isAnswer }) {
  const { text, file, type = 'text/plain', marks, lang, prose } = output;
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
    note: cut ? words.cut(SHOWN_CHARACTERS, text.length) : '',
    text: () => text,
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

/** @param {T.TableOutput} output @param {Where} where @returns {Drawn} */
function drawTable({ columns, rows, file }, { slug, name, labels }) {
  const numeric = columns.map((_, at) => rows.every((row) => typeof row[at] === 'number'));
  const lines = (/** @type {number} */ from, /** @type {number} */ to) =>
    rows.slice(from, to).map((row) =>
      el(
        'tr',
        {},
        columns.map((_, at) =>
          el('td', { class: numeric[at] && 'number', dir: 'auto' }, cellText(row[at])),
        ),
      ),
    );
  const body = el('tbody', {}, lines(0, FIRST_ROWS));
  const table = el(
    'table',
    {},
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        columns.map((column, at) =>
          el('th', { scope: 'col', class: numeric[at] && 'number' }, column),
        ),
      ),
    ),
    body,
  );
  const all = () => [columns, ...rows];
  return {
    value: el(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': labels[name] ?? label(name) },
      table,
    ),
    rest: rows.length > FIRST_ROWS && (() => body.append(...lines(FIRST_ROWS, SHOWN_ROWS))),
    note: rows.length > SHOWN_ROWS ? words.cut(SHOWN_ROWS, rows.length) : '',
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

/** What a cell says to a person: nothing where there is nothing to say. @param {T.Cell} cell */
const spoken = (cell) => (typeof cell === 'boolean' ? words.truth(cell) : cellText(cell));

/** @param {T.PairsOutput} output @returns {Drawn} */
function drawPairs({ pairs }) {
  const shown = pairs.map(([name, cell]) => [name, spoken(cell)]).filter(([, text]) => text !== '');
  const rows = shown.map(([name = '', text = '']) => {
    // Sentences are prose.
    const value = el('td', { dir: 'auto' }, / \S+\.$/.test(text) ? text : el('code', {}, text));
    return el(
      'tr',
      {},
      el('th', { scope: 'row' }, name),
      value,
      el('td', { class: 'end' }, copyOne(text, name, value)),
    );
  });
  return {
    value: el('table', { class: 'pairs' }, el('tbody', {}, rows)),
    text: () => shown.map(([name, text]) => `${name}: ${text}`).join('\n'),
  };
}

const ROUND = 2 * Math.PI * 7;

/** @param {T.HeadlineOutput} output @returns {Drawn} */
function drawHeadline({ text, tone, color, share }) {
  const ring = share === undefined ? null : icon('M8 1a7 7 0 0 1 0 14 7 7 0 0 1 0-14');
  ring?.classList.add('ring');
  if (ring) set(ring, 'style', { 'stroke-dasharray': `${ROUND * (share ?? 0)} ${ROUND}` });
  return {
    value: el(
      'p',
      { class: 'headline', dir: 'auto', 'data-tone': tone },
      color ? el('span', { class: 'swatch', style: { background: color } }) : null,
      ring,
      text,
    ),
    text: () => text,
  };
}

/** @param {T.ListOutput} output @param {Where} where @returns {Drawn} */
function drawList({ items, file }, { slug }) {
  const text = () => items.join('\n');
  const lines = (/** @type {number} */ from, /** @type {number} */ to) =>
    items.slice(from, to).map((item) => {
      const value = el('code', { dir: 'auto' }, item);
      return el('li', {}, value, copyOne(item, item.length > 60 ? words.item : item, value));
    });
  const value = el('ol', { class: 'list' }, lines(0, FIRST_ROWS));
  return {
    value,
    rest: items.length > FIRST_ROWS && (() => value.append(...lines(FIRST_ROWS, SHOWN_ROWS))),
    whole: text().length,
    note: items.length > SHOWN_ROWS ? words.cut(SHOWN_ROWS, items.length) : '',
    text,
    ...((file || items.length > 20) && {
      file: { name: file ?? `${slug}.txt`, type: 'text/plain', data: text },
    }),
  };
}

/** @param {T.PictureOutput} output @returns {Drawn} */
function drawPicture({ data, type, alt, file }) {
  const blob = data instanceof Blob ? data : new Blob([/** @type {BlobPart} */ (data)], { type });
  const src = URL.createObjectURL(blob);
  return {
    value: el('figure', { class: 'picture' }, el('img', { src, alt })),
    ...(typeof data === 'string' && { text: () => data }),
    ...(file && { file: { name: file, type, data: () => blob } }),
    end: () => URL.revokeObjectURL(src),
  };
}

/** @param {T.PreviewOutput} output @returns {Drawn} */
function drawPreview({ html, follow }) {
  // No scripts, no origin; a link opens a page of its own.
  const sandbox = 'allow-popups allow-popups-to-escape-sandbox';
  const frame = el('iframe', { sandbox, title: words.preview });
  const shown = import('./preview.js').then(({ show }) => show(frame, html, follow));
  return {
    value: el('div', { class: 'preview' }, frame),
    note: words.sandbox,
    end: () => shown.then((end) => end()),
  };
}

/** @param {T.SwatchesOutput} output @returns {Drawn} */
const drawSwatches = ({ swatches }) => ({
  value: el(
    'ul',
    { class: 'swatches' },
    swatches.map(({ color, label }) => {
      const value = el('code', {}, color);
      return el(
        'li',
        {},
        el('span', { class: 'swatch', style: { background: color } }),
        el('span', {}, label),
        value,
        copyOne(color, color, value),
      );
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
const KINDS = {
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

/** One output of the page: its heading and buttons stay while its value is replaced. */
class Slot {
  /** @type {Drawn | undefined} */
  #drawn;
  /** @type {((data: any) => void) | undefined} */
  #view;
  /** @param {string} kind @param {Where} where */
  constructor(kind, where) {
    this.kind = kind;
    this.where = where;
    const { name, labels } = where;
    /** @type {HTMLElement} */
    this.place = el('div', { 'data-value': true });
    this.note = el('p', { class: 'help', hidden: true });
    const value = () => this.place.querySelector('[data-value]') ?? this.place;
    this.copy = copyButton(words.copy, (from) => copy(this.#drawn?.text?.() ?? '', from, value()));
    this.save = button(
      words.download,
      () => {
        const file = this.#drawn?.file;
        if (file) save(file.data(), file.name, file.type);
      },
      { class: 'small' },
    );
    const heading = labels[name] ?? label(name);
    const buttons = el('div', { class: 'output-buttons' }, this.copy, this.save);
    const plain = kind === 'headline' || heading === words.result;
    const title = el('h3', { class: plain && 'unseen' }, heading);
    const parts = [el('header', {}, where.folded ? null : title, buttons), this.place, this.note];
    this.node = el(
      where.folded ? 'details' : 'div',
      { class: `output output-${kind}`, role: 'group', 'data-output': name, 'aria-label': heading },
      where.folded ? el('summary', {}, heading) : null,
      parts,
    );
  }
  /** Draws an output; returns a function for the rest of a long one. @param {T.Output} output */
  async draw(output) {
    if (output.kind === 'view') {
      await this.#drawView(output.data);
      return undefined;
    }
    const drawn = /** @type {(output: any, where: Where) => Drawn} */ (KINDS[output.kind])(
      output,
      this.where,
    );
    this.#drawn?.end?.();
    this.#drawn = drawn;
    set(drawn.value, 'data-value', true);
    set(drawn.value, 'data-length', drawn.whole);
    this.place.replaceWith(drawn.value);
    this.place = drawn.value;
    this.copy.hidden = !drawn.text;
    this.save.hidden = !drawn.file;
    this.note.hidden = !drawn.note;
    this.note.textContent = drawn.note ?? '';
    const { rest } = drawn;
    return rest ? () => this.#drawn === drawn && rest() : undefined;
  }
  /** @param {any} data */
  async #drawView(data) {
    this.copy.hidden = this.save.hidden = true;
    const { default: view } = await import(`../views/${this.where.slug}.js`);
    this.#view ??= /** @type {T.View} */ (view)(
      this.place,
      /** @type {T.ViewPage} */ (this.where.page),
    );
    this.#view(data);
  }
  /** Draws below a text what can be done with it. @param {(text: string) => HTMLElement | undefined} sendOn */
  send(sendOn) {
    this.node.querySelector('.send')?.remove();
    const text = this.kind === 'text' ? this.#drawn?.text?.() : undefined;
    const row = text === undefined ? undefined : sendOn(text);
    if (row) this.node.append(row);
  }
  end() {
    this.#drawn?.end?.();
    this.#drawn = undefined;
    this.node.remove();
  }
}

export class Result {
  /** @type {Map<string, Slot>} */
  #slots = new Map();
  #slug;
  #labels;
  #folded;
  #answer;
  #page;
  #main;
  #fields;
  /** Counts the states, so that a late result does not change them. */
  #turn = 0;
  /**
   * @param {HTMLElement} main @param {HTMLElement} panel with its heading and hint
   * @param {{ slug: string, fields: T.Fields, labels?: Record<string, string> | undefined, answer?: string | undefined, folded?: readonly string[] | undefined }} tool
   * @param {T.ViewPage} page
   */
  constructor(main, panel, { slug, fields, labels = {}, answer, folded = [] }, page) {
    this.#main = main;
    this.#slug = slug;
    this.#labels = labels;
    this.#folded = folded;
    this.#answer = answer;
    this.#fields = fields;
    this.#page = page;
    this.hint = /** @type {HTMLElement} */ (panel.querySelector('.hint'));
    this.status = el('p', { class: 'status', hidden: true });
    this.warnings = el('ul', { class: 'warnings', 'data-warnings': true, hidden: true });
    this.outputs = el('div', { class: 'outputs' });
    this.old = el('p', { class: 'help old', hidden: true }, words.old);
    this.hint.before(this.status, this.warnings, this.old, this.outputs);
  }
  /** @param {'ready' | 'running' | 'done' | 'refused'} state */
  state(state) {
    this.#turn++;
    this.#main.dataset.state = state;
  }
  /** A sentence above the result: progress, or an error that belongs to no field. @param {...(string | Node)} sentence */
  say(...sentence) {
    this.status.hidden = sentence.length === 0;
    this.status.replaceChildren(...sentence);
  }
  /** @param {T.Outputs} outputs @param {readonly string[]} warnings */
  async show(outputs, warnings) {
    const turn = ++this.#turn;
    const { headline, ...others } = outputs;
    const entries = Object.entries({ headline, ...others }).filter(
      ([, output]) => output !== null && output !== undefined,
    );
    const named = entries.map(
      ([name, output]) =>
        /** @type {[string, T.Output]} */ ([
          name,
          typeof output === 'string' ? { kind: 'text', text: output } : output,
        ]),
    );
    for (const [name, slot] of this.#slots)
      if (!named.some(([other, output]) => other === name && output.kind === slot.kind))
        this.#drop(name, slot);
    const rests = await Promise.all(
      named.map(([name, output]) => this.#slot(name, output.kind).draw(output)),
    );
    const order = named.map(([name]) => /** @type {Slot} */ (this.#slots.get(name)).node);
    if (order.some((node, at) => this.outputs.children[at] !== node))
      this.outputs.replaceChildren(...order);
    this.#warn(warnings);
    this.#age(false);
    this.say();
    this.#hint(words.empty, named.length > 0);
    // Before the run counts as done: a page asks for nothing after it.
    const { sendOn } = await import('./send.js');
    const where = { slug: this.#slug, fields: this.#fields, page: this.#page };
    setTimeout(() => {
      if (turn !== this.#turn && this.#main.dataset.state !== 'done') return;
      for (const slot of this.#slots.values()) slot.send((text) => sendOn(text, where));
    }, REST_PAUSE);
    const empty = named.every(([, output]) => output.kind === 'text' && output.text === '');
    const finish = () => {
      for (const rest of rests) rest?.();
      if (turn !== this.#turn) return;
      this.state('done');
      if (!empty) announce(warnings.length > 0 ? words.warnings(warnings) : words.done);
    };
    if (rests.some(Boolean)) setTimeout(finish, REST_PAUSE);
    else finish();
  }
  /** The last result stays, marked as old. @param {string} sentence */
  refused(sentence) {
    this.#warn([]);
    this.#age(this.#slots.size > 0);
    this.say();
    this.#hint(words.empty, this.#slots.size > 0);
    this.state('refused');
    announce(sentence);
  }
  /** The input is run on demand only: the last result stays, marked as old. */
  wait() {
    this.#age(this.#slots.size > 0);
    this.say();
    this.#hint(words.onButton);
    this.state('ready');
  }
  clear() {
    for (const [name, slot] of this.#slots) this.#drop(name, slot);
    this.#warn([]);
    this.#age(false);
    this.say();
    this.#hint(words.empty);
    this.state('ready');
  }
  /** @param {string} sentence @param {boolean} [hidden] */
  #hint(sentence, hidden = false) {
    this.hint.hidden = hidden;
    this.hint.textContent = sentence;
  }
  /** @param {string} name @param {string} kind */
  #slot(name, kind) {
    const slot =
      this.#slots.get(name) ??
      new Slot(kind, {
        slug: this.#slug,
        name,
        labels: this.#labels,
        folded: this.#folded.includes(name),
        isAnswer: this.#answer === name,
        page: this.#page,
      });
    this.#slots.set(name, slot);
    return slot;
  }
  /** @param {string} name @param {Slot} slot */
  #drop(name, slot) {
    slot.end();
    this.#slots.delete(name);
  }
  /** @param {boolean} old */
  #age(old) {
    this.old.hidden = !old;
    this.outputs.classList.toggle('is-old', old);
  }
  /** @param {readonly string[]} warnings */
  #warn(warnings) {
    this.warnings.hidden = warnings.length === 0;
    this.warnings.replaceChildren(...warnings.map((warning) => el('li', {}, prose(warning))));
  }
}
