//! Conversions between the formats of the page: JSON, YAML and XML by the service, TOML and CSV by
//! the tools of the browser, .env here. What no one converts at once goes by JSON.
import { refuse } from '../../kit/tool.js';
import { inField } from '../../lib/positions.js';
import { readEnv, writeEnv } from './env.js';

/** @import * as T from '../../kit/types.d.ts' */
/** @typedef {Record<string, any>} Raw */
/** @typedef {ReturnType<NonNullable<T.Layout['answers']>>} Answered */
/** @typedef {{ ask: (raw: Raw) => Answered, run: (slug: string, raw: Raw) => Answered }} By */

/** @type {Record<string, string>} */
const TOOLS = { toml: 'toml-converter', csv: 'csv-converter' };
const KNOWN = ['json', 'yaml', 'xml', 'toml', 'csv'];
const ENV = /^(?:\s*(?:#.*)?(?:\n|$)|\s*(?:export\s+)?[A-Z_][A-Z0-9_]*=(?! ).*(?:\n|$))+$/;

/** Whether the service has both formats. @param {...string} pair */
export const isServed = (...pair) => pair.every((one) => ['json', 'yaml', 'xml'].includes(one));

/** The format of a text. @param {string} text @param {[kind: string, certainty: number][]} guesses */
export function formatOf(text, guesses) {
  const start = text.trimStart().charAt(0) || '{';
  if (start === '<') return 'xml';
  if (text.includes('=') && ENV.test(text)) return 'env';
  const kinds = guesses.map(([kind]) => (/^(?:records|jsonLines)$/.test(kind) ? 'json' : kind));
  return kinds.find((kind) => KNOWN.includes(kind)) ?? ('[{"'.includes(start) ? 'json' : 'yaml');
}

/** Typed text, or that of a file. @param {string | File} text */
async function contentOf(text) {
  if (typeof text === 'string') return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await text.arrayBuffer());
  } catch {
    return refuse('text', 'is not UTF-8 text');
  }
}

/** The text among outputs. @param {any} outputs @returns {string} */
export const textOf = (outputs) => {
  const found = outputs.output ?? outputs.result ?? outputs;
  return found.text ?? found;
};

/**
 * One conversion whose formats are not both of the service.
 * @param {Raw} raw @param {string} from @param {string} to @param {By} by @returns {Answered}
 */
export async function converted(raw, from, to, { ask, run }) {
  const text = await contentOf(raw.text);
  const { indent } = raw;
  const pair = [from, to];
  if (pair.includes('toml') && pair.every((one) => ['toml', 'json', 'yaml'].includes(one)))
    return run('toml-converter', { text, from, to, indent });
  /** @type {Awaited<Answered>} */
  let first = { outputs: text };
  if (from === 'env')
    first.outputs = inField('text', text, () => JSON.stringify(readEnv(text), null, indent));
  else if (TOOLS[from]) {
    const options = { to: from === 'csv' ? 'objects' : 'json', types: true, indent };
    first = await run(TOOLS[from], { text, from, ...options });
  } else if (from !== 'json') first = await ask({ ...raw, to_format: 'json', action: 'minify' });
  if (first?.outputs === undefined || to === 'json') return first;
  const json = textOf(first.outputs);
  const second = await (to === 'env'
    ? { outputs: inField('text', json, () => writeEnv(json)) }
    : TOOLS[to]
      ? run(TOOLS[to], { text: json, from: 'json', to })
      : ask({ ...raw, text: json, from_format: 'json' }));
  return second && { warnings: first.warnings, ...second };
}
