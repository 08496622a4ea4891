//! Colors in forms: refuses a field that is not a color, with the position of the error.

import { Refusal } from '../../kit/tool.js';
import { inField } from '../positions.js';
import { parseColor } from './parse.js';

const ACCEPTED =
  'Accepted are names, #rgb, #rrggbb, rgb(), hsl(), hwb(), lab(), lch(), oklab(), oklch(), color() and color-mix().';

/** @typedef {(sentence: string) => void} Warn */

/**
 * A color as CSS writes it: hexadecimal digits without `#` and bare numbers become a color, with a
 * warning.
 * @param {string} text @param {Warn} warn
 */
export function cssColor(text, warn) {
  const typed = text.trim();
  const [, numbers] =
    /^\(?(\d+(?:\.\d+)?(?:\s*,\s*|\s+)\d+(?:\.\d+)?(?:\s*,\s*|\s+)\d+(?:\.\d+)?(?:\s*,\s*[\d.]+%?)?)\)?$/.exec(
      typed,
    ) ?? [];
  const isHex = /^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(typed);
  const read = isHex ? `#${typed}` : numbers && `rgb(${numbers})`;
  if (!read) return text;
  warn(`"${typed}" is not a color of CSS; it was read as ${read}.`);
  return read;
}

/** @param {string} field @param {string} text @param {Warn} warn @param {string} [label] of one color among several: "The color of row 2" */
export const readColor = (field, text, warn, label) =>
  inField(field, text, () => {
    try {
      return parseColor(cssColor(text, warn));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const offence = label === undefined ? error.message : `${label} ${error.message}`;
      throw new Refusal(offence, { ...error.position, hint: ACCEPTED });
    }
  });
