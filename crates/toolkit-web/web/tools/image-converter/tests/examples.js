//! Outputs of examples, by title.
import { table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'An image of two pixels': {
    originals: table(['File', 'Type', 'Pixels', 'Size'], [['two.png', 'PNG', '2 × 1', '71 bytes']]),
  },
};
