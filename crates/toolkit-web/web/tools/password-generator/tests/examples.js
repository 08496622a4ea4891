//! Outputs of examples, by title.
import { view } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A PIN of four digits': {
    strength: view({ bits: 13.3, time: 'less than a second' }),
  },
};
