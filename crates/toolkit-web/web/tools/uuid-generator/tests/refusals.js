//! Good and bad input.
import { bad } from '../../../tests/row.js';

const counts = ['0', '1001', '1.5'].map((count) =>
  bad('count', count, /^Count must be a whole number from 1 to 1000\.$/),
);

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { version: '7 (sorts by time)', count: '2' },
  shows: /-7[0-9a-f]{3}-/,
  bad: counts,
};
