//! Worker that tells what a text or a file may be, and finds what to color in it. One job at a time; the
//! page ends it when a job takes long.

import { detect, detectFile, guess } from '../lib/detect/detect.js';
import { tokens } from './tokens.js';

/** What can be asked. */
export const JOBS = {
  detect,
  detectFile,
  guess,
  tokens: (/** @type {string} */ text) => tokens(guess(text)[0]?.[0] ?? '', text),
};

self.onmessage = async ({ data: [job, data] }) => {
  self.postMessage('begun');
  self.postMessage([await JOBS[/** @type {keyof typeof JOBS} */ (job)](data)]);
};
self.postMessage('ready');
