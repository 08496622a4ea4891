//! Good and bad input.
import { bad, upload } from '../../../tests/row.js';

const DOT = 'R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { mode: 'Base64 to image', text: `data:image/gif;base64,${DOT}` },
  shows: /GIF \(image\/gif\)/,
  bad: [
    bad('text', 'https://www.example.org/dot.gif', /nothing is fetched here\. Save the picture/),
    bad(
      'text',
      `data:image/gif;base64,${DOT.replace('A', '*')}`,
      /^Character 31: "\*" is not a character of Base64\. Paste a data URL or Base64\.$/,
    ),
    bad('text', 'aGVsbG8=', /holds text, not an image\. PNG, JPEG, .* are read\.$/),
    bad(
      'image',
      { mode: 'Image to Base64', image: upload('notes.txt', 'hello') },
      /^Image is text, not an image\. PNG, JPEG, .* are read\.$/,
    ),
    bad(
      'image',
      { mode: 'Image to Base64', image: upload('large.png', (20 << 20) + 1, 'image/png') },
      /^Image must have at most 20 MiB, not 20971521 bytes\.$/,
    ),
  ],
};
