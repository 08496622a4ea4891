//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: '{"id": 1}' },
  shows: /interface Root/,
  bad: [
    bad('text', "{'id': 1}", /Line 1, column 2: .*in single quotes; JSON takes double quotes only/),
    bad('root', '2nd type', /^Type name is not an identifier\. Use letters, digits/),
    bad('root', 'class', /is "class", which TypeScript uses itself\. Choose another name/),
    bad(
      'text',
      { samples: 'A list of samples', text: '{"id": 1}' },
      /^JSON is not a list\. Choose "One document", or wrap the samples in \[ and \]\.$/,
    ),
  ],
};
