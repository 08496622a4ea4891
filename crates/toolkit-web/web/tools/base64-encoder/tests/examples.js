//! Outputs and warnings of examples, by title.
import { headline } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Text to Base64 that is safe in a URL': {
    result: 'YT8-',
  },
  'Text as a data URL': {
    result: 'data:text/plain;charset=utf-8;base64,R3LDvMOfZQ==',
  },
  'Base64 of gzip, unpacked': {
    headline: headline('gzip of 15 bytes of text', { tone: 'note' }),
    unpacked: '{"name":"Anna"}',
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'Base64 of gzip, unpacked': [
    'The bytes are not UTF-8 text; they are shown as hexadecimal digits.',
  ],
};
