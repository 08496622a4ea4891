//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { pattern: 'a+', text: 'baab' },
  shows: /aa/,
  bad: [
    bad('pattern', '(a', /Character 0: .*is not a pattern of JavaScript: unterminated group/),
    bad('flags', { pattern: 'a', flags: 'q' }, /has no flag q\. Use any of g, i, m/),
    bad(
      'pattern',
      { pattern: '[z-a]', flags: 'g' },
      /^Pattern is not a pattern of JavaScript: range out of order/,
    ),
  ],
};
