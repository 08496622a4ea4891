//! Outputs and warnings of examples, by title.
import { pairs, table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A call in winter': {
    zones: table(
      ['Zone', 'Time', 'Offset', 'Day'],
      [
        ['America/Los_Angeles', 'Mon 2024-01-15 08:30', '-08:00 PST', 'same day'],
        ['Europe/London', 'Mon 2024-01-15 16:30', '+00:00 GMT', 'same day'],
        ['Asia/Tokyo', 'Tue 2024-01-16 01:30', '+09:00', '+1 day'],
        ['+05:30', 'Mon 2024-01-15 22:00', '+05:30', 'same day'],
      ],
    ),
    clocks: table(
      ['Zone', 'Summer time', 'Next change'],
      [
        ['America/Los_Angeles', 'no', '2024-03-10 03:00, to -07:00'],
        ['Europe/London', 'no', '2024-03-31 02:00, to +01:00'],
        ['Asia/Tokyo', 'no', 'none'],
        ['+05:30', 'no', 'none'],
      ],
    ),
  },
  'A time that occurs twice': {
    moment: pairs([
      ['ISO 8601', '2024-10-27T01:30:00Z'],
      ['RFC 9557', '2024-10-27T02:30:00+01:00[Europe/Berlin]'],
      ['Seconds since 1970', '1729992600'],
      ['Milliseconds since 1970', '1729992600000'],
    ]),
  },
  'Seconds since 1970': {
    moment: pairs([
      ['ISO 8601', '2023-11-14T22:13:20Z'],
      ['RFC 9557', '2023-11-14T22:13:20+00:00[UTC]'],
      ['Seconds since 1970', '1700000000'],
      ['Milliseconds since 1970', '1700000000000'],
    ]),
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'A time that occurs twice': [
    '2024-10-27 02:30 in Europe/Berlin occurs twice, as clocks go back: 2024-10-27 02:30 +02:00 and 2024-10-27 02:30 +01:00. The later one is shown.',
  ],
};
