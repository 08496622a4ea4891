//! Networks of different sizes in one block (VLSM): the largest first, each at the start of its own size. Standard:
//! RFC 1878; the first and last address of an IPv4 network are no hosts.
import { Refusal } from '../../kit/tool.js';
import { address, lastOf, sizeOf } from './blocks.js';

/** @import { Block } from './blocks.js' */

const MOST = 1000;

/** @param {string} text @returns {{ name: string, hosts: bigint }[]} */
function readNeeds(text) {
  const needs = text.split(/[,;\n]/).filter((one) => one.trim() !== '');
  if (needs.length > MOST)
    throw new Refusal(`has ${needs.length} networks; at most ${MOST} are planned`);
  return needs.map((one, at) => {
    const [, before = '', digits, after = ''] =
      /^([^\d]*)(\d{1,30})([^\d]*)$/.exec(one.trim()) ?? [];
    if (digits === undefined || BigInt(digits) === 0n)
      throw new Refusal(`has "${one.trim().slice(0, 40)}", which is not a number of hosts`, {
        hint: 'Write 100, 50, or office 100, lab 50.',
      });
    const named = (before || after).trim();
    const name = /[:=]$/.test(named) ? named.slice(0, -1).trim() : named;
    return { name: name || `Network ${at + 1}`, hosts: BigInt(digits) };
  });
}

/** The rows of the plan. @param {Block} block @param {string} text */
export function plan(block, text) {
  const { width } = block;
  const lost = width === 32 ? 2n : 0n;
  const needs = readNeeds(text).map((need) => {
    let length = width;
    while (length > 0 && sizeOf({ length, width }) < need.hosts + lost) length--;
    return { ...need, length };
  });
  needs.sort((one, other) => one.length - other.length);
  const total = needs.reduce((sum, need) => sum + sizeOf({ length: need.length, width }), 0n);
  const grouped = (/** @type {bigint} */ number) => number.toLocaleString('en');
  if (total > sizeOf(block))
    throw new Refusal(
      `need ${grouped(total)} addresses, and the block has ${grouped(sizeOf(block))}`,
    );
  let next = block.first;
  const shown = (/** @type {bigint} */ value) => address(value, width);
  const rows = needs.map(({ name, hosts, length }) => {
    const part = { first: next, length, width };
    const by = lost / 2n;
    next = lastOf(part) + 1n;
    return [
      ...[name, `${shown(part.first)}/${length}`, shown(part.first + by), shown(lastOf(part) - by)],
      ...[grouped(hosts), grouped(sizeOf(part) - lost - hosts)],
    ];
  });
  return { rows, free: grouped(lastOf(block) + 1n - next) };
}
