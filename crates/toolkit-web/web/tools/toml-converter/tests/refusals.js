//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'a = 1', indent: '0' },
  shows: /^\{"a":1\}$/,
  bad: [
    bad(
      'text',
      'a = ',
      /^Document ends where a value belongs, at line 1, column 5\. The line is: a =/,
    ),
    bad('text', 'a = 2024-02-30', /has the date "2024-02-30", which does not exist, at line 1/),
    bad(
      'text',
      { from: 'JSON', to: 'TOML', text: '{"a": null}' },
      /cannot become TOML: \$\.a is null\. TOML has no null, .* leave such names out\.$/,
    ),
    bad(
      'text',
      { from: 'YAML', text: 'a: [1' },
      /^Document is not YAML: .* end with a \], at line 1/,
    ),
  ],
};
