//! A text field for any CSS color, with a swatch that opens the color field.

import { bounded, changed, followed, pickedInput, plain } from './control.js';
import { el, styled } from './el.js';
import { part } from './lazy.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @import { Common, Control } from './control.js' */

/** @param {boolean} isSecure */
const noDropper = (isSecure) =>
  isSecure
    ? 'This browser has no eye dropper for the screen; Chrome and Edge have one.'
    : 'The eye dropper for the screen needs HTTPS or localhost.';

/** A color as `#rrggbb`, or `#rrggbbaa` where it is translucent; undefined for other text. @param {string} text */
export function hexOf(text) {
  const context = document.createElement('canvas').getContext('2d');
  const color = CSS.supports('color', text) ? text : `#${text}`;
  if (!context || !CSS.supports('color', color)) return undefined;
  context.fillStyle = color;
  // Browsers report sRGB colors exactly. Reading back a translucent pixel loses digits.
  const told = /^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/.exec(context.fillStyle)?.slice(1);
  context.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 0] = told
    ? told.map((part, at) => (at < 3 ? Number(part) : Math.round(Number(part) * 255)))
    : context.getImageData(0, 0, 1, 1).data;
  const digits = [r, g, b, ...(a < 255 ? [a] : [])];
  return `#${digits.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Loads the color field and its style sheet, which most visits do not need. @param {(hex: string) => void} changed @param {string} [without] the sentence for browsers without an eye dropper */
async function fieldOf(changed, without) {
  const loaded = await part(words.parts.colorField, () =>
    Promise.all([import('./color-field.js'), styled('color')]),
  );
  return loaded && new loaded[0].ColorField(changed, without);
}

/**
 * A popover with a color field next to a button. Escape or a click elsewhere closes it.
 * @param {HTMLElement} opener @param {string} label @param {() => string} read @param {(hex: string) => void} write
 */
export function colorPlace(opener, label, read, write) {
  const place = el('div', {
    class: 'color-place',
    popover: 'auto',
    role: 'dialog',
    'aria-label': label,
  });
  /** @type {ReturnType<typeof fieldOf> | undefined} */
  let field;
  const open = async () => {
    const { left, bottom } = opener.getBoundingClientRect();
    const end = document.documentElement.clientWidth - place.offsetWidth - 8;
    place.style.setProperty('left', `${Math.max(8, Math.min(left, end)) + scrollX}px`);
    place.style.setProperty('top', `${bottom + scrollY + 4}px`);
    field ??= fieldOf(write);
    const made = await field;
    if (!made) return place.hidePopover();
    if (!made.node.isConnected) place.append(made.node);
    made.write(hexOf(read()) ?? '#000000');
    made.focus();
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
  // A color is replaced, seldom edited: a press that enters the field selects it.
  input.addEventListener('pointerdown', () => {
    if (document.activeElement !== input)
      input.addEventListener('click', () => input.select(), { once: true });
  });
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
  bounded(input, { ...field, kind: 'color', label });
  if (!open) {
    const place = colorPlace(pick, label, () => input.value, put);
    pick.popoverTargetElement = place;
    control.node.append(place);
    return followed(control, show);
  }
  /** @type {Awaited<ReturnType<typeof fieldOf>>} */
  let made;
  const follow = () => {
    const hex = show();
    if (hex) made?.write(hex);
  };
  const node = el('div', {}, el('div', { class: 'pair' }, input, sample));
  fieldOf(put, noDropper(isSecureContext)).then((field) => {
    made = field;
    if (field) node.append(field.node);
    follow();
  });
  return { ...followed(control, follow), node };
}
