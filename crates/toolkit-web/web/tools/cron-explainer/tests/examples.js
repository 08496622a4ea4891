//! Outputs of examples, by title.
import { table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'At 09:30 on working days': {
    runs: table(
      ['UTC', 'From now'],
      [
        ['Wed 2023-11-15 09:30', 'in 11 h 16 min'],
        ['Thu 2023-11-16 09:30', 'in 1 day'],
      ],
    ),
  },
};
