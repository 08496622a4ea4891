//! The network report of a page: its number of requests, its policy, and a switch that cuts it off. Requests are counted
//! by the browser (Resource Timing).

import { announce, button, el, prose } from './el.js';
import { offlineWords, tell } from './offline.js';
import { numbers } from './words.js';

const { assets = '', offline } = document.documentElement.dataset;
const [, parts] = /^(.*\/assets\/)/.exec(assets) ?? ['', assets];

const own = {
  wire: 'Network',
  /** @param {number} count */
  requests: (count) => `Requests since this page opened: ${numbers.format(count)}`,
  /** @param {number} count */
  partsLoaded: (count) =>
    `${count === 1 ? '1 part' : `${numbers.format(count)} parts`} of the page loaded: scripts and style sheets of this site, whose addresses tell nothing of what you enter.`,
  policy:
    "The browser enforces it: the policy of this page (`connect-src 'none'`) refuses every request of a script, to this server too. Scripts and style sheets come from this site alone, images from your input, and no form is sent.",
  cutWire: 'Cut the wire',
  release: 'Release',
  wireCut:
    'The wire is cut: this device answers every request of these pages itself, until you release it.',
  wireWhole: 'The wire is whole again.',
  noCut: 'Cutting the wire needs HTTPS or localhost, and offline pages.',
};

/** Whether a request is for a script or style sheet of the pages. @param {PerformanceEntry} entry */
const isPart = ({ name }) => name.startsWith(location.origin + parts);

/** The panel below the chip. @param {HTMLElement} chip */
function panel(chip) {
  const count = el('strong', { role: 'status', 'data-requests': true });
  const loaded = el('p', {});
  const seen = { others: 0, parts: 0 };
  const tally = (/** @type {PerformanceEntryList} */ entries) => {
    // The entries exclude the document itself.
    for (const entry of entries) seen[isPart(entry) ? 'parts' : 'others']++;
    count.textContent = own.requests(seen.others);
    loaded.textContent = own.partsLoaded(seen.parts);
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
  const cut = button(own.cutWire, () => {
    cut.disabled = true;
    tell('cut', { on: cut.dataset.cut !== 'true' }, ({ isCut, failed, done, total }) => {
      if (isCut === undefined && !failed) return say(offlineWords.keeping(done, total));
      cut.disabled = false;
      if (failed) return say(offlineWords.keepFailed);
      show(isCut);
      announce(told.textContent ?? '');
    });
  });
  const show = (/** @type {boolean} */ isCut) => {
    cut.dataset.cut = String(isCut);
    cut.textContent = isCut ? own.release : own.cutWire;
    chip.classList.toggle('is-cut', isCut);
    say(isCut ? own.wireCut : own.wireWhole);
  };
  const canCut = isSecureContext && navigator.serviceWorker && offline !== 'off';
  if (canCut) tell('is-cut', {}, ({ isCut }) => isCut && show(true));
  return el(
    'div',
    { class: 'wire', id: 'wire', role: 'group', 'aria-label': own.wire },
    el('p', {}, count),
    loaded,
    el('p', {}, prose(own.policy)),
    canCut ? el('p', {}, cut) : el('p', { class: 'help' }, own.noCut),
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
