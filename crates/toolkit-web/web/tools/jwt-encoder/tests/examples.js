//! Outputs of examples, by title.
import { table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Verify the token of RFC 7515, A.1': {
    result: 'Not valid.',
    checks: table(
      ['Check', 'Result', 'Holds'],
      [
        ['Signature', 'valid', 'yes'],
        ['Expires (exp)', '2011-03-22T18:43:00Z: expired 12 years ago', 'no'],
      ],
    ),
  },
};
