//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { value: '0' },
  shows: /1970-01-01T00:00:00Z/,
  bad: [
    bad('value', 'soonish', /neither a number nor a date\. Try 1700000000/),
    bad('value', '2024-02-30', /Character 9: .*a day that does not exist\. Feb/),
    bad('value', '9'.repeat(23), /outside of the years 0001 to 9999/),
  ],
};
