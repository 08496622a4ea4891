//! Encoders: good and bad input.
import { bad, upload } from './row.js';

const DOT = 'R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==';

/** @type {Record<string, import('./row.js').Row>} */
export const ENCODERS = {
  'html-entity-encoder': {
    good: { text: '&lt;b&gt;', mode: 'From entities', context: 'XML' },
    shows: /^<b>$/,
    bad: [
      bad(
        'text',
        'fish & chips',
        /^"&" has no semicolon, at character 5\. A bare "&" is written &amp;/,
      ),
      bad(
        'text',
        'a&nbsp;b',
        /^"&nbsp;" is not one of the five names.* XML knows amp, lt, gt, quot/,
      ),
      bad('text', '&#0;', /not a character that XML allows, at .* XML allows tabs, line ends/),
    ],
  },
  'hex-encoder': {
    good: { text: '41 42', mode: 'From hex' },
    shows: /^AB$/,
    bad: [
      bad('text', '4z', /"z" is not a hexadecimal digit, at line 1, column 2\. Digits are 0-9/),
      bad('text', '414', /odd number of digits \(3\).* A byte is two digits/),
      bad(
        'per_line',
        { text: 'ab', mode: 'To hex', per_line: '300' },
        /^Bytes per line must be a whole number from 1 to 256\.$/,
      ),
    ],
  },
  'binary-encoder': {
    good: { text: '01000001', mode: 'From digits' },
    shows: /^A$/,
    bad: [
      bad('text', '012', /"2" is not a digit of base 2.* Digits are 0 to 1/),
      bad('text', '0101', /group of 4 digits.* in base 2 has 8 digits/),
      bad('text', { text: '8', base: 'Octal' }, /"8" is not a digit of base 8/),
    ],
  },
  'base32-encoder': {
    good: { text: 'MZXW6===', mode: 'From Base32' },
    shows: /^foo$/,
    bad: [
      bad('text', 'MZX!', /"!" is not a symbol of this alphabet, at char.*ABC/),
      bad('text', 'M', /has 1 symbol, which is not a length that Base32 gives/),
      bad('text', 'MZ=', /ends in 1 "=" where 6 are due.* or complete it/),
    ],
  },
  'punycode-encoder': {
    good: { text: 'bücher.example' },
    shows: /xn--bcher-kva\.example/,
    bad: [
      bad('text', 'a..example', /empty label, at character 2\. Each label, .* has 1 to 63/),
      bad('text', `${'a'.repeat(64)}.example`, /of 64 octets, at .* A label has at most 63\.$/),
      bad(
        'text',
        'xn--0.example',
        /"xn--0", which does not decode, .* After xn-- stands the Punycode/,
      ),
      bad(
        'text',
        { mode: 'Punycode to text (RFC 3492)', text: 'ü' },
        /^"ü" is not a digit of Punycode, .* only a to z and 0 to 9 are possible\.$/,
      ),
    ],
  },
  'image-base64-encoder': {
    good: { mode: 'Base64 to image', text: `data:image/gif;base64,${DOT}` },
    shows: /GIF \(image\/gif\)/,
    bad: [
      bad('text', 'https://www.example.org/dot.gif', /nothing is fetched here\. Save the picture/),
      bad(
        'text',
        `data:image/gif;base64,${DOT.replace('A', '*')}`,
        /^"\*" is not a character of Base64, at character 30\. Paste a data URL or Base64\.$/,
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
  },
};
