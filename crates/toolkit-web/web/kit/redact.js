//! Copies of texts without secrets, and answers to them with the values back. The names and values are in the memory of
//! the page alone, until it is left.

import { Names } from '../lib/redact.js';
import { MIB } from './control.js';
import { announce, copy, el } from './el.js';
import { words } from './words.js';

const names = new Names();
let isListening = false;

/** Says something below a place, in place of what was said there. @param {Element | null} place @param {string} sentence */
function say(place, sentence) {
  const said = place?.nextElementSibling?.matches('[data-redacted]')
    ? place.nextElementSibling
    : el('p', { class: 'help', 'data-redacted': true });
  said.textContent = sentence;
  place?.after(said);
  announce(sentence);
}

/** Puts the values back into what is pasted into a field. @param {ClipboardEvent} event */
function pasted(event) {
  const { target, clipboardData } = event;
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
  const { text, count } = names.restore(clipboardData?.getData('text/plain') ?? '');
  if (!isField || count === 0 || text.length > MIB) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  // As if typed: it can be undone with the keyboard.
  document.execCommand('insertText', false, text);
  say(target.closest('.lined') ?? target, words.restored(count));
}

/** @param {string} text @param {HTMLElement} from the button @param {HTMLElement} place */
export async function copyWithout(text, from, place) {
  const { text: hidden, count } = names.hide(text);
  if (!(await copy(hidden, from))) return say(place, words.notCopiedHere);
  say(place, words.hidden(count));
  if (isListening) return;
  isListening = true;
  document.addEventListener('paste', pasted, true);
}
