//! IP addresses in all their notations. Standards: RFC 4291 §2.2, RFC 5952 §4, RFC 6052 §2, the IPv4 parser of
//! the URL standard, and IANA's registries of special addresses.

import { choice, line, pairs, tool } from '../kit/tool.js';
import * as ip from '../lib/ip.js';
import { inField } from '../lib/positions.js';
import { embedded, ipv4Forms, ipv6Forms, scopeOf, warnOfReadings } from './ip-converter/forms.js';

export default tool({
  fields: {
    address: line('IP address', {
      help: 'IPv4 or IPv6 in any notation: `192.0.2.1`, `3221225985`, `0xC0000201`, `127.1`, `2001:db8::1`, a reverse name.',
      max: 300,
      code: true,
    }),
    zeros: choice('Leading zeros', {
      octal: 'Octal, as in browsers',
      decimal: 'Ignored (decimal)',
    }),
    numbers: choice('Plain number', {
      size: 'IPv4 up to 32 bits, else IPv6',
      ipv4: 'IPv4',
      ipv6: 'IPv6',
    }),
    prefix: line('NAT64 prefix', { value: '64:ff9b::/96', max: 60, code: true }),
  },
  labels: { forms: 'Notations', embedded: 'Embedded addresses', scope: 'Properties' },
  run({ address: typed, zeros, numbers, prefix: block }, context) {
    const address = typed.trim();
    if (address === '') return {};
    const prefix = inField('prefix', block, () => {
      const parsed = ip.parsePrefix(block.trim());
      ip.embedNat64(parsed, 0);
      return parsed;
    });
    const found = inField('address', address, () => ip.parseAny(address, { zeros, numbers }));
    if (found.family === 4) {
      if (found.leadingZero) warnOfReadings(address, context);
      return { ...scopeOf(found.value), forms: pairs(ipv4Forms(found.value, prefix)) };
    }
    const inside = embedded(found.value, prefix);
    return {
      ...scopeOf(found.value),
      forms: pairs(ipv6Forms(found.value, found.zone)),
      embedded: inside.length ? pairs(inside) : undefined,
    };
  },
  examples: [
    {
      title: 'An IPv4 address',
      values: { address: '192.0.2.33' },
      outputs: {
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
        scope: pairs([
          ['Family', 'IPv4'],
          ['Block', '192.0.2.0/24'],
          ['Reference', 'RFC 5737'],
        ]),
      },
    },
    {
      title: 'A NAT64 address',
      values: { address: '2001:db8:1c0:2:21::', prefix: '2001:db8:100::/40' },
      outputs: { embedded: pairs([['NAT64 address', '192.0.2.33']]) },
    },
    {
      title: 'A leading zero',
      values: { address: '010.0.0.1' },
      warnings: [
        'A leading zero has two readings: 8.0.0.1 where it means octal, as in browsers and inet_aton; 10.0.0.1 where it means nothing.',
      ],
    },
  ],
});
