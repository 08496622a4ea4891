//! Outputs of examples, by title.
import { pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A red dot, from its data URL': {
    facts: pairs([
      ['Type', 'GIF (image/gif)'],
      ['Dimensions', '1 × 1'],
      ['Bytes', 43],
      ['Characters as data URL', 82],
      ['Overhead', '90.7 %'],
    ]),
  },
};
