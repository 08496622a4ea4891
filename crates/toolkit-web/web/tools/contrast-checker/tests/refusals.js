//! Good and bad input.
import { bad } from '../../../tests/row.js';

const CLEAR = 'rgb(0 0 0 / 50%)';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: '#777', ground: 'white' },
  shows: /Contrast4\.47:1/,
  bad: [
    bad(
      'text',
      '#77',
      /^Character 1: Text color has 2 hexadecimal digits; a color has 3, 4, 6 or 8\./,
    ),
    bad(
      'ground',
      'whit',
      /^Character 1: Background color has "whit", which is not the name of a color\. Accepted/,
    ),
    bad(
      'behind',
      { ground: CLEAR },
      /^Color behind the background is needed, .* Enter the color that/,
    ),
    bad('behind', { ground: CLEAR, behind: CLEAR }, /translucent itself\. Enter an opaque/),
  ],
};
