//! Outputs of examples, by title.
import { headline } from '../../../kit/tool.js';

/** Node is such a browser. @type {Record<string, Record<string, unknown>>} */
export default {
  'A landscape as a small JPEG': {
    headline: headline('This browser cannot convert images', { tone: 'bad' }),
  },
};
