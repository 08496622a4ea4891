//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { text: 'bücher.example' },
  shows: /xn--bcher-kva\.example/,
  bad: [
    bad('text', 'a..example', /Character 3: .*empty label\. Each label, .* has 1 to 63/),
    bad('text', `${'a'.repeat(64)}.example`, /of 64 octets\. A label has at most 63\.$/),
    bad('text', 'xn--0.example', /"xn--0", which does not decode\. After xn-- stands the Punycode/),
    bad(
      'text',
      { mode: 'Punycode to text (RFC 3492)', text: 'ü' },
      /^Character \d+: "ü" is not a Punycode digit\. Use only a to z and 0 to 9 after the last hyphen\.$/,
    ),
  ],
};
