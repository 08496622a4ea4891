//! Good and bad input.
import { bad, upload } from '../../../tests/row.js';

const LATIN1 = upload('latin1.txt', [0x47, 0x72, 0xfc, 0xdf, 0x65]);

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { markdown: '# Title' },
  shows: /<h1 id="title">Title<\/h1>/,
  fewer: 'any text is Markdown; files can be something else, or too large',
  bad: [
    bad('markdown', LATIN1, /^Markdown must be UTF-8 text\. The first bytes are 47 72 fc df 65\.$/),
    bad('markdown', upload('large.md', (10 << 20) + 1), /^Markdown must have at most 10 MiB, not/),
  ],
};
