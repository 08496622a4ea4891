//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { color: 'skyblue' },
  shows: /Hex#87ceeb/,
  bad: [
    bad(
      'color',
      'skyblu',
      /Character 1: .*"skyblu", which is not the name of a color\. Accepted are/,
    ),
    bad('color', '#12345', /has 5 hexadecimal digits; a color has 3, 4, 6 or 8\. Accepted are/),
    bad('color', 'hsl(10deg 20% 30%', /Character 18: .*ends too early: "\)" is missing\. Accepted/),
    bad('steps', '21', /^Lighter and darker steps must be a whole number from 0 to 20\.$/),
  ],
};
