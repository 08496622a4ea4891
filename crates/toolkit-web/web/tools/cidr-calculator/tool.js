//! IPv4 and IPv6 blocks: masks, hosts and scope, parts, networks of different sizes, neighbors, what they contain, and
//! ranges as blocks. Standards: RFC 4632, RFC 3021 for /31, RFC 5952 for IPv6.
import { headline, line, list, number, pairs, table, tool, view } from '../../kit/tool.js';
import { bareOf } from '../../lib/around.js';
import { inField } from '../../lib/positions.js';
import * as blocks from './blocks.js';
import { factsOf, scopesOf } from './facts.js';
import { plan } from './vlsm.js';

const MOST = 1024;
const MOVES = { previous: '‹ Previous', larger: '↑ Larger', next: 'Next ›' };

const grouped = (/** @type {number | string | bigint} */ number) =>
  BigInt(number).toLocaleString('en');
/** @param {string} what @param {bigint} number */
const addresses = (what, number) =>
  headline(`${what}: ${grouped(number)} ${number === 1n ? 'address' : 'addresses'}`);

export default tool({
  fields: {
    cidr: line('Block or range', {
      code: true,
      help: 'Enter `192.0.2.10/26`, `2001:db8::/32`, or `10.0.0.1 - 10.0.0.9`.',
    }),
    split: number('Parts', { min: 0, max: 128, unit: 'prefix length' }),
    needs: line('Hosts of its networks', {
      code: true,
      help: 'Enter `100, 50`, or `office 100, lab 50`, to plan networks of these sizes.',
    }),
    inside: line('Address to look for', { code: true, help: 'Enter an address or a block.' }),
  },
  labels: { result: 'Block' },
  actions: Object.entries(MOVES).map(([to, title]) => ({
    title,
    field: 'cidr',
    run({ cidr }) {
      const block = inField('cidr', cidr, () => blocks.readBlock(cidr));
      const moved = blocks.around(block)[/** @type {keyof typeof MOVES} */ (to)];
      return moved ? { cidr: moved } : {};
    },
  })),
  call: (raw) => (blocks.readRange(raw.cidr) ? undefined : raw),
  run({ cidr, split: length, needs, inside }, { warn }) {
    if (cidr.trim() === '') return {};
    const range = inField('cidr', cidr, () => blocks.readRange(cidr));
    if (range) {
      const covering = blocks.blocksOf(range);
      const title = `${covering.length} ${covering.length === 1 ? 'block' : 'blocks'}`;
      return {
        headline: addresses(title, range.last - range.first + 1n),
        blocks: list(covering),
      };
    }
    const block = inField('cidr', cidr, () => blocks.readBlock(cidr));
    const { total, rows, place } = factsOf(block);
    const cidrOf = blocks.written(block);
    if (bareOf(cidr, warn, 'block') === cidr.trim() && cidr.trim() !== cidr)
      warn('White space around the block was dropped.');
    if (block.given !== block.first)
      warn(`Host bits are set; the answer is for the block ${cidrOf}.`);
    const others = scopesOf(block).within;
    if (others.length > 0) warn(`Parts of the block have another scope: ${others.join(', ')}.`);
    if (block.width === 128 && block.length >= 96 && block.first >> 32n === 0xffffn) {
      const inner = { ...block, first: block.first & 0xffffffffn, length: block.length - 96 };
      warn(
        `The block is the IPv4 block ${blocks.written({ ...inner, width: 32 })}, mapped to IPv6.`,
      );
    }
    if (inside.trim())
      rows.unshift([
        `Contains ${inside.trim()}`,
        inField('inside', inside, () =>
          blocks.contains(block, blocks.readBlock(inside, { alone: true })),
        ),
      ]);
    const parts =
      length === null ? undefined : inField('split', '', () => blocks.split(block, length, MOST));
    if (parts && parts.count > MOST)
      warn(`The first ${grouped(MOST)} of ${grouped(parts.count)} parts are shown.`);
    const planned =
      needs.trim() === '' ? undefined : inField('needs', needs, () => plan(block, needs));
    if (planned) rows.push(['Free after the networks', planned.free]);
    return {
      headline: addresses(cidrOf, total),
      networks: planned
        ? table(['Network', 'Block', 'First host', 'Last host', 'Hosts', 'Spare'], planned.rows)
        : null,
      parts: parts ? table(['Block', 'First', 'Last'], parts.rows) : null,
      place: place ? view(place) : null,
      result: pairs(rows),
    };
  },
  examples: [
    {
      title: 'An IPv4 block with host bits',
      values: { cidr: '192.168.1.10/26' },
      outputs: { headline: headline('192.168.1.0/26: 64 addresses') },
    },
    { title: 'An IPv6 block', values: { cidr: '2001:DB8::/32' } },
    { title: 'Four subnets', values: { cidr: '10.20.0.0/22', split: 24 } },
    {
      title: 'Networks of different sizes (VLSM)',
      values: { cidr: '192.168.0.0/24', needs: 'office 100, lab 50, link 2' },
    },
    { title: 'A range as blocks', values: { cidr: '192.168.1.10 - 192.168.1.200' } },
  ],
});
