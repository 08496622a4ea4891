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
/** Kinds that fill a pane. */
const TALL = ['text', 'file', 'files', 'rows'];
/** Longer labels and helps take a row of fields of one line. */
const COLUMN = { label: 24, help: 70 };

/** Whether a field takes the whole row of its pane. @param {T.Field} field */
const isWide = ({ label, help = '' }) => label.length > COLUMN.label || help.length > COLUMN.help;

/** @typedef {{ control: Control, field: T.Field, node: HTMLElement, error: HTMLElement, help: string }} Row */

/** @param {string} name @param {T.Field} field @param {keyof ReturnType<typeof placed>} place @returns {Row} */
function row(name, field, place) {
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
  const hasHead = place === 'panes' || TALL.includes(field.kind);
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
      class: `field ${place === 'panes' ? 'pane' : ''} ${isWide(field) ? 'wide' : ''} field-${field.kind}`,
    },
    hasHead ? head : label,
    control.node,
    field.help ? el('p', { class: 'help', id: help }, prose(field.help)) : null,
    hasHead ? null : actions,
  );
  return { control, field, node, error, help };
}

/**
 * How the fields are placed: what is worked on in panes, or in lines over them; options in the toolbar; and those that
 * fold into its popover.
 * @param {T.Fields} fields @param {string} [more] the first that folds @param {string} [options] the first option
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
  #toolbar;
  /** @type {HTMLElement} */
  #tip;
  /** @type {HTMLElement} */
  #run;
  /** @type {(raw: Record<string, any>) => boolean} */
  #needsButton;
  /** The names of the fields in panes. @type {string[]} */
  #panes = [];

  /**
   * @param {T.Fields} fields
   * @param {{ changed: () => void, run: () => void, more?: string | undefined, options?: string | undefined,
   *   verb?: T.Tool['verb'], needsButton?: (raw: Record<string, any>) => boolean, actions?: { title: string, field: string, onclick: () => void }[] }} options
   *   `needsButton`: whether a button runs this input
   */
  constructor(
    fields,
    {
      changed: onChange,
      run,
      more,
      options,
      verb = words.run,
      needsButton = () => true,
      actions = [],
    },
  ) {
    const places = placed(fields, more, options);
    for (const [place, names] of Object.entries(places))
      for (const name of names)
        this.#parts[name] = row(name, fields[name] ?? never, /** @type {any} */ (place));
    // In the order of declaration.
    this.#parts = Object.fromEntries(
      Object.keys(fields).map((name) => [name, /** @type {Row} */ (this.#parts[name])]),
    );
    for (const { title, field, onclick } of actions)
      this.#parts[field]?.node
        .querySelector('.actions')
        ?.append(button(title, onclick, { class: 'small' }));
    this.#run = el('button', { class: 'run', title: 'Ctrl+Enter' });
    this.#needsButton = needsButton;
    this.verb = (raw = this.raw()) => (typeof verb === 'string' ? verb : verb(raw));
    const undo = () => {
      this.undo.hidden = true;
      this.set(this.#before);
      changed(this.node);
      this.#first()?.focus();
    };
    this.undo = button(words.undo, undo, { class: 'small undo', hidden: true });
    /** What is done with the whole form. */
    this.buttons = el('div', { class: 'buttons' }, this.undo);
    this.#toolbar = el('div', { class: 'toolbar' });
    this.#tip = el('p', { class: 'tip', role: 'status', hidden: true });
    this.node = el(
      'form',
      {
        class: 'form',
        novalidate: true,
        'aria-label': words.input,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          run();
        },
      },
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
    this.work = el(
      'div',
      {
        class: 'work',
        oninput: (/** @type {Event} */ { target }) => {
          if (this.result.contains(/** @type {Node} */ (target))) return;
          if (target !== this.node) this.undo.hidden = true;
          this.#tip.hidden = true;
          this.#arrange();
          onChange();
        },
        onrefusal: (/** @type {CustomEvent<string>} */ { target, detail }) => {
          this.refuse(this.#nameOf(target), detail);
          announce(detail);
        },
      },
      this.node,
      this.result,
    );
    this.#panes = places.panes;
    this.#listen(onChange, run);
    this.reset();
  }

  /** The name of the field that an element belongs to. @param {EventTarget | null} target */
  #nameOf(target) {
    const node = /** @type {Node} */ (target);
    return Object.keys(this.#parts).find((name) => this.#parts[name]?.node.contains(node));
  }

  /** Toolbar, lines and panes. @param {ReturnType<typeof placed>} places */
  #place({ toolbar, lines, panes, folded }) {
    const nodes = (/** @type {string[]} */ names) =>
      names.flatMap((name) => this.#parts[name]?.node ?? []);
    this.#folded = folded;
    const popover = el('div', { class: 'fields-more' }, this.#grouped(folded));
    this.#more = el(
      'details',
      {
        class: 'more',
        hidden: folded.length === 0,
        // It begins below its button, as far as the page has room.
        ontoggle: () => {
          popover.style.setProperty('translate', '0');
          const over =
            popover.getBoundingClientRect().right - this.work.getBoundingClientRect().right;
          popover.style.setProperty('translate', `${Math.min(0, -over)}px`);
        },
        onkeydown: (/** @type {KeyboardEvent} */ { key }) => key === 'Escape' && this.#fold(true),
      },
      el('summary', {}, words.more),
      popover,
    );
    for (const type of ['pointerdown', 'focusin'])
      document.addEventListener(type, ({ target }) => {
        if (!this.#more?.contains(/** @type {Node} */ (target))) this.#fold(false);
      });
    this.#toolbar.append(...this.#grouped(toolbar), this.#more, this.#run);
    return [
      this.#toolbar,
      this.#tip,
      el('div', { class: 'lines-pane' }, nodes(lines)),
      el('div', { class: 'panes' }, nodes(panes)),
    ];
  }

  /** Fields, those of a group together. @param {string[]} names */
  #grouped(names) {
    /** @type {HTMLElement[]} */
    const all = [];
    let last = '';
    for (const name of names) {
      const { field, node } = this.#parts[name] ?? {};
      if (!field || !node) continue;
      const { group = '' } = field;
      if (!group) all.push(node);
      else if (group === last) all.at(-1)?.append(node);
      else
        all.push(
          el(
            'div',
            { class: 'group', role: 'group', 'aria-label': group },
            el('span', { class: 'group-name', 'aria-hidden': 'true' }, group),
            node,
          ),
        );
      last = group;
    }
    return all;
  }

  /** Closes the popover. @param {boolean} isBack whether the focus goes back to its button */
  #fold(isBack) {
    if (!this.#more?.open) return;
    this.#more.open = false;
    if (isBack) this.#more.querySelector('summary')?.focus();
  }

  /** Files dropped or pasted anywhere, selections, and Ctrl+Enter, also when a text became a file and its field went. @param {() => void} onChange @param {() => void} run */
  #listen(onChange, run) {
    document.addEventListener('keydown', (event) => {
      const { key, ctrlKey, metaKey, target } = event;
      const isHere = target === document.body || this.#nameOf(target);
      if (key !== 'Enter' || !(ctrlKey || metaKey) || !isHere) return;
      event.preventDefault();
      run();
    });
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
    const isHidden = (/** @type {string} */ name) => this.#parts[name]?.node.hidden;
    if (this.#more) this.#more.hidden = this.#folded.every(isHidden);
    for (const group of this.node.querySelectorAll('.group'))
      set(
        group,
        'hidden',
        [...group.querySelectorAll('.field')].every((one) => one.matches('[hidden]')),
      );
    const pane = this.#panes.find((name) => !isHidden(name));
    this.work.classList.toggle('solo', !pane);
    const place = this.#parts[pane ?? '']?.node.querySelector('.pane-tools') ?? this.#toolbar;
    if (this.buttons.parentElement !== place) place.append(this.buttons);
  }

  /** Shows the button if these values need it, with its word. @param {Record<string, any>} raw */
  ready(raw) {
    const verb = this.verb(raw);
    this.#run.textContent = verb;
    // The button is found as that of every tool, by the same word.
    set(this.#run, 'aria-label', verb === words.run ? null : words.runs(verb));
    this.#run.hidden = !this.#needsButton(raw);
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
    this.ready(this.raw());
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
    this.ready(this.raw());
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
    this.#first()?.focus({ preventScroll: true });
  }

  /** What is entered first: content, or else an option. */
  #first() {
    const all = Object.values(this.#parts).filter(({ node }) => !node.hidden);
    const first = all.find(({ node }) => node.closest('.panes, .lines-pane')) ?? all[0];
    return first?.control.target;
  }
}

/** The answer of the first example as text, where the tool tells it. @param {T.Example<any>} [example] */
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
