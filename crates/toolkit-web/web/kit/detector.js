//! Worker that tells what a text or a file may be, and finds what to color in it. One job at a time; the
//! page ends it when a job takes long.

import { detect, detectFile, guess } from '../lib/detect/detect.js';
import { tokens } from './tokens.js';

/** What can be asked. What a job loads has no limit of time: it is there before the job begins. */
export const JOBS = {
  detect,
  detectFile,
  guess,
  tokens: (/** @type {string} */ text) => tokens(guess(text)[0]?.[0] ?? '', text),
  peel: async (/** @type {string} */ text) => {
    const { peel, prepare } = await import('../lib/peel/peel.js');
    await prepare(text);
    self.postMessage('begun');
    return peel(text);
  },
};

self.onmessage = async ({ data: [job, data] }) => {
  if (job !== 'peel') self.postMessage('begun');
  self.postMessage([await JOBS[/** @type {keyof typeof JOBS} */ (job)](data)]);
};
self.postMessage('ready');
