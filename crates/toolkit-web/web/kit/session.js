//! Runs of a browser tool: worker, time limit, cancelling, result. A new run ends the last.

import { announce, button, copy, el } from './el.js';
import { Result } from './output.js';
import { toolWorker } from './policy.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */

class Runner {
  /** @type {Worker | undefined} */
  #worker;
  /** @type {((answer: any) => void) | undefined} */
  #settle;
  /** @type {AbortController | undefined} */
  #abort;
  /** @param {string} slug @param {T.Tool} tool @param {(done: number, total: number) => void} progress */
  constructor(slug, tool, progress) {
    this.slug = slug;
    this.tool = tool;
    this.progress = progress;
  }
  /** Starts a worker early, so that the first run is as fast as the rest. */
  warm() {
    if (this.tool.page || this.#worker) return;
    this.#worker = toolWorker(this.slug);
    this.#worker.onmessage = ({ data }) =>
      data.progress ? this.progress(data.progress[0], data.progress[1]) : this.#end(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#stop();
      this.#end({ error: event.message ?? words.notLoaded });
    };
  }
  /** @param {Record<string, any>} raw @param {number} [action] @returns {Promise<any>} undefined when ended by a newer one */
  run(raw, action) {
    this.cancel();
    const seconds = this.tool.limits?.seconds ?? 10;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#stop();
        this.#end({ timeout: seconds });
      }, seconds * 1000);
      this.#settle = (answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      if (this.tool.page) this.#here(raw, action);
      else {
        this.warm();
        this.#worker?.postMessage({ raw, action });
      }
    });
  }
  /** @param {Record<string, any>} raw @param {number} [action] */
  async #here(raw, action) {
    const { execute } = await import('./worker.js');
    const abort = new AbortController();
    this.#abort = abort;
    const answer = await execute(this.tool, raw, action, this.progress, abort.signal);
    if (!abort.signal.aborted) this.#end(answer);
  }
  get busy() {
    return this.#settle !== undefined;
  }
  cancel() {
    if (!this.#settle) return;
    this.#stop();
    this.#end(undefined);
  }
  #stop() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#abort?.abort();
  }
  /** @param {any} answer */
  #end(answer) {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(answer);
  }
}

export class Session {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #repeat;
  /** Whether the form has changed since the last run began. */
  #changed = false;
  /**
   * @param {HTMLElement} main @param {string} slug @param {T.Tool} tool @param {import('./form.js').Form} form
   * @param {(values: Record<string, any>) => void} put
   */
  constructor(main, slug, tool, form, put) {
    this.tool = tool;
    this.form = form;
    this.put = put;
    const view = { el, copy, announce, set: put, values: () => form.raw() };
    this.result = new Result(main, form.result, slug, tool.labels, view);
    this.runner = new Runner(slug, tool, (done, total) => this.#wait(words.progress(done, total)));
    this.runner.warm();
    form.node.addEventListener('input', () => {
      this.#changed = true;
    });
  }
  /** Shows that a run takes long, with a button to cancel it. @param {string} sentence */
  #wait(sentence) {
    if (this.runner.busy)
      this.result.say(
        sentence,
        button(words.cancel, () => this.#cancel(), { class: 'small' }),
      );
  }
  #cancel() {
    this.runner.cancel();
    this.result.say(words.cancelled);
    this.result.state('ready');
  }
  /** The answer of a run or an action; undefined when there is none, which the page shows. @param {number} [action] */
  async #answer(action) {
    clearTimeout(this.#repeat);
    this.#changed = false;
    this.result.state('running');
    const slow = setTimeout(() => this.#wait(words.running), 400);
    const answer = await this.runner.run(this.form.raw(), action);
    clearTimeout(slow);
    if (!answer) return undefined;
    const { refusal, error, timeout } = answer;
    this.form.refuse(refusal?.field, refusal?.sentence);
    if (!refusal && !error && !timeout) return answer;
    const sentence = refusal?.sentence ?? (timeout ? words.timeout(timeout) : words.failed);
    this.result.refused(sentence);
    this.#settle();
    if (!refusal) this.result.say(sentence);
    if (error) console.error(error);
    return undefined;
  }
  /** A result is not the last one when the form has changed since: the next run follows. */
  #settle() {
    if (this.#changed && this.tool.live !== false) this.result.state('running');
  }
  async run() {
    const answer = await this.#answer();
    if (!answer) return;
    const { finish } = this.tool;
    const outputs = finish ? await finish(answer.outputs, this.form.raw()) : answer.outputs;
    await this.result.show(outputs, answer.warnings);
    this.#settle();
    if (answer.again) this.#repeat = setTimeout(() => this.run(), answer.again * 1000);
  }
  /** @param {number} action */
  async act(action) {
    const answer = await this.#answer(action);
    if (!answer) return;
    this.result.say();
    this.result.state('ready');
    this.put(answer.outputs);
  }
  clear() {
    clearTimeout(this.#repeat);
    this.runner.cancel();
    this.form.refuse();
    this.result.clear();
  }
}
