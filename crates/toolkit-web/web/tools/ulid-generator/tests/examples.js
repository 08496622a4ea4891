//! Outputs of examples, by title.
import { list, pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'The time in a ULID': {
    parts: pairs([
      ['Time (UTC)', '2016-07-30T23:54:10.259Z'],
      ['Milliseconds since 1970', 1469922850259],
      ['Random part', 'TSV4RRFFQ69G5FAV'],
      ['As a UUID', '01563e3a-b5d3-d676-4c61-efb99302bd5b'],
    ]),
  },
  'Two ULIDs in one millisecond, each above the last': {
    result: list(['01HF7YAT001111111100000000', '01HF7YAT001111111100000001']),
  },
};
