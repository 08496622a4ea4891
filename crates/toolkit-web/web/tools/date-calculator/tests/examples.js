//! Outputs and warnings of examples, by title.
import { headline, pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A holiday in days': {
    headline: headline('1 month, 6 days'),
    between: pairs([
      ['Months, days', '1 month, 6 days'],
      ['Weeks, days', '5 weeks'],
      ['Days', '35'],
      ['Working days', '24'],
      ['Days off', '11'],
      ['Hours', '840'],
      ['From', '2024-02-26, Monday'],
      ['To', '2024-03-31, Sunday, included'],
    ]),
  },
  'Facts about a day': {
    facts: pairs([
      ['Date', '2024-12-30'],
      ['Weekday', 'Monday'],
      ['ISO week', '2025-W01-1'],
      ['Day of the year', '365 of 366'],
      ['Quarter', 4],
      ['Days in the month', 31],
      ['Leap year', 'yes'],
      ['From today', 'in 412 days'],
      ['Days since 1970-01-01', 20087],
    ]),
  },
  'One month after 31 January': {
    date: '2024-02-29',
  },
  'Thirty working days': {
    date: '2024-02-01',
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'One month after 31 January': ['2024-01-31 plus 1 month has no day 31; it became 2024-02-29.'],
};
