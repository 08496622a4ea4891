//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: '{"a":1}', action: 'Minify' },
  shows: /^\{"a":1\}$/,
  bad: [
    bad('text', '{"a":NaN}', /has NaN or Infinity, which JSON cannot express, at line 1, column 6/),
    bad('text', '[1,2', /ends too early: "," or "\]" is missing, at line 1, column 5/),
    bad('text', 'nul', /has "n" where a value belongs, at line 1, column 1/),
  ],
};
