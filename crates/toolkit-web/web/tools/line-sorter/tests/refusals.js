//! Good and bad input.
import { bad, upload } from '../../../tests/row.js';

const LATIN1 = upload('latin1.txt', [0x47, 0x72, 0xfc, 0xdf, 0x65]);

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'pear\napple', order: 'Text, dictionary order' },
  shows: /^apple$/,
  bad: [
    bad(
      'pattern',
      { by: 'Pattern match', pattern: '(a' },
      /^Pattern is not a regular expression, at character 0\. Unterminated group\. A sign such as/,
    ),
    bad(
      'language',
      'English language',
      /^"English language" is not a language\. Write it as de, sv/,
    ),
    bad('header', '1001', /^Header lines must be a whole number from 0 to 1000\.$/),
    bad('text', LATIN1, /^Lines must be UTF-8 text\. The first bytes are 47 72 fc df 65\.$/),
  ],
};
