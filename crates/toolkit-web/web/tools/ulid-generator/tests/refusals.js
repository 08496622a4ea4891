//! Good and bad input.
import { bad } from '../../../tests/row.js';

const counts = ['0', '1001', '1.5'].map((count) =>
  bad('count', count, /^Count must be a whole number from 1 to 1000\.$/),
);

/** @type {import('../../../tests/row.js').Row} */
export default { good: { count: '2' }, shows: /[0-9A-Z]{26}/, bad: counts };
