//! Runs of a browser tool: worker, time limit, cancelling. A new run ends the last.

import { toolWorker } from './policy.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @import { Answer, Responder } from './tool-page.js' */

/** @implements {Responder} */
export class Runner {
  /** @type {Worker | undefined} */
  #worker;
  /** @type {((answer: Answer | undefined) => void) | undefined} */
  #settle;
  /** @type {AbortController | undefined} */
  #abort;
  /** @type {(sentence: string) => void} */
  #wait = () => {};
  /** @param {string} slug @param {T.Tool} tool */
  constructor(slug, tool) {
    this.slug = slug;
    this.tool = tool;
    this.#warm();
  }
  /** Starts a worker early, so that the first run is as fast as the rest. */
  #warm() {
    if (this.tool.page || this.#worker) return;
    this.#worker = toolWorker(this.slug);
    this.#worker.onmessage = ({ data }) =>
      data.progress ? this.#progress(data.progress) : this.#end(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#stop();
      this.#end({ failure: 'failed', error: event.message });
    };
  }
  /** @type {Responder['answer']} */
  answer(raw, { wait, action }) {
    this.cancel();
    this.#wait = wait;
    const seconds = this.tool.limits?.seconds ?? 10;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#stop();
        this.#end({ obstacle: words.timeout(seconds) });
      }, seconds * 1000);
      this.#settle = (answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      if (this.tool.page) this.#here(raw, action);
      else {
        this.#warm();
        this.#worker?.postMessage({ raw, action });
      }
    });
  }
  /** @param {Record<string, any>} raw @param {number} [action] */
  async #here(raw, action) {
    const { execute } = await import('./worker.js');
    const abort = new AbortController();
    this.#abort = abort;
    const progress = (/** @type {number} */ done, /** @type {number} */ total) =>
      this.#progress([done, total]);
    const answer = await execute(this.tool, raw, action, progress, abort.signal);
    if (!abort.signal.aborted) this.#end(answer);
  }
  /** @param {[done: number, total: number]} parts */
  #progress([done, total]) {
    if (this.#settle) this.#wait(words.progress(done, total));
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
  /** @param {import('./worker.js').Executed | undefined} answer */
  #end(answer) {
    if (answer?.error) console.error(answer.error);
    const settle = this.#settle;
    this.#settle = undefined;
    const isUnbuilt = 'unbuilt' in document.documentElement.dataset;
    const failure = answer?.failure === 'partMissing' && isUnbuilt ? 'notBuilt' : answer?.failure;
    settle?.(failure ? { obstacle: words[failure] } : answer);
  }
}
