//! Good and bad input.
import { bad, upload } from '../../../tests/row.js';

const PICTURE = upload('a.png', [0x89, 0x50, 0x4e, 0x47, 0x1a, 0]);

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { left: '{"a":1}', right: '{"a":2}' },
  shows: /Changed lines1/,
  bad: [
    bad('left', upload('a.bin', [0, 1, 2, 0]), /^First text is a binary file\. Choose a text file/),
    bad('right', PICTURE, /^Second text must be text\. The first bytes are 89 50 4e 47 1a 00\.$/),
    bad('context', '0.5', /^Context lines must be a whole number from 0 to 100000\.$/),
    bad('context', '-1', /^Context lines must be a whole number from 0 to 100000\.$/),
  ],
};
