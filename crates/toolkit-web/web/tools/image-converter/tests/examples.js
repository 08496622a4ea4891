//! Outputs of examples, by title.
import { table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A landscape as a small JPEG': {
    originals: table(
      ['File', 'Type', 'Pixels', 'Size'],
      [['landscape.bmp', 'BMP', '720 × 480', '1,036,854 bytes']],
    ),
  },
};
