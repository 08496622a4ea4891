//! Forms: draw fields, read and write raw values, show refusals at fields.

import { changed, makeControl } from './controls.js';
import { announce, button, el, prose, set } from './el.js';
import { part } from './part.js';
import { initial, shown } from './tool.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @typedef {import('./controls.js').Control} Control */

const REMEMBERED = ['choice', 'toggle', 'number'];
/** Kinds of field that hold what a tool works on. */
const CONTENT = ['text', 'secret', 'file', 'files', 'color', 'date', 'rows'];
/** The main fields and the options beside them that are shown on opening. */
const SHOWN = 5;

/** Longer choices are cut in one column; longer labels and helps tower in it. */
const COLUMN = { choice: 14, label: 20, help: 60 };

/** Whether a field takes two columns. @param {T.Field} field */
const isWide = ({ label, help = '', choices = {} }) =>
  label.length > COLUMN.label ||
  help.length > COLUMN.help ||
  Object.values(choices).some((choice) => String(choice).length > COLUMN.choice);

/** @typedef {{ control: Control, field: T.Field, node: HTMLElement, error: HTMLElement, help: string }} Row */

/** @param {string} name @param {T.Field} field @returns {Row} */
function row(name, field) {
  const id = `field-${name}`;
  const help = field.help ? `${id}-help` : '';
  const control = makeControl(field, { id, name, 'aria-describedby': help || undefined });
  const error = el('p', { class: 'refusal', id: `${id}-error`, hidden: true, 'data-field': name });
  const node = el(
    'div',
    { class: `field ${isWide(field) ? 'wide' : ''} field-${field.kind}` },
    field.kind === 'toggle' ? null : el('label', { for: id }, field.label),
    control.node,
    error,
    field.help ? el('p', { class: 'help', id: help }, prose(field.help)) : null,
    el('div', { class: 'actions' }),
  );
  return { control, field, node, error, help };
}

/**
 * How the fields are placed: the main ones, the options beside them, and those that fold.
 * @param {T.Fields} fields @param {string} [more] the first that folds
 */
export function placed(fields, more) {
  const names = Object.keys(fields);
  const raw = Object.fromEntries(names.map((name) => [name, initial(fields[name] ?? never)]));
  const open = names.filter((name) => shown(fields[name] ?? never, raw));
  const kind = (/** @type {number} */ at) => fields[open[at] ?? '']?.kind ?? '';
  const first = [0, 1, 2].find(
    (at) => CONTENT.includes(kind(at)) || (at < 2 && kind(at) === 'line'),
  );
  const second = (first ?? 0) + 1;
  const isPair =
    kind(second) === 'text' ||
    (kind(second - 1) === kind(second) && CONTENT.includes(kind(second)));
  const end = first === undefined ? 0 : second + Number(isPair);
  const from = (/** @type {string | undefined} */ name) =>
    name === undefined ? names.length : names.indexOf(name);
  const [options, folded] = [from(open[end]), from(more ?? open[SHOWN])];
  return {
    main: names.slice(0, Math.min(options, folded)),
    options: names.slice(options, folded),
    folded: names.slice(folded),
  };
}

/** @type {T.Field} */
const never = { kind: 'line', label: '' };

export class Form {
  /** @type {Record<string, Row>} */
  #parts = {};
  /** What the last example, link or Reset replaced. @type {Record<string, any>} */
  #before = {};
  /** The names of the options that fold. @type {string[]} */
  #folded = [];
  /** @type {HTMLDetailsElement | undefined} */
  #more;
  /** @type {HTMLElement} */
  #tip;

