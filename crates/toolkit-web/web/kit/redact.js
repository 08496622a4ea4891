//! Copies texts with secrets replaced by names, and restores the values in pasted answers. Names and values exist only in
//! the page's memory.

import { Names } from '../lib/redact.js';
import { MIB } from './control.js';
import { announce, copy, el } from './el.js';

/** @param {number} count of different values */
const hiddenWords = (count) =>
  count === 0
    ? 'Copied as it is: no token, key, address, host, user or id was found. Read it before you share it.'
    : `Copied with names in place of ${count === 1 ? '1 value' : `${count} values`}. Read it before you share it. Paste an answer into a field of this page, and the values return.`;
/** @param {number} count */
const restoredWords = (count) =>
  `${count === 1 ? '1 name was' : `${count} names were`} replaced by ${count === 1 ? 'its value' : 'their values'}.`;

const names = new Names();
let isListening = false;

/** Shows a sentence below a place, replacing the previous one. @param {Element | null} place @param {string} sentence */
function say(place, sentence) {
  const said = place?.nextElementSibling?.matches('[data-redacted]')
    ? place.nextElementSibling
    : el('p', { class: 'help', 'data-redacted': true });
  said.textContent = sentence;
  place?.after(said);
  announce(sentence);
}

/** Restores values in a text pasted into a field. @param {ClipboardEvent} event */
function pasted(event) {
  const { target, clipboardData } = event;
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
  const { text, count } = names.restore(clipboardData?.getData('text/plain') ?? '');
  if (!isField || count === 0 || text.length > MIB) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  // As typed input, so that the keyboard can undo it.
  document.execCommand('insertText', false, text);
  say(target.closest('.lined') ?? target, restoredWords(count));
}

/** @param {string} text @param {HTMLElement} from the button @param {HTMLElement} place */
export async function copyWithout(text, from, place) {
  const { text: hidden, count } = names.hide(text);
  if (!(await copy(hidden, from))) return say(place, 'Copying is not allowed here.');
  say(place, hiddenWords(count));
  if (isListening) return;
  isListening = true;
  document.addEventListener('paste', pasted, true);
}
