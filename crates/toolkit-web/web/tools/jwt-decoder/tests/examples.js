//! Outputs and warnings of examples, by title.
import { pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'The token of RFC 7519 §3.1': {
    result: pairs([
      ['Signature', 'Not checked: enter a key.'],
      ['Algorithm', 'HS256'],
      ['Kind', 'Signed (JWS)'],
      ['Expires', '2011-03-22T18:43:00Z'],
    ]),
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'An unsecured token': ['`alg` is `none`: nothing protects the token, anybody can have made it.'],
};
