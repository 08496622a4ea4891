//! Notations of an address, embedded addresses, and purpose. Standards: RFC 4291, RFC 5952, RFC 6052,
//! RFC 4380 (Teredo), RFC 5214 (ISATAP), IANA's registries.
import { MULTICAST_SCOPES } from '../../data/ip-ranges.js';
import { attempt, headline, pairs } from '../../kit/tool.js';
import * as ip from '../../lib/ip.js';

/** @typedef {[string, string]} Pair */
/** @typedef {{ value: bigint, length: number }} Prefix */

const USES = {
  global: 'reachable from everywhere',
  local: 'not routed on the Internet',
  special: 'for a special purpose',
  multicast: 'to a group of receivers',
};

/** @param {number} value @param {Prefix} prefix @returns {Pair[]} */
export function ipv4Forms(value, prefix) {
  const bytes = ip.ipv4Bytes(value);
  const hex = value.toString(16).padStart(8, '0');
  const mapped = (0xffffn << 32n) | BigInt(value);
  return [
    ['Dotted decimal', ip.formatIpv4(value)],
    ['Decimal', String(value)],
    ['Hexadecimal', `0x${hex}`],
    [
      'Dotted hexadecimal',
      bytes.map((byte) => `0x${byte.toString(16).padStart(2, '0')}`).join('.'),
    ],
    ['Octal', `0${value.toString(8)}`],
    ['Dotted octal', bytes.map((byte) => `0${byte.toString(8).padStart(3, '0')}`).join('.')],
    ['Binary', bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('.')],
    ['Shortest form', ip.shortIpv4(value)],
    ['IPv4-mapped IPv6', ip.formatIpv6(mapped)],
    ['IPv4-mapped, hexadecimal', ip.hexIpv6(mapped)],
    ['IPv4-mapped, full', ip.fullIpv6(mapped)],
    ['6to4 network', `${ip.hexIpv6((0x2002n << 112n) | (BigInt(value) << 80n))}/48`],
    ['NAT64', ip.hexIpv6(ip.embedNat64(prefix, value))],
    ['Reverse name', ip.reverseIpv4(value)],
  ];
}

/** @param {bigint} value @param {string} zone @returns {Pair[]} */
export function ipv6Forms(value, zone) {
  const short = ip.formatIpv6(value);
  const scope = zone ? `%${zone}` : '';
  const hex = value.toString(16).padStart(32, '0');
  /** @type {Pair[]} */
  const mapped = short.includes('.') ? [['Without dotted tail', ip.hexIpv6(value)]] : [];
  return [
    ['Compressed', short + scope],
    ...mapped,
    ['Full', ip.fullIpv6(value) + scope],
    ['Decimal', String(value)],
    ['Hexadecimal', `0x${hex}`],
    [
      'Binary',
      ip
        .ipv6Groups(value)
        .map((group) => group.toString(2).padStart(16, '0'))
        .join(':'),
    ],
    ['In a URL', `[${short}]`],
    [
      'Windows file path',
      `${ip.hexIpv6(value).replaceAll(':', '-').replace(/^-/, '0-').replace(/-$/, '-0')}.ipv6-literal.net`,
    ],
    ['Reverse name', ip.reverseIpv6(value)],
  ];
}

/** Addresses embedded in an IPv6 address. @param {bigint} value @param {Prefix} prefix @returns {Pair[]} */
export function embedded(value, prefix) {
  const low = (/** @type {bigint} */ shift) =>
    ip.formatIpv4(Number((value >> shift) & 0xffffffffn));
  /** @type {Pair[]} */
  const rows = [];
  if (value >> 32n === 0xffffn) rows.push(['IPv4-mapped address', low(0n)]);
  if (value >> 32n === 0n && value > 0xffffn) rows.push(['IPv4-compatible address', low(0n)]);
  if (value >> 112n === 0x2002n) rows.push(['6to4 address', low(80n)]);
  if (value >> 96n === 0x20010000n) {
    rows.push(['Teredo server', low(64n)]);
    rows.push(['Teredo client', ip.formatIpv4(Number(~value & 0xffffffffn))]);
    rows.push(['Teredo client port', String(Number((~value >> 32n) & 0xffffn))]);
  }
  const nat64 = ip.extractNat64(prefix, value);
  if (nat64 !== undefined) rows.push(['NAT64 address', ip.formatIpv4(nat64)]);
  if (((value >> 32n) & 0xfdffffffn) === 0x5efen) rows.push(['ISATAP address', low(0n)]);
  const host = value & 0xffffffffffffffffn;
  if (((host >> 24n) & 0xffffn) === 0xfffen) rows.push(['MAC address (EUI-64)', macOf(host)]);
  return rows;
}

/** @param {bigint} host the interface identifier: RFC 4291 appendix A */
function macOf(host) {
  const digits = (host ^ (2n << 56n)).toString(16).padStart(16, '0');
  return (digits.slice(0, 6) + digits.slice(10)).replace(/..(?=.)/g, '$&:');
}

/** What an address is for, with the block that says so. @param {number | bigint} value */
export function scopeOf(value) {
  const isFour = typeof value === 'number';
  const [block = '', kind, use, reference = ''] = ip.rangeOf(value) ?? [
    '',
    isFour ? 'public unicast' : 'not assigned',
    isFour ? /** @type {const} */ ('global') : undefined,
  ];
  const digit = block === 'ff00::/8' ? Number((BigInt(value) >> 112n) & 0xfn) : undefined;
  /** @type {Pair[]} */
  const scope = [];
  if (block) scope.push(['Block', block], ['Reference', reference]);
  if (digit !== undefined)
    scope.push(['Multicast scope', MULTICAST_SCOPES[/** @type {2} */ (digit)] ?? 'not assigned']);
  const sentence = `${kind}, ${use ? USES[use] : 'not routed on the Internet'}`;
  return {
    headline: headline(sentence.charAt(0).toUpperCase() + sentence.slice(1)),
    scope: scope.length > 0 ? pairs(scope) : undefined,
  };
}

/** @param {string} address @param {import('../../kit/types.d.ts').Context} context */
export function warnOfReadings(address, context) {
  const read = (/** @type {'octal' | 'decimal'} */ zeros) =>
    attempt(() => ip.formatIpv4(ip.parseIpv4(address, zeros).value)) ?? 'no address';
  context.warn(
    `A leading zero has two readings: ${read('octal')} where it means octal, as in browsers and inet_aton; ${read('decimal')} where it means nothing.`,
  );
}
