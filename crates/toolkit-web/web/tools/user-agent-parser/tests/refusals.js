//! Good and bad input.
import { bad } from '../../../tests/row.js';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { agents: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' },
  shows: /BrowserFirefox/,
  bad: [
    bad(
      'agents',
      'a'.repeat(4097),
      /Line 1: .*must have at most 4096 characters a line, not 4097\.$/,
    ),
    bad('agents', 'curl/8.0\n'.repeat(1001), /^User agents must be at most 1000 lines, not/),
    bad(
      'hints',
      'Accept: text/html',
      /must be header fields such as Sec-CH-UA-Platform, or one JSON/,
    ),
    bad('hints', '{"brands": [', /must be valid JSON if they begin with "\{"\. Write them as \{/),
  ],
};
