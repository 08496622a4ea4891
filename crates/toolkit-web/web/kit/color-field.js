//! The color field: a plane of saturation and brightness, sliders of hue and alpha, and the screen's
//! eye dropper.

import { button, el } from './el.js';

/** @typedef {{ h: number, s: number, v: number, a: number }} Hsva hue from 0 to 360, the others from 0 to 1 */

const own = {
  colorField: 'Color field',
  plane: 'Saturation and brightness',
  /** @param {number} saturation @param {number} brightness */
  planeAt: (saturation, brightness) => `saturation ${saturation} %, brightness ${brightness} %`,
  hue: 'Hue',
  alpha: 'Opacity',
  dropper: 'Pick from the screen',
  /** @param {string} hex */
  dropped: (hex) => `${hex} was picked from the screen.`,
  notDropped: 'Nothing was picked: the eye dropper was cancelled.',
  /** @param {string} message */
  dropperFailed: (message) => `The browser did not open its eye dropper: ${message}`,
};

/** @param {string} hex `#rrggbb` or `#rrggbbaa` @returns {Hsva} */
export function hsvaOf(hex) {
  const [r = 0, g = 0, b = 0, a = 1] = (hex.match(/[^#]{2}/g) ?? []).map(
    (pair) => Number.parseInt(pair, 16) / 255,
  );
  const v = Math.max(r, g, b);
  const span = v - Math.min(r, g, b);
  const sixth =
    span === 0 ? 0 : v === r ? (g - b) / span : v === g ? 2 + (b - r) / span : 4 + (r - g) / span;
  return { h: (sixth * 60 + 360) % 360, s: v === 0 ? 0 : span / v, v, a };
}

/** @param {Hsva} color */
export function hexOfHsva({ h, s, v, a }) {
  const part = (/** @type {number} */ n) => {
    const k = (n + h / 60) % 6;
    return v - v * s * Math.max(0, Math.min(k, 4 - k, 1));
  };
  const parts = [part(5), part(3), part(1), ...(a < 1 ? [a] : [])];
  return `#${parts
    .map((one) =>
      Math.round(one * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** @param {number} share */
const within = (share) => Math.min(1, Math.max(0, share));
/** @param {number} share */
const percent = (share) => Math.round(share * 100);

/** Changes of saturation and brightness by key. @type {Record<string, [number, number]>} */
const KEYS = {
  ArrowLeft: [-0.01, 0],
  ArrowRight: [0.01, 0],
  ArrowUp: [0, 0.01],
  ArrowDown: [0, -0.01],
  PageUp: [0, 0.1],
  PageDown: [0, -0.1],
  Home: [-1, 0],
  End: [1, 0],
};

export class ColorField {
  /** @type {Hsva} */
  #color = { h: 0, s: 0, v: 0, a: 1 };
  /** The last color written. */
  #hex = '';
  #changed;

  /** @param {(hex: string) => void} changed @param {string | undefined} without */
  constructor(changed, without) {
    this.#changed = changed;
    this.thumb = el('div', {
      class: 'color-thumb',
      role: 'slider',
      tabindex: 0,
      'aria-label': own.plane,
      'aria-valuemin': 0,
      'aria-valuemax': 100,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
    });
    const point = (/** @type {PointerEvent} */ event) => this.#point(event);
    this.plane = el(
      'div',
      { class: 'color-plane', onpointerdown: point, onpointermove: point },
      this.thumb,
    );
    this.hue = this.#slider(own.hue, 360, (h) => ({ h }));
    this.alpha = this.#slider(own.alpha, 100, (percent) => ({ a: percent / 100 }));
    this.status = el('p', { class: 'help', role: 'status' });
    const Dropper = /** @type {any} */ (globalThis).EyeDropper;
    this.node = el(
      'div',
      { class: 'color-field', role: 'group', 'aria-label': own.colorField },
      this.plane,
      this.hue,
      this.alpha,
      Dropper
        ? button(own.dropper, () => this.#drop(new Dropper()), { class: 'small' })
        : without && el('p', { class: 'help' }, without),
      this.status,
    );
  }

  focus() {
    this.thumb.focus({ preventScroll: true });
  }

  /** @param {string} hex */
  write(hex) {
    if (hex === this.#hex) return;
    const { h, ...color } = hsvaOf(hex);
    // Gray has no hue, so the slider keeps its position.
    this.#color = { h: color.s === 0 ? this.#color.h : h, ...color };
    this.#hex = hex;
    this.#show();
  }

  /** @param {string} label @param {number} max @param {(value: number) => Partial<Hsva>} change */
  #slider(label, max, change) {
    const range = el('input', {
      type: 'range',
      class: 'color-slider',
      min: 0,
      max,
      step: 1,
      'aria-label': label,
      oninput: (/** @type {Event} */ event) => {
        event.stopPropagation();
        this.#change(change(Number(range.value)));
      },
    });
    return range;
  }

  /** @param {Partial<Hsva>} parts */
  #change(parts) {
    this.#color = { ...this.#color, ...parts };
    this.#hex = hexOfHsva(this.#color);
    this.#show();
    this.#changed(this.#hex);
  }

  #show() {
    const { h, s, v, a } = this.#color;
    for (const [name, value] of Object.entries({
      '--hue': `hsl(${h} 100% 50%)`,
      '--solid': hexOfHsva({ h, s, v, a: 1 }),
      '--s': `${s * 100}%`,
      '--v': `${100 - v * 100}%`,
    }))
      this.node.style.setProperty(name, value);
    this.thumb.setAttribute('aria-valuenow', String(percent(s)));
    this.thumb.setAttribute('aria-valuetext', own.planeAt(percent(s), percent(v)));
    this.hue.value = String(Math.round(h));
    this.alpha.value = String(percent(a));
    this.alpha.setAttribute('aria-valuetext', `${percent(a)} %`);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = KEYS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [ds, dv] = step.map((one) => one * (event.shiftKey ? 10 : 1));
    this.#change({
      s: within(this.#color.s + (ds ?? 0)),
      v: within(this.#color.v + (dv ?? 0)),
    });
  }

  /** @param {PointerEvent} event */
  #point(event) {
    if (event.buttons !== 1) return;
    event.preventDefault();
    this.plane.setPointerCapture(event.pointerId);
    this.focus();
    const { left, top, width, height } = this.plane.getBoundingClientRect();
    this.#change({
      s: within((event.clientX - left) / width),
      v: 1 - within((event.clientY - top) / height),
    });
  }

  /** @param {{ open: () => Promise<{ sRGBHex: string }> }} dropper */
  async #drop(dropper) {
    try {
      const { sRGBHex } = await dropper.open();
      this.#change({ ...hsvaOf(sRGBHex) });
      this.status.textContent = own.dropped(sRGBHex);
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error);
      this.status.textContent = name === 'AbortError' ? own.notDropped : own.dropperFailed(message);
    }
  }
}
