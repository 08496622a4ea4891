//! Good and bad input.
import { bad, upload } from '../../../tests/row.js';

const PICTURE = upload('a.png', [0x89, 0x50, 0x4e, 0x47, 0x1a, 0]);

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
    bad('text', PICTURE, /^Text must be text\. The first bytes are 89 50 4e 47 1a 00\.$/),
    bad(
      'text',
      upload('large.txt', (10 << 20) + 1),
      /^Text must have at most 10 MiB, not 10485761/,
    ),
  ],
};
