//! TOML to and from JSON and YAML. Standards: TOML 1.1, RFC 8259, YAML 1.2 core schema.
import { choice, number, text, textOutput, toggle, tool } from '../../kit/tool.js';

const FORMATS = { toml: 'TOML', json: 'JSON', yaml: 'YAML' };
const TYPES = { toml: 'application/toml', json: 'application/json', yaml: 'application/yaml' };

export default tool({
  fields: {
    text: text('Document', { accepts: 'file', types: '.toml,.json,.yaml,.yml' }),
    from: choice('From', FORMATS),
    to: choice('To', FORMATS, { value: 'json' }),
    indent: number('Indent', { value: 2, min: 0, max: 8, when: { to: ['json', 'yaml'] } }),
    sort_keys: toggle('Sort keys', { help: 'Sort by code point, at every depth.' }),
  },
  async run({ text, from, to, indent, sort_keys }, { warn }) {
    if (/^[ \t\r\n]*$/.test(text.string)) return {};
    const { readDocuments, writeDocuments } = await import('../../lib/documents/documents.js');
    // Without indentation, a YAML document would be in flow style.
    const options = { indent: to === 'yaml' ? Math.max(1, indent) : indent, sort: sort_keys, warn };
    const values = await readDocuments(text.string, from, to, options);
    const written = await writeDocuments(values, to, options);
    const output = to === 'json' ? `${written}\n` : written;
    return { output: textOutput(output, { file: `document.${to}`, type: TYPES[to] }) };
  },
  examples: [
    {
      title: 'TOML to JSON',
      values: {
        text: '[package]\nname = "toolkit"\nsince = 2024-05-01\nlimits = { size = 9_007_199_254_740_993 }\n',
      },
      outputs: {
        output:
          '{\n  "package": {\n    "name": "toolkit",\n    "since": "2024-05-01",\n    "limits": {\n      "size": 9007199254740993\n    }\n  }\n}\n',
      },
    },
    {
      title: 'JSON to TOML',
      values: {
        text: '{"title": "x", "owner": {"name": "Ada"}, "ports": [{"n": 1}, {"n": 2.0}]}',
        from: 'json',
        to: 'toml',
      },
    },
    {
      title: 'YAML to TOML',
      values: { text: 'country: no\nbase: &base {a: 1}\ncopy: *base\n', from: 'yaml', to: 'toml' },
    },
  ],
});
