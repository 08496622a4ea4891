//! Outputs of examples, by title.
import { pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Sky blue': {
    notations: pairs([
      ['Hex', '#87ceeb'],
      ['RGB', 'rgb(135 206 235)'],
      ['HSL', 'hsl(197.4 71.43% 72.55%)'],
      ['OKLCH', 'oklch(0.81482 0.08192 225.75)'],
      ['Name', 'skyblue'],
      ['Contrast', '1.74:1 with white, 12.05:1 with black'],
    ]),
  },
};
