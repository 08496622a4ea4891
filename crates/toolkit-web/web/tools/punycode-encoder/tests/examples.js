//! Outputs and warnings of examples, by title.
import { table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A domain': {
    labels: table(
      ['Unicode', 'ASCII', 'Scripts'],
      [
        ['bücher', 'xn--bcher-kva', 'Latin'],
        ['example', 'example', 'Latin'],
      ],
    ),
  },
  'An e-mail address and a URL': {
    ascii: 'info@xn--bcher-kva.example\nhttps://xn--n3h.net:8080/a?b',
    unicode: 'info@bücher.example\nhttps://☃.net:8080/a?b',
  },
  'A look-alike': {
    ascii: 'xn--80ak6aa92e.com',
  },
  'Raw Punycode': {
    ascii: '2-u9tlzr9756bt3uc0v',
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'A look-alike': ['"аррӏе" (xn--80ak6aa92e) looks like "apple".'],
};
