//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'a{color:red}' },
  shows: /color: red;/,
  bad: [
    bad(
      'text',
      'a { color: red',
      /Line 1, column 3: .*has a "\{" that is never closed\. The line is:/,
    ),
    bad(
      'text',
      'a { content: "b }',
      /Line 1, column 14: .*has a text whose quote is not closed on its line/,
    ),
    bad('text', 'a { color: red', /Line 1, column 3: .*has a "\{" that is never closed\./),
    bad('width', '500', /^Line width must be a whole number from 20 to 400\.$/),
  ],
};
