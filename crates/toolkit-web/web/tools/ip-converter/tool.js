//! IP addresses in all their notations. Standards: RFC 4291 §2.2, RFC 5952 §4, RFC 6052 §2, the IPv4 parser of
//! the URL standard, and IANA's registries of special addresses.

import { choice, line, pairs, tool } from '../../kit/tool.js';
import * as ip from '../../lib/ip.js';
import { inField } from '../../lib/positions.js';
import { embedded, ipv4Forms, ipv6Forms, scopeOf, warnOfReadings } from './forms.js';

/** Of a URL, the host; `[…]:port`, and the port or prefix length after an address. */
const AROUND =
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:\[([\da-f:.]+(?:%[\w.-]+)?)\](?:[:/].*)?|(\d+\.\d+\.\d+\.\d+)(?:[:/].*)?|((?=[\da-f]*:)[\da-f:.]+)\/\d+)$/i;

/** The address without what is around it. @param {string} typed @param {(sentence: string) => void} warn */
function alone(typed, warn) {
  const [, ...parts] = AROUND.exec(typed) ?? [];
  const address = parts.find(Boolean) ?? typed;
  if (address !== typed) warn(`Only ${address} was read. The rest is not part of an address.`);
  return address;
}

export default tool({
  fields: {
    address: line('IP address', {
      help: 'Enter IPv4 or IPv6 in any notation: `192.0.2.1`, `3221225985`, `0xC0000201`, `127.1`, `2001:db8::1`, a reverse name.',
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
    const address = alone(typed.trim(), context.warn);
    if (address === '') return {};
    const prefix = inField('prefix', block, () => {
      const parsed = ip.parsePrefix(block.trim());
      ip.embedNat64(parsed, 0);
      return parsed;
    });
    const ipAddress = inField('address', typed, () => ip.parseAny(address, { zeros, numbers }));
    if (ipAddress.family === 4) {
      if (ipAddress.leadingZero) warnOfReadings(address, context);
      return { ...scopeOf(ipAddress.value), forms: pairs(ipv4Forms(ipAddress.value, prefix)) };
    }
    const inside = embedded(ipAddress.value, prefix);
    return {
      ...scopeOf(ipAddress.value),
      forms: pairs(ipv6Forms(ipAddress.value, ipAddress.zone)),
      embedded: inside.length ? pairs(inside) : undefined,
    };
  },
  product: { forms: 'notations' },
  examples: [
    {
      title: 'An IPv4 address',
      values: { address: '192.0.2.33' },
      outputs: {
        scope: pairs([
          ['Block', '192.0.2.0/24'],
          ['Reference', 'RFC 5737'],
        ]),
      },
    },
    {
      title: 'A NAT64 address',
      values: { address: '2001:db8:1c0:2:21::', prefix: '2001:db8:100::/40' },
    },
    {
      title: 'A leading zero',
      values: { address: '010.0.0.1' },
    },
  ],
});
