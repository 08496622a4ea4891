//! Outputs and warnings of examples, by title.
import { headline, pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'All digests of a text': {
    result: pairs(
      [
        ['MD5', '900150983cd24fb0d6963f7d28e17f72'],
        ['SHA-1', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
        ['SHA-256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
        [
          'SHA-384',
          'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7',
        ],
        [
          'SHA-512',
          'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
        ],
        ['SHA3-256', '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532'],
        [
          'SHA3-512',
          'b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0',
        ],
        ['BLAKE3', '6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85'],
        ['CRC-32', '352441c2'],
      ],
      {
        opens: [
          [
            'hex-encoder',
            {
              mode: 'decode',
              text: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
            },
          ],
        ],
        main: 'SHA-256',
      },
    ),
  },
  'HMAC with a key, in Base64': {
    result: 'W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=',
  },
  'A checksum to compare with': {
    headline: headline('Same: it is the SHA-1', { tone: 'good' }),
  },
  'MD5 (broken) of bytes given as hexadecimal digits': {
    result: '900150983cd24fb0d6963f7d28e17f72',
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'MD5 (broken) of bytes given as hexadecimal digits': [
    'MD5 is broken: two texts with one digest can be made. Use SHA-256 for security.',
  ],
};
