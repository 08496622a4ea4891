//! Outputs of examples, by title.
import { pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A few sentences': {
    counts: pairs([
      ['Words', 13],
      ['Characters', 60],
      ['Characters without spaces', 47],
      ['Sentences', 3],
      ['Paragraphs', 2],
      ['Lines', 3],
      ['Code points', 60],
      ['UTF-16 units', 60],
      ['Bytes in UTF-8', 60],
    ]),
  },
  'Emoji, Japanese and Thai': {
    counts: pairs([
      ['Words', 5],
      ['Characters', 17],
      ['Characters without spaces', 15],
      ['Sentences', 1],
      ['Paragraphs', 1],
      ['Lines', 1],
      ['Code points', 27],
      ['UTF-16 units', 33],
      ['Bytes in UTF-8', 83],
    ]),
  },
};
