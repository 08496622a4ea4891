//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { query: '404' },
  shows: /404 Not Found/,
  bad: [
    bad('query', '600', /^"600" is not a status code\. Status codes go from 100 to 599\.$/),
    bad('query', '40.4', /^"40\.4" is not a status code\. Status codes go from 100 to 599\.$/),
    bad('query', 'a'.repeat(201), /^Code or words must have at most 200 characters, not 201\.$/),
  ],
};
