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
      /has a "\{" that is never closed, at line 1, column 3\. The line is:/,
    ),
    bad('text', 'a { content: "b }', /has a text whose quote is not closed on its line, at line 1/),
    bad('text', 'a { color: red', /has a "\{" that is never closed, at line 1, column 3\./),
    bad('width', '500', /^Line width must be a whole number from 20 to 400\.$/),
  ],
};
