//! Client of the detector worker. A job that exceeds its time limit returns no results, and its worker is terminated.

import { detectorWorker } from './policy.js';

/** @import { JOBS } from './detector.js' */
/** @typedef {typeof JOBS} Jobs */

// A new worker is several times slower than a warm one.
const LIMIT_MS = 500;
/** Limit for running all suggested tools, which may load libraries. */
const TRIES_MS = 2000;

/** @type {Promise<Worker> | undefined} */
let started;
/** @type {Promise<unknown>} */
let last = Promise.resolve();

/** The worker after its modules have loaded, which has no time limit. @returns {Promise<Worker>} */
const start = () =>
  new Promise((resolve, reject) => {
    const worker = detectorWorker();
    worker.onmessage = () => resolve(worker);
    worker.onerror = (event) => {
      event.preventDefault();
      started = undefined;
      reject(new Error(event.message));
    };
  });

/** @param {keyof Jobs} job @param {unknown} data @returns {Promise<any>} after the time limit empty, or undefined of `tries` */
async function ask(job, data) {
  started ??= start();
  const worker = await started;
  return new Promise((resolve) => {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let isOver = false;
    const give = (/** @type {any} */ reply) => {
      isOver = true;
      clearTimeout(timer);
      resolve(reply);
    };
    const end = () => {
      // The worker may already be running the next job.
      if (isOver) return;
      worker.terminate();
      started = undefined;
      give(job === 'tries' ? undefined : []);
    };
    // The limit starts when the job does, not while it is queued. A reply that arrives while the page is busy still counts.
    worker.onmessage = ({ data }) => {
      if (data === 'begun')
        timer = setTimeout(() => setTimeout(end), job === 'tries' ? TRIES_MS : LIMIT_MS);
      else give(data[0]);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end();
    };
    worker.postMessage([job, data]);
  });
}

/** Runs one job after another. @template {keyof Jobs} K @param {K} job @returns {(data: Parameters<Jobs[K]>[0]) => Promise<Awaited<ReturnType<Jobs[K]>>>} */
const queued = (job) => (data) => {
  const mine = last.catch(() => {}).then(() => ask(job, data));
  last = mine;
  return mine;
};

const detectOnce = queued('detect');
/** @type {{ text: string, tools: Promise<any[]> } | undefined} */
let latest;

/** Tools for a text, best first. Caches the last result unless it was empty. @param {string} text */
export function detect(text) {
  if (latest?.text !== text) {
    const mine = { text, tools: detectOnce(text) };
    latest = mine;
    const forget = () => {
      if (latest === mine) latest = undefined;
    };
    mine.tools.then((tools) => tools.length > 0 || forget(), forget);
  }
  return latest.tools;
}
/** Tools for a file. */
export const detectFile = queued('detectFile');
/** The kinds that a text may be, most certain first. */
export const guess = queued('guess');
/** Tokens to color in a text. */
export const tokens = queued('tokens');
/** The suggested tools that accept the text, with their answers. Undefined after the time limit. @type {(all: Parameters<Jobs['tries']>[0]) => Promise<Awaited<ReturnType<Jobs['tries']>> | undefined>} */
export const tries = queued('tries');
