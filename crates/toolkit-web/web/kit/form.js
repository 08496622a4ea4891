//! Forms: draw fields, read and write raw values, show refusals at fields.

import { changed, makeControl } from './controls.js';
import { announce, button, el, prose, set } from './el.js';
import { part } from './lazy.js';
import { initial, shown } from './tool.js';
import { Toolbar } from './toolbar.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */

const REMEMBERED = ['choice', 'toggle', 'number'];
/** Kinds of field for the main input. */
const CONTENT = ['text', 'secret', 'file', 'files', 'color', 'date', 'rows'];
/** Kinds that fill a pane. */
const TALL = ['text', 'file', 'files', 'rows'];
/** Fields with longer labels or help texts take a whole row. */
const COLUMN = { label: 24, help: 70 };

/** Whether a field takes the whole row of its pane. @param {T.Field} field */
const isWide = ({ label, help = '' }) => label.length > COLUMN.label || help.length > COLUMN.help;

/** @typedef {import('./toolbar.js').Row} Row */

/** @param {string} name @param {T.Field} field @param {boolean} isPane @returns {Row} */
function row(name, field, isPane) {
  const id = `field-${name}`;
  const help = field.help ? `${id}-help` : '';
  const control = makeControl(field, { id, name, 'aria-describedby': help || undefined });
  const error = el('p', { class: 'refusal', id: `${id}-error`, hidden: true, 'data-field': name });
  const isSegments = control.target.matches('.segments');
  const label =
    field.kind === 'toggle'
      ? null
      : el(
          isSegments ? 'span' : 'label',
          { for: isSegments ? undefined : id, id: `${id}-label`, class: 'name' },
          field.label,
        );
  const actions = el('div', { class: 'actions' });
  const hasHead = isPane || TALL.includes(field.kind);
  const head = el(
    'div',
    { class: 'pane-head' },
    label,
    actions,
    el('div', { class: 'pane-tools' }, control.tools),
  );
  const node = el(
    'div',
    {
      class: `field ${isPane ? 'pane' : ''} ${isWide(field) ? 'wide' : ''} field-${field.kind}`,
    },
    hasHead ? head : label,
    control.node,
    field.help ? el('p', { class: 'help', id: help }, prose(field.help)) : null,
    hasHead ? null : actions,
  );
  return { control, field, node, error, help };
}

/**
 * Assigns fields to places: main inputs to panes or to lines above them, options to the toolbar or its popover.
 * @param {T.Fields} fields @param {string} [more] the first folded option @param {string} [options] the first option
 */
export function placed(fields, more, options) {
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
  const [begin, option, folded] = [
    from(open[first ?? names.length]),
    from(options ?? open[end]),
    from(more),
  ];
  /** @type {Record<'toolbar' | 'lines' | 'panes' | 'folded', string[]>} */
  const places = { toolbar: [], lines: [], panes: [], folded: [] };
  for (const [at, name] of names.entries()) {
    const { kind, open } = fields[name] ?? never;
    const isOption = at >= option || ['choice', 'toggle'].includes(kind) || at < begin;
    if (at >= folded) places.folded.push(name);
    else if (TALL.includes(kind) || open) places.panes.push(name);
    else places[isOption && kind !== 'secret' ? 'toolbar' : 'lines'].push(name);
  }
  return places;
}

/** Whether a control holds a value. @param {any} one @param {any} other */
const isSame = (one, other) =>
  one === other || (!(one instanceof File) && JSON.stringify(one) === JSON.stringify(other));

/** @type {T.Field} */
const never = { kind: 'line', label: '' };

export class Form {
  /** @type {Record<string, Row>} */
  #parts = {};
  /** The values that the last example, link or Reset replaced. @type {Record<string, any>} */
  #before = {};
  #toolbar;
  #tip = el('p', { class: 'tip', role: 'status', hidden: true });
  /** @type {(raw: Record<string, any>) => boolean} */
  #needsButton;
  /** Names of fields set by a person, an example or a link. @type {Set<string>} */
  chosen = new Set();
  /** Names of the main input fields. @type {string[]} */
  #content = [];
  /** Shown below the first line of an empty form, otherwise at the lower edge. @type {HTMLElement} */
  #examples;

