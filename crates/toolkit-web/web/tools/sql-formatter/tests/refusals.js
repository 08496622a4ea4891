//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'select 1', keywords: 'UPPERCASE' },
  shows: /^SELECT$/,
  bad: [
    bad('text', "select 'a", /^Line 1, column 8: SQL has a ' that is never closed\. The line is:/),
    bad(
      'text',
      'select (1',
      /^Line 1, column 10: SQL ends too early in PostgreSQL\. The line is: /,
    ),
    bad('text', 'select /* a', /^Line 1, column 8: SQL has a comment that is never closed\./),
    bad('width', '0', /^Expression width must be a whole number from 1 to 500\.$/),
  ],
};
