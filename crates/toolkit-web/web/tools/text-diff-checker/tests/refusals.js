//! Good and bad input.
import { bad, upload } from '../../../tests/row.js';

const LATIN1 = upload('latin1.txt', [0x47, 0x72, 0xfc, 0xdf, 0x65]);

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { left: '{"a":1}', right: '{"a":2}' },
  shows: /Changed lines1/,
  bad: [
    bad('left', upload('a.bin', [0, 1, 2, 0]), /^First text is a binary file\. Only texts are/),
    bad('right', LATIN1, /^Second text must be UTF-8 text\. The first bytes are 47 72 fc df 65\.$/),
    bad(
      'left',
      { json: true, left: '{"a":1' },
      /ends too early: "," or "\}" is missing, at line 1/,
    ),
    bad('context', '-1', /^Context lines must be a whole number from 0 to 100000\.$/),
  ],
};
