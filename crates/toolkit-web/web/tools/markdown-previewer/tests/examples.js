//! Outputs of examples that are longer than a few lines, by title.
import { pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Headings, a table and tasks': {
    counts: pairs([
      ['Headings', 2],
      ['Hyperlinks', 0],
      ['Images', 0],
      ['Code blocks', 0],
    ]),
  },
  'A footnote': {
    counts: pairs([
      ['Headings', 0],
      ['Hyperlinks', 2],
      ['Images', 0],
      ['Code blocks', 0],
    ]),
  },
};
