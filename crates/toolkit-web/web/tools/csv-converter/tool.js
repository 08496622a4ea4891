//! CSV and other separated values to JSON, Markdown and back. Standard: RFC 4180.
import {
  choice,
  headline,
  line,
  number,
  table,
  text,
  textOutput,
  toggle,
  tool,
} from '../../kit/tool.js';
import { readCsv, warnOfFormulas } from '../../lib/csv/grid.js';
import { chosen, jsonInstead, namesOf, readRecords, writeGrid } from './grid.js';

const SHOWN_ROWS = 200;
const SEPARATORS = { comma: 'Comma', semicolon: 'Semicolon', tab: 'Tab', pipe: 'Vertical bar' };
const FILES = {
  objects: ['table.json', 'application/json'],
  arrays: ['table.json', 'application/json'],
  lines: ['table.jsonl', 'application/jsonl'],
  markdown: ['table.md', 'text/markdown'],
  csv: ['table.csv', 'text/csv'],
  sql: ['table.sql', 'application/sql'],
  html: ['table.html', 'text/html'],
  yaml: ['table.yaml', 'application/yaml'],
};

export default tool({
  more: 'trim',
  fields: {
    text: text('Table or JSON', { accepts: 'file', types: '.csv,.tsv,.txt,.json,.jsonl' }),
    from: choice('Input', { csv: 'CSV, TSV or similar', json: 'JSON or JSON lines' }),
    to: choice('Output', {
      objects: 'JSON objects',
      arrays: 'JSON arrays',
      lines: 'JSON lines',
      markdown: 'Markdown table',
      csv: 'CSV',
      sql: 'SQL (INSERT)',
      html: 'HTML table',
      yaml: 'YAML',
    }),
    delimiter: choice('Delimiter', { auto: 'Detect', ...SEPARATORS }, { when: { from: 'csv' } }),
    indent: number('Indent', { value: 2, min: 0, max: 8, when: { to: ['objects', 'arrays'] } }),
    header: toggle('Header row', { value: true, when: { from: 'csv' } }),
    trim: toggle('Trim fields', {
      help: 'Remove spaces around unquoted fields.',
      when: { from: 'csv' },
    }),
    types: toggle('Numbers and booleans', {
      help: 'Convert all but `007` and numbers with more digits than a double holds, which stay text.',
      when: { to: ['objects', 'arrays', 'lines', 'sql', 'yaml'] },
    }),
    nested: toggle('Dotted names as paths', {
      help: 'Read `a.b` as the value b inside a. Write `\\.` for a plain dot.',
      value: true,
    }),
    out_delimiter: choice('Output delimiter', SEPARATORS, { when: { to: 'csv' } }),
    out_header: toggle('Output header row', { value: true, when: { to: 'csv' } }),
    quotes: choice(
      'Quotes',
      { needed: 'Where needed', all: 'Everywhere' },
      { when: { to: 'csv' } },
    ),
    line_end: choice('Line endings', { lf: 'LF', crlf: 'CR LF' }, { when: { to: 'csv' } }),
    bom: toggle('Byte order mark', {
      help: 'Add it for Excel, which needs it to read UTF-8.',
      when: { to: 'csv' },
    }),
    columns: line('Columns', {
      help: 'List names or numbers in the wanted order, with commas. Leave empty for all.',
    }),
    table_name: line('Table name', { value: 'data', when: { to: 'sql' } }),
    guard: toggle('Guard against formulas', {
      help: 'Put an apostrophe before fields that a spreadsheet would compute.',
      when: { to: 'csv' },
    }),
  },
  async run(values, context) {
    if (values.text.string.trim() === '') return {};
    const [instead, said = []] = (values.from === 'csv' && jsonInstead(values)) || [];
    for (const sentence of said) context.warn(sentence);
    const read = values.from === 'csv' ? readCsv : readRecords;
    const grid = chosen(instead ?? read(values, context.warn), values.columns);
    if (values.to === 'csv' && !values.guard)
      warnOfFormulas(grid.rows, context.warn, '; the guard prevents that');
    const [file, type] = FILES[values.to];
    if (grid.rows.length > SHOWN_ROWS)
      context.warn(`The table shows the first ${SHOWN_ROWS} of ${grid.rows.length} rows.`);
    const names = namesOf(grid);
    const output = await writeGrid(grid, values, context.warn);
    const count = (/** @type {number} */ n, /** @type {string} */ what) =>
      `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
    return {
      headline: headline(`${count(grid.rows.length, 'row')}, ${count(names.length, 'column')}`),
      output: textOutput(output, {
        file: values.out_delimiter === 'tab' && values.to === 'csv' ? 'table.tsv' : file,
        type,
      }),
      table: table(names, grid.rows.slice(0, SHOWN_ROWS)),
    };
  },
  examples: [
    {
      title: 'CSV to JSON',
      values: { text: 'name,year\nAda,1815\n"Hopper, Grace",1906\n', types: true, indent: 0 },
      outputs: { output: '[{"name":"Ada","year":1815},{"name":"Hopper, Grace","year":1906}]\n' },
    },
    {
      title: 'JSON to CSV',
      values: {
        text: '[{"id": 1, "place": {"city": "Zürich"}}, {"id": 2, "tags": ["a", "b"]}]',
        from: 'json',
        to: 'csv',
        out_delimiter: 'semicolon',
      },
    },
    {
      title: 'A Markdown table from tab-separated values',
      values: { text: 'code\tmeaning\n007\tagent\n', to: 'markdown' },
    },
    {
      title: 'YAML of some columns',
      values: {
        text: 'id,name,place.city\n007,Ada,London\n8,"no",Paris\n',
        to: 'yaml',
        types: true,
        columns: 'name, place.city, id',
      },
    },
  ],
});
