//! Colors in forms: refuses a field that is not a color, with the position of the error.

import { Refusal } from '../../kit/tool.js';
import { inField } from '../positions.js';
import { parseColor } from './parse.js';

const ACCEPTED =
  'Accepted are names, #rgb, #rrggbb, rgb(), hsl(), hwb(), lab(), lch(), oklab(), oklch(), color() and color-mix().';

/** @typedef {(sentence: string) => void} Warn */

/** The value of a declaration, a variable or an attribute, in quotes or not. */
const DECLARED =
  /^(?:(?:--|[$@])?[a-z][\w-]*\s*[:=]\s*)?(["']?)(\S(?:.{0,500}?\S)??)\1(?:\s*!important)?\s*[;,]?$/is;
const NUMBER = String.raw`(\d+(?:\.\d+)?|\.\d+)`;
const GAP = String.raw`(?:\s*,\s*|\s+)`;
/** @param {string} shape `n` for a number */
const shaped = (shape) =>
  new RegExp(
    `^${shape.replaceAll(' ', GAP).replaceAll('n', NUMBER)}(?:(?:\\s*,\\s*|\\s*/\\s*)([\\d.]+%?))?[\\])]?$`,
    'i',
  );

/** @param {string | undefined} alpha */
const slash = (alpha) => (alpha === undefined ? '' : ` / ${alpha}`);
/** @param {number} value */
const short = (value) => Number(value.toFixed(4));

/** Notations that are none of CSS, as CSS. @type {[RegExp, (...parts: any[]) => string][]} */
const NOTATIONS = [
  [/^((?:[\da-f]{3}){1,2}|[\da-f]{4}|[\da-f]{8})$/i, (digits) => `#${digits}`],
  // Android and Flutter put the opacity first.
  [
    /^(?:Color\()?0x(?:([\da-f]{2})(?=[\da-f]{6}))?([\da-f]{6})\)?$/i,
    (alpha, digits) => `#${digits}${/^(?:ff)?$/i.test(alpha ?? '') ? '' : alpha}`,
  ],
  [
    shaped('[[(]?n n n'),
    (...parts) => {
      const [alpha, numbers] = [parts[3], parts.slice(0, 3)];
      const isShare =
        numbers.every((part) => part <= 1) && numbers.some((part) => part.includes('.'));
      return isShare
        ? `color(srgb ${numbers.join(' ')}${slash(alpha)})`
        : `rgb(${numbers.join(', ')}${alpha === undefined ? '' : `, ${alpha}`})`;
    },
  ],
  [shaped('n n% n%'), (h, s, l, alpha) => `hsl(${h} ${s}% ${l}%${slash(alpha)})`],
  [
    shaped('(?:hsva?|hsba?)\\(n(?:deg)? n% n%'),
    (h, s, v, alpha) => {
      const light = (v / 100) * (1 - s / 200);
      const saturation =
        light === 0 || light === 1 ? 0 : (v / 100 - light) / Math.min(light, 1 - light);
      return `hsl(${h} ${short(saturation * 100)}% ${short(light * 100)}%${slash(alpha)})`;
    },
  ],
  [
    shaped('(?:(?:device-)?cmyk\\()?n% n% n% n%'),
    (c, m, y, k, alpha) =>
      `color(srgb ${[c, m, y].map((ink) => short((1 - ink / 100) * (1 - k / 100))).join(' ')}${slash(alpha)})`,
  ],
];

/**
 * A color in CSS notation. Other programs' notations are converted with a warning, and the rest of a declaration is
 * dropped.
 * @param {string} text @param {Warn} warn
 */
export function cssColor(text, warn) {
  const typed = text.trim();
  const inner = DECLARED.exec(typed)?.[2] ?? typed;
  for (const [pattern, write] of NOTATIONS) {
    const [, ...parts] = pattern.exec(inner) ?? [];
    if (parts.length === 0) continue;
    const read = write(...parts);
    warn(`"${inner}" is not a color of CSS; it was read as ${read}.`);
    return read;
  }
  return inner === typed ? text : inner;
}

/** @param {string} field @param {string} text @param {Warn} warn @param {string} [place] of one color among several: "Row 2" @param {string} [name] of the color there */
export const readColor = (field, text, warn, place, name = 'The color') =>
  inField(field, text, async () => {
    try {
      return await parseColor(cssColor(text, warn));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const offence = place === undefined ? error.message : `${name} ${error.message}`;
      throw new Refusal(offence, { ...error.position, place, hint: ACCEPTED });
    }
  });
