//! Offline: registers the service worker, and keeps all tools when asked to.

import { registerOffline } from './policy.js';
import { words } from './words.js';

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
    if (failed) status.textContent = words.keepFailed;
    else status.textContent = done === total ? words.kept : words.keeping(done, total);
    control.disabled = !failed && done < total;
  });
}

export async function start() {
  try {
    if (!(await registerOffline())) return;
  } catch {
    return; // Not allowed here, or the server is down: pages work without it.
  }
  // This page was there before the worker, which keeps what it sees.
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
