//! Outputs of examples that are longer than a few lines, by title.
import { pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A link': {
    facts: pairs([
      ['Version', '2 (25 × 25 modules)'],
      ['Mode', 'byte'],
      ['Used', '24 bytes'],
      ['Room left', '2 bytes'],
    ]),
  },
};
