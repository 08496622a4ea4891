//! Client of a tool's worker: one run at a time, which a signal or its time limit ends with the worker.

import { toolWorker } from './policy.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @import { Responder } from './tool-page.js' */
/** @import { Executed } from './worker.js' */
/** @typedef {{ raw: Record<string, any>, action: number | undefined, signal: AbortSignal, tell: (parts: [done: number, total: number]) => void }} Work */

/** @implements {Responder} */
export class WorkerClient {
  /** @type {Worker | undefined} */
  #worker;
  /** @param {string} slug @param {T.Tool} tool */
  constructor(slug, tool) {
    this.slug = slug;
    this.tool = tool;
    // Started early, so that the first run is as fast as the rest.
    if (!tool.page) this.#started();
  }
  #started() {
    if (this.#worker) return this.#worker;
    const worker = toolWorker(this.slug);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end();
    };
    this.#worker = worker;
    return worker;
  }
  #end() {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
  /** @type {Responder['answer']} */
  async answer(raw, { signal, wait, action }) {
    const seconds = this.tool.limits?.seconds ?? 10;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), 1000 * seconds);
    const work = {
      ...{ raw, action },
      signal: AbortSignal.any([signal, limit.signal]),
      tell: (/** @type {[number, number]} */ parts) => wait(words.progress(...parts)),
    };
    const executed = await (this.tool.page ? this.#here(work) : this.#there(work));
    clearTimeout(timer);
    if (signal.aborted) return undefined;
    if (!executed) return { obstacle: words.timeout(seconds) };
    if (executed.error) console.error(executed.error);
    if (!executed.failure) return executed;
    const isUnbuilt = 'unbuilt' in document.documentElement.dataset;
    return {
      obstacle:
        words[executed.failure === 'partMissing' && isUnbuilt ? 'notBuilt' : executed.failure],
    };
  }
  /** Undefined when the signal ended it. @param {Work} work @returns {Promise<Executed | undefined>} */
  async #here({ raw, action, signal, tell }) {
    const { execute } = await import('./worker.js');
    const ended = new Promise((resolve) => {
      signal.onabort = () => resolve(undefined);
    });
    const done = execute(this.tool, raw, action, (...parts) => tell(parts), signal);
    return signal.aborted ? undefined : Promise.race([done, ended]);
  }
  /** The same in the worker. @param {Work} work @returns {Promise<Executed | undefined>} */
  #there({ raw, action, signal, tell }) {
    return new Promise((resolve) => {
      const worker = this.#started();
      const settle = (/** @type {Executed | undefined} */ executed) => {
        signal.onabort = null;
        resolve(executed);
      };
      const fail = (/** @type {Executed | undefined} */ executed) => {
        this.#end();
        settle(executed);
      };
      signal.onabort = () => fail(undefined);
      worker.onmessage = ({ data }) => (data.progress ? tell(data.progress) : settle(data));
      worker.onerror = (event) => {
        event.preventDefault();
        fail({ failure: 'failed', error: event.message });
      };
      if (signal.aborted) fail(undefined);
      else worker.postMessage({ raw, action });
    });
  }
}
