//! What is worth a look in the values of a document, for `peel`: texts that may hold something, times, and the values of
//! a Kubernetes Secret.
import { attempt } from '../../kit/tool.js';

/** @import { Layer, Part } from './peel.js' */

/** Texts that are shorter hold nothing. */
const SHORTEST = 8;
const MOST = 500;
const DEPTH = 64;
/** Names of numbers that are times. */
const TIMED =
  /(?:^|[_.])(?:exp|iat|nbf|auth_time|ts|time|timestamp|created|updated|expires?)$|(?:_at|_on|At|Time|Timestamp|Date)$/;
/** Seconds from 2001 to 2100, which milliseconds are a thousand times. */
const [FIRST, END] = [978_307_200, 4_102_444_800];

/** @param {string} text @returns {any} undefined when it is not JSON */
export const parsed = (text) => attempt(() => JSON.parse(text));

/** @param {string} name @param {number} value */
function millisecondsOf(name, value) {
  if (!TIMED.test(name)) return undefined;
  if (value >= FIRST && value < END) return value * 1000;
  return value >= FIRST * 1000 && value < END * 1000 ? value : undefined;
}

/** @param {any} value */
const isObject = (value) => typeof value === 'object' && value !== null;
/** @param {any} value */
const isSecret = (value) => value?.kind === 'Secret' && isObject(value.data);

/** @param {any} value the text is @param {'JSON' | 'YAML'} format @returns {Layer} */
export function walk(value, format) {
  /** @type {Part[]} */
  const parts = [];
  /** @param {any} one @param {string} path @param {string} name @param {number} depth @param {Part['as']} [as] */
  const visit = (one, path, name, depth, as) => {
    if (parts.length >= MOST || depth > DEPTH) return;
    if (typeof one === 'string') {
      if (as || one.length >= SHORTEST)
        parts.push({ label: path, content: one, ...(as && { as }) });
      return;
    }
    const ms = typeof one === 'number' ? millisecondsOf(name, one) : undefined;
    if (ms !== undefined) parts.push({ label: path, content: new Date(ms).toISOString() });
    if (!isObject(one)) return;
    for (const [key, inner] of Object.entries(one)) {
      const isEncoded = isSecret(one) && key === 'data';
      const below = path === '' ? key : Array.isArray(one) ? `${path}[${key}]` : `${path}.${key}`;
      if (isEncoded)
        for (const [name, content] of Object.entries(inner))
          visit(content, name, name, depth, 'base64');
      else if (key !== 'managedFields') visit(inner, below, key, depth + 1);
    }
  };
  visit(value, '', '', 0);
  if (isSecret(value)) {
    const name = value.metadata?.name;
    return { said: `Kubernetes Secret${typeof name === 'string' ? ` ${name}` : ''}`, parts };
  }
  const count = Object.keys(value ?? {}).length;
  const [what, of] = Array.isArray(value) ? ['a list', 'item'] : ['an object', 'member'];
  return { said: `${format}, ${what} of ${count} ${of}${count === 1 ? '' : 's'}`, parts };
}
