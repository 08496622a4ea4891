//! Outputs and warnings of examples, by title.
import { pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A red dot, from its data URL': {
    facts: pairs([
      ['Type', 'GIF (image/gif)'],
      ['Dimensions', '1 × 1'],
      ['Bytes', 43],
    ]),
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'A wrong type': ['The data URL says image/png, but its bytes are GIF; saved as gif.'],
};
