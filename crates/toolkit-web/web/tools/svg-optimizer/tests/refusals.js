//! Good and bad input.
import { bad, upload } from '../../../tests/row.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="5"/></svg>';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: SVG },
  shows: /<circle r="5"\/>/,
  bad: [
    bad('text', 'hello', /^SVG has no <svg> element\. Enter an SVG document\.$/),
    bad(
      'text',
      '<svg><g></svg>',
      /^Line 1, column 14: .*is not well-formed XML: unexpected close tag\./,
    ),
    bad('files', upload('notes.txt', 'hello'), /^"notes\.txt" has no <svg> element\. Enter an/),
    bad('precision', '9', /^Decimal places must be a whole number from 0 to 8\.$/),
  ],
};
