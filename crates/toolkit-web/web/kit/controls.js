//! Controls of a form, one for each kind of field.

import {
  bounded,
  changed,
  followed,
  isLong,
  kinds,
  lineControl,
  MIB,
  pickedInput,
  plain,
  tell,
} from './control.js';
import { SHARED, withoutButton } from './copy-redacted.js';
import { button, el, iconButton, set } from './el.js';
import { attachments, encodingChoice, filesControl, picker } from './files-control.js';
import { part } from './lazy.js';
import { rowsControl } from './rows-control.js';
import { words } from './words.js';

export { changed, makeControl } from './control.js';

/** @import * as T from './types.d.ts' */
/** @import { Common } from './control.js' */
/** @typedef {import('./control.js').Control} Control */

const FILE = 'M9 1.5H3.5v13h9V5zM9 1.500V5h3.500M8 12V7.500M6 9.500l2-2 2 2';
const WRAP = 'M2 3.500h12M2 8h9.500a2.250 2.250 0 0 1 0 4.500H8M2 12.500h3M9.500 10.500l-2 2 2 2';
const CLEAR = 'M4 4l8 8M12 4l-8 8';
/** Limits for choices shown as segments: number of choices, and letters on the line. */
const SEGMENTS = { most: 4, letters: 44 };

/** Visible lines of an empty text field. It grows with its text. */
const LINES = 6;

/** A text that starts with a right-to-left letter. */
const LEFTWARD =
  /^\P{L}*[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Adlam}]/u;

/** @param {string} text */
const asFile = (text) => new File([text], '', { type: 'text/plain' });

/** A multi-line text, or a file that replaces it. */
class TextControl {
  /** @type {File | undefined} */
  #attached;
  /** @type {HTMLElement | undefined} */
  #encoding;
  #isNumbered;
  /** @param {T.Field} field @param {Common} common */
  constructor(field, common) {
    this.field = field;
    const { lines = LINES, prose, label } = field;
    this.#isNumbered = Boolean(prose);
    this.target = el('textarea', {
      ...common,
      rows: lines,
      style: { '--rows': String(lines) },
      autocapitalize: prose ? undefined : 'off',
      class: prose ? 'prose' : 'code',
      spellcheck: prose ? 'true' : 'false',
      onpaste: (/** @type {ClipboardEvent} */ event) => this.#pasted(event),
      oninput: () => this.#grown(),
    });
    const area = this.target;
    this.frame = el('div', { class: 'lined' }, area);
    this.node = el('div', { class: 'text-control' }, this.frame);
    this.wrap = iconButton(WRAP, words.wrap, () => this.#wrapped(area.wrap === 'off'), {
      'aria-pressed': 'true',
      hidden: true,
    });
    this.clear = iconButton(CLEAR, words.clear(label), () => {
      this.write('');
      changed(this.node);
      area.focus();
    });
    this.without = withoutButton(
      () => area.value,
      () => this.frame,
    );
    this.tools = [this.wrap, this.without, this.clear];
    if (field.accepts === 'file') this.#takesFiles(common);
  }
  /** @param {boolean} isOn */
  #wrapped(isOn) {
    this.target.wrap = isOn ? 'soft' : 'off';
    this.frame.classList.toggle('unwrapped', !isOn);
    set(this.wrap, 'aria-pressed', String(isOn));
  }
  /** @param {ClipboardEvent} event */
  #pasted(event) {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.length <= MIB) {
      if (isLong(text)) this.#fit(text);
      return;
    }
    event.preventDefault();
    if (text.isWellFormed()) this.#attach(asFile(text));
    else tell(this.target, words.halfPair);
  }
  /** Sets height and direction. Not `dir=auto`, which takes Chromium seconds on many lines. @param {string} text */
  #fit(text) {
    const { target } = this;
    this.clear.hidden = text === '';
    const long = isLong(text);
    if (long !== target.classList.contains('long')) {
      target.classList.toggle('long', long);
      // Unwrapped lines have one height, so only visible ones need numbers and marks.
      if (!this.field.prose) this.#wrapped(!long);
    }
    const dir = LEFTWARD.test(text) ? 'rtl' : 'ltr';
    // Writing the same value would restyle all lines.
    if (target.dir !== dir) target.dir = dir;
  }
  /** Adapts to the text. Numbers its lines once there are two. */
  #grown() {
    const { value } = this.target;
    this.#fit(value);
    this.without.hidden = value.length < SHARED;
    if (this.#isNumbered || !value.includes('\n')) return;
    this.#isNumbered = true;
    this.wrap.hidden = false;
    this.#number();
  }
  async #number() {
    (await part(words.parts.lines, () => import('./lines.js')))?.number(this.target);
  }
  /** @param {File | undefined} file @param {boolean} [quiet] */
  #attach(file, quiet = false) {
    this.#attached = file;
    this.frame.hidden = Boolean(file);
    if (file) {
      this.target.value = '';
      this.#fit('');
    }
    this.node.querySelector('.attachments')?.remove();
    this.#encoding?.remove();
    this.#encoding = undefined;
    const remove = () => {
      this.#attach(undefined);
      this.target.focus();
    };
    if (file) this.frame.after(attachments([file], remove));
    if (!quiet) changed(this.node);
  }
  read() {
    const { value } = this.target;
    if (!this.#attached && value.length > MIB && value.isWellFormed())
      this.#attach(asFile(value), true);
    return this.#attached ?? value;
  }
  /** @param {any} value */
  write(value) {
    if (typeof value !== 'string' || value.length > MIB) {
      const bytes = value.bytes ?? value;
      this.#attach(value instanceof File ? value : new File([bytes], value.name ?? ''), true);
      return;
    }
    this.#attach(undefined, true);
    this.#fit(value);
    this.target.value = value;
    if (this.#isNumbered && !this.field.prose) this.#number();
    else this.#grown();
  }
  /** Accepts chosen, dropped and pasted files. @param {Common} common */
  #takesFiles({ name }) {
    const accept = (/** @type {File[]} */ [file]) => {
      if (file) this.#attach(file);
      return Boolean(file);
    };
    const input = picker(this.field, accept, {
      ...{ class: 'unseen', tabindex: -1, 'aria-hidden': 'true', 'data-file': name },
    });
    this.node.append(input);
    const choose = iconButton(FILE, words.chooseFor(this.field.label), () => input.click(), {
      title: `${words.chooseFile}. ${words.dropHere}`,
    });
    this.tools.unshift(choose);
    this.accept = accept;
    this.ask = async () => {
      const decode = await part(words.parts.encodings, () => import('./decode.js'));
      if (!decode || !this.#attached || this.#encoding) return;
      this.#encoding = encodingChoice(decode.ENCODINGS, this.#attached, (file) => {
        this.#attached = file;
      });
      this.frame.after(this.#encoding);
    };
  }
}

