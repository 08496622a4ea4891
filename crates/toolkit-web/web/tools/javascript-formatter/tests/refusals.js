//! Good and bad input.
import { bad, upload } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'let a=1' },
  shows: /^let a = 1;$/,
  bad: [
    bad(
      'text',
      'let a = ;',
      /Line 1, column 9: .*is not JavaScript: unexpected token\. The line is:/,
    ),
    bad('text', { text: 'let a = ;', mode: 'Minify' }, /Line 1, column 9: .*unexpected token ";"/),
    bad('text', upload('large.js', (2 << 20) + 1), /^Code must have at most 2 MiB, not 2097153/),
    bad('width', '19', /^Line width must be a whole number from 20 to 400\.$/),
  ],
};
