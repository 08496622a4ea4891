//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'a%20b', mode: 'Decode' },
  shows: /^a b$/,
  bad: [
    bad('text', '%zz', /Character 1: .*has a bad escape %zz\. % needs two hexadecimal/),
    bad('text', '100%', /a percent sign itself is %25\.$/),
    bad('text', '%ff', /Character 1: .*not UTF-8\. Only escapes of UTF-8/),
  ],
};
