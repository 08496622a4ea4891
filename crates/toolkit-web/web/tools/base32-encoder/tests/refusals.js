//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'MZXW6===', mode: 'From Base32' },
  shows: /^foo$/,
  bad: [
    bad('text', 'MZX!', /^Character 4: "!" is not a symbol of this alphabet\. .*ABC/),
    bad('text', 'M', /has 1 symbol, which is not a length that Base32 gives/),
    bad('text', 'MZ=', /ends in 1 "=" where 6 are due.* or complete it/),
  ],
};
