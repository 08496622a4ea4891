//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: '01000001', mode: 'From digits' },
  shows: /^A$/,
  bad: [
    bad('text', '012', /"2" is not a digit of base 2.* Digits are 0 to 1/),
    bad('text', '0101', /group of 4 digits.* in base 2 has 8 digits/),
    bad('text', { text: '8', base: 'Octal' }, /"8" is not a digit of base 8/),
  ],
};
