//! cidr-calculator: neighbors, parts of a block, what it contains, and ranges as blocks.
import { headline, line, list, number, pairs, table } from '../../kit/tool.js';
import { inField } from '../../lib/positions.js';

/** @import * as T from '../../kit/types.d.ts' */

const MOST = 1024;
const ROWS = {
  ...{ network: 'Network', broadcast: 'Broadcast', first_host: 'First host' },
  ...{ last_host: 'Last host', usable_hosts: 'Hosts', netmask: 'Netmask' },
  ...{ wildcard_mask: 'Wildcard mask', scope: 'Scope', reverse_dns: 'Reverse DNS' },
};
const MOVES = { previous: '‹ Previous', larger: '↑ Larger', next: 'Next ›' };

/** The block of the last result. */
let last = '';

const blocks = () => import('./blocks.js');
const grouped = (/** @type {number | string | bigint} */ number) =>
  BigInt(number).toLocaleString('en');
/** @param {string} what @param {number | string | bigint} number */
const addresses = (what, number) =>
  headline(`${what}: ${grouped(number)} ${String(number) === '1' ? 'address' : 'addresses'}`);

/** @type {T.Layout} */
export const layout = {
  fields: ({ cidr }) => ({
    cidr: {
      ...cidr,
      label: 'Block or range',
      help: '`192.0.2.10/26`, `2001:db8::/32`, or `10.0.0.1 - 10.0.0.9`.',
    },
    split: number('Split into', { min: 0, max: 128, unit: 'prefix length' }),
    inside: line('Does it contain', { code: true, help: 'An address or a block.' }),
  }),
  examples: [
    { title: 'Four subnets', values: { cidr: '10.20.0.0/22', split: 24 } },
    { title: 'A range as blocks', values: { cidr: '192.168.1.10 - 192.168.1.200' } },
  ],
  actions: Object.entries(MOVES).map(([to, title]) => ({
    title,
    field: 'cidr',
    async run() {
      const { around, readBlock } = await blocks();
      const cidr = last && around(readBlock(last))[/** @type {keyof typeof MOVES} */ (to)];
      return cidr ? { cidr } : {};
    },
  })),
  labels: { result: 'Block' },
  call: (raw) => (/[\da-f:]\s*[-–]/i.test(raw.cidr) ? undefined : raw),
  async answers(raw, ask) {
    const { blocksOf, readRange } = await blocks();
    const range = inField('cidr', raw.cidr, () => readRange(raw.cidr));
    if (!range) return ask(raw);
    const found = blocksOf(range);
    const title = `${found.length} ${found.length === 1 ? 'block' : 'blocks'}`;
    const size = range.last - range.first + 1n;
    return { outputs: { headline: addresses(title, size), blocks: list(found) } };
  },
  async outputs(result, { split: length, inside }, warn) {
    const { contains, readBlock, split } = await blocks();
    last = result.cidr;
    const block = readBlock(last);
    /** @type {[string, T.Cell][]} */
    const rows = Object.entries(ROWS).map(([name, label]) => [
      label,
      name === 'usable_hosts' ? grouped(result[name]) : result[name],
    ]);
    if (inside.trim())
      rows.unshift([
        `Contains ${inside.trim()}`,
        inField('inside', inside, () => contains(block, readBlock(inside))),
      ]);
    const parts = length === null || inField('split', '', () => split(block, Number(length), MOST));
    if (parts !== true && parts.count > MOST)
      warn(`The first ${grouped(MOST)} of ${grouped(parts.count)} parts are shown.`);
    return {
      headline: addresses(result.cidr, result.total_addresses),
      parts: parts === true ? null : table(['Block', 'First', 'Last'], parts.rows),
      result: pairs(rows),
    };
  },
};
