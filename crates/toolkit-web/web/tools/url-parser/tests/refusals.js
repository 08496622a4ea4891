//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { url: 'https://www.example.org/a?b=1' },
  shows: /Hostwww\.example\.org/,
  bad: [
    bad('url', 'www.example.org/a', /^Character 1: URL has no scheme\. Did you mean https:\/\/www/),
    bad(
      'url',
      'https://www.example.org:99999/',
      /^Character \d+: .*has the port 99999; ports end at 65535\./,
    ),
    bad('url', 'https://256.1.1.1/', /should be an IPv4 address: it has 256, but an octet is 255/),
    bad(
      'base',
      { url: '../b', base: 'c/d' },
      /^Character 1: Base URL has no scheme\. Did you mean https:\/\/c/,
    ),
  ],
};
