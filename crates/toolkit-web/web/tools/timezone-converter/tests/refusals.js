//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { moment: '2024-01-15 17:30', home: 'Berlin', zones: 'Asia/Tokyo' },
  shows: /2024-01-15T16:30:00Z/,
  bad: [
    bad(
      'moment',
      'around noon',
      /is not a date that this page knows\. Write 2024-03-31 02:30, 2024-03-31T02:30/,
    ),
    bad(
      'moment',
      '2024-02-30 12:00',
      /^Moment names 2024-02-30, a day that does not exist\. Write/,
    ),
    bad(
      'home',
      'Europe/Berln',
      /^"Europe\/Berln" is not a time zone\. Did you mean Europe\/Berlin/,
    ),
    bad('home', '+25:00', /is not a time zone\. Write an offset as \+05:30, up to 23:59\.$/),
    bad('zones', 'Middle-earth', /^"Middle-earth" is not a time zone\. Write a name such as /),
  ],
};
