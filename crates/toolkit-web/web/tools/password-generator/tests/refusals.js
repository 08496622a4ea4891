//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { length: '12' },
  shows: /^.{12}$/,
  bad: [
    bad('length', '3', /^Length must be a whole number from 4 to 256\.$/),
    bad(
      'lower',
      { lower: false, upper: false, digits: false, symbols: false },
      /^Lowercase and the other sets are off, .*Turn on at least one\.$/,
    ),
    bad('count', '1.5', /^Count must be a whole number from 1 to 100\.$/),
    bad(
      'words',
      { kind: 'Passphrase', words: '2' },
      /^Words must be a whole number from 3 to 20\.$/,
    ),
  ],
};
