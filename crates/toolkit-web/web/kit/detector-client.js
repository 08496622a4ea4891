//! Client of the worker that tells what a text is: a job that takes longer than a person waits for a hint
//! finds nothing, and the worker is ended.

import { detectorWorker } from './policy.js';

/** @import { JOBS } from './detector.js' */
/** @typedef {typeof JOBS} Jobs */

// A worker that has just started takes several times as long as a warm one.
const LIMIT_MS = 500;
/** What is inside of a text: the search ends itself after 300 ms, between its steps. */
const PEEL_MS = 2000;

/** @type {Promise<Worker> | undefined} */
let started;
/** @type {Promise<unknown>} */
let last = Promise.resolve();

/** The worker once its modules are there, which has no limit. @returns {Promise<Worker>} */
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

/** @param {keyof Jobs} job @param {unknown} data @returns {Promise<any>} nothing when it takes long */
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
      // The worker has the next job by now.
      if (isOver) return;
      worker.terminate();
      started = undefined;
      give([]);
    };
    // Counted from its beginning: a busy machine lets a job wait. A reply that waits for a busy page counts.
    worker.onmessage = ({ data }) => {
      if (data === 'begun')
        timer = setTimeout(() => setTimeout(end), job === 'peel' ? PEEL_MS : LIMIT_MS);
      else give(data[0]);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end();
    };
    worker.postMessage([job, data]);
  });
}

/** One job after the other. @template {keyof Jobs} K @param {K} job @returns {(data: Parameters<Jobs[K]>[0]) => Promise<Awaited<ReturnType<Jobs[K]>>>} */
const queued = (job) => (data) => {
  const mine = last.catch(() => {}).then(() => ask(job, data));
  last = mine;
  return mine;
};

const detectOnce = queued('detect');
/** @type {{ text: string, tools: Promise<any[]> } | undefined} */
let latest;

/** Tools for a text, best first. The same text again has the same tools at once, unless nothing was found. @param {string} text */
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
/** What to color in a text. */
export const tokens = queued('tokens');
/** What is inside a text; nothing when it takes long, or when nothing is. @type {(text: string) => Promise<import('../lib/peel/peel.js').Node | undefined>} */
export const peel = async (text) => {
  const tree = await queued('peel')(text);
  return Array.isArray(tree) ? undefined : tree;
};
