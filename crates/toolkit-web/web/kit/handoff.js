//! Passes values to another tool's page through the service worker's memory, not through a URL or storage. Without a
//! service worker, texts are passed through the clipboard.

import { copy } from './el.js';
import { registerOffline } from './policy.js';

const { base = '', offline } = document.documentElement.dataset;
/** Time limit in milliseconds for the worker to start and reply. */
const PATIENCE = 2000;

/** @returns {Promise<ServiceWorker | null | undefined>} */
async function worker() {
  if (!isSecureContext || !navigator.serviceWorker || offline === 'off') return undefined;
  const { controller } = navigator.serviceWorker;
  if (controller) return controller;
  await registerOffline();
  return (await navigator.serviceWorker.ready).active;
}

/** The worker's reply, or undefined after the time limit. @param {Record<string, any>} message @returns {Promise<any>} */
function ask(message) {
  const reply = worker().then(
    (active) =>
      active &&
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => resolve(data);
        active.postMessage(message, [port2]);
      }),
  );
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  return Promise.race([reply, late]).catch(() => undefined);
}

/** The values passed to this tool. They can be taken once. @param {string} slug @returns {Promise<Record<string, any> | undefined>} */
export const take = async (slug) => (await ask({ kind: 'take', slug }))?.values;

/**
 * Opens a tool filled.
 * @param {string} slug @param {Record<string, any>} values @param {string} [text] for the clipboard
 */
export async function openFilled(slug, values, text = '') {
  const isHanded = (await ask({ kind: 'hand', slug, values }))?.done;
  const isCopied = !isHanded && text !== '' && (await copy(text));
  const fragment = isHanded ? '#handed' : isCopied ? '#paste' : '';
  location.href = `${base}/tools/${slug}${fragment}`;
}
