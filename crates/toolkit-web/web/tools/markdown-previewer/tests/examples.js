//! Outputs of examples, by title.
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
  'HTML is shown as text': {
    html: '<p>Hello &lt;b onclick=&quot;x()&quot;&gt;you&lt;/b&gt; and <a href="">a link</a></p>',
  },
};
