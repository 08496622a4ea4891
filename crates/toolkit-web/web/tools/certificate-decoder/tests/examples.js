//! Outputs of examples, by title.
import { pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A certificate': {
    details: pairs([
      ['Kind', 'Certificate'],
      ['Version', 3],
      ['Subject', 'O=Example,CN=example.com'],
      ['Issuer', 'O=Example,CN=example.com'],
      ['Serial number', '0A1B2C'],
      ['Valid from', '2023-10-01 00:00:00 UTC'],
      ['Valid until', '2024-09-30 00:00:00 UTC'],
      ['Key', 'ecPublicKey, 256 bits, P-256'],
      ['Signature', 'ecdsa-with-SHA256'],
      ['Signed by', 'itself: valid'],
      [
        'SHA-256 fingerprint',
        '02:5B:D1:F4:F7:59:A5:BF:87:D8:48:4F:D2:15:95:D2:F5:14:49:C6:98:11:42:E6:6B:3D:2C:A0:0B:82:AD:A5',
      ],
      ['SHA-1 fingerprint', '22:C6:C1:C9:8C:74:7B:D4:F0:F2:4D:0E:93:A5:A1:9D:8E:C4:2F:1E'],
      ['SPKI pin (SHA-256)', 'fnjwWfRPdhirsgGBPBa6wDVsgWySQZ+gvkFCt6brwrg='],
    ]),
  },
};
