//! Blocks of addresses: notation, parts, neighbors, what is inside, and ranges as blocks. Standards:
//! RFC 4632, RFC 4291, RFC 5952. Refused is what readers disagree on, such as leading zeros.
import { Refusal } from '../../kit/tool.js';
import { bareOf } from '../../lib/around.js';
import { formatIpv4, formatIpv6, hexIpv6, parseIpv4, parseIpv6 } from '../../lib/ip.js';

/** @typedef {{ first: bigint, length: number, width: number, given?: bigint }} Block `width` is 32 or 128; `given` the address as written */

const OCTETS = /^(?:\d{1,3}\.){3}\d{1,3}$/;

/** @param {string} text @returns {{ value: bigint, width: number }} */
function readAddress(text) {
  if (text.includes(':')) {
    const { value, zone } = parseIpv6(text);
    if (zone || text.includes('%'))
      throw new Refusal('has a zone', { hint: 'Leave it out: it is not part of a block.' });
    if (text.startsWith('['))
      throw new Refusal('has brackets', { hint: 'They belong to a URL: leave them out.' });
    return { value, width: 128 };
  }
  const zero = /(?:^|\.)0\d+(?=\.|$)/.exec(text);
  if (OCTETS.test(text) && zero)
    throw new Refusal('has an octet with a leading zero', {
      at: zero.index + (zero[0].startsWith('.') ? 1 : 0),
      hint: 'Leave the zero out: some readers take such a number for octal.',
    });
  if (!OCTETS.test(text))
    throw new Refusal('does not start with an IP address', {
      hint: 'An IPv4 address is four numbers from 0 to 255, as in 192.0.2.1.',
    });
  return { value: BigInt(parseIpv4(text, 'decimal').value), width: 32 };
}

/** @param {Pick<Block, 'length' | 'width'>} block */
export const sizeOf = ({ length, width }) => 1n << BigInt(width - length);
/** @param {Block} block */
export const lastOf = (block) => block.first + sizeOf(block) - 1n;

