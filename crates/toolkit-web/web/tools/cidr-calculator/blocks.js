//! Blocks of addresses: parts, neighbors, what is inside, and ranges as blocks. Standard: RFC 4632.
//! What a block is in itself (masks, hosts, scope) the service says.
import { Refusal } from '../../kit/tool.js';
import { formatIpv4, hexIpv6, parseAny } from '../../lib/ip.js';

/** @typedef {{ first: bigint, length: number, width: number }} Block `width` is 32 or 128 */

/** @param {string} text @returns {{ value: bigint, width: number }} */
function readAddress(text) {
  const { family, value } = parseAny(text, { zeros: 'decimal', numbers: 'ipv4' });
  return { value: BigInt(value), width: family === 4 ? 32 : 128 };
}

/** @param {Pick<Block, 'length' | 'width'>} block */
const sizeOf = ({ length, width }) => 1n << BigInt(width - length);
/** @param {Block} block */
const lastOf = (block) => block.first + sizeOf(block) - 1n;

/** A block, or an address as a block of one. @param {string} text @returns {Block} */
export function readBlock(text) {
  const [address = '', prefix] = text.trim().split('/');
  const { value, width } = readAddress(address);
  const length = prefix === undefined ? width : Number(prefix);
  if (!/^\d{1,3}$/.test(prefix ?? '0') || length > width)
    throw new Refusal(`has the prefix length "${prefix}"`, { hint: `Use 0 to ${width}.` });
  const size = sizeOf({ length, width });
  return { first: value - (value % size), length, width };
}

/** @param {bigint} value @param {number} width */
const address = (value, width) => (width === 32 ? formatIpv4(Number(value)) : hexIpv6(value));

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

/** Two addresses with a hyphen between them, or undefined. @param {string} text */
export function readRange(text) {
  const [, from, to] = /^\s*([\da-f:.]*[.:][\da-f:.]*)\s*[-–]\s*([\da-f:.]+)\s*$/i.exec(text) ?? [];
  if (!from || !to) return undefined;
  const [first, last] = [readAddress(from), readAddress(to)];
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
