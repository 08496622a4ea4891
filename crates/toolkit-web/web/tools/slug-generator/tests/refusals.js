//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'Crème brûlée' },
  shows: /^creme-brulee$/,
  bad: [
    bad('longest', '0', /^Maximum length must be a whole number from 1 to 1000\.$/),
    bad('text', 'a\n'.repeat(10_000), /^Titles must be at most 10000 lines, not 10001\.$/),
    bad('others', 'a'.repeat(10_001), /^Other words to remove must have at most 10000 characters/),
  ],
};
