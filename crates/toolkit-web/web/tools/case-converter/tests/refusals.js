//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'user id', acronyms: 'ID' },
  shows: /^userID$/,
  fewer: 'any text has its cases; only the length is bounded',
  bad: [
    bad(
      'acronyms',
      'a'.repeat(10_001),
      /^Acronyms must have at most 10000 characters, not 10001\.$/,
    ),
    bad('text', 'a'.repeat((1 << 20) + 1), /^Text must have at most 1 MiB, not 1048577 bytes\.$/),
  ],
};
