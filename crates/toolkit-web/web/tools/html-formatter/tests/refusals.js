//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: '<p>a</p>' },
  shows: /^<p>a<\/p>$/,
  bad: [
    bad('text', '<div', /^Line 1, column 1: HTML has the tag <div without its ">"\. The line is:/),
    bad('text', '<p>a</p>\n<!-- b', /Line 2, column 1: .*has a comment that is never closed/),
    bad('width', '10', /^Line width must be a whole number from 20 to 400\.$/),
  ],
};
