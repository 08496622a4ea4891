//! Outputs of examples, by title.
import { table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Short units': {
    totals: table(
      ['Unit', 'Total'],
      [
        ['Weeks', '≈ 0.008928571428571'],
        ['Days', '0.0625'],
        ['Hours', '1.5'],
        ['Minutes', '90'],
        ['Seconds', '5400'],
        ['Milliseconds', '5400000'],
        ['Microseconds', '5400000000'],
        ['Nanoseconds', '5400000000000'],
      ],
    ),
  },
  'Working times added up': {
    words: '15 hours, 30 minutes',
    iso: 'PT15H30M',
  },
  'A month, from a date on': {
    words: '29 days',
    iso: 'P29D',
    clock: '696:00:00',
  },
};
