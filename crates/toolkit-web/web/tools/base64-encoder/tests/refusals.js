//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'YWI=', mode: 'Decode' },
  shows: /^ab$/,
  bad: [
    bad(
      'text',
      'a*',
      /^Character 2: Text or file has the character "\*", which is not in Base64\./,
    ),
    bad('text', 'abcde', /one digit is left over/),
    bad(
      'text',
      { text: 'YT8-', url_safe: 'Standard (+ and /)' },
      /Character 4: .*has "-", which is not in the alphabet that is chosen/,
    ),
  ],
};
