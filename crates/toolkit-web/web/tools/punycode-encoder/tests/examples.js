//! Outputs of examples that are longer than a few lines, by title.
import { table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A domain': {
    labels: table(
      ['Unicode', 'ASCII', 'Octets', 'Characters', 'Scripts'],
      [
        ['bücher', 'xn--bcher-kva', '13 of 63', 6, 'Latin'],
        ['example', 'example', '7 of 63', 7, 'Latin'],
      ],
    ),
  },
};
