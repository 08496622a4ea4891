//! SQL formatted or minified, in twenty dialects.
import { choice, line, number, text, textOutput, toggle, tool } from '../../kit/tool.js';
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
    dialect: choice('Dialect', DIALECTS),
    mode: choice('Output', { format: 'Format', minify: 'Minify' }),
    keywords: choice('Keywords', CASES, { when }),
    types: choice('Data types', CASES, { when }),
    functions: choice('Functions', CASES, { when }),
    names: choice('Names', CASES, { when, help: 'Unquoted names only.' }),
    indent: choice(
      'Indent',
      { 2: '2 spaces', 4: '4 spaces', 8: '8 spaces', tab: 'Tabs' },
      { when },
    ),
    style: choice(
      'Style',
      {
        standard: 'Standard',
        tabularLeft: 'Columns, keywords left',
        tabularRight: 'Columns, keywords right',
      },
      { when },
    ),
    width: number('Expression width', {
      value: 50,
      min: 1,
      max: 500,
      when,
      help: 'Longer brackets are wrapped.',
    }),
    logical: choice(
      'AND and OR',
      { before: 'At the beginning of a line', after: 'At the end of a line' },
      { when },
    ),
    blank_lines: number('Blank lines between statements', { value: 1, min: 0, max: 10, when }),
    dense: toggle('No spaces around operators', { when }),
    semicolon: toggle('Semicolon on its own line', { when }),
    placeholders: line('Placeholders', {
      code: true,
      when,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a form that templates use
      help: 'List forms besides those of the dialect, for example `? :name $1 {{name}} ${name} %s`.',
    }),
  },
  async run(values, context) {
    const { text, dialect, mode } = values;
    const source = text.string;
    if (source.trim() === '') return {};
    const { formatSql, tokensOf, warnOfChanges } = await import('./format.js');
    const tokens = tokensOf(source, dialect);
    const output = mode === 'minify' ? minifySql(tokens) : formatSql(tokens, values);
    warnOfChanges(source, output, dialect, context.warn);
    if (mode === 'minify' && tokens.some(({ kind }) => kind === 'line-comment')) {
      context.warn('Comments stay; each that ends with its line keeps the line break.');
    }
    return { output: textOutput(output, { file: 'query.sql', type: 'application/sql' }) };
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
