//! Worker that detects the kind of a text or file, tries tools with it, and finds tokens to color. It runs one job at
//! a time. The page terminates it when a job exceeds its time limit.

import { detect, detectFile, guess } from '../lib/detect/detect.js';
import { tokens } from './tokens.js';
import { tries } from './trial.js';

/** The jobs. The time limit of `tries` starts after its modules have loaded. */
export const JOBS = {
  detect,
  detectFile,
  guess,
  tokens: (/** @type {string} */ text) => tokens(guess(text)[0]?.[0] ?? '', text),
  tries: (/** @type {import('../lib/detect/detect.js').Suggestion[]} */ all) =>
    tries(all, () => self.postMessage('begun')),
};

self.onmessage = async ({ data: [job, data] }) => {
  if (job !== 'tries') self.postMessage('begun');
  self.postMessage([await JOBS[/** @type {keyof typeof JOBS} */ (job)](data)]);
};
self.postMessage('ready');
