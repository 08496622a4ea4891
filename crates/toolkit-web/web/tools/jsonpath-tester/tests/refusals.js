//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { expression: '$.a', text: '{"a": [1, 2]}' },
  shows: /1 match/,
  bad: [
    bad(
      'expression',
      'a.b',
      /Character 1: .*expected '\$', found 'a'\. An expression begins with \$/,
    ),
    bad('expression', '$.a[', /Character 5: .*unclosed bracketed selection\. An expression begins/),
    bad(
      'expression',
      '$[?size(@) > 1]',
      /no such function 'size'\. .* functions are length, count/,
    ),
    bad(
      'text',
      '{"a": [1, 2}',
      /^Line 1, column 12: JSON document has "\}" where "," or "\]" belongs/,
    ),
  ],
};
