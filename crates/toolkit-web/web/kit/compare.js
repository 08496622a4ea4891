//! Two pictures under one slider: what was, at the left of it, and what became of it.

import { el, styled } from './el.js';

/** Where the slider was left, in percent: a picture that is made anew keeps it. */
let at = 50;

/** Adds to the picture what it was before; returns what ends it. @param {HTMLElement} figure @param {import('./types.d.ts').Before} before */
export async function compare(figure, { data, type, fit, said }) {
  await styled('compare');
  const blob = data instanceof Blob ? data : new Blob([/** @type {BlobPart} */ (data)], { type });
  const src = URL.createObjectURL(blob);
  const slider = el('input', {
    type: 'range',
    value: String(at),
    'aria-label': 'How much of the picture is as it was before',
    oninput: () => {
      at = Number(slider.value);
      figure.style.setProperty('--at', `${at}%`);
    },
  });
  figure.style.setProperty('--at', `${at}%`);
  figure.append(
    el('div', { class: 'before' }, el('img', { src, alt: '', style: { 'object-fit': fit } })),
    ...said.map((text) => el('span', { class: 'said' }, text)),
    slider,
    el('span', { class: 'divide' }),
  );
  return () => URL.revokeObjectURL(src);
}
