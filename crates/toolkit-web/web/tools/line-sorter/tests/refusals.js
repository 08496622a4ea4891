//! Good and bad input.
import { bad, upload } from '../../../tests/row.js';

const PICTURE = upload('a.png', [0x89, 0x50, 0x4e, 0x47, 0x1a, 0]);

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'pear\napple', order: 'Dictionary order' },
  shows: /^apple$/,
  bad: [
    bad(
      'pattern',
      { by: 'Pattern match', pattern: '(a' },
      /^Character 1: Pattern is not a regular expression\. Unterminated group\. Write a/,
    ),
    bad(
      'language',
      'English language',
      /^"English language" is not a language\. Write it as de, sv/,
    ),
    bad('header', '1001', /^Header lines must be a whole number from 0 to 1000\.$/),
    bad('text', PICTURE, /^Lines must be text\. The first bytes are 89 50 4e 47 1a 00\.$/),
  ],
};
