//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { cidr: '10.0.0.0/8' },
  shows: /10\.255\.255\.255/,
  bad: [
    bad('cidr', '192.0.2.0/33', /out of range at offset 10; use a whole/),
    bad('cidr', '300.1.1.1/8', /four numbers from 0 to 255, as in/),
    bad('cidr', '10.0.0.0/8/9', /not a number at offset 9; use a whole/),
  ],
};
