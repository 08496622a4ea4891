//! SQL formatted or minified, in fourteen dialects.
import { choice, number, text, textOutput, took, tool } from '../../kit/tool.js';
import { INDENTS } from '../../lib/indents.js';
import { minifySql } from './minify.js';
import { DIALECTS } from './tokens.js';

const CASES = /** @type {const} */ ({
  preserve: 'Unchanged',
  upper: 'UPPERCASE',
  lower: 'lowercase',
});
const when = { mode: 'format' };

export default tool({
  more: 'keywords',
  fields: {
    text: text('SQL', { accepts: 'file', types: '.sql' }),
    dialect: choice('Dialect', { auto: 'Automatic', ...DIALECTS }),
    mode: choice('Output', { format: 'Format', minify: 'Minify' }),
    keywords: choice('Keywords', CASES, { when }),
    types: choice('Data types', CASES, { when }),
    functions: choice('Functions', CASES, { when }),
    indent: choice('Indent', INDENTS, { when }),
    width: number('Expression width', {
      value: 50,
      min: 1,
      max: 500,
      when,
      help: 'Wrap brackets that are longer.',
    }),
    logical: choice(
      'AND and OR',
      { before: 'At the beginning of a line', after: 'At the end of a line' },
      { when },
    ),
  },
  async run(values, context) {
    const { text, mode } = values;
    const source = text.string;
    if (source.trim() === '') return {};
    const { dialectOf, formatSql, tokensOf, warnOfChanges } = await import('./format.js');
    const isOpen = values.dialect === 'auto';
    const dialect = isOpen ? dialectOf(source, values) : values.dialect;
    const tokens = tokensOf(source, dialect);
    const output =
      mode === 'minify' ? minifySql(tokens) : formatSql(tokens, { ...values, dialect });
    warnOfChanges(source, output, dialect, context.warn);
    if (mode === 'minify' && tokens.some(({ kind }) => kind === 'line-comment')) {
      context.warn('Comments were kept. A line comment keeps its line break.');
    }
    return {
      took: isOpen ? took(DIALECTS[dialect], { field: 'dialect' }) : undefined,
      output: textOutput(output, { file: 'query.sql', type: 'application/sql' }),
    };
  },
  limits: { seconds: 30 },
  examples: [
    {
      title: 'A query',
      values: {
        text: "select id, name from users u join orders o on o.user_id = u.id where o.total > 10 and name <> 'x' -- all\n",
        keywords: 'upper',
      },
      outputs: {
        output:
          "SELECT\n  id,\n  name\nFROM\n  users u\n  JOIN orders o ON o.user_id = u.id\nWHERE\n  o.total > 10\n  AND name <> 'x' -- all\n",
      },
    },
    {
      title: 'A PostgreSQL function on one line',
      values: {
        text: 'CREATE FUNCTION f ( a int )\n  RETURNS int AS $$ SELECT  a $$\n  LANGUAGE sql ;\n',
        dialect: 'postgresql',
        mode: 'minify',
      },
    },
  ],
});
