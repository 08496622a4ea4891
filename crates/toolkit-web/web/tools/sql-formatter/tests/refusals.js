//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'select 1', keywords: 'UPPERCASE' },
  shows: /^SELECT$/,
  bad: [
    bad('text', "select 'a", /^Line 1, column 8: SQL has a ' that is never closed\. The line is:/),
    bad('text', 'select (1', /^Line 1, column 10: SQL ends too early in Standard SQL\. No other/),
    bad('placeholders', '@@x', /has the unknown form "@@x"\. Accepted are \? \$1 :1/),
    bad('width', '0', /^Expression width must be a whole number from 1 to 500\.$/),
  ],
};
