//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'a: 1', from_format: 'YAML', to_format: 'JSON' },
  shows: /"a": 1/,
  bad: [
    bad('text', 'a: [1', /^Line 1, column \d+: Text is not valid YAML: /),
    bad('text', { text: '{', from_format: 'JSON' }, /ends too early/),
    bad('indent', '9', /^Indent must be a whole number from 1 to 8/),
  ],
};
