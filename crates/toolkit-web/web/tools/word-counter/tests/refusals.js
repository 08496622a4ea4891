//! Good and bad input.
import { bad, upload } from '../../../tests/row.js';

const LATIN1 = upload('latin1.txt', [0x47, 0x72, 0xfc, 0xdf, 0x65]);

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'one two three' },
  shows: /Words3/,
  bad: [
    bad(
      'language',
      'English language',
      /^"English language" is not a language\. Write it as en, th/,
    ),
    bad('limit', '0', /^Character limit must be a whole number from 1 to 10000000\.$/),
    bad('text', LATIN1, /^Text must be UTF-8 text\. The first bytes are 47 72 fc df 65\.$/),
    bad(
      'text',
      upload('large.txt', (10 << 20) + 1),
      /^Text must have at most 10 MiB, not 10485761/,
    ),
  ],
};
