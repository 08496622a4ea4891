//! The pixels of an image, and kept colors.

import { get, put } from '../../kit/store.js';

const MOST_SWATCHES = 24;
const WIDEST = 600;

/** @type {import('../../kit/types.d.ts').View} */
export default (place, page) => {
  const { el } = page;
  let hex = '#000000';
  const set = (/** @type {string} */ color) => page.set({ color });

  const status = el('p', { class: 'help', role: 'status' });

  // Image
  const canvas = /** @type {HTMLCanvasElement} */ (
    el('canvas', {
      hidden: true,
      tabindex: '0',
      role: 'application',
      'aria-label': 'Image: arrow keys move, Enter picks the pixel',
      style: { 'max-width': '100%', cursor: 'crosshair', 'touch-action': 'none' },
    })
  );
  let [x, y] = [0, 0];
  const pixel = () => canvas.getContext('2d')?.getImageData(x, y, 1, 1).data ?? [0, 0, 0];
  const pixelHex = () =>
    `#${[...pixel()]
      .slice(0, 3)
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')}`;
  canvas.addEventListener('pointerdown', (event) => {
    const box = canvas.getBoundingClientRect();
    x = Math.min(
      canvas.width - 1,
      Math.floor(((event.clientX - box.left) / box.width) * canvas.width),
    );
    y = Math.min(
      canvas.height - 1,
      Math.floor(((event.clientY - box.top) / box.height) * canvas.height),
    );
    set(pixelHex());
  });
  canvas.addEventListener('keydown', (event) => {
    const step = event.shiftKey ? 10 : 1;
    const move = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    })[event.key];
    if (event.key === 'Enter') set(pixelHex());
    if (!move) return;
    event.preventDefault();
    x = Math.min(canvas.width - 1, Math.max(0, x + move[0]));
    y = Math.min(canvas.height - 1, Math.max(0, y + move[1]));
    status.textContent = `Column ${x + 1}, row ${y + 1}: ${pixelHex()}`;
  });
  const file = /** @type {HTMLInputElement} */ (el('input', { type: 'file', accept: 'image/*' }));
  file.addEventListener('change', async () => {
    const [chosen] = file.files ?? [];
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
  });

  // Swatches
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
  const keep = () => {
    put('swatches', [hex, ...get('swatches').filter((one) => one !== hex)].slice(0, MOST_SWATCHES));
    drawKept();
  };
  const clear = () => {
    put('swatches', []);
    drawKept();
  };

  place.append(
    el('p', { class: 'buttons' }, el('label', { class: 'help' }, 'From an image ', file)),
    status,
    canvas,
    el(
      'p',
      { class: 'buttons' },
      el('button', { type: 'button', class: 'small', onclick: keep }, 'Keep this color'),
      el('button', { type: 'button', class: 'small', onclick: clear }, 'Forget kept colors'),
    ),
    kept,
  );
  drawKept();

  return (/** @type {string} */ color) => {
    hex = color;
  };
};
