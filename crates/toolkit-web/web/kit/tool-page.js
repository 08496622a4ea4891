//! A tool's page: form and result, automatic and manual runs, links, undo.

import { prepare } from './controls.js';
import { announce, button, el, iconButton, prose, styled } from './el.js';
import { Form, ghostOf } from './form.js';
import { keep, keepButton, keptOf } from './keep.js';
import { part } from './lazy.js';
import { get, keepOptions } from './store.js';
import { initial } from './tool.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */

/**
 * @typedef {object} Answer one of `outputs`, `refusal`, `obstacle`
 * @property {any} [outputs] of a run, or the values of an action
 * @property {readonly string[]} [warnings]
 * @property {number} [again] seconds after which the result ages
 * @property {ReadonlySet<string>} [encoded] fields whose file may be in another encoding
 * @property {{ field?: string | undefined, sentence: string, place?: import('./lines.js').Place, use?: readonly Record<string, string>[] | undefined }} [refusal]
 * @property {string} [obstacle] why there is no result, in a sentence
 *
 * @typedef {Omit<T.Tool, 'live'> & Ways} Served what the page knows of a tool
 *
 * @typedef {object} Ways
 * @property {string} slug
 * @property {boolean} live whether it ever runs automatically
 * @property {(raw: Record<string, any>) => boolean} runs whether this input runs automatically
 * @property {(raw: Record<string, any>) => boolean} needsButton whether a button runs this input
 * @property {((raw: Record<string, any>) => void) | undefined} entered called with each input
 */

const RESET = 'M3 8a5 5 0 1 0 1.500-3.500M3 2.500v3h3';
const LINK =
  'M7 9a3 3 0 0 0 4.200 0l2-2a3 3 0 0 0-4.200-4.200l-1 1M9 7a3 3 0 0 0-4.200 0l-2 2A3 3 0 0 0 7 13.200l1-1';

/** Letters of the example answer on an empty page. */
const GHOST = 600;

/** Fragments of a page that gets its input from another page. */
const HANDED = /^#(?:handed|paste)$/;

/** Limits in milliseconds for the pause before a run, which is as long as the last run took. */
const PAUSE = { least: 20, most: 120 };
/** After this time in milliseconds, a run shows a message and a Cancel button. */
const SLOW = 400;

class ToolPage {
  /** The next automatic run. @type {ReturnType<typeof setTimeout> | undefined} */
  #next;
  /** @type {Promise<{ result: import('./output.js').Result, client: import('./worker-client.js').WorkerClient }> | undefined} */
  #parts;
  /** The last pasted text, until an offer is made for it. */
  #pasted = '';
  /** The values set for the pasted text, and how it starts. @type {(NonNullable<Awaited<ReturnType<typeof import('./send.js').direction>>> & { start: string }) | undefined} */
  #turned;
  /** The last run, until the next one begins or it is cancelled. */
  #run = new AbortController();
  /** Whether the form has changed since it began. */
  #isOld = false;
  /** How long the last run took, in milliseconds. */
  #time = PAUSE.most;

  /** @param {HTMLElement} main @param {Served} tool */
  constructor(main, tool) {
    this.main = main;
    this.tool = tool;
    this.form = new Form(
      tool,
      () => this.#change(),
      (action) => this.run({ action }),
    );
    for (const type of ['pointerdown', 'keydown', 'paste'])
      this.form.node.addEventListener(type, () => this.#load(), { once: true });
    this.form.node.addEventListener('paste', (event) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      // As fields have it.
      this.#pasted = text.replace(/\r\n?/g, '\n');
    });
    this.#buttons();
    const ghost = tool.start ? '' : ghostOf(tool.examples[0]);
    if (ghost) {
      const { result } = this.form;
      result.querySelector('.hint')?.replaceChildren(words.emptyLike);
      result.append(el('pre', { class: 'ghost', 'aria-hidden': 'true' }, ghost.slice(0, GHOST)));
    }
    this.page = this.#ofViews();
    tool.drawn?.(this.page, this.form.work);
  }

