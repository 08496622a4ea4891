//! Page of a browser tool: worker-client.js, loaded at the first touch, runs it. Where the service has the
//! tool too, the page shows the call for programs.

import { prepare } from './controls.js';
import { el } from './el.js';
import { show } from './tool-page.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */

/** Draws the tool in its place. @param {HTMLElement} main @param {HTMLElement} place */
export async function start(main, place) {
  const { slug = '' } = main.dataset;
  const module = `../tools/${slug}/tool.js`;
  /** @type {T.Tool} */
  const tool = (await import(module)).default;
  if (tool.secure && !isSecureContext) {
    place.replaceChildren(el('p', { class: 'notice-line' }, words.insecure));
    main.dataset.state = 'ready';
    return;
  }
  await prepare(tool.fields);
  const { live = true } = tool;
  const described = document.getElementById('tool')?.textContent;
  const calls = described && (await import('./calls.js')).callsOf(JSON.parse(described), tool.call);
  const served = {
    ...tool,
    slug,
    entered: calls ? calls.entered : undefined,
    live: live !== false,
    needsButton: (/** @type {Record<string, any>} */ raw) =>
      typeof live === 'function' ? live(raw) === false : !live || Boolean(tool.start && tool.verb),
    runs: typeof live === 'function' ? live : () => live,
    responder: async () => new (await import('./worker-client.js')).WorkerClient(slug, tool),
  };
  await show(main, place, served, ...(calls ? [calls.node] : []));
}
