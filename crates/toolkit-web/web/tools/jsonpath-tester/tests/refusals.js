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
      /expected '\$', found 'a', at character 0\. An expression begins with \$/,
    ),
    bad(
      'expression',
      '$.a[',
      /unclosed bracketed selection, at character 4\. An expression begins/,
    ),
    bad('expression', '$[?size(@) > 1]', /no such function 'size', .* functions are length, count/),
    bad('text', '{"a": [1, 2}', /^JSON document has "\}" where "," or "\]" belongs, at line 1/),
  ],
};
