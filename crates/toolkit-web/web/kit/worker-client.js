//! Client of a tool's worker. Runs one job at a time. An abort or the time limit terminates the worker.

import { toolWorker } from './policy.js';

/** @import { Answer, Served } from './tool-page.js' */
/** @import { Executed } from './worker.js' */
/** @typedef {{ raw: Record<string, any>, action: number | undefined, signal: AbortSignal, tell: (parts: [done: number, total: number]) => void }} Work */

const own = {
  failed: 'Something went wrong. It is a bug in this tool, not in your input.',
  partMissing:
    'Part of this tool could not be loaded: there is no connection, or the service was built without it.',
  notBuilt:
    'This tool needs a library that is not in this build of the service: it was made without Node.',
  tooLarge: 'The input is larger than this browser can hold in one piece.',
  /** @param {number} seconds */
  timeout: (seconds) => `The run was stopped after ${seconds} seconds. Shorter input may work.`,
  /** @param {number} done @param {number} total */
  progress: (done, total) => `${Math.floor((100 * done) / total)} %`,
};

export class WorkerClient {
  /** @type {Worker | undefined} */
  #worker;
  /** @param {Served} tool */
  constructor(tool) {
    this.tool = tool;
    // Started early, so that the first run is not slower.
    this.#started();
  }
  #started() {
    if (this.#worker) return this.#worker;
    const worker = toolWorker(this.tool.slug);
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
  /**
   * Undefined when the signal ended it.
   * @param {Record<string, any>} raw @param {{ signal: AbortSignal, wait: (sentence: string) => void, action?: number | undefined }} how
   * @returns {Promise<Answer | undefined>}
   */
  async answer(raw, { signal, wait, action }) {
    const seconds = this.tool.limits?.seconds ?? 10;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), 1000 * seconds);
    const work = {
      ...{ raw, action },
      signal: AbortSignal.any([signal, limit.signal]),
      tell: (/** @type {[number, number]} */ parts) => wait(own.progress(...parts)),
    };
    const executed = await this.#executed(work);
    clearTimeout(timer);
    if (signal.aborted) return undefined;
    if (!executed) return { obstacle: own.timeout(seconds) };
    if (executed.error) console.error(executed.error);
    if (!executed.failure) return executed;
    const isUnbuilt = 'unbuilt' in document.documentElement.dataset;
    return {
      obstacle:
        own[executed.failure === 'partMissing' && isUnbuilt ? 'notBuilt' : executed.failure],
    };
  }
  /** Undefined if aborted. @param {Work} work @returns {Promise<Executed | undefined>} */
  #executed({ raw, action, signal, tell }) {
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