/** A block; with `alone`, an address is a block of one. @param {string} text @param {{ alone?: boolean }} [options] @returns {Block} */
export function readBlock(text, { alone = false } = {}) {
  const plain = bareOf(text);
  const [address = '', ...rest] = plain.split('/');
  const suffix = rest.length > 0 ? rest.join('/') : undefined;
  const [, mask] = /^[\d.]+\s+([\d.]+)$/.exec(plain) ?? [];
  if (mask)
    throw new Refusal('is an address and a netmask', {
      hint: `Write the netmask behind /: ${plain.replace(/\s+/, '/')}.`,
    });
  if (/\s\/|\/\s/.test(plain) && plain.split(/\s+|\//).filter(Boolean).length === 2)
    throw new Refusal('has white space at its /', {
      hint: `Write ${plain.replace(/\s+/g, '')}.`,
    });
  if (/[\s,;]/.test(plain))
    throw new Refusal('has more than one block', { hint: 'Give one at a time.' });
  if (plain.includes('://'))
    throw new Refusal('is a URL', { hint: 'Write an address, / and a prefix length.' });
  if (/^\d+(?:\.\d+){3}:/.test(plain))
    throw new Refusal('has a : after the address', {
      hint: 'A prefix length follows /. Leave a port out.',
    });
  if (/^\d+(?:\.\d+){0,2}$/.test(address) && suffix !== undefined) {
    const whole = [...address.split('.'), '0', '0', '0'].slice(0, 4).join('.');
    throw new Refusal('has an address of fewer than four numbers', {
      hint: `Write them all, as in ${whole}/${suffix}.`,
    });
  }
  const { value, width } = readAddress(address);
  if (suffix === undefined && !alone)
    throw new Refusal('has no prefix length', { hint: `For this one address add /${width}.` });
  const length =
    suffix === undefined
      ? width
      : width === 32 && suffix.includes('.')
        ? lengthOf(suffix)
        : /^(?:0|[1-9]\d*)$/.test(suffix)
          ? Number(suffix)
          : Number.NaN;
  if (!(length <= width))
    throw new Refusal(`has the prefix length "${suffix}"`, {
      at: text.indexOf('/') + 1,
      hint: `Use a whole number from 0 to ${width}, without leading zeros.`,
    });
  const size = sizeOf({ length, width });
  return { first: value - (value % size), length, width, given: value };
}

/** The prefix length of a netmask: ones, then zeros. @param {string} text */
function lengthOf(text) {
  if (!OCTETS.test(text) || /(?:^|\.)0\d/.test(text))
    throw new Refusal('has no valid netmask after the /', {
      hint: 'A netmask is written as in 255.255.255.0, without leading zeros.',
    });
  const bits = parseIpv4(text, 'decimal').value.toString(2).padStart(32, '0');
  if (/^1*0*$/.test(bits)) return bits.replace(/0/g, '').length;
  if (/^0+1+$/.test(bits))
    throw new Refusal('has a wildcard mask after the /', {
      hint: `Write the prefix length /${bits.replace(/1/g, '').length}.`,
    });
  throw new Refusal('has a netmask with holes', {
    hint: 'Its ones all stand before its zeros, as in 255.255.255.0.',
  });
}

/** @param {bigint} value @param {number} width @param {boolean} [dotted] whether a mapped address ends in dotted IPv4 */
export const address = (value, width, dotted = true) =>
  width === 32 ? formatIpv4(Number(value)) : (dotted ? formatIpv6 : hexIpv6)(value);

/** @param {Block} block */
export const written = ({ first, length, width }) => `${address(first, width)}/${length}`;

/** The block that contains it, and those of its size before and after it. @param {Block} block */
export function around(block) {
  const { first, length, width } = block;
  const size = sizeOf(block);
  const at = (/** @type {bigint} */ first) =>
    first >= 0n && first >> BigInt(width) === 0n ? written({ ...block, first }) : undefined;
  const larger = first - (first % (size * 2n));
  return {
    previous: at(first - size),
    larger: length > 0 ? written({ first: larger, length: length - 1, width }) : undefined,
    next: at(first + size),
  };
}

/** The parts of a block, at most so many, each with its first and last address. @param {Block} block @param {number} length @param {number} most */
export function split(block, length, most) {
  const { first, width } = block;
  if (!(length >= block.length && length <= width))
    throw new Refusal(`must be from ${block.length} to ${width} for this block`);
  const count = 1n << BigInt(length - block.length);
  const rows = Array.from({ length: Number(count < most ? count : most) }, (_, at) => {
    const part = { first: first + BigInt(at) * sizeOf({ length, width }), length, width };
    return [written(part), address(part.first, width), address(lastOf(part), width)];
  });
  return { count, rows };
}

/** Whether a block lies in another, and where. @param {Block} outer @param {Block} inner */
export function contains(outer, inner) {
  const [end, innerEnd] = [lastOf(outer), lastOf(inner)];
  if (outer.width !== inner.width) return 'No: it is of the other IP version.';
  if (inner.first <= outer.first && innerEnd > end) return 'No: it is the larger block.';
  if (inner.first < outer.first || innerEnd > end) return 'No: it lies outside.';
  const place = (inner.first - outer.first).toLocaleString('en');
  return inner.length === inner.width ? `Yes: at ${place}, counted from 0.` : 'Yes: all of it.';
}

/** Two addresses with a hyphen or "to" between them, the second perhaps as its last number, or undefined. @param {string} text */
export function readRange(text) {
  const [, from, to] =
    /^([\da-f]*[.:][\da-f:.]*)\s*(?:[-–—]|\bto\b|\bthrough\b)\s*([\da-f:.]+)$/i.exec(
      bareOf(text),
    ) ?? [];
  if (!from || !to) return undefined;
  const isOctet = /^\d{1,3}$/.test(to) && !from.includes(':');
  const end = isOctet ? from.replace(/(?<!\d)\d+$/, to) : to;
  const [first, last] = [readAddress(from), readAddress(end)];
  if (first.width !== last.width) throw new Refusal('mixes IPv4 and IPv6');
  if (first.value > last.value) throw new Refusal('ends before it begins');
  return { first: first.value, last: last.value, width: first.width };
}

/** The fewest blocks that make up a range. @param {{ first: bigint, last: bigint, width: number }} range */
export function blocksOf({ first, last, width }) {
  const blocks = [];
  for (let start = first; start <= last; ) {
    let length = width;
    while (length > 0) {
      const size = sizeOf({ length: length - 1, width });
      if (start % size !== 0n || start + size - 1n > last) break;
      length--;
    }
    blocks.push(written({ first: start, length, width }));
    start += sizeOf({ length, width });
  }
  return blocks;
}
