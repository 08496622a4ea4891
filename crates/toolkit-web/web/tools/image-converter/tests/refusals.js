//! Good and bad input.
import { bad, upload } from '../../../tests/row.js';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg"><image href="data:image/svg+xml,%3Csvg/%3E"/></svg>';
const PIXELS = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAADklEQVR4nGP4z8AAQg0AD3oDfnfpf5cAAAAASUVORK5CYII=',
  'base64',
);

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { files: upload('two.png', PIXELS, 'image/png') },
  shows: /two\.png2 × 1/,
  bad: [
    bad('files', upload('notes.txt', 'hello'), /^"notes\.txt" is not an image\. Use PNG/),
    bad(
      'files',
      upload('a.svg', SVG, 'image/svg+xml'),
      /^"a\.svg" repeats more elements than a browser can draw\.$/,
    ),
    bad(
      'files',
      upload('cut.png', PIXELS.subarray(0, 40), 'image/png'),
      /^"cut\.png" cannot be decoded by this browser\. Use an undamaged PNG, .* such as Safari/,
    ),
    bad('height', '0', /^Height must be a whole number from 1 to 16384\.$/),
    bad(
      'width',
      { width: '10000', height: '10000', fit: 'Stretch' },
      /^Width and height make a picture of 10000 × 10000 pixels\. Use at most 50 megapixels/,
    ),
    bad(
      'ground',
      { to: 'JPEG', ground: 'whit' },
      /^Character 1: Background has "whit", which is not the name of/,
    ),
  ],
};
