//! Page of a tool: its form and result, runs by themselves and on demand, links, undo.

import { announce, button, copy, el, iconButton, prose, styled } from './el.js';
import { examplesOf, Form, ghostOf } from './form.js';
import { keep, keepButton, keptOf } from './keep.js';
import { part } from './part.js';
import { get, keepOptions } from './store.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */

/**
 * @typedef {object} Answer one of `outputs`, `refusal`, `obstacle`
 * @property {any} [outputs] of a run, or the values of an action
 * @property {readonly string[]} [warnings]
 * @property {number} [again] seconds after which the result ages
 * @property {ReadonlySet<string>} [encoded] fields whose file may be in another encoding
 * @property {{ field?: string | undefined, sentence: string, use?: readonly Record<string, string>[] | undefined }} [refusal]
 * @property {string} [obstacle] why there is no result, in a sentence
 *
 * @typedef {object} Responder
 * @property {(raw: Record<string, any>, how: { signal: AbortSignal, wait: (sentence: string) => void, action?: number | undefined }) => Promise<Answer | undefined>} answer
 *   undefined when the signal ended it
 *
 * @typedef {object} Served
 * @property {string} slug
 * @property {T.Fields} fields
 * @property {readonly { title: string, values: Record<string, any> }[]} examples
 * @property {Record<string, string> | undefined} [labels]
 * @property {string | undefined} [answer]
 * @property {readonly string[] | undefined} [folded]
 * @property {readonly string[] | undefined} [tabs]
 * @property {string | undefined} [more]
 * @property {string | undefined} [options]
 * @property {T.Tool['verb'] | undefined} [verb]
 * @property {(raw: Record<string, any>) => boolean} needsButton whether a button runs this input
 * @property {readonly { title: string, field: string }[] | undefined} [actions]
 * @property {boolean | undefined} [secrets]
 * @property {boolean | undefined} [start]
 * @property {T.Tool['finish'] | undefined} [finish]
 * @property {boolean} live whether it ever runs by itself
 * @property {(raw: Record<string, any>) => boolean | undefined} runs whether this input runs by
 *   itself; undefined: there is nothing to run
 * @property {(raw: Record<string, any>) => void} [entered] told of what was entered
 * @property {T.Tool['drawn'] | undefined} [drawn]
 * @property {() => Promise<Responder>} responder
 */

const RESET = 'M3 8a5 5 0 1 0 1.500-3.500M3 2.500v3h3';
const LINK =
  'M7 9a3 3 0 0 0 4.200 0l2-2a3 3 0 0 0-4.200-4.200l-1 1M9 7a3 3 0 0 0-4.200 0l-2 2A3 3 0 0 0 7 13.200l1-1';

/** Letters of an example's answer on an empty page. */
const GHOST = 600;

/** Fragments of a page that gets its input from another. */
const HANDED = /^#(?:handed|paste)$/;

/** Milliseconds between the last change and the run: as long as the last run took. */
const PAUSE = { least: 20, most: 120 };
/** After this time a run is said to be under way, with a button to cancel it. */
const SLOW = 400;

/** A run of the tool: from its beginning until the next one begins, or it is cancelled. */
class Run {
  #controller = new AbortController();
  /** Whether the form has changed since it began. */
  isOld = false;
  get signal() {
    return this.#controller.signal;
  }
  get isOver() {
    return this.signal.aborted;
  }
  end() {
    this.#controller.abort();
  }
}

class ToolPage {
  /** The next run, by itself or again. @type {ReturnType<typeof setTimeout> | undefined} */
  #next;
  /** @type {Promise<{ result: import('./output.js').Result, responder: Responder }> | undefined} */
  #parts;
  /** The text pasted last, until something is offered for it. */
  #pasted = '';
  #run = new Run();
  /** How long the last run took, in milliseconds. */
  #took = PAUSE.most;

