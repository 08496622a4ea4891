//! JSON, YAML, XML, TOML, CSV and .env files in each other's format, and laid out anew.
import { choice, headline, number, text, textOutput, tool } from '../../kit/tool.js';
import { documentOf, JSON_BRACKETS } from '../../lib/around.js';
import { formatOf } from './formats.js';

/** @import * as T from '../../kit/types.d.ts' */
/** @import { Format } from '../../lib/documents/documents.js' */

/** @type {Record<Format, string>} */
const FORMATS = { json: 'JSON', yaml: 'YAML', xml: 'XML', toml: 'TOML', csv: 'CSV', env: '.env' };
/** What the service has too. */
const SERVED = ['json', 'yaml', 'xml'];
const BRACKETS = new Map([
  ['json', JSON_BRACKETS],
  ['xml', '<>'],
]);
/** Of a long text this much is looked at. */
const SAMPLE = 1 << 16;

/** @type {T.ViewPage | undefined} */
let page;

/** The formats of an input. @param {string} text @param {{ from_format: string, to_format: string, action: string }} chosen @param {(sample: string) => Promise<[string, number][]>} guess */
async function formats(text, { from_format, to_format, action }, guess) {
  const sample = documentOf(text, () => {}).slice(0, SAMPLE);
  const from = /** @type {Format} */ (
    from_format === 'auto' ? formatOf(sample, await guess(sample)) : from_format
  );
  // The same again is what only a layout asks for.
  const isOpen = from_format === 'auto' && !['pretty', 'minify'].includes(action);
  const other = isOpen ? (from === 'json' ? 'yaml' : 'json') : from;
  return { from, to: /** @type {Format} */ (to_format || other) };
}

const guess = async (/** @type {string} */ sample) =>
  (await import('../../lib/detect/detect.js')).guess(sample);

/** @param {{ text: T.TextValue, from_format: string, to_format: string, action: string, indent: number, names: string }} values @param {T.Context} context */
async function convert({ text, indent, names, ...chosen }, { warn }) {
  const { from, to } = await formats(text.string, chosen, guess);
  const string = documentOf(text.string, warn, BRACKETS.get(from));
  const { converted } = await import('../../lib/documents/documents.js');
  const result = await converted(string, from, to, {
    indent: chosen.action === 'minify' ? 0 : indent,
    names,
    warn,
  });
  return { from, to, result };
}

export default tool({
  fields: {
    text: text('Text', {
      accepts: 'file',
      types: '.json,.yaml,.yml,.xml,.toml,.csv,.env',
      help: 'Enter JSON, YAML, XML, TOML, CSV or .env, or choose a file.',
    }),
    from_format: choice('From', { auto: 'Automatic', ...FORMATS }),
    to_format: choice('To', { '': 'Automatic', ...FORMATS }),
    action: choice('Layout', {
      '': 'Automatic',
      pretty: 'Pretty-print',
      minify: 'Minify',
      convert: 'Convert',
    }),
    indent: number('Indent', { value: 2, min: 1, max: 8 }),
    names: choice('Invalid XML names', {
      '': 'Refuse',
      encode: 'Encode: _x0024_ref',
      decode: 'Decode _x0024_',
    }),
  },
  more: 'action',
  drawn(viewPage) {
    page = viewPage;
  },
  async call(raw) {
    const { text } = raw;
    if (text === '') return { ...raw, from_format: 'json' };
    const sample = typeof text === 'string' ? text : await text.slice(0, SAMPLE).text();
    const { from, to } = await formats(
      sample,
      /** @type {any} */ (raw),
      async (one) => (await page?.guess(one)) ?? [],
    );
    return [from, to].every((one) => SERVED.includes(one))
      ? { ...raw, from_format: from, ...(from !== to && { to_format: to }) }
      : undefined;
  },
  actions: [
    {
      title: 'Swap',
      field: 'to_format',
      async run(values, context) {
        if (values.text.empty) return { from_format: values.to_format || 'auto' };
        const { from, to, result } = await convert(values, context);
        return { text: result, from_format: to, to_format: from };
      },
    },
  ],
  async run(values, context) {
    if (/^[ \t\r\n]*$/.test(values.text.string)) return {};
    const { from, to, result } = await convert(values, context);
    const found = from === to ? FORMATS[from] : `${FORMATS[from]} to ${FORMATS[to]}`;
    return {
      headline: values.from_format === 'auto' ? headline(found) : undefined,
      result: textOutput(result, { file: `data.${to}` }),
    };
  },
  examples: [
    {
      title: 'YAML to JSON',
      values: {
        text: 'name: demo\nports: [80, 0o17]\non: no\n',
        from_format: 'yaml',
        to_format: 'json',
      },
      outputs: {
        result: textOutput(
          '{\n  "name": "demo",\n  "ports": [\n    80,\n    15\n  ],\n  "on": "no"\n}',
          { file: 'data.json' },
        ),
      },
    },
    {
      title: 'XML to JSON, minified',
      values: {
        text: '<list id="7"><item>a</item><item/></list>',
        from_format: 'xml',
        to_format: 'json',
        action: 'minify',
      },
    },
    {
      title: 'JSON to XML',
      values: {
        text: '{"a": 1.10, "b": [true, null]}',
        from_format: 'json',
        to_format: 'xml',
      },
    },
    {
      title: 'CSV to YAML',
      values: { text: 'name,age\nAda,36\nGrace,45\n', to_format: 'yaml' },
    },
  ],
});
