//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { durations: '1h 30m' },
  shows: /PT1H30M/,
  bad: [
    bad(
      'durations',
      '5 fortnights',
      /Character 3: .*unknown unit "fortnights"\. Use y, mo, w, d, h/,
    ),
    bad('durations', '1:75:00', /Character 3: .*has 75 minutes; 00 to 59 are possible\.$/),
    bad('durations', '1 month', /whose length depends on the date\. Enter the reference date/),
    bad(
      'reference',
      { durations: '1 month', reference: '31.01.2024' },
      /^"31\.01\.2024" is not a date\. Write it as 2024-01-31\.$/,
    ),
  ],
};
