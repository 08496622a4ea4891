//! Worker of a browser tool. Its name is the slug. It runs one job at a time. The page terminates it to cancel.

import { mayRepeat, Refusal } from './tool.js';
import { makeContext, readValues, sentence } from './values.js';

/** @import * as T from './types.d.ts' */
/**
 * An answer, or the reason why there is none.
 * @typedef {import('./tool-page.js').Answer & { failure?: 'failed' | 'partMissing' | 'tooLarge', error?: string }} Executed
 */

const PROGRESS_PAUSE = 100;

/** Random bytes. The browser returns at most 65,536 per call. @param {number} count */
export function random(count) {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += 65_536)
    crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

/** Raw values, with files read into memory unless the tool reads them in parts. @param {T.Fields} fields @param {Record<string, any>} raw */
async function withFiles(fields, raw) {
  const open = async (/** @type {any} */ value, /** @type {boolean} */ isStream) => {
    if (!(value instanceof File)) return value;
    const { name, type, size } = value;
    const bytes = isStream ? new Uint8Array() : new Uint8Array(await value.arrayBuffer());
    return { name, type, size, bytes, ...(isStream && { blob: value }) };
  };
  const entries = Object.entries(raw).map(async ([name, value]) => {
    const one = (/** @type {any} */ file) => open(file, fields[name]?.stream === true);
    return [name, await (Array.isArray(value) ? Promise.all(value.map(one)) : one(value))];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Whether a file or text exceeds the browser's memory. @param {any} error */
const isOutOfRoom = ({ name, message } = {}) =>
  name === 'NotReadableError' || (name === 'RangeError' && /length|allocation/.test(message));

/** Whether a module could not be loaded: no connection, or a build without its library. */
const isMissing = (/** @type {any} */ { message = '' } = {}) =>
  /dynamically imported module|Importing a module/i.test(message);

/**
 * One run of a tool or of one of its actions, as reported to the page.
 * @param {T.Tool} tool @param {Record<string, any>} raw @param {number | undefined} action
 * @param {(done: number, total: number) => void} progress
 * @returns {Promise<Executed>}
 */
export async function execute(tool, raw, action, progress) {
  /** @type {Set<string>} */
  const warnings = new Set();
  /** @type {Set<string>} */
  const encoded = new Set();
  /** @type {number | undefined} */
  let again;
  const context = makeContext({
    warn: (warning) => {
      warnings.add(warning);
    },
    decoded: (field) => {
      encoded.add(field);
    },
    now: () => new Date(),
    random,
    progress,
    again: (seconds) => {
      again = seconds;
    },
  });
  try {
    const values = await readValues(tool.fields, await withFiles(tool.fields, raw), context);
    const part = action === undefined ? tool : tool.actions?.[action];
    /** @type {any} */
    const made = await part?.run(values, context);
    const mayFreeze = Object.values(made ?? {}).some(
      (one) => one?.kind === 'picture' && one.type === 'image/svg+xml' && mayRepeat(one.data),
    );
    const outputs = mayFreeze
      ? await (await import('../lib/image/svg.js')).drawable(made, context.warn)
      : made;
    return { outputs, warnings: [...warnings], again, encoded };
  } catch (error) {
    if (error instanceof Refusal) {
      const { field, position } = error;
      const { offset, line, column, use } = position;
      const place = { offset, line, column };
      return { refusal: { field, sentence: sentence(error, tool.fields), place, use }, encoded };
    }
    if (isOutOfRoom(error)) return { failure: 'tooLarge' };
    if (isMissing(error)) return { failure: 'partMissing' };
    return { failure: 'failed', error: String(/** @type {any} */ (error)?.stack ?? error) };
  }
}

// The detector worker imports this module too. It has no name.
const slug = 'WorkerGlobalScope' in globalThis && /^[a-z0-9-]+$/.test(self.name) ? self.name : '';
if (slug) {
  const module = `../tools/${slug}/tool.js`;
  const loaded = import(module);
  self.onmessage = async ({ data: { raw, action } }) => {
    let told = performance.now();
    const progress = (/** @type {number} */ done, /** @type {number} */ total) => {
      // The page draws each report, so frequent ones would block it.
      if (performance.now() - told < PROGRESS_PAUSE) return;
      told = performance.now();
      self.postMessage({ progress: [done, total] });
    };
    try {
      const { default: tool } = await loaded;
      self.postMessage(await execute(tool, raw, action, progress));
    } catch (error) {
      self.postMessage({ failure: 'failed', error: String(error) });
    }
  };
}
