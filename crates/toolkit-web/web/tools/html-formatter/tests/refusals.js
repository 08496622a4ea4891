//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: '<p>a</p>' },
  shows: /^<p>a<\/p>$/,
  bad: [
    bad(
      'text',
      '<div',
      /^HTML has the tag <div without its ">", at line 1, column 1\. The line is:/,
    ),
    bad('text', '<p>a</p>\n<!-- b', /has a comment that is never closed, at line 2, column 1/),
    bad('width', '10', /^Line width must be a whole number from 20 to 400\.$/),
  ],
};
