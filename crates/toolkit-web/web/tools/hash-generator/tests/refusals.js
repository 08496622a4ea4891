//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'abc', algorithm: 'MD5' },
  shows: /^900150983cd24fb0d6963f7d28e17f72$/,
  bad: [
    bad(
      'text',
      { text: 'xyz', input_encoding: 'Hexadecimal' },
      /^Character 1: Text has the character "x", which is not a hexadecimal digit/,
    ),
    bad('text', { input_encoding: 'Hexadecimal' }, /odd number of hexadecimal digits/),
    bad(
      'text',
      { text: 'a*', input_encoding: 'Base64' },
      /^Character 2: Text has the character "\*", which is not in Base64/,
    ),
  ],
};
