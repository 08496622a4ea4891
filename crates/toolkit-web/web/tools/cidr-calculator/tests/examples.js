//! Outputs and warnings of examples, by title.
import { table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Networks of different sizes (VLSM)': {
    networks: table(
      ['Network', 'Block', 'First host', 'Last host', 'Hosts', 'Spare'],
      [
        ['office', '192.168.0.0/25', '192.168.0.1', '192.168.0.126', '100', '26'],
        ['lab', '192.168.0.128/26', '192.168.0.129', '192.168.0.190', '50', '12'],
        ['link', '192.168.0.192/30', '192.168.0.193', '192.168.0.194', '2', '0'],
      ],
    ),
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'An IPv4 block with host bits': [
    'Host bits are set; the answer is for the block 192.168.1.0/26.',
  ],
};
