//! Colors in forms: refuses a field that is not a color, with the position of the error.

import { refuse } from '../kit/tool.js';
import { parseColor } from './color-parse.js';
import { ColorError } from './color-tokens.js';
import { characterOffset } from './positions.js';

const ACCEPTED =
  'Accepted are names, #rgb, #rrggbb, rgb(), hsl(), hwb(), lab(), lch(), oklab(), oklch(), color() and color-mix().';

/** @param {string} field @param {string} text @param {string} [label] of one color among several: "The color of row 2" */
export function readColor(field, text, label) {
  try {
    return parseColor(text);
  } catch (error) {
    if (!(error instanceof ColorError)) throw error;
    const offset = characterOffset(text, error.offset);
    if (label !== undefined)
      return refuse(field, `${label} ${error.message}`, { offset, hint: ACCEPTED });
    return refuse(field, error.message, { offset, hint: ACCEPTED });
  }
}
