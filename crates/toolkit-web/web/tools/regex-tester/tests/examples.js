//! Outputs and warnings of examples, by title.
import { headline, table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Groups by number and by name, and a replacement': {
    matches: table(['Match', 'From', 'To', 'year', 'Group 2'], [['2023-11', 3, 10, '2023', '11']], {
      stacked: true,
      columnTones: [undefined, undefined, undefined, 'tone-1', 'tone-2'],
    }),
  },
  'Only the first match without g, and offsets beyond ASCII': {
    matches: table(['Match', 'From', 'To'], [['b', 2, 3]], {
      stacked: true,
      columnTones: [undefined, undefined, undefined],
    }),
  },
  'Cases: lines that must match, and that must not': {
    headline: headline('4 of 4 cases hold', { tone: 'good' }),
    judged: table(
      ['Case', 'Must match', 'Matches', 'Holds'],
      [
        ['1.2', 'Yes', 'Yes', 'Yes'],
        ['v3.14', 'Yes', 'Yes', 'Yes'],
        ['1', 'No', 'No', 'Yes'],
        ['1.2.3', 'No', 'No', 'Yes'],
      ],
    ),
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'Only the first match without g, and offsets beyond ASCII': [
    'The flag `g` is off: only the first match is shown.',
  ],
};
