//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: '41 42', mode: 'From hex' },
  shows: /^AB$/,
  bad: [
    bad('text', '4z', /Line 1, column 2: .*"z" is not a hexadecimal digit\. Digits are 0-9/),
    bad('text', '414', /odd number of digits \(3\).* A byte is two digits/),
    bad(
      'per_line',
      { text: 'ab', mode: 'To hex', per_line: '300' },
      /^Bytes per line must be a whole number from 1 to 256\.$/,
    ),
  ],
};