  /** @param {import('./tool-page.js').Served} tool @param {() => void} onChange @param {(action?: number) => void} run the tool, or one of its actions */
  constructor(tool, onChange, run) {
    const { fields, verb = words.run } = tool;
    const places = placed(fields, tool.more, tool.options);
    for (const [name, field] of Object.entries(fields))
      this.#parts[name] = row(name, field, places.panes.includes(name));
    for (const [action, { title, field }] of (tool.actions ?? []).entries())
      this.#parts[field]?.node
        .querySelector('.actions')
        ?.append(button(title, () => run(action), { class: 'small' }));
    this.#needsButton = tool.needsButton;
    this.verb = (raw = this.raw()) => (typeof verb === 'string' ? verb : verb(raw));
    this.undo = button(words.undo, () => this.#undo(), { class: 'small undo', hidden: true });
    /** Buttons for the whole form. */
    this.buttons = el('div', { class: 'buttons' }, this.undo);
    this.#examples = examplesOf(tool.examples, this, run);
    this.#toolbar = new Toolbar(this.#parts, places.toolbar, places.folded);
    const onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      run();
    };
    this.node = el(
      'form',
      { class: 'form', novalidate: true, 'aria-label': words.input, onsubmit },
      ...this.#place(places),
    );
    this.result = el(
      'section',
      { class: 'result pane', 'aria-labelledby': 'result' },
      el('div', { class: 'pane-head' }, el('h2', { id: 'result' }, words.result)),
      Object.values(this.#parts).map(({ error }) => error),
      el('p', { class: 'hint' }, words.empty),
    );
    /** Form and result, as placed on the page. A tool may put a field after the result, out of the form. */
    this.work = el('div', { class: 'work' }, this.node, this.result);
    this.#content = [...places.lines, ...places.panes];
    this.#listen(onChange, run);
    this.reset();
  }

  /** Restores the values that an example, a link or Reset replaced. */
  #undo() {
    this.undo.hidden = true;
    this.set(this.#before);
    changed(this.node);
    this.#first()?.focus();
  }

  /** The name of the field that an element belongs to. @param {EventTarget | null} target */
  #nameOf(target) {
    const node = /** @type {Node} */ (target);
    return Object.keys(this.#parts).find((name) => this.#parts[name]?.node.contains(node));
  }

  /** Lines, panes and toolbar. @param {ReturnType<typeof placed>} places */
  #place({ lines, panes }) {
    const nodes = (/** @type {string[]} */ names) =>
      names.flatMap((name) => this.#parts[name]?.node ?? []);
    return [
      el('div', { class: 'lines-pane' }, nodes(lines)),
      el('div', { class: 'panes' }, nodes(panes)),
      this.#toolbar.node,
      this.#tip,
    ];
  }

  /** Input, selections, and Ctrl+Enter, also when a text became a file and its field went. @param {() => void} onChange @param {() => void} run */
  #listen(onChange, run) {
    this.work.addEventListener('input', ({ target }) => {
      if (this.result.contains(/** @type {Node} */ (target))) return;
      if (target !== this.node) this.undo.hidden = true;
      const name = this.#nameOf(target);
      if (name) this.chosen.add(name);
      this.#tip.hidden = true;
      this.#arrange();
      onChange();
    });
    this.work.addEventListener('refusal', (event) => {
      const { target, detail } = /** @type {CustomEvent<string>} */ (event);
      this.refuse(this.#nameOf(target), undefined, detail);
      announce(detail);
    });
    document.addEventListener('keydown', (event) => {
      const { key, ctrlKey, metaKey, target } = event;
      const isHere = target === document.body || this.#nameOf(target);
      if (key !== 'Enter' || !(ctrlKey || metaKey) || !isHere) return;
      event.preventDefault();
      run();
    });
    this.#takeFiles();
    for (const { field, control } of Object.values(this.#parts)) {
      const target = /** @type {HTMLInputElement} */ (control.target);
      // The first press selects a ready value, even where it has the focus: a paste replaces it.
      const select = () => {
        const { value, selectionStart, selectionEnd } = target;
        if (value === initial(field) && selectionStart === selectionEnd) target.select();
      };
      // After the click, when the browser has moved the cursor.
      if (target.matches('input'))
        target.addEventListener('click', () => setTimeout(select), { once: true });
      if (!field.selection) continue;
      const area = /** @type {HTMLTextAreaElement} */ (control.target);
      let last = 0;
      area.addEventListener('selectionchange', () => {
        const length = area.selectionEnd - area.selectionStart;
        // Moving the cursor is not a selection.
        if (length > 0 || last > 0) onChange();
        last = length;
      });
    }
  }

  /** Accepts files dropped or pasted anywhere. */
  #takeFiles() {
    const parts = Object.values(this.#parts);
    const take = (/** @type {any} */ event) => {
      const { type, target, dataTransfer, clipboardData } = event;
      const data = dataTransfer ?? clipboardData;
      const has = (/** @type {string} */ one) => data?.types.includes(one);
      // Spreadsheet cells are pasted as text and as a picture.
      if (!has('Files') || (clipboardData && has('text/html') && has('text/plain'))) return;
      const under = parts.filter(({ node }) => node.contains(target));
      const taken = [...under, ...parts].some(({ control: { accept } }) =>
        type === 'dragover' ? accept : accept?.([...data.files]),
      );
      // Otherwise the browser would leave the page to open the file, and the input would be lost.
      if (taken || dataTransfer) event.preventDefault();
      if (!taken) data.dropEffect = 'none';
    };
    for (const type of ['dragover', 'drop', 'paste']) document.addEventListener(type, take);
  }

  /** Shows and hides fields that depend on other values. */
  #arrange() {
    for (const { field, node } of Object.values(this.#parts)) {
      const names = Object.keys(field.when ?? {});
      const raw = Object.fromEntries(
        names.map((name) => [name, this.#parts[name]?.control.read()]),
      );
      node.hidden = !shown(field, raw);
    }
    this.#toolbar.arrange();
    const content = this.#content.flatMap((name) => this.#parts[name] ?? []);
    const pane = content.find(({ node }) => !node.hidden && node.matches('.pane'))?.node;
    this.work.classList.toggle('solo', !pane);
    const place = pane?.querySelector('.pane-tools') ?? this.#toolbar.node;
    if (this.buttons.parentElement !== place) place.append(this.buttons);
    const line = content.find(({ node }) => !node.hidden)?.node;
    const beside = line?.closest('.lines-pane') ?? line ?? this.#toolbar.node;
    if (this.#examples.parentElement !== beside) beside.append(this.#examples);
    const isFilled = content.some(({ control, field }) => !isSame(control.read(), initial(field)));
    this.#examples.classList.toggle('aside', isFilled);
  }

  /** Shows and labels the button if these values need it. @param {Record<string, any>} raw */
  ready(raw) {
    const verb = this.verb(raw);
    this.#toolbar.run.textContent = verb;
    // The accessible name starts with "Run" on every page.
    set(this.#toolbar.run, 'aria-label', verb === words.run ? null : words.runs(verb));
    this.#toolbar.run.hidden = !this.#needsButton(raw);
  }

  /** All raw values, with files as `File`. @returns {Record<string, any>} */
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

  /** Sets values. @param {Record<string, any>} values */
  set(values) {
    for (const [name, value] of Object.entries(values)) this.#parts[name]?.control.write(value);
    this.#arrange();
    this.ready(this.raw());
  }

  reset() {
    this.chosen.clear();
    this.set(
      Object.fromEntries(
        Object.entries(this.#parts).map(([name, { field }]) => [name, initial(field)]),
      ),
    );
  }

  /** Fills the form from an example or a link, with defaults for the rest. Offers Undo. @param {Record<string, any>} values */
  fill(values) {
    this.#before = this.raw();
    this.reset();
    const isLost = JSON.stringify(this.#before) !== JSON.stringify(this.raw());
    this.set(values);
    for (const name of Object.keys(values)) this.chosen.add(name);
    this.#arrange();
    changed(this.node);
    this.undo.hidden = !isLost;
  }

  /** Chosen options that differ from their defaults. @returns {Record<string, any>} */
  options() {
    return Object.fromEntries(
      Object.entries(this.#parts)
        .filter(([name, { field }]) => REMEMBERED.includes(field.kind) && this.chosen.has(name))
        .map(([name, { field, control }]) => [name, control.read(), initial(field)])
        .filter(([, value, standard]) => value !== standard && value !== 'NaN'),
    );
  }

  /** Restores remembered options that still exist. @param {Record<string, any>} options */
  restore(options) {
    for (const [name, value] of Object.entries(options)) {
      const { field, control } = this.#parts[name] ?? {};
      if (!field || !REMEMBERED.includes(field.kind)) continue;
      if (field.kind === 'choice' && !Object.hasOwn(field.choices, value)) continue;
      control?.write(value);
      this.chosen.add(name);
    }
    this.#arrange();
    this.ready(this.raw());
  }

  /** Shows or clears the error. @param {string} [field] @param {import('./lines.js').Place} [place] @param {...(string | Node)} sentence */
  refuse(field, place, ...sentence) {
    for (const [name, { error, control, help }] of Object.entries(this.#parts)) {
      const wrong = name === field;
      if (wrong) this.#toolbar.unfold(name);
      error.hidden = !wrong;
      error.replaceChildren(...(wrong ? sentence : []));
      set(error, 'data-refusal', wrong);
      set(control.target, 'aria-invalid', wrong ? 'true' : null);
      const { target } = control;
      if (target.parentElement?.matches(wrong && place ? '.lined' : '.numbered, .marked'))
        part(words.parts.lines, () => import('./lines.js')).then((lines) =>
          lines?.number(/** @type {HTMLTextAreaElement} */ (target), wrong ? place : undefined),
        );
      set(control.target, 'aria-describedby', `${help} ${wrong ? error.id : ''}`.trim() || null);
    }
  }

  /** Shows the encoding menus of these fields' files. @param {ReadonlySet<string>} names */
  ask(names) {
    for (const name of names) this.#parts[name]?.control.ask?.();
  }

  /** Shows an offer for the pasted text. @param {(string | Node)[]} parts */
  offer(parts) {
    this.#tip.hidden = parts.length === 0;
    this.#tip.replaceChildren(...parts);
  }

  /** Focuses a field, and opens the popover if it is there. @param {string} name */
  lead(name) {
    this.#toolbar.unfold(name);
    this.#parts[name]?.control.target.focus();
  }

  /** Focuses the first field, unless that opens an on-screen keyboard, or the page has been scrolled or focused elsewhere. */
  focus() {
    const isFree = document.activeElement === document.body && scrollY === 0 && !location.hash;
    if (!isFree || !matchMedia('(pointer: fine) and (width >= 60rem)').matches) return;
    const first = this.#first();
    first?.focus({ preventScroll: true });
    // A paste replaces the default value.
    if (first instanceof HTMLInputElement) first.select();
  }

  /** The first field: main input, otherwise an option. */
  #first() {
    const all = Object.values(this.#parts).filter(({ node }) => !node.hidden);
    const first = all.find(({ node }) => node.closest('.panes, .lines-pane')) ?? all[0];
    return first?.control.target;
  }
}

/** The declared answer of the first example, as text. @param {T.Example<any>} [example] */
export function ghostOf(example) {
  const outputs = Object.values(example?.outputs ?? {}).map((/** @type {any} */ one) =>
    typeof one === 'string'
      ? one
      : (one?.text ??
        one?.items?.join('\n') ??
        one?.pairs?.map((/** @type {string[]} */ pair) => pair.join(': ')).join('\n')),
  );
  return outputs.filter(Boolean).join('\n\n');
}

/** Examples. @param {readonly { title: string, values: Record<string, any> }[]} examples @param {Form} form @param {() => void} run */
const examplesOf = (examples, form, run) =>
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
