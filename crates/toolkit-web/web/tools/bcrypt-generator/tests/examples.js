//! Outputs and warnings of examples, by title.
import { headline, pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Check a password': {
    result: headline('The password matches', { tone: 'good' }),
    parts: pairs([
      ['Version', '2a'],
      ['Cost', '5 (2^5 = 32 rounds)'],
      ['Salt', 'CCCCCCCCCCCCCCCCCCCCC.'],
      ['Checksum', 'E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ]),
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'Hash a password (weak: cost 4)': [
    'Cost 4 makes guessing fast: use 10 or more for a password of your own.',
  ],
};
