//! Color sliders, the screen's eye dropper, the pixels of an image, and saved swatches.

import { get, put } from '../kit/store.js';

const PARTS = /** @type {const} */ ([
  ['Hue', 360],
  ['Saturation', 100],
  ['Lightness', 100],
]);
const MOST_SWATCHES = 24;
const WIDEST = 600;

/** @type {import('../kit/types.d.ts').View} */
export default (place, page) => {
  const { el } = page;
  let hex = '#000000';
  const set = (/** @type {string} */ color) => page.set({ color });

  // Sliders
  const sliders = PARTS.map(([label, max]) => {
    const attributes = { min: '0', max: String(max), step: '1' };
    const range = /** @type {HTMLInputElement} */ (
      el('input', {
        type: 'range',
        ...attributes,
        'aria-label': label,
        style: { flex: '1', 'min-width': '0' },
      })
    );
    const figure = /** @type {HTMLInputElement} */ (
      el('input', {
        type: 'number',
        ...attributes,
        'aria-label': `${label}, as a number`,
        style: { width: '6em' },
      })
    );
    return { label, range, figure };
  });
  const fromSliders = () => {
    const [h, s, l] = sliders.map(({ range }) => range.value);
    set(`hsl(${h} ${s}% ${l}%)`);
  };
  for (const { range, figure } of sliders) {
    range.addEventListener('input', () => {
      figure.value = range.value;
      fromSliders();
    });
    figure.addEventListener('change', () => {
      range.value = figure.value;
      fromSliders();
    });
  }

  // Screen
  const status = el('p', { role: 'status' });
  const Dropper = /** @type {any} */ (globalThis).EyeDropper;
  async function pickScreen() {
    try {
      const { sRGBHex } = await new Dropper().open();
      set(sRGBHex);
      status.textContent = `${sRGBHex} was picked from the screen.`;
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error);
      status.textContent =
        name === 'AbortError'
          ? 'Nothing was picked: the eye dropper was cancelled.'
          : `The browser did not open its eye dropper: ${message}`;
    }
  }
  const screen = Dropper
    ? el('button', { type: 'button', onclick: pickScreen }, 'Pick from the screen')
    : el(
        'p',
        {},
        globalThis.isSecureContext
          ? 'This browser has no eye dropper for the screen; Chrome and Edge have one.'
          : 'The eye dropper for the screen needs HTTPS or localhost.',
      );

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
  const kept = el('div', { style: { display: 'flex', 'flex-wrap': 'wrap', gap: '0.5rem' } });
  const drawKept = () =>
    kept.replaceChildren(
      ...get('swatches').map((color) =>
        el('button', {
          type: 'button',
          'aria-label': `Use ${color}`,
          title: color,
          onclick: () => set(color),
          style: { background: color, width: '2.5rem', height: '2.5rem' },
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

  const sample = el('div', {
    style: { height: '4rem', 'border-radius': '0.5rem', border: '1px solid currentColor' },
  });
  place.append(
    sample,
    ...sliders.map(({ label, range, figure }) =>
      el(
        'div',
        { style: { display: 'flex', gap: '0.75rem', 'align-items': 'center', margin: '0.5rem 0' } },
        el('span', { style: { width: '6em' } }, label),
        range,
        figure,
      ),
    ),
    el(
      'div',
      {
        style: {
          display: 'flex',
          'flex-wrap': 'wrap',
          gap: '0.5rem',
          'align-items': 'center',
          margin: '0.75rem 0',
        },
      },
      screen,
      el('label', {}, 'From an image ', file),
    ),
    status,
    canvas,
    el(
      'div',
      { style: { display: 'flex', gap: '0.5rem', margin: '0.75rem 0' } },
      el('button', { type: 'button', onclick: keep }, 'Keep this color'),
      el('button', { type: 'button', onclick: clear }, 'Forget kept colors'),
    ),
    kept,
  );
  drawKept();

  return (/** @type {{ hex: string, hsl: number[] }} */ data) => {
    hex = data.hex.slice(0, 7);
    sample.style.background = hex;
    for (const [i, { range, figure }] of sliders.entries()) {
      const value = String(data.hsl[i] ?? 0);
      const isHueOfGrey = i === 0 && data.hsl[1] === 0;
      if (range === document.activeElement || figure === document.activeElement || isHueOfGrey)
        continue;
      range.value = value;
      figure.value = value;
    }
  };
};
