//! Outputs of examples that are longer than a few lines, by title.
import { table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'RFC 6238, appendix B': {
    codes: table(
      ['Code', 'Which', 'From', 'Until'],
      [
        ['84755224', 'previous', '1970-01-01T00:00:00Z', '1970-01-01T00:00:30Z'],
        ['94287082', 'current', '1970-01-01T00:00:30Z', '1970-01-01T00:01:00Z'],
        ['37359152', 'next', '1970-01-01T00:01:00Z', '1970-01-01T00:01:30Z'],
      ],
    ),
  },
};
