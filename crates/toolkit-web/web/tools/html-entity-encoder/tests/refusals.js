//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: '&lt;b&gt;', mode: 'From entities', context: 'XML' },
  shows: /^<b>$/,
  bad: [
    bad('text', 'fish & chips', /^Character 6: "&" has no semicolon\. A bare "&" is written &amp;/),
    bad(
      'text',
      'a&nbsp;b',
      /^Character \d+: "&nbsp;" is not one of the five names.* XML knows amp, lt, gt, quot/,
    ),
    bad('text', '&#0;', /not a character that XML allows\. XML allows tabs, line ends/),
  ],
};
