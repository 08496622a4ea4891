//! Answers of server tools without a layout as outputs; loaded with the first one.

import { list, pairs } from './tool.js';
import { label, words } from './words.js';

/** @import * as T from './types.d.ts' */

/** @param {any} value */
const scalar = (value) => value === null || typeof value !== 'object';

/** A name of the service as words, acronyms in capitals. @param {string} name */
const titled = (name) => label(name).replace(/\biso\b/gi, (word) => word.toUpperCase());

/** @param {any} value */
const nested = (value) =>
  Array.isArray(value) && value.every(scalar)
    ? list(value.map(String))
    : JSON.stringify(value, null, 2);

/** The result of the server as outputs. @param {any} answer @returns {T.Outputs} */
export function outputsOf({ result, type }) {
  if (Array.isArray(result))
    return { result: list(result.map((one) => (scalar(one) ? String(one) : JSON.stringify(one)))) };
  if (scalar(result)) return { result: String(result) };
  const entries = Object.entries(result);
  const parts = entries
    .filter(([, value]) => !scalar(value))
    .map(([name, value]) => [name, nested(value)]);
  // Of a token nothing was verified, which `false` would not say.
  const flat = entries
    .filter(([name, value]) => scalar(value) && name !== 'signature_verified')
    .map(([name, value]) => /** @type {[string, T.Cell]} */ ([titled(name), value]));
  if (type === 'jwt') flat.push([words.signature, words.notChecked]);
  return { ...Object.fromEntries(parts), result: pairs(flat) };
}
