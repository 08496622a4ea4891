//! Outputs and warnings of examples, by title.
import { pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'An IPv4 address': {
    forms: pairs([
      ['Dotted decimal', '192.0.2.33'],
      ['Decimal', '3221226017'],
      ['Hexadecimal', '0xc0000221'],
      ['Dotted hexadecimal', '0xc0.0x00.0x02.0x21'],
      ['Octal', '030000001041'],
      ['Dotted octal', '0300.0000.0002.0041'],
      ['Binary', '11000000.00000000.00000010.00100001'],
      ['Shortest form', '192.545'],
      ['IPv4-mapped IPv6', '::ffff:192.0.2.33'],
      ['IPv4-mapped, hexadecimal', '::ffff:c000:221'],
      ['IPv4-mapped, full', '0000:0000:0000:0000:0000:ffff:c000:0221'],
      ['6to4 network', '2002:c000:221::/48'],
      ['NAT64', '64:ff9b::c000:221'],
      ['Reverse name', '33.2.0.192.in-addr.arpa'],
    ]),
  },
  'A NAT64 address': {
    embedded: pairs([['NAT64 address', '192.0.2.33']]),
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'A leading zero': [
    'A leading zero has two readings: 8.0.0.1 where it means octal, as in browsers and inet_aton; 10.0.0.1 where it means nothing.',
  ],
};
