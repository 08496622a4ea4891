//! The result pane: outputs with Copy and Download, warnings, and the state of the run.

import { SHARED, withoutButton } from './copy-redacted.js';
import { KINDS } from './draw.js';
import { announce, button, copy, copyButton, el, iconButton, prose, set } from './el.js';
import { part } from './lazy.js';
import { save } from './save.js';
import { Tabs } from './tabs.js';
import { label, words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @import { Drawn, Where } from './draw.js' */

/** @type {Record<string, string>} */
const FORMATS = {
  js: 'JavaScript',
  mjs: 'JavaScript',
  ts: 'TypeScript',
  md: 'Markdown',
  txt: '',
  webp: 'WebP',
};

const own = {
  /** Format name for a file extension. @param {string} ending */
  format: (ending) => FORMATS[ending] ?? ending.toUpperCase(),
  download: 'Download',
  answer: 'Answer',
  /** @param {string} verb */
  onButton: (verb) => `Press ${verb} or Ctrl+Enter.`,
  done: 'The result is ready.',
  old: 'This is the result of the previous input.',
  /** @param {string} answer @param {readonly string[]} warnings */
  told: (answer, warnings) => {
    const whole = /[.!?…]$/.test(answer) ? answer : `${answer}.`;
    if (warnings.length === 0) return whole;
    const count = warnings.length === 1 ? 'Warning' : `${warnings.length} warnings`;
    return `${whole} ${count}: ${warnings.join(' ')}`;
  },
  change: 'change',
};

/** The rest of a long result and its actions follow when typing pauses. */
const REST_PAUSE = 300;
/** Time limit for the actions of a result, which are shown together with it. */
const OFFER_MS = 1000;

/** The longest answer announced to screen readers, in letters. */
const SPOKEN = 200;

const SAVE = 'M8 2v8M4.500 7L8 10.500 11.500 7M2.500 13.500h11';

/** @param {number} ms */
const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** One output. Its heading and buttons stay while its value is replaced. */
class Slot {
  /** @type {Drawn | undefined} */
  #drawn;
  /** @type {((data: any) => void) | undefined} */
  #view;
  /** Removes the colors. */
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
    const generic = { headline: own.answer, output: words.result };
    const heading =
      labels[name] ?? generic[/** @type {keyof typeof generic} */ (name)] ?? label(name);
    this.heading = heading;
    this.generic = Object.values(generic).includes(heading);
    this.copy = copyButton(words.copyOne(heading), (from) =>
      copy(this.#drawn?.text?.() ?? '', from, value()),
    );
    this.save = iconButton(SAVE, words.downloadOne(heading), () => this.#save());
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
  #save() {
    const file = this.#drawn?.file;
    if (file) save(file.data(), file.name, file.type);
  }
  /** The label and action of the product button. Undefined if there is nothing to copy or save. @param {string | undefined} called @returns {{ label: string, act: (from: HTMLElement) => unknown } | undefined} */
  product(called) {
    const { text, file, main } = this.#drawn ?? {};
    if (main) {
      const [name = '', value = ''] = main;
      return { label: `${words.copy} ${name}`, act: (from) => copy(value, from, this.place) };
    }
    const ending = /\.(\w+)$/.exec(file?.name ?? '')?.[1] ?? '';
    const format = own.format(ending);
    if (file && (!text || this.kind === 'picture'))
      return { label: `${own.download} ${called ?? format}`, act: () => this.#save() };
    if (!text?.().trim()) return undefined;
    const name = called ?? (this.generic && format ? format : undefined);
    return {
      label: name ? `${words.copy} ${name}` : words.copyOne(this.heading),
      act: (from) => copy(text(), from, this.place),
    };
  }
  /** Whether one of its values is what one comes for. */
  get hasMain() {
    return this.#drawn?.main !== undefined;
  }
  /** Draws an output. Returns a function that draws the rest of a long one. @param {T.Output} output */
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
    // A result that refreshes automatically, such as a clock, keeps the focus.
    const active = /** @type {HTMLButtonElement} */ (document.activeElement);
    const focused = [...this.place.querySelectorAll('button')].indexOf(active);
    this.place.replaceWith(drawn.value);
    this.place = drawn.value;
    if (focused >= 0) drawn.value.querySelectorAll('button')[focused]?.focus();
    const { kind } = output;
    // The headline is for reading. The product has its own button.
    this.copy.hidden = !drawn.text || kind === 'headline';
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
  /** Adds actions to the head of an output, and colors a text. @param {typeof import('./send.js')} parts @param {(text: string, opens: readonly T.Opens[]) => Promise<HTMLElement | undefined>} sendOn */
  async send({ colored }, sendOn) {
    const drawn = this.#drawn;
    const [text = '', opens = []] = [drawn?.sent?.(), drawn?.opens];
    const row = await sendOn(text, opens);
    if (this.#drawn !== drawn) return;
    this.tools.querySelector('.sends')?.remove();
    if (row) this.tools.append(row);
    if (this.kind !== 'text' || text === '') return;
    // Marked texts already have colors.
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
  #strip = new Tabs();
  #main;
  #panel;
  #tool;
  #page;
  /** The hint of an empty page. */
  #empty;
  /** Counts state changes, so that late results are dropped. */
  #turn = 0;
  /** The first actions, while they are delayed. @type {Promise<void> | undefined} */
  #offers;
  /**
   * @param {HTMLElement} main @param {HTMLElement} panel with its heading and hint
   * @param {Pick<import('./tool-page.js').Served, 'slug' | 'fields' | 'labels' | 'answer' | 'product' | 'folded' | 'tabs' | 'secrets'>} tool
   * @param {T.ViewPage} page
   */
  constructor(main, panel, tool, page) {
    this.#main = main;
    this.#panel = panel;
    this.#tool = tool;
    this.#page = page;
    this.hint = /** @type {HTMLElement} */ (panel.querySelector('.hint'));
    this.#empty = this.hint.textContent ?? '';
    this.status = el('p', { class: 'status', hidden: true });
    this.warnings = el('ul', { class: 'warnings', 'data-warnings': true, hidden: true });
    this.outputs = el('div', { class: 'outputs' });
    this.old = el('p', { class: 'help old', hidden: true }, own.old);
    this.took = el('p', { class: 'took', 'data-took': true, hidden: true });
    /** Copies or saves the product. @type {(from: HTMLElement) => unknown} */
    let act = () => {};
    const isRunning = () => main.dataset.state === 'running';
    // Pressed right after the last key, it hands over the product of what was typed, not the last one.
    const press = async () => {
      const waits = isRunning();
      while (isRunning()) await after(20);
      if (!waits || main.dataset.state === 'done') act(hand);
    };
    const hand = button('', press, {
      class: 'product',
      'data-product': true,
      hidden: true,
    });
    /** @param {ReturnType<Slot['product']>} product */
    this.hand = (product) => {
      hand.hidden = !product;
      act = product?.act ?? act;
      if (product) hand.dataset.label = product.label;
      if (product && !hand.dataset.copied) hand.textContent = product.label;
      panel.style.setProperty('--product', `${hand.offsetWidth}px`);
    };
    panel.querySelector('.pane-head')?.append(this.took, hand);
    this.hint.before(this.status, this.warnings, this.old, this.outputs);
  }
  /** Delays the actions of the first result. A page that computes on opening is often only read. @param {Promise<unknown>} touch */
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
  /** Shows a sentence above the result: progress, or an error without a field. @param {...(string | Node)} sentence */
  say(...sentence) {
    this.status.hidden = sentence.length === 0;
    this.status.replaceChildren(...sentence);
  }
  /** Shows an automatic decision, and how to change it. @param {any} took @param {(back: NonNullable<T.TookOutput['back']>) => void} go */
  take(took, go) {
    const { text = '', back } = /** @type {Partial<T.TookOutput>} */ (took ?? {});
    this.took.hidden = text === '';
    const label = back && 'label' in back ? back.label : own.change;
    const way = back && button(label, () => go(back), { class: 'link' });
    this.took.replaceChildren(text, ...(way ? [' · ', way] : []));
  }
  /** @param {T.Outputs} outputs @param {readonly string[]} warnings @param {boolean} [silent] not announced to screen readers */
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
    // Removed while drawing, for example by Reset.
    if (named.some(([name]) => !this.#slots.has(name))) return;
    const order = this.#order(named.map(([name]) => name));
    if (order.some((node, at) => this.outputs.children[at] !== node))
      this.outputs.replaceChildren(...order);
    this.#offerProduct();
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
    // Before the state is `done`, after which a page makes no more requests.
    const offered = !this.#offers;
    if (offered) await Promise.race([this.#offer(turn, pause, whole), after(pause + OFFER_MS)]);
    const empty = named.every(([, output]) => output.kind === 'text' && output.text === '');
    const finish = () => {
      whole();
      if (turn !== this.#turn) return;
      this.state('done');
      if (!empty && !silent) announce(own.told(this.#spoken(named), warnings));
    };
    if (pause > 0 && !offered) setTimeout(finish, pause);
    else finish();
  }
  /** Labels the product button with the preferred output. The headline is used only if there is no other. */
  #offerProduct() {
    const { product = {}, answer = '' } = this.#tool;
    const called = typeof product === 'function' ? product(this.#page.values()) : product;
    const others = [...this.#slots].filter(([, { kind }]) => kind !== 'headline');
    const names = [...Object.keys(called), answer, ...others.map(([name]) => name)];
    for (const name of [...names, 'headline']) {
      const slot = this.#slots.get(name);
      const product = slot?.product(called[name]);
      if (!product) continue;
      slot?.copy.toggleAttribute('hidden', !slot.hasMain);
      return this.hand(product);
    }
    this.hand(undefined);
  }
  /** The announcement of a result: its answer, if that is short and not secret. @param {[string, T.Output][]} named */
  #spoken(named) {
    const of = (/** @type {string | undefined} */ wanted) =>
      named.find(([name]) => name === wanted)?.[1];
    const { secrets, answer } = this.#tool;
    const main = of('headline') ?? (secrets ? undefined : of(answer));
    const text = main && 'text' in main ? main.text.trim() : '';
    return text === '' || text.length > SPOKEN ? own.done : text;
  }
  /** Output nodes in order, with the tab strip before alternatives. @param {string[]} names */
  #order(names) {
    const slot = (/** @type {string} */ name) => /** @type {Slot} */ (this.#slots.get(name));
    const tabs = (this.#tool.tabs ?? []).filter((name) => names.includes(name));
    if (tabs.length < 2) return names.map((name) => slot(name).node);
    this.#strip.draw(
      tabs.map((name) => ({ name, title: slot(name).heading, node: slot(name).node })),
    );
    const first = names.findIndex((name) => tabs.includes(name));
    const rest = names.filter((name) => !tabs.includes(name)).map((name) => slot(name).node);
    rest.splice(first, 0, this.#strip.node, ...tabs.map((name) => slot(name).node));
    return rest;
  }
  /** Adds actions to texts, each action once, after drawing the texts in full. @param {number} turn @param {number} pause @param {() => void} [whole] */
  async #offer(turn, pause, whole) {
    const parts = await part(words.parts.sendOn, () => import('./send.js'));
    if (!parts) return;
    const where = { slug: this.#tool.slug, fields: this.#tool.fields, page: this.#page };
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
  /** Keeps the last result, marked as old. @param {string} sentence */
  refused(sentence) {
    this.#warn([]);
    this.#age(this.#slots.size > 0);
    this.say();
    this.#hint(this.#empty, true);
    this.state('refused');
    announce(sentence);
  }
  /** This input runs only on demand. Keeps the last result, marked as old. @param {string} verb on the button */
  wait(verb) {
    this.#age(this.#slots.size > 0);
    this.say();
    this.#hint(own.onButton(verb));
    this.state('ready');
  }
  clear() {
    for (const [name, slot] of this.#slots) this.#drop(name, slot);
    this.#warn([]);
    this.#age(false);
    this.hand(undefined);
    this.took.hidden = true;
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
    const { slug, labels = {}, folded = [], answer } = this.#tool;
    const slot =
      this.#slots.get(name) ??
      new Slot(kind, {
        ...{ slug, name, labels, page: this.#page },
        ...{ folded: folded.includes(name), isAnswer: answer === name },
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
    this.#panel.classList.toggle('is-old', old);
  }
  /** @param {readonly string[]} warnings */
  #warn(warnings) {
    this.warnings.hidden = warnings.length === 0;
    this.warnings.replaceChildren(...warnings.map((warning) => el('li', {}, prose(warning))));
  }
}