  /**
   * @param {T.Fields} fields
   * @param {{ changed: () => void, run: () => void, more?: string | undefined, actions?: { title: string, field: string, onclick: () => void }[] }} options
   */
  constructor(fields, { changed: onChange, run, more, actions = [] }) {
    for (const [name, field] of Object.entries(fields)) this.#parts[name] = row(name, field);
    for (const { title, field, onclick } of actions)
      this.#parts[field]?.node.lastChild?.appendChild(button(title, onclick, { class: 'small' }));
    const runs = el('button', { class: 'run', title: 'Ctrl+Enter' }, words.run);
    const undo = () => {
      this.undo.hidden = true;
      this.set(this.#before);
      changed(this.node);
      runs.focus();
    };
    this.undo = button(words.undo, undo, { hidden: true });
    this.buttons = el('div', { class: 'buttons' }, runs, this.undo);
    this.#tip = el('p', { class: 'tip', role: 'status', hidden: true });
    this.node = el(
      'form',
      {
        class: 'form',
        novalidate: true,
        'aria-label': words.input,
        oninput: (/** @type {Event} */ { target }) => {
          if (target !== this.node) this.undo.hidden = true;
          this.#tip.hidden = true;
          this.#arrange();
          onChange();
        },
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          run();
        },
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          run();
        },
        onrefusal: (/** @type {CustomEvent<string>} */ { target, detail }) => {
          const [name] =
            Object.entries(this.#parts).find(([, { node }]) =>
              node.contains(/** @type {Node} */ (target)),
            ) ?? [];
          this.refuse(name, detail);
          announce(detail);
        },
      },
      ...this.#place(placed(fields, more)),
    );
    this.result = el(
      'section',
      { class: 'result', 'aria-labelledby': 'result' },
      el('h2', { id: 'result' }, words.result),
      el('p', { class: 'hint' }, words.empty),
    );
    /** Form and result, as placed on the page. */
    this.work = el('div', { class: 'work' }, this.node, this.result);
    this.#listen(onChange);
    this.reset();
  }

  /** The groups of fields, with the buttons below the last that is always open. @param {ReturnType<typeof placed>} places */
  #place({ main, options, folded }) {
    const group = (/** @type {string[]} */ names, /** @type {string} */ name) =>
      el(
        'div',
        { class: `fields ${name}`, hidden: names.length === 0 },
        names.map((one) => this.#parts[one]?.node ?? null),
      );
    this.#folded = folded;
    this.#more = el(
      'details',
      { class: 'more' },
      el('summary', {}, words.more),
      group(folded, 'fields-more'),
    );
    const [first, second] = [group(main, 'fields-main'), group(options, 'fields-options')];
    return [first, this.#tip, second, this.buttons, this.#more];
  }

  /** Opens the folded options when one of them is not as it was at first. */
  #unfold() {
    const more = this.#more;
    if (!more) return;
    more.open ||= this.#folded.some((name) => {
      const { control, field } = this.#parts[name] ?? {};
      return field && JSON.stringify(control?.read()) !== JSON.stringify(initial(field));
    });
  }

  /** Files dropped or pasted anywhere, and selections. @param {() => void} onChange */
  #listen(onChange) {
    const parts = Object.values(this.#parts);
    const take = (/** @type {any} */ event) => {
      const { type, target, dataTransfer, clipboardData } = event;
      const data = dataTransfer ?? clipboardData;
      const has = (/** @type {string} */ one) => data?.types.includes(one);
      // Cells of a spreadsheet come as text and as a picture of it.
      if (!has('Files') || (clipboardData && has('text/html') && has('text/plain'))) return;
      const under = parts.filter(({ node }) => node.contains(target));
      const taken = [...under, ...parts].some(({ control: { accept } }) =>
        type === 'dragover' ? accept : accept?.([...data.files]),
      );
      // A browser would open the file instead of the page and lose what was typed.
      if (taken || dataTransfer) event.preventDefault();
      if (!taken) data.dropEffect = 'none';
    };
    for (const type of ['dragover', 'drop', 'paste']) document.addEventListener(type, take);
    for (const { field, control } of parts) {
      if (!field.selection) continue;
      const area = /** @type {HTMLTextAreaElement} */ (control.target);
      let last = 0;
      area.addEventListener('selectionchange', () => {
        const length = area.selectionEnd - area.selectionStart;
        // A moved cursor selects nothing.
        if (length > 0 || last > 0) onChange();
        last = length;
      });
    }
  }

  /** Shows the fields that other values ask for. */
  #arrange() {
    for (const { field, node } of Object.values(this.#parts)) {
      const names = Object.keys(field.when ?? {});
      const raw = Object.fromEntries(
        names.map((name) => [name, this.#parts[name]?.control.read()]),
      );
      node.hidden = !shown(field, raw);
    }
    if (this.#more)
      this.#more.hidden = this.#folded.every((name) => this.#parts[name]?.node.hidden);
  }

  /** All raw values; files as `File`. @returns {Record<string, any>} */
  raw() {
    /** @type {Record<string, any>} */
    const raw = {};
    for (const [name, { control, field }] of Object.entries(this.#parts)) {
      raw[name] = control.read();
      if (!field.selection) continue;
      const { selectionStart: start, selectionEnd: end } = /** @type {HTMLTextAreaElement} */ (
        control.target
      );
      raw[`${name}:selection`] = { start, end };
    }
    return raw;
  }

  /** Puts values into the form. @param {Record<string, any>} values */
  set(values) {
    for (const [name, value] of Object.entries(values)) this.#parts[name]?.control.write(value);
    this.#arrange();
    this.#unfold();
  }

  reset() {
    this.set(
      Object.fromEntries(
        Object.entries(this.#parts).map(([name, { field }]) => [name, initial(field)]),
      ),
    );
  }

  /** Fills in an example, a link or nothing, and defaults; offers to undo it. @param {Record<string, any>} values */
  fill(values) {
    this.#before = this.raw();
    this.reset();
    const isLost = JSON.stringify(this.#before) !== JSON.stringify(this.raw());
    this.set(values);
    changed(this.node);
    this.undo.hidden = !isLost;
  }

  /** The options that differ from their defaults. @returns {Record<string, any>} */
  options() {
    return Object.fromEntries(
      Object.entries(this.#parts)
        .filter(([, { field }]) => REMEMBERED.includes(field.kind))
        .map(([name, { field, control }]) => [name, control.read(), initial(field)])
        .filter(([, value, standard]) => value !== standard && value !== 'NaN'),
    );
  }

  /** Restores remembered options that still exist. @param {Record<string, any>} options */
  restore(options) {
    for (const [name, value] of Object.entries(options)) {
      const { field, control } = this.#parts[name] ?? {};
      if (!field || !REMEMBERED.includes(field.kind)) continue;
      if (field.kind !== 'choice' || Object.hasOwn(field.choices, value)) control?.write(value);
    }
    this.#arrange();
    this.#unfold();
  }

  /** Shows a refusal, or none. @param {string} [field] @param {...(string | Node)} sentence */
  refuse(field, ...sentence) {
    for (const [name, { error, control, help }] of Object.entries(this.#parts)) {
      const wrong = name === field;
      if (wrong && this.#more && this.#folded.includes(name)) this.#more.open = true;
      error.hidden = !wrong;
      error.replaceChildren(...(wrong ? sentence : []));
      set(error, 'data-refusal', wrong);
      set(control.target, 'aria-invalid', wrong ? 'true' : null);
      const { target } = control;
      if (
        target instanceof HTMLTextAreaElement &&
        (wrong || target.parentElement?.matches('.numbered'))
      )
        part(words.parts.lines, () => import('./lines.js')).then((lines) =>
          lines?.number(target, error.textContent ?? ''),
        );
      set(control.target, 'aria-describedby', `${help} ${wrong ? error.id : ''}`.trim() || null);
    }
  }

  /** Lets the encodings of these fields' files be chosen. @param {ReadonlySet<string>} names */
  ask(names) {
    for (const name of names) this.#parts[name]?.control.ask?.();
  }

  /** Offers something for what was pasted. @param {(string | Node)[]} parts */
  offer(parts) {
    this.#tip.hidden = parts.length === 0;
    this.#tip.replaceChildren(...parts);
  }

  /** Focuses the first field, where that opens no keyboard on the screen, unless the page is read elsewhere. */
  focus() {
    const isFree = document.activeElement === document.body && scrollY === 0 && !location.hash;
    if (!isFree || !matchMedia('(pointer: fine) and (width >= 60rem)').matches) return;
    const first = Object.values(this.#parts).find(({ node }) => !node.hidden);
    first?.control.target.focus({ preventScroll: true });
  }
}

/** Examples. @param {readonly { title: string, values: Record<string, any> }[]} examples @param {Form} form @param {() => void} run */
export const examplesOf = (examples, form, run) =>
  el(
    'section',
    { class: 'examples', 'aria-labelledby': 'examples' },
    el('h2', { id: 'examples' }, words.examples),
    el(
      'ul',
      {},
      examples.map(({ title, values }) =>
        el(
          'li',
          {},
          button(
            title,
            () => {
              form.fill(values);
              run();
            },
            { class: 'small', 'data-example': true },
          ),
        ),
      ),
    ),
  );
