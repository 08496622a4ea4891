//! IP addresses as text and numbers. Standards: inet_aton and the URL standard for IPv4; RFC 4291 §2.2 for parsing and
//! RFC 5952 §4 for writing IPv6; RFC 6052 for IPv4 in NAT64 prefixes.
import { IPV4, IPV6 } from '../data/ip-ranges.js';
import { Refusal } from '../kit/tool.js';

const IPV4_END = 2 ** 32;
const SHOWN = 60;

/**
 * IPv4 in one to four parts, each decimal, hexadecimal (`0x`), octal (`0`) or binary (`0b`).
 * @param {string} text
 * @param {'octal' | 'decimal'} zeros how a leading zero is read
 * @returns {{ value: number, leadingZero: boolean }}
 */
export function parseIpv4(text, zeros) {
  const parts = text.split('.');
  if (parts.length > 1 && parts.at(-1) === '') parts.pop();
  if (parts.length > 4) {
    const offset = parts.slice(0, 4).join('.').length;
    throw new Refusal(`has ${parts.length} parts; an IPv4 address has four at most`, {
      at: offset,
    });
  }
  const binary = parts.length === 4 && parts.every((part) => /^[01]{8}$/.test(part));
  let offset = 0;
  let value = 0;
  for (const [index, part] of parts.entries()) {
    const number = binary ? Number.parseInt(part, 2) : parsePart(part, offset, zeros);
    const last = index === parts.length - 1;
    const limit = last ? 256 ** (5 - parts.length) : 256;
    if (number >= limit) throw overflow(part, limit, offset, parts.length);
    value += last ? number : number * 256 ** (3 - index);
    offset += part.length + 1;
  }
  return { value, leadingZero: !binary && parts.some((part) => /^0\d+$/.test(part)) };
}

/** @param {string} part @param {number} limit @param {number} offset @param {number} count */
function overflow(part, limit, offset, count) {
  const where = count === 4 ? 'an octet' : 'this part of the address';
  return new Refusal(`has ${brief(part)}, but ${where} is ${limit - 1} at most`, { at: offset });
}

/** @param {string} part @param {number} offset @param {'octal' | 'decimal'} zeros */
function parsePart(part, offset, zeros) {
  if (part === '') throw new Refusal('has an empty part', { at: offset });
  const octal = zeros === 'octal' && /^0\d/.test(part);
  const [, base, digits] = /^0([xb])(.*)$/i.exec(part) ?? ['', octal ? 'o' : 'd', part];
  const allowed = { x: /^[\da-f]*$/i, b: /^[01]+$/, o: /^[0-7]+$/, d: /^\d+$/ }[
    /** @type {'x'} */ (String(base).toLowerCase())
  ];
  if (!allowed.test(String(digits))) {
    if (octal && /^\d+$/.test(part)) {
      throw new Refusal(
        `has "${brief(part)}", which a leading zero makes octal, but octal digits end at 7`,
        {
          at: offset,
          hint: 'Choose decimal for leading zeros if it is meant so.',
        },
      );
    }
    throw new Refusal(`has "${brief(part)}", which is not a number`, {
      at: offset,
      hint: 'An IPv4 address is written as 192.0.2.1.',
    });
  }
  const radix = { x: 16, b: 2, o: 8, d: 10 }[/** @type {'x'} */ (String(base).toLowerCase())];
  return digits === '' ? 0 : Number.parseInt(String(digits), radix);
}

/** @param {string} text */
const brief = (text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/** @param {number} value */
export const ipv4Bytes = (value) =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256);
/** @param {number} value */
export const formatIpv4 = (value) => ipv4Bytes(value).join('.');

/** The shortest form that inet_aton reads: `127.1`. @param {number} value */
export function shortIpv4(value) {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4Bytes(value);
  const forms = [[value], [a, value % 2 ** 24], [a, b, c * 256 + d], [a, b, c, d]];
  return forms
    .map((form) => form.join('.'))
    .reduce((best, form) => (form.length <= best.length ? form : best));
}

/**
 * IPv6 of RFC 4291 §2.2, also with a dotted tail, a zone (`%eth0`) or in brackets.
 * @param {string} text
 * @returns {{ value: bigint, zone: string }}
 */