/** @param {T.Field} field @param {Common} common @returns {Control} */
const textControl = (field, common) => new TextControl(field, common);

/** Whether choices fit as segments. @param {Record<string, unknown>} choices */
function isShort(choices) {
  const labels = Object.values(choices).map(String);
  return labels.length <= SEGMENTS.most && labels.join('  ').length <= SEGMENTS.letters;
}

/** @param {T.FieldOf<'choice'>} field @param {Common} common @returns {Control} */
function choiceControl({ choices, beside }, common) {
  if ((beside || isShort(choices)) && !common.name.includes('.'))
    return segments(choices, beside ?? Object.keys(choices), common);
  const options = Object.entries(choices).map(([value, label]) =>
    el('option', { value }, String(label)),
  );
  return plain(el('select', common, options));
}

/** A few choices as segments, and a list of the others. @param {Record<string, unknown>} choices @param {readonly string[]} beside @param {Common} common @returns {Control} */
function segments(choices, beside, { name, id, ...common }) {
  /** @param {string[]} choice */
  const option = ([value = '', label = '']) => el('option', { value }, label);
  const all = Object.entries(choices).map(([value, label]) => [value, String(label)]);
  const others = all.filter(([value = '']) => !beside.includes(value));
  const inputs = beside.map((value) =>
    el('input', {
      ...{ type: 'radio', name: `${name}:one`, value },
      oninput: () => write(value),
    }),
  );
  const write = (/** @type {unknown} */ value) => {
    for (const input of inputs) input.checked = input.value === String(value);
    list.value = String(value);
    rest.value = others.some(([one]) => one === value) ? String(value) : '';
  };
  // Scripts that fill forms by name find a select here, as for other choices.
  const list = el(
    'select',
    {
      ...{ class: 'unseen', name, tabindex: -1, 'aria-hidden': 'true' },
      oninput: () => write(list.value),
    },
    all.map(option),
  );
  const rest = el(
    'select',
    { 'aria-labelledby': `${id}-label`, oninput: () => write(rest.value || list.value) },
    [['', words.others], ...others].map(option),
  );
  const labels = inputs.map((input) =>
    el('label', {}, input, el('span', {}, String(choices[input.value]))),
  );
  const role = others.length > 0 ? 'group' : 'radiogroup';
  const node = el(
    'div',
    { class: 'segments', role, id, 'aria-labelledby': `${id}-label`, ...common },
    labels,
    others.length > 0 ? rest : null,
    list,
  );
  node.focus = (options) => (inputs.find(({ checked }) => checked) ?? inputs[0])?.focus(options);
  return {
    node,
    target: node,
    read: () => list.value,
    write,
  };
}

