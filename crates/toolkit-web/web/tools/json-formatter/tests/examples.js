//! Outputs of examples, by title.
import { headline, table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Minify, with sorted names': {
    result: '{"a":[1,2],"b":1}',
  },
  'JSON5 with comments': {
    result: '{\n  "name": "Anna",\n  "size": 0.5\n}',
  },
  'JSON Lines, as logs have them': {
    result: '{"level":"info","n":1}\n{"level":"warn","n":2}',
  },
  'A string that holds JSON': {
    result: '"{\\"id\\":7}"',
    inner: '{\n  "id": 7\n}',
  },
  'Checked against a JSON Schema': {
    headline: headline('1 place does not fit the schema', { tone: 'bad' }),
    problems: table(
      ['Path', 'Problem', 'Rule'],
      [['$.age', 'Instance type "string" is invalid. Expected "integer".', 'type']],
    ),
  },
  'A duplicate name': {
    result: '{"a":1,"\\u0061":2}',
  },
};