  /** Adds the buttons for the whole form, and the link button in the page head. */
  #buttons() {
    const { buttons } = this.form;
    const reset = () => {
      this.form.fill({});
      this.#clear();
    };
    buttons.append(iconButton(RESET, words.reset, reset));
    const say = async (/** @type {string} */ sentence) => (await this.#load()).result.say(sentence);
    if (!this.tool.secrets) buttons.append(keepButton(this.tool, () => this.form.raw(), say));
    const link = iconButton(LINK, words.copyLink, (from) => this.#link(from), { class: 'icon' });
    this.main.querySelector('[data-actions]')?.append(link);
  }

  /** @returns {T.ViewPage} */
  #ofViews() {
    const set = (/** @type {Record<string, any>} */ values) => this.#put(values);
    return {
      ...{ el, announce, set, values: () => this.form.raw() },
      colorPlace: async (...args) =>
        (await part(words.parts.colorField, () => import('./color-control.js')))?.colorPlace(
          ...args,
        ),
      guess: async (text) =>
        (await part(words.parts.kinds, async () =>
          (await import('./detector-client.js')).guess(text),
        )) ?? [],
      mark: async (field, ranges) => {
        const area = this.form.node.querySelector(`[name="${field}"]`);
        const lines = await part(words.parts.lines, () => import('./lines.js'));
        lines?.mark(/** @type {HTMLInputElement} */ (area), ranges);
      },
    };
  }

