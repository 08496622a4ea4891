//! Good and bad input.
import { bad, upload } from '../../../tests/row.js';

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { secret: SECRET, at: '59' },
  shows: /^287082$/,
  bad: [
    bad('secret', 'GEZ1', /Character 4: .*"1", which is not in Base32\. Base32 has the letters/),
    bad('secret', 'otpauth://totp/a', /is a link without "secret="\. A link looks like otpauth:/),
    bad('digits', '5', /^Digits must be a whole number from 6 to 10\.$/),
    bad('at', 'noon', /^"noon" is not a moment\. Write Unix seconds such as 1700000000, or 2023/),
    bad('check', '12345', /^Code to check has 5 digits; codes have 6\.$/),
    bad('secret', SECRET, /^Secret is not an otpauth:\/\/ link/, 'Fill the form from the link'),
    bad('image', {}, /is missing: choose a picture first\.$/, 'Read the QR code'),
    bad('image', upload('notes.txt', 'hello'), /is not an image/, 'Read the QR code'),
  ],
};
