//! Results: outputs in their places, with Copy and Download; warnings, and the state of the run.

import { KINDS } from './draw.js';
import { announce, copy, copyButton, el, iconButton, prose, set } from './el.js';
import { part } from './part.js';
import { save } from './save.js';
import { Tabs } from './tabs.js';
import { SHARED, withoutButton } from './without.js';
import { label, words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @import { Drawn, Where } from './draw.js' */

/** The rest of a long result, and what can be done with it, follow when typing pauses. */
const REST_PAUSE = 300;
/** What can be done with a result belongs to it, and is not waited for longer. */
const OFFER_MS = 1000;

/** The longest answer that is spoken, in letters. */
const SPOKEN = 200;

const SAVE = 'M8 2v8M4.500 7L8 10.500 11.500 7M2.500 13.500h11';

/** @param {number} ms */
const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** One output of the page: its heading and buttons stay while its value is replaced. */
class Slot {
  /** @type {Drawn | undefined} */
  #drawn;
  /** @type {((data: any) => void) | undefined} */
  #view;
  /** Takes the colors away. */
  #plain = () => {};
  /** @param {string} kind @param {Where} where */
  constructor(kind, where) {
    this.kind = kind;
    this.where = where;
    const { name, labels } = where;
    /** @type {HTMLElement} */
    this.place = el('div', { 'data-value': true });
    this.note = el('p', { class: 'help', hidden: true });
    const value = () => this.place.querySelector('[data-value]') ?? this.place;
    const generic = { headline: words.answer, output: words.result };
    const heading =
      labels[name] ?? generic[/** @type {keyof typeof generic} */ (name)] ?? label(name);
    this.heading = heading;
    this.copy = copyButton(words.copyOne(heading), (from) =>
      copy(this.#drawn?.text?.() ?? '', from, value()),
    );
    this.save = iconButton(SAVE, words.downloadOne(heading), () => {
      const file = this.#drawn?.file;
      if (file) save(file.data(), file.name, file.type);
    });
    this.without = withoutButton(
      () => this.#drawn?.text?.() ?? '',
      () => head,
      heading,
    );
    this.tools = el('div', { class: 'pane-tools' }, this.copy, this.without, this.save);
    const isAnswer = kind === 'headline' || where.isAnswer;
    const plain = isAnswer || heading === words.result;
    const title = el('h3', { class: plain && 'unseen' }, heading);
    const head = el(
      'div',
      { class: `pane-head ${plain ? 'is-plain' : ''}` },
      where.folded ? null : title,
      this.tools,
    );
    const parts = [head, this.place, this.note];
    this.node = el(
      where.folded ? 'details' : 'div',
      { class: `output output-${kind}`, 'data-output': name },
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
    this.#plain();
    this.#drawn?.end?.();
    this.#drawn = drawn;
    set(drawn.value, 'data-value', true);
    set(drawn.value, 'data-length', drawn.whole);
    // A result that is replaced by itself, as of a clock, leaves the focus where it was.
    const active = /** @type {HTMLButtonElement} */ (document.activeElement);
    const focused = [...this.place.querySelectorAll('button')].indexOf(active);
    this.place.replaceWith(drawn.value);
    this.place = drawn.value;
    if (focused >= 0) drawn.value.querySelectorAll('button')[focused]?.focus();
    this.copy.hidden = !drawn.text;
    const { kind } = output;
    this.without.hidden = kind !== 'table' && (kind !== 'text' || output.text.length < SHARED);
    this.node.querySelector('[data-redacted]')?.remove();
    this.save.hidden = !drawn.file;
    this.note.hidden = !drawn.note;
    this.note.textContent = drawn.note ?? '';
    if (!drawn.folds) this.tools.querySelector('.fold-all')?.remove();
    const { rest } = drawn;
    return rest ? () => this.#drawn === drawn && rest() : undefined;
  }
  /** @param {any} data */
  async #drawView(data) {
    this.copy.hidden = this.without.hidden = this.save.hidden = true;
    const module = `../tools/${this.where.slug}/view.js`;
    const loaded = await part(words.parts.view, () => import(module));
    if (loaded)
      this.#view ??= /** @type {T.View} */ (loaded.default)(
        this.place,
        /** @type {T.ViewPage} */ (this.where.page),
      );
    this.#view?.(data);
  }
  /** Offers in the head of an output what can be done with it, and colors a text. @param {typeof import('./send.js')} parts @param {(text: string, opens: readonly T.Opens[]) => Promise<HTMLElement | undefined>} sendOn */
  async send({ colored }, sendOn) {
    const drawn = this.#drawn;
    const [text = '', opens = []] = [drawn?.sent?.(), drawn?.opens];
    const row = await sendOn(text, opens);
    if (this.#drawn !== drawn) return;
    this.tools.querySelector('.sends')?.remove();
    if (row) this.tools.append(row);
    if (this.kind !== 'text' || text === '') return;
    // What is marked has colors of its own.
    if (this.place.querySelector('mark')) return;
    const [color, folds] = await Promise.all([
      colored(text),
      drawn?.folds ? part(words.parts.folds, () => import('./folds.js')) : undefined,
    ]);
    if (this.#drawn !== drawn) return;
    this.tools.querySelector('.fold-all')?.remove();
    const button = folds?.fold(this.place);
    if (button) this.tools.prepend(button);
    this.#plain();
    this.#plain = color(this.place);
  }
  end() {
    this.#plain();
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
  #tabs;
  #strip = new Tabs();
  #page;
  /** What an empty page says. */
  #empty;
  #main;
  #fields;
  #isSecret;
  /** Counts the states, so that a late result does not change them. */
  #turn = 0;
  /** What is offered first, while it waits. @type {Promise<void> | undefined} */
  #offers;
  /**
   * @param {HTMLElement} main @param {HTMLElement} panel with its heading and hint
   * @param {{ slug: string, fields: T.Fields, labels?: Record<string, string> | undefined, answer?: string | undefined, folded?: readonly string[] | undefined, tabs?: readonly string[] | undefined, secrets?: boolean | undefined }} tool
   * @param {T.ViewPage} page
   */
  constructor(
    main,
    panel,
    { slug, fields, labels = {}, answer, folded = [], tabs = [], secrets = false },
    page,
  ) {
    this.#main = main;
    this.#slug = slug;
    this.#labels = labels;
    this.#folded = folded;
    this.#answer = answer;
    this.#tabs = tabs;
    this.#fields = fields;
    this.#isSecret = secrets;
    this.#page = page;
    this.hint = /** @type {HTMLElement} */ (panel.querySelector('.hint'));
    this.#empty = this.hint.textContent ?? '';
    this.status = el('p', { class: 'status', hidden: true });
    this.warnings = el('ul', { class: 'warnings', 'data-warnings': true, hidden: true });
    this.outputs = el('div', { class: 'outputs' });
    this.old = el('p', { class: 'help old', hidden: true }, words.old);
    this.hint.before(this.status, this.warnings, this.old, this.outputs);
  }
  /** Offers nothing before a promise: a page that computes as it opens is often only read. @param {Promise<unknown>} touch */
  offerAfter(touch) {
    this.#offers = touch.then(() => {
      this.#offers = undefined;
      return this.#offer(this.#turn, 0);
    });
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
  /** @param {T.Outputs} outputs @param {readonly string[]} warnings @param {boolean} [silent] not told to screen readers */
  async show(outputs, warnings, silent = false) {
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
    // Taken away while it was drawn, as by Reset.
    if (named.some(([name]) => !this.#slots.has(name))) return;
    const order = this.#order(named.map(([name]) => name));
    if (order.some((node, at) => this.outputs.children[at] !== node))
      this.outputs.replaceChildren(...order);
    this.#warn(warnings);
    this.#age(false);
    this.say();
    this.#hint(this.#empty, named.length > 0);
    const pause = rests.some(Boolean) ? REST_PAUSE : 0;
    let isWhole = false;
    const whole = () => {
      if (!isWhole) for (const rest of rests) rest?.();
      isWhole = true;
    };
    // Before the run counts as done: a page asks for nothing after it.
    const offered = !this.#offers;
    if (offered) await Promise.race([this.#offer(turn, pause, whole), after(pause + OFFER_MS)]);
    const empty = named.every(([, output]) => output.kind === 'text' && output.text === '');
    const finish = () => {
      whole();
      if (turn !== this.#turn) return;
      this.state('done');
      if (!empty && !silent) announce(words.told(this.#spoken(named), warnings));
    };
    if (pause > 0 && !offered) setTimeout(finish, pause);
    else finish();
  }
  /** What a screen reader hears of a result: its answer, if it is short and no secret. @param {[string, T.Output][]} named */
  #spoken(named) {
    const of = (/** @type {string | undefined} */ wanted) =>
      named.find(([name]) => name === wanted)?.[1];
    const main = of('headline') ?? (this.#isSecret ? undefined : of(this.#answer));
    const text = main && 'text' in main ? main.text.trim() : '';
    return text === '' || text.length > SPOKEN ? words.done : text;
  }
  /** The nodes of outputs in order, alternatives with the strip before them. @param {string[]} names */
  #order(names) {
    const slot = (/** @type {string} */ name) => /** @type {Slot} */ (this.#slots.get(name));
    const tabs = this.#tabs.filter((name) => names.includes(name));
    if (tabs.length < 2) return names.map((name) => slot(name).node);
    this.#strip.draw(
      tabs.map((name) => ({ name, title: slot(name).heading, node: slot(name).node })),
    );
    const first = names.findIndex((name) => tabs.includes(name));
    const rest = names.filter((name) => !tabs.includes(name)).map((name) => slot(name).node);
    rest.splice(first, 0, this.#strip.node, ...tabs.map((name) => slot(name).node));
    return rest;
  }
  /** Draws below the texts what can be done with them, each once; their whole first. @param {number} turn @param {number} pause @param {() => void} [whole] */
  async #offer(turn, pause, whole) {
    const parts = await part(words.parts.sendOn, () => import('./send.js'));
    if (!parts) return;
    const where = { slug: this.#slug, fields: this.#fields, page: this.#page };
    await after(pause);
    if (turn === this.#turn) whole?.();
    if (turn !== this.#turn && this.#main.dataset.state !== 'done') return;
    const seen = new Set();
    const rows = [...this.#slots.values()].map((slot) =>
      part(words.parts.sendOn, () =>
        slot.send(parts, async (text, opens) => {
          const row = await parts.sendOn(text, where, opens);
          const key = row?.textContent ?? '';
          if (seen.has(key)) return undefined;
          seen.add(key);
          return row;
        }),
      ),
    );
    await Promise.all(rows);
  }
  /** The last result stays, marked as old. @param {string} sentence */
  refused(sentence) {
    this.#warn([]);
    this.#age(this.#slots.size > 0);
    this.say();
    this.#hint(this.#empty, true);
    this.state('refused');
    announce(sentence);
  }
  /** The input is run on demand only: the last result stays, marked as old. @param {string} verb on the button */
  wait(verb) {
    this.#age(this.#slots.size > 0);
    this.say();
    this.#hint(words.onButton(verb));
    this.state('ready');
  }
  clear() {
    for (const [name, slot] of this.#slots) this.#drop(name, slot);
    this.#warn([]);
    this.#age(false);
    this.say();
    this.#hint(this.#empty);
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
