//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { pattern: 'a+', text: 'baab' },
  shows: /aa/,
  bad: [
    bad('pattern', '(a', /a \( is not closed at offset 0; close it/),
    bad('flags', { pattern: 'a', flags: 'q' }, /no flag q; use any of g \(all/),
    bad('pattern', { pattern: '[z-a]', flags: 'g' }, /^Pattern is not a valid/),
  ],
};
