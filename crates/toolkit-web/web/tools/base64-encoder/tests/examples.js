//! Outputs of examples, by title.
import { headline } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Text to Base64 that is safe in a URL': {
    result: 'YT8-',
  },
  'Text as a data URL': {
    result: 'data:text/plain;charset=utf-8;base64,R3LDvMOfZQ==',
  },
  'Base64 of either alphabet to text': {
    result: 'a?>',
  },
  'Base64 of gzip, unpacked': {
    headline: headline('gzip of 15 bytes of text', { tone: 'note' }),
    unpacked: '{"name":"Anna"}',
  },
  "An image's data URL to hexadecimal digits": {
    result: '89504e470d0a1a0a',
  },
};
