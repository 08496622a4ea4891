//! Good and bad input.
import { bad, upload } from '../../../tests/row.js';

const PICTURE = upload('a.png', [0x89, 0x50, 0x4e, 0x47, 0x1a, 0]);

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { markdown: '# Title' },
  shows: /<h1 id="title">Title<\/h1>/,
  fewer: 'any text is Markdown; files can be something else, or too large',
  bad: [
    bad('markdown', PICTURE, /^Markdown must be text\. The first bytes are 89 50 4e 47 1a 00\.$/),
    bad('markdown', upload('large.md', (10 << 20) + 1), /^Markdown must have at most 10 MiB, not/),
  ],
};
