//! data-converter: the format found by itself, more formats by the tools of the browser, a swap.
import { choice, headline, textOutput } from '../../kit/tool.js';

/** @import * as T from '../../kit/types.d.ts' */

/** @type {Record<string, string>} */
const FORMATS = { json: 'JSON', yaml: 'YAML', xml: 'XML', toml: 'TOML', csv: 'CSV', env: '.env' };
/** Of a file this much is looked at. */
const SAMPLE = 1 << 16;

/** The last conversion, for the swap. */
let last = { from: '', to: '', result: '' };

/** @type {T.ViewPage | undefined} */
let page;

const parts = () => import('./formats.js');

/** The formats of an input. @param {Record<string, any>} raw */
async function formats({ text, from_format, to_format }) {
  let from = from_format;
  if (from === 'auto') {
    const sample = typeof text === 'string' ? text : await text.slice(0, SAMPLE).text();
    from = (await parts()).formatOf(sample, (await page?.guess(sample)) ?? []);
  }
  return { from, to: to_format || from };
}

/** @type {T.Layout} */
export const layout = {
  fields: ({ text, to_format, action, indent }) => ({
    text: {
      ...text,
      help: 'JSON, YAML, XML, TOML, CSV or .env, or a file. The server takes at most 1 MiB.',
    },
    from_format: choice('From', { auto: 'Automatic', ...FORMATS }),
    to_format: { ...to_format, label: 'To', help: '', choices: { '': 'Automatic', ...FORMATS } },
    action: { ...action, label: 'Layout', help: '' },
    indent: { ...indent, help: '' },
  }),
  more: 'action',
  actions: [
    {
      title: 'Swap',
      field: 'to_format',
      run: ({ from_format, to_format }) => ({
        from_format: to_format || last.to || from_format,
        to_format: from_format === 'auto' ? last.from : from_format,
        ...(last.result && { text: last.result }),
      }),
    },
  ],
  drawn(viewPage) {
    page = viewPage;
  },
  async call(raw) {
    if (raw.text === '') return { ...raw, from_format: 'json' };
    const { from, to } = await formats(raw);
    return (await parts()).isServed(from, to) ? { ...raw, from_format: from } : undefined;
  },
  async answers(raw, ask, run) {
    const { from, to } = await formats(raw);
    const { converted, isServed, textOf } = await parts();
    const given = { ...raw, from_format: from };
    const found = await (isServed(from, to)
      ? ask(given)
      : converted(given, from, to, { ask, run }));
    if (found?.outputs === undefined) return found;
    const result = textOf(found.outputs);
    last = { from, to, result };
    return {
      ...found,
      outputs: {
        headline: headline(from === to ? `${FORMATS[from]}` : `${FORMATS[from]} to ${FORMATS[to]}`),
        result: textOutput(result, { file: `data.${to}` }),
      },
    };
  },
};
