//! Outputs of examples, by title.
import { headline, pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Seconds since 1970': {
    headline: headline('Tuesday, 14 November 2023, 23:13:20', {
      below: 'now · Berlin (UTC+1)',
    }),
    result: pairs(
      [
        ['ISO 8601 (UTC)', '2023-11-14T22:13:20Z'],
        ['In Europe/Berlin', '2023-11-14 23:13:20+01:00'],
        ['Unix seconds', '1700000000'],
        ['Milliseconds', '1700000000000'],
        ['Microseconds', '1700000000000000'],
        ['Nanoseconds', '1700000000000000000'],
        ['Weekday', 'Tuesday'],
        ['Day of the year', 318],
        ['ISO week', '2023-W46'],
        ['RFC 2822', 'Tue, 14 Nov 2023 22:13:20 +0000'],
        ['Excel serial date', 45244.92592593],
        ['Windows FILETIME', '133444736000000000'],
        ['Read as', 'seconds'],
      ],
      { main: 'ISO 8601 (UTC)' },
    ),
  },
  'A time in a zone by its name': {
    headline: headline('Friday, 14 July 2023, 13:00:00', { below: '4 months ago · UTC' }),
  },
};
