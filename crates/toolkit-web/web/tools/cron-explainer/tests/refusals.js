//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { expression: '0 9 * * 1' },
  shows: /Monday/,
  bad: [
    bad(
      'expression',
      '61 * * * *',
      /has 61 in its minute field: it is out of range\. Minutes are 0-59/,
    ),
    bad('expression', '* * *', /has 3 fields\. Write five: minute/),
    bad('count', { expression: '* * * * *', count: '51' }, /from 1 to 50\.$/),
  ],
};