export function parseIpv6(text) {
  const inner = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  const shift = inner === text ? 0 : 1;
  const [address = '', ...zone] = inner.split('%');
  const halves = address.split('::');
  if (halves.length > 2) {
    const offset = shift + address.indexOf('::', address.indexOf('::') + 1);
    throw new Refusal('has "::" more than once', { at: offset });
  }
  const left = groupsOf(halves[0] ?? '', shift, halves.length === 1);
  const right = groupsOf(halves[1] ?? '', shift + (halves[0] ?? '').length + 2, true);
  const count = left.length + right.length;
  if (halves.length === 1 && count !== 8)
    throw new Refusal(`has ${count} groups; IPv6 has eight, or "::" for those that are zero`);
  if (halves.length === 2 && count > 7)
    throw new Refusal(`has ${count} groups beside "::", seven at most are possible`);
  const groups = [...left, ...Array(8 - count).fill(0), ...right];
  const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
  return { value, zone: zone.join('%') };
}

/** @param {string} half @param {number} offset @param {boolean} tail whether a dotted IPv4 may end it */
function groupsOf(half, offset, tail) {
  if (half === '') return [];
  const groups = [];
  let at = offset;
  const parts = half.split(':');
  for (const [index, part] of parts.entries()) {
    if (tail && index === parts.length - 1 && part.includes('.'))
      groups.push(...dottedTail(part, at));
    else if (/^[\da-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else throw new Refusal(groupOffence(part), { at });
    at += part.length + 1;
  }
  return groups;
}

/** @param {string} part */
function groupOffence(part) {
  if (part === '') return 'has an empty group';
  if (/^[\da-f]+$/i.test(part))
    return `has the group "${brief(part)}", but four hexadecimal digits are the most`;
  return `has the group "${brief(part)}", which is not hexadecimal`;
}

/** @param {string} part @param {number} offset */
function dottedTail(part, offset) {
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(part)) {
    throw new Refusal(`ends in "${brief(part)}", which is not a dotted IPv4 address`, {
      at: offset,
    });
  }
  const tooLarge = part.split('.').find((octet) => Number(octet) > 255);
  if (tooLarge) throw overflow(tooLarge, 256, offset + part.indexOf(tooLarge), 4);
  const { value } = parseIpv4(part, 'decimal');
  return [Math.floor(value / 65536), value % 65536];
}

/** @param {bigint} value */
export const ipv6Groups = (value) =>
  Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - 16 * index)) & 0xffffn));
/** @param {bigint} value */
export const fullIpv6 = (value) =>
  ipv6Groups(value)
    .map((group) => group.toString(16).padStart(4, '0'))
    .join(':');

/** RFC 5952 §4. Mapped addresses end in dotted IPv4 (§5). @param {bigint} value */
export function formatIpv6(value) {
  if (value >> 32n === 0xffffn) return `::ffff:${formatIpv4(Number(value & 0xffffffffn))}`;
  return hexIpv6(value);
}

/** RFC 5952 §4 without a dotted tail. @param {bigint} value */
export function hexIpv6(value) {
  const groups = ipv6Groups(value);
  let [best, most] = [-1, 1];
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length += 1;
    if (length > most) [best, most] = [start, length];
  }
  const digits = groups.map((group) => group.toString(16));
  if (best < 0) return digits.join(':');
  return `${digits.slice(0, best).join(':')}::${digits.slice(best + most).join(':')}`;
}

/** @param {string} block */
export function parsePrefix(block) {
  const [address = '', length = ''] = block.split('/');
  if (!/^\d{1,3}$/.test(length) || Number(length) > 128)
    throw new Refusal('needs a prefix length after "/": 32, 40, 48, 56, 64 or 96');
  return { value: parseIpv6(address).value, length: Number(length) };
}

/** Positions of the 32 bits (RFC 6052 §2.2). Bits 64 to 71 stay zero. @param {number} length */
function bitPositions(length) {
  if (![32, 40, 48, 56, 64, 96].includes(length)) {
    throw new Refusal(
      `has the length ${length}; NAT64 prefixes have 32, 40, 48, 56, 64 or 96 bits`,
    );
  }
  const bits = [];
  for (let bit = length; bits.length < 32; bit++)
    if (bit < 64 || bit > 71) bits.push(BigInt(127 - bit));
  return bits;
}

