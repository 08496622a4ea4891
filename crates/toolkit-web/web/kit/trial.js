//! Tries tools with a text before they are offered. Keeps those that accept it, with their answers.

import { fromAnyBase64 } from '../lib/bytes.js';
import { ANY } from '../lib/detect/detect.js';
import { utf8 } from '../lib/utf8.js';
import { attempt, initial } from './tool.js';
import { execute } from './worker.js';

/** @import * as T from './types.d.ts' */
/** @import { Suggestion } from '../lib/detect/detect.js' */
/** @typedef {{ headline?: string, tone?: T.HeadlineOutput['tone'], below?: string }} Said the answer, shortened */
/** @typedef {Suggestion & Said} Tried */

/** Maximum number of offers, and of tools when the best ones accept any text. */
const [MOST, CHOICE] = [4, 2];
/** Letters of an answer. */
const SHOWN = 200;

/** @param {string} text */
const inLine = (text) =>
  text
    .slice(0, 2 * SHOWN)
    .trim()
    .replace(/\s+/g, ' ')
    .slice(0, SHOWN);

/** The values of a Kubernetes Secret, which are Base64. @param {string} json */
function secrets(json) {
  const value = json.includes('"Secret"') ? attempt(() => JSON.parse(json)) : undefined;
  return [value, ...(value?.items ?? [])]
    .filter((one) => one?.kind === 'Secret')
    .flatMap(({ data = {} }) => Object.entries(data))
    .map(([name, data]) => `${name}: ${attempt(() => utf8(fromAnyBase64(data))) ?? data}`)
    .join(', ');
}

/** The top level of a JSON text. @param {string} json */
function shape(json) {
  const value = attempt(() => JSON.parse(json));
  if (typeof value !== 'object' || value === null) return json;
  const keys = Object.keys(value);
  const many = (/** @type {string} */ what) =>
    `${keys.length} ${what}${keys.length === 1 ? '' : 's'}`;
  return Array.isArray(value) ? `A list of ${many('item')}` : `${many('key')}: ${keys.join(', ')}`;
}

/** An answer, shortened. @param {T.Tool} tool @param {string} slug @param {Record<string, any>} outputs @returns {Said} */
function saidOf({ product = {}, answer = '' }, slug, { headline, ...outputs }) {
  const wanted = typeof product === 'function' ? [] : Object.keys(product);
  const content =
    [...wanted, answer, ...Object.keys(outputs)]
      .map((name) => outputs[name])
      .map((one) => (typeof one === 'string' ? one : one?.kind === 'text' ? one.text : ''))
      .find(Boolean) ?? '';
  // Formatted text repeats the input, which is shown above.
  const inner = /^json-formatter|-converter$/.test(slug)
    ? shape(content)
    : slug.endsWith('-formatter')
      ? ''
      : content;
  const below = secrets(content) || inner;
  if (headline?.tone) return { headline: headline.text, tone: headline.tone, below: inLine(below) };
  const told = [headline?.text, headline?.below].filter(Boolean).join(' · ');
  return { below: inLine(below === inner && told ? told : below) };
}

/** @param {Suggestion} one @param {T.Tool | undefined} tool @returns {Promise<Tried | undefined>} */
async function tried(one, tool) {
  // Files are recognized by their first bytes. Running the tool would be slow.
  if (
    Object.values(one.values)
      .flat()
      .some((value) => value instanceof File)
  )
    return one;
  if (!tool) return undefined;
  const fields = Object.entries(tool.fields);
  const raw = {
    ...Object.fromEntries(fields.map(([name, field]) => [name, initial(field)])),
    ...one.values,
  };
  const live = typeof tool.live === 'function' ? tool.live(raw) : (tool.live ?? true);
  const { outputs, refusal, failure } = await execute(tool, raw, undefined, () => {});
  if (outputs) return { ...one, ...saidOf(tool, one.slug, outputs) };
  // A tool that runs on its button may lack another input, such as a key.
  const isOther = !live && refusal?.field !== undefined && !(refusal.field in one.values);
  return isOther && !failure ? one : undefined;
}

/** @param {Suggestion[]} all @param {() => void} begun called when all modules have loaded */
export async function tries(all, begun) {
  const tools = await Promise.all(
    all.map(async ({ slug }) => {
      const module = `../tools/${slug}/tool.js`;
      return (await import(module).catch(() => undefined))?.default;
    }),
  );
  begun();
  /** @type {Tried[]} */
  const good = [];
  for (const [at, one] of all.entries()) {
    const isFull = good.length >= (one.certainty <= ANY ? CHOICE : MOST);
    const result = isFull ? undefined : await tried(one, tools[at]);
    if (result) good.push(result);
  }
  return good;
}
