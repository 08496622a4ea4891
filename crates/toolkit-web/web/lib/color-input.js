//! Colors in forms: refuses a field that is not a color, with the position of the error.

import { refuse } from '../kit/tool.js';
import { parseColor } from './color-parse.js';
import { ColorError } from './color-tokens.js';
import { characterOffset } from './positions.js';

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
export function readColor(field, text, warn, label) {
  try {
    return parseColor(cssColor(text, warn));
  } catch (error) {
    if (!(error instanceof ColorError)) throw error;
    const offset = characterOffset(text, error.offset);
    const offence = label === undefined ? error.message : `${label} ${error.message}`;
    return refuse(field, offence, { offset, hint: ACCEPTED });
  }
}
