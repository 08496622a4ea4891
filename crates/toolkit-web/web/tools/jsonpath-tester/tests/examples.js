//! Outputs of examples that are longer than a few lines, by title.
import { list } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Paths of all prices': {
    paths: list(
      [
        "$['store']['book'][0]['price']",
        "$['store']['book'][1]['price']",
        "$['store']['book'][2]['price']",
      ],
      { file: 'paths.txt' },
    ),
  },
};
