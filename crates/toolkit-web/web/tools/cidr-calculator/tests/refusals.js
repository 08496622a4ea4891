//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { cidr: '10.0.0.0/8' },
  shows: /10\.255\.255\.255/,
  bad: [
    bad(
      'cidr',
      '192.0.2.0/33',
      /Character 11: .*has the prefix length "33"\. Use a whole number from 0 to 32/,
    ),
    bad('cidr', '300.1.1.1/8', /Character 1: .*has 300, but an octet is 255 at most/),
    bad('cidr', '10.0.0.0/8/9', /Character 10: .*has the prefix length "8\/9"\. Use a whole/),
  ],
};
