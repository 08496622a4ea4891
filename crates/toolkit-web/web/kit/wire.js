//! What a page asks of the network: a count, its policy in words, and a switch that cuts it off.
//! Counted are the requests of scripts by the browser's own record (Resource Timing).

import { announce, button, el, prose } from './el.js';
import { tell } from './offline.js';
import { words } from './words.js';

const { assets = '', offline } = document.documentElement.dataset;
const [, parts] = /^(.*\/assets\/)/.exec(assets) ?? ['', assets];

/** Whether a request is for a part of the pages, which their scripts and style sheets are. @param {PerformanceEntry} entry */
const isPart = ({ name }) => name.startsWith(location.origin + parts);

/** What opens below the chip. @param {HTMLElement} chip */
function panel(chip) {
  const count = el('strong', { role: 'status', 'data-requests': true });
  const loaded = el('p', {});
  const seen = { others: 0, parts: 0 };
  const tally = (/** @type {PerformanceEntryList} */ entries) => {
    // What the page was opened with is no request of it.
    for (const entry of entries) seen[isPart(entry) ? 'parts' : 'others']++;
    count.textContent = words.requests(seen.others);
    loaded.textContent = words.partsLoaded(seen.parts);
  };
  tally([]);
  new PerformanceObserver((list) => tally(list.getEntries())).observe({
    type: 'resource',
    buffered: true,
  });
  const told = el('p', { role: 'status', hidden: true });
  const say = (/** @type {string} */ sentence) => {
    told.hidden = false;
    told.textContent = sentence;
  };
  const cut = button(words.cutWire, () => {
    cut.disabled = true;
    tell('cut', { on: cut.dataset.cut !== 'true' }, ({ isCut, failed, done, total }) => {
      if (isCut === undefined && !failed) return say(words.keeping(done, total));
      cut.disabled = false;
      if (failed) return say(words.keepFailed);
      show(isCut);
      announce(told.textContent ?? '');
    });
  });
  const show = (/** @type {boolean} */ isCut) => {
    cut.dataset.cut = String(isCut);
    cut.textContent = isCut ? words.release : words.cutWire;
    chip.classList.toggle('is-cut', isCut);
    say(isCut ? words.wireCut : words.wireWhole);
  };
  const canCut = isSecureContext && navigator.serviceWorker && offline !== 'off';
  if (canCut) tell('is-cut', {}, ({ isCut }) => isCut && show(true));
  return el(
    'div',
    { class: 'wire', id: 'wire', role: 'group', 'aria-label': words.wire },
    el('p', {}, count),
    loaded,
    el('p', {}, prose(words.policy)),
    canCut ? el('p', {}, cut) : el('p', { class: 'help' }, words.noCut),
    told,
  );
}

/** Opens or closes the panel of a chip. @param {HTMLElement} chip */
export function toggle(chip) {
  const place = chip.closest('.head');
  const open = document.getElementById('wire') ?? panel(chip);
  if (!open.isConnected) place?.after(open);
  else open.hidden = !open.hidden;
  chip.setAttribute('aria-expanded', String(!open.hidden));
  chip.setAttribute('aria-controls', 'wire');
}
