//! Outputs of examples, by title.
import { headline, pairs, table, view } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A changed line': {
    summary: pairs([
      ['Changed lines', 1],
      ['Added lines', 1],
      ['Removed lines', 0],
      ['Unchanged lines', 2],
      ['Similarity', '57 %'],
    ]),
    differences: view({
      layout: 'side',
      rows: [
        {
          kind: 'same',
          left: { number: 1, pieces: [['one', false]] },
          right: { number: 1, pieces: [['one', false]] },
        },
        {
          kind: 'changed',
          left: { number: 2, pieces: [['two', true]] },
          right: { number: 2, pieces: [['2', true]] },
        },
        {
          kind: 'same',
          left: { number: 3, pieces: [['three', false]] },
          right: { number: 3, pieces: [['three', false]] },
        },
        { kind: 'added', left: null, right: { number: 4, pieces: [['four', false]] } },
      ],
    }),
  },
  'JSON in another order': {
    differences: 'The texts are the same.',
  },
  'JSON by structure': {
    headline: headline('1 value differs, 1 added, 1 removed', { tone: 'note' }),
    structure: table(
      ['Path', 'Change', 'First', 'Second'],
      [
        ['$.name', 'changed', '"web"', '"api"'],
        ['$.ports[1]', 'added', undefined, '8080'],
        ['$.old', 'removed', 'true', undefined],
      ],
    ),
  },
};
