//! Outputs of examples, by title.
import { pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A PIN of four digits': {
    strength: pairs([
      ['Entropy of each', '13.3 bits'],
      ['Average time to guess', 'less than a second'],
      ['Assuming', '10,000,000,000 guesses in a second, by somebody who knows these settings'],
    ]),
  },
};
