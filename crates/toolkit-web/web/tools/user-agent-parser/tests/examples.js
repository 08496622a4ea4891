//! Outputs and warnings of examples, by title.
import { pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Firefox on Linux': {
    result: pairs([
      ['Browser', 'Firefox'],
      ['Browser version', '128.0'],
      ['Engine', 'Gecko'],
      ['Engine version', '128.0'],
      ['System', 'Ubuntu'],
      ['Device', 'Other'],
      ['Bot', 'no'],
    ]),
  },
  'Chrome on Windows, with Client Hints': {
    hints: pairs([
      ['Brands', 'Chromium 128'],
      ['Platform', 'Windows'],
      ['Platform version', '15.0.0'],
      ['System by these', 'Windows 11'],
      ['Mobile', 'no'],
    ]),
  },
  'A bot': {
    result: pairs([
      ['Browser', 'Googlebot'],
      ['Browser version', '2.1'],
      ['System', 'Other'],
      ['Device', 'Spider'],
      ['Brand', 'Spider'],
      ['Model', 'Desktop'],
      ['Bot', 'yes'],
    ]),
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'Chrome on Windows, with Client Hints': [
    '"Windows NT 10.0" is frozen: it stands for Windows 10, 11 and later.',
    'Chrome reports zeros for its minor version. Only the major version is real.',
  ],
};
