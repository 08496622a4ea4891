//! Formatters and converters of data: good and bad input.
import { bad, upload } from './row.js';

/** @type {Record<string, import('./row.js').Row>} */
export const FORMATTERS = {
  'sql-formatter': {
    good: { text: 'select 1', keywords: 'UPPERCASE' },
    shows: /^SELECT$/,
    bad: [
      bad(
        'text',
        "select 'a",
        /^SQL has a ' that is never closed, at line 1, column 8\. The line is:/,
      ),
      bad(
        'text',
        'select (1',
        /^SQL ends too early in Standard SQL, at line 1, column 10\. No other/,
      ),
      bad('placeholders', '@@x', /has the unknown form "@@x"\. Accepted are \? \$1 :1/),
      bad('width', '0', /^Expression width must be a whole number from 1 to 500\.$/),
    ],
  },
  'html-formatter': {
    good: { text: '<p>a</p>' },
    shows: /^<p>a<\/p>$/,
    bad: [
      bad(
        'text',
        '<div',
        /^HTML has the tag <div without its ">", at line 1, column 1\. The line is:/,
      ),
      bad('text', '<p>a</p>\n<!-- b', /has a comment that is never closed, at line 2, column 1/),
      bad('width', '10', /^Line width must be a whole number from 20 to 400\.$/),
    ],
  },
  'css-formatter': {
    good: { text: 'a{color:red}' },
    shows: /color: red;/,
    bad: [
      bad(
        'text',
        'a { color: red',
        /has a "\{" that is never closed, at line 1, column 3\. The line is:/,
      ),
      bad(
        'text',
        'a { content: "b }',
        /has a text whose quote is not closed on its line, at line 1/,
      ),
      bad(
        'text',
        'a { color }',
        /is not CSS: unknown word color, at line 1, column 5\. The line is:/,
      ),
      bad('width', '500', /^Line width must be a whole number from 20 to 400\.$/),
    ],
  },
  'javascript-formatter': {
    good: { text: 'let a=1' },
    shows: /^let a = 1;$/,
    bad: [
      bad(
        'text',
        'let a = ;',
        /is not JavaScript: unexpected token, at line 1, column 9\. The line is:/,
      ),
      bad(
        'text',
        { text: 'let a = ;', mode: 'Minify' },
        /unexpected token ";", at line 1, column 9/,
      ),
      bad('text', upload('large.js', (2 << 20) + 1), /^Code must have at most 2 MiB, not 2097153/),
      bad('width', '19', /^Line width must be a whole number from 20 to 400\.$/),
    ],
  },
  'csv-converter': {
    good: { text: 'a,b\n1,2\n', indent: '0' },
    shows: /^\[\{"a":"1","b":"2"\}\]$/,
    bad: [
      bad(
        'text',
        'a,b\n1,2,3\n',
        /has 3 fields in row 2, but 2 in the first row, at line 2.* check/,
      ),
      bad(
        'text',
        'a,b\n1,"2\n',
        /quote that is never closed, at line 2, column 3\. A quote inside/,
      ),
      bad(
        'text',
        { from: 'JSON or JSON lines', text: '7' },
        /is JSON, but not a list of objects\. Accepted are a list of objects, a list of lists/,
      ),
      bad('indent', '9', /^Indent must be a whole number from 0 to 8\.$/),
    ],
  },
  'toml-converter': {
    good: { text: 'a = 1', indent: '0' },
    shows: /^\{"a":1\}$/,
    bad: [
      bad(
        'text',
        'a = ',
        /^Document ends where a value belongs, at line 1, column 5\. The line is: a =/,
      ),
      bad('text', 'a = 2024-02-30', /has the date "2024-02-30", which does not exist, at line 1/),
      bad(
        'text',
        { from: 'JSON', to: 'TOML', text: '{"a": null}' },
        /cannot become TOML: \$\.a is null\. TOML has no null, .* leave such names out\.$/,
      ),
      bad(
        'text',
        { from: 'YAML', text: 'a: [1' },
        /^Document is not YAML: .* end with a \], at line 1/,
      ),
    ],
  },
  'json-typescript-converter': {
    good: { text: '{"id": 1}' },
    shows: /interface Root/,
    bad: [
      bad(
        'text',
        "{'id': 1}",
        /in single quotes; JSON takes double quotes only, at line 1, column 2/,
      ),
      bad('root', '2nd type', /^Type name is not a name\. Accepted are letters, digits/),
      bad(
        'root',
        'class',
        /is "class", which is a word of TypeScript\. Accepted is any other name/,
      ),
      bad(
        'text',
        { samples: 'A list of samples', text: '{"id": 1}' },
        /^JSON is not a list\. Choose "One document", or put the samples into \[ and \]\.$/,
      ),
    ],
  },
  'jsonpath-tester': {
    good: { expression: '$.a', text: '{"a": [1, 2]}' },
    shows: /1 match/,
    bad: [
      bad(
        'expression',
        'a.b',
        /expected '\$', found 'a', at character 0\. An expression begins with \$/,
      ),
      bad(
        'expression',
        '$.a[',
        /unclosed bracketed selection, at character 4\. An expression begins/,
      ),
      bad(
        'expression',
        '$[?size(@) > 1]',
        /no such function 'size', .* functions are length, count/,
      ),
      bad('text', '{"a": [1, 2}', /^JSON document has "\}" where "," or "\]" belongs, at line 1/),
    ],
  },
};