/** @param {T.Field} field @param {Common} common @returns {Control} */
function toggleControl({ label }, common) {
  const input = el('input', { type: 'checkbox', ...common });
  return {
    node: el('label', { class: 'check' }, input, el('span', {}, label)),
    target: input,
    read: () => input.checked,
    write: (value) => {
      input.checked = value === true || value === 'true';
    },
  };
}

/** @param {T.Field} field @param {Common} common @returns {Control} */
function numberControl({ label, min, max, step, unit, slider }, common) {
  const input = el('input', { type: 'number', min, max, step, ...common });
  const parts = [input, unit ? el('span', { class: 'unit' }, unit) : null];
  const control = plain(input, unit || slider ? el('div', { class: 'pair' }, parts) : input);
  control.read = () =>
    input.validity.badInput ? 'NaN' : input.value === '' ? null : Number(input.value);
  if (!slider) return control;
  const range = el('input', {
    ...{ type: 'range', min, max: slider, step, 'aria-label': words.slider(label) },
    oninput: () => control.write(range.value),
  });
  input.before(range);
  return followed(control, () => {
    range.value = input.value;
  });
}

/** A secret with a Show button. Not `type=password`, which browsers offer to save. @param {T.FieldOf<'secret'>} field @param {Common} common @returns {Control} */
function secretControl(field, common) {
  const { target, ...control } = lineControl({ ...field, code: true }, common);
  target.classList.add('masked');
  const show = button(
    words.show,
    () => set(show, 'aria-pressed', String(!target.classList.toggle('masked'))),
    {
      class: 'small',
      'aria-pressed': 'false',
      'aria-label': words.showOne(field.label),
    },
  );
  return { ...control, target, node: el('div', { class: 'pair' }, target, show) };
}

/** Values that the browser's pickers accept. Other values cause console warnings. @type {Record<string, (value: string) => boolean>} */
const ACCEPTS = {
  // `Date` would turn 30 February into a day in March.
  date: (value) =>
    /^\d{4}-\d\d-\d\d$/.test(value) &&
    new Date(`${value}T00:00Z`).getUTCDate() === Number(value.slice(-2)),
  time: (value) => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(value),
};

/** A text input with the browser's date or time picker. @param {T.Field} field @param {Common} common @returns {Control} */
function pickedControl(field, common) {
  const { kind, label } = field;
  const input = pickedInput(common);
  const pick = el('input', {
    type: kind,
    class: 'pick',
    step: kind === 'time' ? 1 : undefined,
    'aria-label': words.pick(label),
    oninput: () => {
      input.value = pick.value;
    },
  });
  const control = plain(bounded(input, field), el('div', { class: 'pair' }, input, pick));
  return followed(control, () => {
    if (ACCEPTS[kind]?.(input.value)) pick.value = input.value;
  });
}

Object.assign(kinds, {
  text: textControl,
  choice: choiceControl,
  toggle: toggleControl,
  number: numberControl,
  secret: secretControl,
  file: filesControl,
  files: filesControl,
  date: pickedControl,
  time: pickedControl,
  rows: rowsControl,
});

/** Loads the color control if a field needs it. It is larger than all other controls together. @param {T.Fields} fields */
export async function prepare(fields) {
  const all = Object.values(fields).flatMap((field) => [
    field,
    ...Object.values(field.columns ?? {}),
  ]);
  if (!all.some(({ kind }) => kind === 'color')) return;
  const color = await part(words.parts.colorField, () => import('./color-control.js'));
  kinds.color = color?.colorControl ?? lineControl;
}
