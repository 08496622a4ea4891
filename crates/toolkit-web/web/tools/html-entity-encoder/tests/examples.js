//! Outputs of examples, by title.
import { table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'ASCII only, as numbers': {
    entities: 'Gr&#xFC;&#xDF;e &#x20AC; &#x1D11E;',
    replaced: table(
      ['Character', 'Code point', 'Written as', 'Count'],
      [
        ['ü', 'U+00FC', '&#xFC;', 1],
        ['ß', 'U+00DF', '&#xDF;', 1],
        ['€', 'U+20AC', '&#x20AC;', 1],
        ['𝄞', 'U+1D11E', '&#x1D11E;', 1],
      ],
    ),
  },
  'Decoding, with mistakes': {
    text: '€ € © 2024 &nosuch; €',
    found: table(
      ['Reference', 'Characters', 'Code points', 'Offset'],
      [
        ['&euro;', '€', 'U+20AC', 0],
        ['&#8364;', '€', 'U+20AC', 7],
        ['&copy', '©', 'U+00A9', 15],
        ['&#x80;', '€', 'U+20AC', 35],
      ],
    ),
  },
};