/** @param {bigint} prefix @param {number} length */
const masked = (prefix, length) => (prefix >> BigInt(128 - length)) << BigInt(128 - length);

/** @param {{ value: bigint, length: number }} prefix @param {number} ipv4 */
export function embedNat64({ value, length }, ipv4) {
  return bitPositions(length).reduce(
    (sum, position, index) => sum | (BigInt(Math.floor(ipv4 / 2 ** (31 - index)) % 2) << position),
    masked(value, length),
  );
}

/** The embedded IPv4 address, or undefined when the address has another prefix. @param {{ value: bigint, length: number }} prefix @param {bigint} address */
export function extractNat64({ value, length }, address) {
  const positions = bitPositions(length);
  if (masked(value, length) !== masked(address, length)) return undefined;
  return positions.reduce((sum, position) => sum * 2 + Number((address >> position) & 1n), 0);
}

/** @param {number | bigint} value a number is IPv4 */
export function rangeOf(value) {
  const [ranges, width] = typeof value === 'number' ? [IPV4, 32] : [IPV6, 128];
  const address = BigInt(value);
  return ranges.find(([block]) => {
    const [first = '', length] = block.split('/');
    const start = width === 32 ? BigInt(parseIpv4(first, 'decimal').value) : parseIpv6(first).value;
    const rest = BigInt(width - Number(length));
    return start >> rest === address >> rest;
  });
}

/** @param {number} value */
export const reverseIpv4 = (value) => `${ipv4Bytes(value).reverse().join('.')}.in-addr.arpa`;
/** @param {bigint} value */
export const reverseIpv6 = (value) =>
  `${[...value.toString(16).padStart(32, '0')].reverse().join('.')}.ip6.arpa`;

/**
 * Input of a person: an address of either family, a number or a reverse name.
 * @param {string} text trimmed
 * @param {{ zeros: 'octal' | 'decimal', numbers: 'size' | 'ipv4' | 'ipv6' }} options
 * @returns {{ family: 4, value: number, leadingZero: boolean } | { family: 6, value: bigint, zone: string }}
 */
export function parseAny(text, { zeros, numbers }) {
  const name = text.toLowerCase().replace(/\.$/, '');
  if (name.endsWith('.in-addr.arpa')) {
    const labels = name.slice(0, -13).split('.');
    if (labels.length !== 4)
      throw new Refusal(
        'is the name of a network, not of an address: an address has four labels before in-addr.arpa',
      );
    return { family: 4, ...parseIpv4(labels.reverse().join('.'), 'decimal') };
  }
  if (name.endsWith('.ip6.arpa'))
    return { family: 6, value: parseNibbles(name.slice(0, -9)), zone: '' };
  if (text.includes(':')) return { family: 6, ...parseIpv6(text) };
  if (text.includes('/'))
    throw new Refusal('has a prefix length, which belongs to a network', {
      at: text.indexOf('/'),
      hint: 'Accepted is an address alone.',
    });
  return parseNumber(text, numbers) ?? { family: 4, ...parseIpv4(text, zeros) };
}

/** @param {string} labels */
function parseNibbles(labels) {
  if (!/^([\da-f]\.){31}[\da-f]$/.test(labels))
    throw new Refusal(
      'is not the reverse name of an IPv6 address: that has 32 single hexadecimal digits before ip6.arpa',
    );
  return BigInt(`0x${labels.split('.').reverse().join('')}`);
}

/** @param {string} text @param {'size' | 'ipv4' | 'ipv6'} numbers */
function parseNumber(text, numbers) {
  if (/^[01]{32}$/.test(text) && numbers !== 'ipv6')
    return {
      family: /** @type {const} */ (4),
      value: Number.parseInt(text, 2),
      leadingZero: false,
    };
  if (numbers === 'ipv4' || !/^(0|[1-9]\d{0,38}|0x[\da-f]{1,32}|0b[01]{1,128})$/i.test(text))
    return undefined;
  const value = BigInt(text);
  if (value >= 1n << 128n) throw new Refusal('is a number over 128 bits, which no address has');
  if (numbers === 'size' && value < BigInt(IPV4_END)) return undefined;
  return { family: /** @type {const} */ (6), value, zone: '' };
}
