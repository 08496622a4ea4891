//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { address: '192.0.2.33' },
  shows: /Decimal3221226017/,
  bad: [
    bad('address', '192.0.2.256', /^Character 9: IP address has 256, but an octet is 255 at most/),
    bad('address', '192.0.2/24', /^Character \d+: IP address has /),
    bad(
      'address',
      '2001:db8:1',
      /has 3 groups; IPv6 has eight, or "::" for those that are zero\.$/,
    ),
    bad(
      'address',
      'www.example.org',
      /"www", which is not a number\. .* is written as 192\.0\.2\.1/,
    ),
    bad(
      'prefix',
      '64:ff9b::',
      /^NAT64 prefix needs a prefix length after "\/": 32, 40, 48, 56, 64/,
    ),
  ],
};
