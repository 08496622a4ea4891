//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: '{"a":1}', action: 'Minify' },
  shows: /^\{"a":1\}$/,
  bad: [
    bad('text', '{"a":NaN}', /Line 1, column 6: .*has NaN or Infinity, which JSON cannot express/),
    bad('text', '[1,2', /Line 1, column 5: .*ends too early: "," or "\]" is missing/),
    bad('text', 'nul', /Line 1, column 1: .*has "n" where a value belongs/),
  ],
};
