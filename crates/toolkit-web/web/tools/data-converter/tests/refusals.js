//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'a: 1', from_format: 'YAML', to_format: 'JSON' },
  shows: /"a": 1/,
  bad: [
    bad('text', 'a: [1', /^Text is not valid YAML: \[ is not closed at/),
    bad('text', { text: '{', from_format: 'JSON' }, /not valid JSON: no \} for/),
    bad('indent', '9', /^Indent is 9; use a whole number from 1 to 8/),
  ],
};
