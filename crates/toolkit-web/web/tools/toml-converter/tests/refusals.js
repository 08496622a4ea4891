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
      /^Line 1, column 5: Document ends where a value belongs\. The line is: a =/,
    ),
    bad(
      'text',
      'a = 2024-02-30',
      /Line 1, column 5: .*has the date "2024-02-30", which does not exist/,
    ),
    bad(
      'text',
      { from: 'JSON', to: 'TOML', text: '{"a": [null]}' },
      /cannot become TOML: \$\.a\[0\] is null\. TOML has no null, .* leave such names out\.$/,
    ),
    bad(
      'text',
      { from: 'YAML', text: 'a: [1' },
      /^Line 1, column 4: Document is not valid YAML: the \[ that opens here is not closed\. End it/,
    ),
  ],
};
