//! What a block is in itself: masks, hosts, scope by IANA's registries, reverse zone, in the terms of
//! the service.
import { IPV4, IPV6 } from '../../data/ip-ranges.js';
import { reverseIpv4, reverseIpv6 } from '../../lib/ip.js';
import { address, lastOf, readBlock, sizeOf, written } from './blocks.js';

/** @import { Block } from './blocks.js' */

const NAMED =
  /^(?:this host on )?(private|loopback|link.local|shared|this network|documentation|benchmarking|unique local|unspecified)/;

/** The scope of each range: the service has these few. @type {Map<number, [Block, string][]>} */
const SCOPES = new Map(
  [IPV4, IPV6].map((ranges) => {
    const scopes = ranges.map(([text, name, use]) => {
      const word = ['global', 'multicast'].includes(use)
        ? use
        : (NAMED.exec(name)?.[1] ?? 'reserved');
      return /** @type {[Block, string]} */ ([readBlock(text), word.replace('-', ' ')]);
    });
    return [ranges === IPV4 ? 32 : 128, scopes];
  }),
);

/** The scope of a block, and others that parts of it have. @param {Block} block */
export function scopesOf(block) {
  const all = SCOPES.get(block.width) ?? [];
  const isIn = (/** @type {Block} */ one, /** @type {Block} */ other) =>
    one.length >= other.length && one.first >= other.first && one.first <= lastOf(other);
  const around = all.filter(([range]) => isIn(block, range));
  const [, own = 'global'] = around.sort(([one], [other]) => other.length - one.length)[0] ?? [];
  const within = all.filter(([range]) => isIn(range, block)).map(([, word]) => word);
  return { own, within: [...new Set(within)].filter((word) => word !== own) };
}

/** The rows of a block, and its number of addresses. @param {Block} block */
export function factsOf(block) {
  const { first, length, width } = block;
  const total = sizeOf(block);
  const losesTwo = width === 32 && length <= 30;
  const by = losesTwo ? 1n : 0n;
  const text = (/** @type {bigint} */ value) => address(value, width);
  const mask = (1n << BigInt(width)) - total;
  // A dotted tail would make a mask of 48 bits a mapped address.
  const plain = (/** @type {bigint} */ value) => address(value, width, false);
  /** @type {[string, string | null][]} */
  const rows = [
    ['Network', text(first)],
    ['Broadcast', losesTwo ? text(lastOf(block)) : null],
    ['First host', text(first + by)],
    ['Last host', text(lastOf(block) - by)],
    ['Hosts', (total - 2n * by).toLocaleString('en')],
    ['Netmask', plain(mask)],
    ['Wildcard mask', plain(total - 1n)],
    ['Scope', scopesOf(block).own],
    ['Reverse DNS', reverseOf(block)],
  ];
  return { total, rows, place: placeOf(block) };
}

/** The smallest zone that holds the whole block. @param {Block} block */
function reverseOf({ first, length, width }) {
  const [name, bits] = width === 32 ? [reverseIpv4(Number(first)), 8] : [reverseIpv6(first), 4];
  return name
    .split('.')
    .slice(Math.ceil((width - length) / bits))
    .join('.');
}

/** Where a block lies in the next larger one that ends with an octet or, of IPv6, a group, in percent. @param {Block} block */
function placeOf(block) {
  const { first, length, width } = block;
  if (length === 0) return undefined;
  const step = width === 32 ? 8 : 16;
  const outer = { first, width, length: Math.floor((length - 1) / step) * step };
  outer.first -= first % sizeOf(outer);
  const percent = (/** @type {bigint} */ count) => Number((count * 10_000n) / sizeOf(outer)) / 100;
  return {
    outer: written(outer),
    ends: [outer.first, lastOf(outer)].map((value) => address(value, width)),
    at: percent(first - outer.first),
    share: percent(sizeOf(block)),
  };
}
