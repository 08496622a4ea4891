//! Links: non-default values in the URL fragment, which browsers do not send.

import { copy } from './el.js';
import { initial, UNKEPT } from './tool.js';

/** @import * as T from './types.d.ts' */

/** @param {string[]} labels */
const leftOut = (labels) =>
  `The link leaves out what is secret, a file or too long: ${labels.join(', ')}.`;

const MOST = 8192;

/** @param {T.Tool} tool @param {T.Field} field */
const allowed = ({ secrets }, { kind }) => !secrets && !UNKEPT.includes(kind);

/**
 * The link for the input, and the labels of values that it leaves out.
 * @param {Pick<T.Tool, 'fields' | 'secrets'>} tool @param {Record<string, any>} raw
 */
function linkOf(tool, raw) {
  const fragment = new URLSearchParams();
  /** @type {string[]} */
  const left = [];
  for (const [name, field] of Object.entries(tool.fields)) {
    const value = raw[name];
    const standard = initial(field);
    const isFile = [value].flat().some((one) => one instanceof File);
    if (!isFile && JSON.stringify(value) === JSON.stringify(standard)) continue;
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
    const isLong = new TextEncoder().encode(text).length > MOST;
    if (isFile || isLong || !allowed(/** @type {T.Tool} */ (tool), field)) left.push(field.label);
    else fragment.set(name, text);
  }
  const page = new URL(location.href);
  page.hash = fragment.toString();
  return { href: page.href, left };
}

/** @param {T.Field} field @param {string} text @returns {any} the raw value, or undefined if it is invalid */
function parse(field, text) {
  const { kind, choices, columns } = field;
  if (kind === 'choice') return Object.hasOwn(choices, text) ? text : undefined;
  if (kind === 'toggle') return text === 'true' || text === 'false' ? text === 'true' : undefined;
  if (kind === 'number')
    return text === '' || Number.isFinite(Number(text))
      ? text === ''
        ? null
        : Number(text)
      : undefined;
  if (kind !== 'rows') return text;
  try {
    const rows = JSON.parse(text);
    const fits = (/** @type {any} */ row) =>
      Object.entries(row).every(
        ([name, value]) => Object.hasOwn(columns, name) && typeof value !== 'object',
      );
    return Array.isArray(rows) && rows.every(fits) ? rows : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The values in a fragment, and the names that cannot be used.
 * @param {Pick<T.Tool, 'fields' | 'secrets'>} tool @param {string} hash
 */
export function valuesOf(tool, hash) {
  /** @type {Record<string, any>} */
  const values = {};
  /** @type {string[]} */
  const unknown = [];
  for (const [name, text] of new URLSearchParams(hash.slice(1))) {
    const field = Object.hasOwn(tool.fields, name) ? tool.fields[name] : undefined;
    const value =
      field && allowed(/** @type {T.Tool} */ (tool), field) ? parse(field, text) : undefined;
    if (value === undefined) unknown.push(name);
    else values[name] = value;
  }
  return { values, unknown };
}

/**
 * Copies the link for the input, and tells what it leaves out.
 * @param {Pick<T.Tool, 'fields' | 'secrets'>} tool @param {Record<string, any>} raw
 * @param {HTMLElement} from @param {(sentence: string) => void} say
 */
export async function copyLink(tool, raw, from, say) {
  const { href, left } = linkOf(tool, raw);
  if (!(await copy(href, from))) say(href);
  else if (left.length > 0) say(leftOut(left));
}
