//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { unit: 'Sentences', count: '2', length: '5', seed: 'a' },
  shows: /^Lorem ipsum/,
  bad: [
    bad('count', '0', /^Count must be a whole number from 1 to 1000\.$/),
    bad('count', '', /^Count must be a whole number from 1 to 1000\.$/),
    bad('length', '51', /^Words in each sentence must be a whole number from 1 to 50\.$/),
    bad('bytes', { unit: 'Bytes', bytes: '100001' }, /^Bytes must be .* from 1 to 100000\.$/),
  ],
};
