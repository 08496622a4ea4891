//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { size: '5', alphabet: 'xy' },
  shows: /^[xy]{5}/,
  bad: [
    bad('size', '0', /^Size must be a whole number from 2 to 256\.$/),
    bad('alphabet', 'a', /^Alphabet has one character\. Give 2 to 255 different/),
    bad('alphabet', 'aba', /^Character 3: Alphabet repeats a\. Give/),
  ],
};
