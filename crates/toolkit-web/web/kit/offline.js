//! Offline use: registers the service worker, and stores all tools on request.

import { registerOffline } from './policy.js';

export const offlineWords = {
  keepFailed: 'Not everything could be kept: the server cannot be reached, or the storage is full.',
  kept: 'All tools work offline now.',
  /** @param {number} done @param {number} total */
  keeping: (done, total) => `${done} of ${total} files are kept.`,
};

/** @param {string} kind @param {Record<string, any>} [data] @param {(data: any) => void} [onmessage] */
export async function tell(kind, data, onmessage) {
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data: reply }) => onmessage?.(reply);
  active?.postMessage({ kind, ...data }, [port2]);
}

/** @param {HTMLButtonElement} control @param {HTMLElement} status */
function keepAll(control, status) {
  control.disabled = true;
  tell('keep-all', {}, ({ done, total, failed }) => {
    if (failed) status.textContent = offlineWords.keepFailed;
    else
      status.textContent = done === total ? offlineWords.kept : offlineWords.keeping(done, total);
    control.disabled = !failed && done < total;
  });
}

export async function start() {
  try {
    if (!(await registerOffline())) return;
  } catch {
    return; // Not allowed, or the server is down. Pages work without it.
  }
  // The page loaded before the worker started, so the worker has not seen its files.
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
  tell('keep', { paths: [location.pathname, ...loaded] });
  const control = /** @type {HTMLButtonElement | null} */ (
    document.querySelector('[data-offline]')
  );
  if (!control) return;
  const status = document.querySelector('[data-offline-status]');
  control.hidden = false;
  control.addEventListener(
    'click',
    () => status && keepAll(control, /** @type {HTMLElement} */ (status)),
  );
}
