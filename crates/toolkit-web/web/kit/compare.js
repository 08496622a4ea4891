//! Two pictures under one slider: the original on the left, the result on the right.

import { el, styled } from './el.js';

/** Slider position in percent, kept when the picture is redrawn. */
let at = 50;

/** Adds the original to a picture. Returns a cleanup function. @param {HTMLElement} figure @param {import('./types.d.ts').Before} before */
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
