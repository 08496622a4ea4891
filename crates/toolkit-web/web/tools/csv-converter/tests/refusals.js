//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'a,b\n1,2\n', indent: '0' },
  shows: /^\[\{"a":"1","b":"2"\}\]$/,
  bad: [
    bad('text', 'a\n"x"y\n', /^Line 2, column 4: Table or JSON has text after a closing quote; /),
    bad('text', 'a,b\n1,"2\n', /Line 2, column 3: .*quote that is never closed\. A quote inside/),
    bad(
      'text',
      { from: 'JSON or JSON lines', text: '7' },
      /is not a list of objects\. Accepted are a list of objects, a list of lists/,
    ),
    bad('indent', '9', /^Indent must be a whole number from 0 to 8\.$/),
  ],
};
