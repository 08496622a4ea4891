//! Outputs of examples, by title.
import { list, table } from '../../../kit/tool.js';

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
  'The last book, by its path and value': {
    matches: table(
      ['Path', 'Value'],
      [["$['store']['book'][2]", '{"title":"Sword","price":12.99}']],
    ),
  },
};