  /** @param {HTMLElement} main @param {Served} tool */
  constructor(main, tool) {
    this.main = main;
    this.tool = tool;
    this.form = new Form(tool.fields, {
      changed: () => this.#change(),
      run: () => this.run(),
      ...{ more: tool.more, options: tool.options, verb: tool.verb, needsButton: tool.needsButton },
      actions: (tool.actions ?? []).map(({ title, field }, action) => ({
        title,
        field,
        onclick: () => this.run({ action }),
      })),
    });
    for (const type of ['pointerdown', 'keydown', 'paste'])
      this.form.node.addEventListener(type, () => this.#load(), { once: true });
    this.form.node.addEventListener('paste', (event) => {
      this.#pasted = event.clipboardData?.getData('text/plain') ?? '';
    });
    this.form.buttons.append(
      iconButton(RESET, words.reset, () => {
        this.form.fill({});
        this.#clear();
      }),
    );
    if (!tool.secrets)
      this.form.buttons.append(
        keepButton(
          tool,
          () => this.form.raw(),
          async (sentence) => (await this.#load()).result.say(sentence),
        ),
      );
    const link = iconButton(LINK, words.copyLink, (from) => this.#link(from), { class: 'icon' });
    main.querySelector('[data-actions]')?.append(link);
    const ghost = tool.start ? '' : ghostOf(tool.examples[0]);
    if (ghost) {
      const { result } = this.form;
      result.querySelector('.hint')?.replaceChildren(words.emptyLike);
      result.append(el('pre', { class: 'ghost', 'aria-hidden': 'true' }, ghost.slice(0, GHOST)));
    }
    this.form.result.append(examplesOf(tool.examples, this.form, () => this.run()));
    const set = (/** @type {Record<string, any>} */ values) => this.#put(values);
    /** @type {T.ViewPage} */
    this.page = {
      ...{ el, copy, announce, set, values: () => this.form.raw() },
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
    tool.drawn?.(this.page, this.form.work);
  }

  /** What shows results, and who answers: loaded at the first touch. */
  #load() {
    const { responder } = this.tool;
    this.#parts ??= Promise.all([import('./output.js'), responder(), styled('result')]).then(
      ([{ Result }, responder]) => ({
        result: new Result(this.main, this.form.result, this.tool, this.page),
        responder,
      }),
    );
    const parts = this.#parts;
    part(words.parts.results, () => parts).then((loaded) => {
      if (loaded) return;
      this.#parts = undefined;
      this.main.dataset.state = 'refused';
    });
    return parts;
  }

  /** Offers the other direction, or another tool, for what was pasted. @param {boolean} isRefused */
  async #offer(isRefused) {
    const text = this.#pasted;
    this.#pasted = '';
    const run = this.#run;
    if (text === '') return;
    const { page } = this;
    const { slug, fields } = this.tool;
    const offered = await part(words.parts.sendOn, async () =>
      (await import('./send.js')).offer(text, isRefused, { slug, fields, page }),
    );
    if (!run.isOver && offered) this.form.offer(offered);
  }

  #change() {
    clearTimeout(this.#next);
    this.#run.isOld = true;
    if (this.tool.live) this.main.dataset.state = 'running';
    this.#next = setTimeout(
      () => {
        if (!this.tool.secrets) keepOptions(this.tool.slug, this.form.options());
        keep(this.tool, this.form.raw());
        this.#follow();
      },
      Math.min(PAUSE.most, Math.max(PAUSE.least, this.#took)),
    );
  }

  /** Runs what was entered if it runs by itself; otherwise the button is waited for. */
  async #follow() {
    const raw = this.form.raw();
    this.form.ready(raw);
    this.tool.entered?.(raw);
    const runs = this.tool.runs(raw);
    const { result } = await this.#load();
    if (runs === undefined) return this.#clear();
    if (!runs) return result.wait(this.form.verb());
    return this.run();
  }

  /** @param {{ action?: number, aged?: boolean }} [how] `aged`: the last result has */
  async run({ action, aged = false } = {}) {
    const run = this.#begun();
    const { result, responder } = await this.#load();
    if (run.isOver) return;
    const raw = this.form.raw();
    this.form.ready(raw);
    this.tool.entered?.(raw);
    result.state('running');
    // Both stay while the sentence changes: a press would be lost with its button, the focus too.
    const said = new Text();
    const cancel = button(words.cancel, () => this.#cancel(), { class: 'small' });
    const wait = (/** @type {string} */ sentence) => {
      if (run.isOver) return;
      said.data = sentence;
      if (!cancel.isConnected) result.say(said, cancel);
    };
    const slow = setTimeout(() => {
      wait(words.running);
      announce(words.running);
    }, SLOW);
    const started = performance.now();
    const { signal } = run;
    const answer = await responder
      .answer(raw, { signal, wait, action })
      .finally(() => clearTimeout(slow));
    this.#took = performance.now() - started;
    if (!run.isOver && answer) await this.#show(answer, raw, { action, aged });
  }

  /** @param {Answer} answer @param {Record<string, any>} raw @param {{ action?: number | undefined, aged: boolean }} how */
  async #show(answer, raw, how) {
    const { outputs, warnings = [], again, encoded, refusal, obstacle } = answer;
    const { action, aged } = how;
    const { result } = await this.#load();
    const sentence = refusal?.sentence ?? obstacle;
    const { field, use = [] } = refusal ?? {};
    const offers = use.map((values) =>
      button(words.use(Object.values(values).join(' ')), () => this.#put(values), {
        class: 'small',
      }),
    );
    const shown = sentence === undefined ? [] : [...prose(sentence), ...offers];
    this.form.refuse(field, ...shown);
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
      const { marks, ...others } = finish ? await finish(outputs, raw) : outputs;
      for (const [field, ranges] of Object.entries(marks?.data ?? {}))
        this.page.mark(field, /** @type {T.Ranges} */ (ranges));
      await result.show(others, warnings, aged);
    }
    // The answer to an earlier input: the run of the present one follows, or is waited for.
    if (this.#run.isOld)
      return this.tool.live ? result.state('running') : result.wait(this.form.verb());
    if (again !== undefined) this.#next = setTimeout(() => this.run({ aged: true }), 1000 * again);
  }

