//! Outputs of examples, by title.
import { pairs, table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A code': {
    status: pairs([
      ['Class', 'Client error'],
      ['Registered', 'Yes, with IANA'],
      ['Meaning', 'Nothing is at this address, or the server does not want to say so.'],
      ['Common causes', 'A typing error, a removed page, a route that was not deployed.'],
      ['Body', 'Should explain the fault, and whether it lasts.'],
      ['Cacheable', 'Yes, also without explicit freshness (RFC 9110 §15.1).'],
      ['Reference', 'RFC 9110 §15.5.5'],
    ]),
  },
  Words: {
    list: table(
      ['Code', 'Name', 'Registered', 'Meaning'],
      [
        [
          413,
          'Content Too Large',
          'yes',
          'The body of the request is larger than the server takes.',
        ],
        [414, 'URI Too Long', 'yes', 'The address is longer than the server takes.'],
        [
          431,
          'Request Header Fields Too Large',
          'yes',
          'One header field, or all together, are larger than the server takes.',
        ],
      ],
      { file: 'http-status.csv' },
    ),
  },
};
