//! Outputs and warnings of examples, by title.
import { headline, table } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Minify, with sorted keys': {
    result: '{"a":[1,2],"b":1}',
  },
  'JSON5 with comments': {
    result: '{\n  "name": "Anna",\n  "size": 0.5\n}',
  },
  'JSON Lines from a log': {
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
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'JSON5 with comments': [
    'This is not strict JSON. Converted: comments, unquoted keys, single-quoted strings, JSON5 numbers, trailing commas.',
  ],
  'JSON Lines from a log': ['These are JSON Lines: 2 texts, each formatted separately.'],
};
