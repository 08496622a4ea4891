//! Outputs and warnings of examples, by title.
import { table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'ASCII only, as numbers': {
    entities: 'Gr&#xFC;&#xDF;e &#x20AC; &#x1D11E;',
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

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'Decoding, with mistakes': [
    '"&copy" at character 16 has no semicolon.',
    '"&nosuch;" at character 27 is not a name that HTML knows.',
    '"&#x80;" at character 36 is a C1 control, read as Windows-1252.',
  ],
};
