//! Outputs of examples, by title.
import { pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Check a password': {
    result: 'The password matches.',
    parts: pairs([
      ['Version', '2a'],
      ['Cost', '5 (2^5 = 32 rounds, about 3 ms)'],
      ['Salt', 'CCCCCCCCCCCCCCCCCCCCC.'],
      ['Checksum', 'E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ]),
  },
};
