//! The pixels of an image, and kept colors.

import { get, put } from '../../kit/store.js';

/** @import * as T from '../../kit/types.d.ts' */

const MOST_SWATCHES = 24;
const WIDEST = 600;

/** @param {number} value @param {number} count of the pixels in a row or column */
const within = (value, count) => Math.min(count - 1, Math.max(0, value));

/** An image whose pixels are picked by the pointer or by keys. */
class Picture {
  #x = 0;
  #y = 0;
  /** @param {T.ViewPage} page @param {(color: string) => void} pick */
  constructor({ el }, pick) {
    this.pick = pick;
    this.status = el('p', { class: 'help', role: 'status' });
    this.canvas = el('canvas', {
      hidden: true,
      tabindex: '0',
      role: 'application',
      'aria-label': 'Image: arrow keys move, Enter picks the pixel',
      style: { 'max-width': '100%', cursor: 'crosshair', 'touch-action': 'none' },
      onpointerdown: (/** @type {PointerEvent} */ event) => this.#point(event),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
    });
    this.file = el('input', { type: 'file', accept: 'image/*', onchange: () => this.#load() });
  }
  #hex() {
    const pixel = this.canvas.getContext('2d')?.getImageData(this.#x, this.#y, 1, 1).data;
    return `#${[...(pixel ?? [0, 0, 0])]
      .slice(0, 3)
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')}`;
  }
  /** @param {PointerEvent} event */
  #point({ clientX, clientY }) {
    const { width, height } = this.canvas;
    const box = this.canvas.getBoundingClientRect();
    this.#x = within(Math.floor(((clientX - box.left) / box.width) * width), width);
    this.#y = within(Math.floor(((clientY - box.top) / box.height) * height), height);
    this.pick(this.#hex());
  }
  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = event.shiftKey ? 10 : 1;
    const move = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    })[event.key];
    if (event.key === 'Enter') this.pick(this.#hex());
    if (!move) return;
    event.preventDefault();
    this.#x = within(this.#x + move[0], this.canvas.width);
    this.#y = within(this.#y + move[1], this.canvas.height);
    this.status.textContent = `Column ${this.#x + 1}, row ${this.#y + 1}: ${this.#hex()}`;
  }
  async #load() {
    const { canvas, status } = this;
    const [chosen] = this.file.files ?? [];
    if (!chosen) return;
    try {
      const bitmap = await createImageBitmap(chosen);
      const scale = Math.min(1, WIDEST / bitmap.width);
      canvas.width = Math.max(1, Math.round(bitmap.width * scale));
      canvas.height = Math.max(1, Math.round(bitmap.height * scale));
      canvas
        .getContext('2d', { willReadFrequently: true })
        ?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      canvas.hidden = false;
      status.textContent =
        'Press a pixel of the image, or move with the arrow keys and press Enter.';
    } catch {
      status.textContent = `${chosen.name} is not an image that this browser can decode.`;
    }
  }
}

/** @type {T.View} */
export default (place, page) => {
  const { el } = page;
  let hex = '#000000';
  const set = (/** @type {string} */ color) => page.set({ color });
  const { file, status, canvas } = new Picture(page, set);
  const kept = el('div', { class: 'buttons' });
  const drawKept = () =>
    kept.replaceChildren(
      ...get('swatches').map((color) =>
        el('button', {
          type: 'button',
          class: 'swatch',
          'aria-label': `Use ${color}`,
          title: color,
          onclick: () => set(color),
          style: { '--color': color },
        }),
      ),
    );
  const keep = (/** @type {string[]} */ colors) => {
    put('swatches', colors.slice(0, MOST_SWATCHES));
    drawKept();
  };
  const button = (/** @type {string} */ title, /** @type {() => void} */ onclick) =>
    el('button', { type: 'button', class: 'small', onclick }, title);
  place.append(
    el('p', { class: 'buttons' }, el('label', { class: 'help' }, 'From an image ', file)),
    status,
    canvas,
    el(
      'p',
      { class: 'buttons' },
      button('Keep this color', () => keep([hex, ...get('swatches').filter((one) => one !== hex)])),
      button('Forget kept colors', () => keep([])),
    ),
    kept,
  );
  drawKept();
  return (/** @type {string} */ color) => {
    hex = color;
  };
};