  /** Loads the result pane and the worker's client, on first use. */
  #load() {
    this.#parts ??= Promise.all([
      import('./output.js'),
      import('./worker-client.js'),
      styled('result'),
    ]).then(([{ Result }, { WorkerClient }]) => ({
      result: new Result(this.main, this.form.result, this.tool, this.page),
      client: new WorkerClient(this.tool),
    }));
    const parts = this.#parts;
    part(words.parts.results, () => parts).then((loaded) => {
      if (loaded) return;
      this.#parts = undefined;
      this.main.dataset.state = 'refused';
    });
    return parts;
  }

  /** Sets the direction to suit a pasted text, unless a person chose one. */
  async #turn() {
    const text = this.#pasted;
    const { slug, fields } = this.tool;
    const holds = (/** @type {string} */ content) =>
      Object.entries(this.form.raw()).some(
        ([name, value]) => fields[name]?.kind === 'text' && value === content,
      );
    if (text === '' ? holds('') : holds(text)) this.#turnBack();
    if (text === '' || !holds(text)) return;
    const turned = await part(words.parts.sendOn, async () =>
      (await import('./send.js')).direction(text, { slug, fields, page: this.page }),
    );
    if (!turned || text !== this.#pasted || !holds(text) || this.#isChosen(turned)) return;
    this.#pasted = '';
    this.#turned = { ...turned, start: text.slice(0, 3) };
    this.form.set(turned.values);
  }

  /** Undoes what was set for a pasted text, unless a person chose it. */
  #turnBack() {
    const back = Object.keys(this.#turned?.values ?? {})
      .filter((name) => !this.form.chosen.has(name))
      .map((name) => [name, initial(/** @type {T.Field} */ (this.tool.fields[name]))]);
    this.#turned = undefined;
    if (back.length > 0) this.form.set(Object.fromEntries(back));
  }

  /** Whether a person set one of the values. @param {{ values: Record<string, any> }} of */
  #isChosen = ({ values }) => Object.keys(values).some((name) => this.form.chosen.has(name));

  /** Offers the other direction, or another tool, for the pasted text. @param {boolean} isRefused */
  async #offer(isRefused) {
    const text = this.#pasted;
    this.#pasted = '';
    const { signal } = this.#run;
    if (text === '') return;
    const { page } = this;
    const { slug, fields } = this.tool;
    const offered = await part(words.parts.sendOn, async () =>
      (await import('./send.js')).offer(text, isRefused, { slug, fields, page }),
    );
    if (!signal.aborted && offered) this.form.offer(offered);
  }

  #change() {
    clearTimeout(this.#next);
    this.#isOld = true;
    if (this.tool.live) this.main.dataset.state = 'running';
    this.#next = setTimeout(
      () => {
        if (this.tool.secrets !== true) keepOptions(this.tool.slug, this.form.options());
        keep(this.tool, this.form.raw());
        this.#follow();
      },
      Math.min(PAUSE.most, Math.max(PAUSE.least, this.#time)),
    );
  }

  /** Runs the input if it runs automatically. Otherwise waits for the button. */
  async #follow() {
    await this.#turn();
    const raw = this.form.raw();
    this.form.ready(raw);
    this.tool.entered?.(raw);
    const runs = this.tool.runs(raw);
    const { result } = await this.#load();
    if (!runs) return result.wait(this.form.verb());
    return this.run();
  }

  /** @param {{ action?: number | undefined, aged?: boolean }} [how] `aged`: because the last result is out of date */
  async run({ action, aged = false } = {}) {
    const signal = this.#begun();
    const { result, client } = await this.#load();
    if (signal.aborted) return;
    const raw = this.form.raw();
    this.form.ready(raw);
    this.tool.entered?.(raw);
    result.state('running');
    // Both stay while the sentence changes. A new button would lose clicks and focus.
    const said = new Text();
    const cancel = button(words.cancel, () => this.#cancel(), { class: 'small' });
    const wait = (/** @type {string} */ sentence) => {
      if (signal.aborted) return;
      said.data = sentence;
      if (!cancel.isConnected) result.say(said, cancel);
    };
    const slow = setTimeout(() => {
      wait(words.running);
      announce(words.running);
    }, SLOW);
    const started = performance.now();
    const answer = await client
      .answer(raw, { signal, wait, action })
      .finally(() => clearTimeout(slow));
    this.#time = performance.now() - started;
    if (!signal.aborted && answer) await this.#show(answer, raw, { action, aged });
  }

  /** @param {Answer} answer @param {Record<string, any>} raw @param {{ action?: number | undefined, aged: boolean }} how */
  async #show(answer, raw, how) {
    const { outputs, warnings = [], again, encoded, refusal, obstacle } = answer;
    const { action, aged } = how;
    const { result } = await this.#load();
    const sentence = refusal?.sentence ?? obstacle;
    const { field, place, use = [] } = refusal ?? {};
    const turn = this.#turned;
    const isPasted = (/** @type {unknown} */ value) => String(value).startsWith(turn?.start ?? '');
    // Another text was typed over the pasted one, not an edited one.
    if (refusal && turn && !this.#isChosen(turn) && !Object.values(raw).some(isPasted)) {
      this.#turnBack();
      return this.#change();
    }
    const offers = use.map((values) =>
      button(words.use(Object.values(values).join(' ')), () => this.#put(values), {
        class: 'small',
      }),
    );
    const shown = sentence === undefined ? [] : [...prose(sentence), ...offers];
    this.form.refuse(field, place, ...shown);
    if (encoded) this.form.ask(encoded);
    this.#offer(refusal !== undefined);
    if (sentence !== undefined) {
      result.refused(sentence);
      if (!field) result.say(...shown);
    } else if (action !== undefined) {
      result.say();
      result.state('ready');
      return this.#put(outputs);
    } else {
      const { finish } = this.tool;
      const turned = this.#turned && !this.#isChosen(this.#turned) ? this.#turned.took : undefined;
      const { marks, took = turned, ...others } = finish ? await finish(outputs, raw) : outputs;
      for (const [field, ranges] of Object.entries(marks?.data ?? {}))
        this.page.mark(field, /** @type {T.Ranges} */ (ranges));
      result.take(took, (back) => {
        if ('field' in back) this.form.lead(back.field);
        else {
          for (const name of Object.keys(back.values)) this.form.chosen.add(name);
          this.#put(back.values);
        }
      });
      await result.show(others, warnings, aged);
    }
    // The answer is for an earlier input. The current one runs next, or waits for the button.
    if (this.#isOld)
      return this.tool.runs(this.form.raw())
        ? result.state('running')
        : result.wait(this.form.verb());
    if (again !== undefined) this.#next = setTimeout(() => this.run({ aged: true }), 1000 * again);
  }

  /** Starts a new run and aborts the last one. Returns the signal that aborts the new one. */
  #begun() {
    clearTimeout(this.#next);
    this.#run.abort();
    this.#run = new AbortController();
    this.#isOld = false;
    return this.#run.signal;
  }

  async #cancel() {
    this.#begun();
    const { result } = await this.#load();
    result.say(words.cancelled);
    announce(words.cancelled);
    result.state('ready');
  }

  async #clear() {
    this.#begun();
    const { result } = await this.#load();
    this.form.refuse();
    result.clear();
    this.tool.entered?.(this.form.raw());
  }

  /** @param {Record<string, any>} values */
  #put(values) {
    this.form.set(values);
    this.#change();
  }

  /** @param {HTMLElement} from */
  async #link(from) {
    const { result } = await this.#load();
    const link = await part(words.parts.link, () => import('./link.js'));
    await link?.copyLink(this.tool, this.form.raw(), from, (sentence) => result.say(sentence));
  }

  async start() {
    const { slug, secrets, start, entered } = this.tool;
    if (secrets !== true) this.form.restore(get('options')[slug] ?? {});
    addEventListener('hashchange', () => this.#open());
    if ((await this.#open()) || (await this.#resume())) return;
    entered?.(this.form.raw());
    if (start) return this.#begin();
    this.form.focus();
    this.main.dataset.state = 'ready';
  }

  /** Fills the form with the input kept in this tab. Returns whether there was any. */
  async #resume() {
    const kept = keptOf(this.tool) ?? {};
    if (Object.keys(kept).length === 0) return false;
    this.form.set(kept);
    await this.#follow();
    this.form.focus();
    return true;
  }

  /**
   * The first run of a tool that needs no input. The content below the result is shown after it, to avoid a layout shift.
   * If the run is slow, the form is shown earlier.
   */
  async #begin() {
    const { classList } = this.main;
    const show = () => {
      classList.remove('opening');
      this.form.focus();
    };
    classList.add('opening', 'first-run');
    const late = setTimeout(show, SLOW);
    try {
      const { result } = await this.#load();
      result.offerAfter(touched());
      await this.run();
    } finally {
      clearTimeout(late);
      classList.remove('first-run');
      if (classList.contains('opening')) show();
    }
  }

  /** Fills the form with the values from another page, or tells that they are on the clipboard. */
  async #take() {
    const isPasted = location.hash === '#paste';
    history.replaceState(null, '', location.pathname);
    const hand = isPasted || (await part(words.parts.handOver, () => import('./handoff.js')));
    const values = hand && hand !== true ? await hand.take(this.tool.slug) : undefined;
    if (values) {
      this.form.fill(values);
      this.form.focus();
      await this.#follow();
    } else (await this.#load()).result.say(isPasted ? words.pasteHere : words.handLost);
    return values !== undefined;
  }

  /** Fills the form from the link, if there is one. Returns whether it contained a value. */
  async #open() {
    if (HANDED.test(location.hash)) return this.#take();
    // Other fragments are anchors.
    if (!location.hash.includes('=')) return false;
    const link = await part(words.parts.link, () => import('./link.js'));
    if (!link) return false;
    const { values, unknown } = link.valuesOf(this.tool, location.hash);
    const isFilled = Object.keys(values).length > 0;
    if (isFilled) {
      this.form.fill(values);
      clearTimeout(this.#next);
      await this.#follow();
    }
    if (unknown.length > 0) (await this.#load()).result.say(words.badLink(unknown.join(', ')));
    return isFilled;
  }
}

/** Resolves when a person first interacts with the page. */
const touched = () =>
  new Promise((resolve) => {
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'input'])
      addEventListener(type, resolve, { once: true });
  });

/** Draws the tool in its place. Where the service has it too, the page shows the call for programs. @param {HTMLElement} main @param {HTMLElement} place */
export async function start(main, place) {
  const { slug = '' } = main.dataset;
  const module = `../tools/${slug}/tool.js`;
  /** @type {T.Tool} */
  const tool = (await import(module)).default;
  if (tool.secure && !isSecureContext) {
    place.replaceChildren(el('p', { class: 'notice-line' }, words.insecure));
    main.dataset.state = 'ready';
    return;
  }
  await prepare(tool.fields);
  const { live = true } = tool;
  const described = document.getElementById('tool')?.textContent;
  const calls = described && (await import('./calls.js')).callsOf(JSON.parse(described), tool.call);
  const page = new ToolPage(main, {
    ...tool,
    slug,
    entered: calls ? calls.entered : undefined,
    live: live !== false,
    needsButton: (raw) =>
      typeof live === 'function' ? live(raw) === false : !live || Boolean(tool.start && tool.verb),
    runs: typeof live === 'function' ? live : () => live,
  });
  place.replaceChildren(page.form.work, ...(calls ? [calls.node] : []));
  await page.start();
}
