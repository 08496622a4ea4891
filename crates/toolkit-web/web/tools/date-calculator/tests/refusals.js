//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { start: '2024-02-26', end: '2024-03-31' },
  shows: /Days34/,
  bad: [
    bad('start', '2024-02-30', /^"2024-02-30" does not exist\. That month has 29 days\.$/),
    bad('end', '31.03.2024', /^"31\.03\.2024" is not a date\. Write it as 2024-01-31, 2024-W05-3/),
    bad('holidays', 'Christmas', /^"Christmas" is not a date\. Write it as/),
    bad(
      'years',
      { mode: 'Date before or after', years: '300000' },
      /^Years must not lead past the calendar\. Stay between .*-13\.$/,
    ),
  ],
};
