//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { pattern: 'a+', text: 'baab' },
  shows: /aa/,
  bad: [
    bad('pattern', '(a', /Character 1: .*is not a pattern of JavaScript: unterminated group/),
    bad('pattern', 'a)', /Character 2: .*is not a pattern of JavaScript: unmatched/),
    bad('pattern', '[z-a]', /^Pattern is not a pattern of JavaScript: range out of order/),
  ],
};