  /** A new run in place of the last, which ends. */
  #begun() {
    clearTimeout(this.#next);
    this.#run.end();
    this.#run = new Run();
    return this.#run;
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
    if (!secrets) this.form.restore(get('options')[slug] ?? {});
    addEventListener('hashchange', () => this.#open());
    if ((await this.#open()) || (await this.#resume())) return;
    entered?.(this.form.raw());
    if (start) return this.#begin();
    this.form.focus();
    this.main.dataset.state = 'ready';
  }

  /** Fills the form with what was kept of it in this tab; returns whether there was something. */
  async #resume() {
    const kept = keptOf(this.tool) ?? {};
    if (Object.keys(kept).length === 0) return false;
    this.form.set(kept);
    await this.#follow();
    this.form.focus();
    return true;
  }

  /**
   * The first run of a tool that needs no input. Its result moves what follows it: that is shown after it. The form
   * is shown sooner if the run takes long.
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

  /** Fills the form with what another page hands over, or says that it is on the clipboard. */
  async #take() {
    const isPasted = location.hash === '#paste';
    history.replaceState(null, '', location.pathname);
    const hand = isPasted || (await part(words.parts.handOver, () => import('./hand.js')));
    const values = hand && hand !== true ? await hand.take(this.tool.slug) : undefined;
    if (values) {
      this.form.fill(values);
      this.form.focus();
      await this.#follow();
    } else (await this.#load()).result.say(isPasted ? words.pasteHere : words.handLost);
    return values !== undefined;
  }

  /** Fills the form from the link, if there is one; returns whether it brings a value. */
  async #open() {
    if (HANDED.test(location.hash)) return this.#take();
    // Other fragments are places of the page.
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

/** The first touch of the page by a person. */
const touched = () =>
  new Promise((resolve) => {
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'input'])
      addEventListener(type, resolve, { once: true });
  });

/** Draws a tool in its place. @param {HTMLElement} main @param {HTMLElement} place @param {Served} tool @param {...Node} more below it */
export async function show(main, place, tool, ...more) {
  const page = new ToolPage(main, tool);
  place.replaceChildren(page.form.work, ...more);
  await page.start();
}
