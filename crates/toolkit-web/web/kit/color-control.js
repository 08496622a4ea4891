//! A color in any notation of CSS, with its sample, which opens the color field.

import { ColorField } from './color-field.js';
import { bounded, changed, pickedInput, plain } from './control.js';
import { el } from './el.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @import { Common, Control } from './control.js' */

/** A color as `#rrggbb`, or `#rrggbbaa` where it is translucent; undefined for other text. @param {string} text */
export function hexOf(text) {
  const context = document.createElement('canvas').getContext('2d');
  const color = CSS.supports('color', text) ? text : `#${text}`;
  if (!context || !CSS.supports('color', color)) return undefined;
  context.fillStyle = color;
  // Of sRGB the browser tells the figures; a translucent pixel has lost some of their digits.
  const told = /^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/.exec(context.fillStyle)?.slice(1);
  context.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 0] = told
    ? told.map((part, at) => (at < 3 ? Number(part) : Math.round(Number(part) * 255)))
    : context.getImageData(0, 0, 1, 1).data;
  const digits = [r, g, b, ...(a < 255 ? [a] : [])];
  return `#${digits.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * A place that opens a color field beside a button, until Escape or a press elsewhere closes it.
 * @param {HTMLElement} opener @param {string} label @param {() => string} read @param {(hex: string) => void} write
 */
export function colorPlace(opener, label, read, write) {
  const place = el('div', {
    class: 'color-place',
    popover: 'auto',
    role: 'dialog',
    'aria-label': label,
  });
  /** @type {Promise<ColorField> | undefined} */
  let field;
  const open = async () => {
    field ??= ColorField.make(write).then((made) => {
      place.append(made.node);
      return made;
    });
    (await field).write(hexOf(read()) ?? '#000000');
    const { left, bottom } = opener.getBoundingClientRect();
    const end = document.documentElement.clientWidth - place.offsetWidth - 8;
    place.style.setProperty('left', `${Math.max(8, Math.min(left, end)) + scrollX}px`);
    place.style.setProperty('top', `${bottom + scrollY + 4}px`);
    (await field).focus();
    place.scrollIntoView({ block: 'nearest' });
  };
  place.addEventListener('toggle', (event) => {
    if (/** @type {ToggleEvent} */ (event).newState === 'open') open();
  });
  return place;
}

/** @param {T.FieldOf<'color'>} field @param {Common} common @returns {Control} */
export function colorControl({ label, open, ...field }, common) {
  const input = pickedInput(common);
  const sample = el('span', { class: 'swatch' });
  const pick = el(
    'button',
    {
      type: 'button',
      class: 'pick',
      title: words.pick(label),
      'aria-label': words.pick(label),
    },
    sample,
  );
  const show = () => {
    const hex = hexOf(input.value);
    sample.style.setProperty('--color', hex ?? '#0000');
    pick.classList.toggle('unset', hex === undefined || /^#.{6}00$/.test(hex));
    return hex;
  };
  const put = (/** @type {string} */ hex) => {
    input.value = hex;
    changed(input);
  };
  const control = plain(input, el('div', { class: 'pair' }, input, pick));
  bounded(input, { ...field, kind: 'color', label }).addEventListener('input', show);
  if (!open) {
    const place = colorPlace(pick, label, () => input.value, put);
    pick.popoverTargetElement = place;
    control.node.append(place);
    return {
      ...control,
      write(value) {
        control.write(value);
        show();
      },
    };
  }
  /** @type {ColorField | undefined} */
  let made;
  const follow = () => {
    const hex = show();
    if (hex) made?.write(hex);
  };
  input.addEventListener('input', follow);
  const node = el('div', {}, el('div', { class: 'pair' }, input, sample));
  ColorField.make(put, words.noDropper(isSecureContext)).then((field) => {
    made = field;
    node.append(field.node);
    follow();
  });
  return {
    ...control,
    node,
    write(value) {
      control.write(value);
      follow();
    },
  };
}
