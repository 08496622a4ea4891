//! Paths in a JSON text: of an index, even if the text is broken, and of search results. They are normalized paths (RFC
//! 9535 §2.7), shortened where possible.

import { attempt } from '../../kit/tool.js';
import { writeJson } from './json.js';

/** @import { JsonValue } from './json.js' */

const SHOWN = 200;

/** The path of a member or an item. @param {string} path @param {string | number} key */
export function below(path, key) {
  if (typeof key === 'number') return `${path}[${key}]`;
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(key)
    ? `${path}.${key}`
    : `${path}['${key.replaceAll(/['\\]/g, '\\$&')}']`;
}

const STRING = /"(?:[^"\\]|\\[\s\S])*(?:"|$)/y;

/** The path of the value or name at an index. @param {string} text @param {number} index */
export function pathAt(text, index) {
  /** @type {{ key: string | number | undefined }[]} `undefined`: a name follows */
  const open = [];
  for (let at = 0; at < index; at++) {
    const mark = text[at];
    const top = open.at(-1);
    if (mark === '{') open.push({ key: undefined });
    else if (mark === '[') open.push({ key: 0 });
    else if (mark === '}' || mark === ']') open.pop();
    else if (mark === ',' && top) top.key = typeof top.key === 'number' ? top.key + 1 : undefined;
    else if (mark === '"') {
      STRING.lastIndex = at;
      const [written = ''] = STRING.exec(text) ?? [];
      if (top && top.key === undefined) top.key = nameOf(written);
      at += written.length - 1;
    }
  }
  return open.reduce((path, { key }) => (key === undefined ? path : below(path, key)), '$');
}

/** @param {string} written */
const nameOf = (written) => attempt(() => String(JSON.parse(written))) ?? written.slice(1);

/**
 * The names and scalars that have a text, in any case, with their paths and values.
 * @param {JsonValue} root @param {string} wanted @param {number} most
 * @returns {[path: string, value: string][]}
 */
export function find(root, wanted, most) {
  const folded = wanted.toLowerCase();
  const has = (/** @type {string} */ text) => text.toLowerCase().includes(folded);
  /** @type {[string, string][]} */
  const rows = [];
  /** @param {JsonValue} value @param {string} path @param {boolean} isNamed */
  const visit = (value, path, isNamed) => {
    if (rows.length >= most) return;
    const isInner = value instanceof Map || Array.isArray(value);
    if (isNamed || (!isInner && has(typeof value === 'string' ? value : writeJson(value)))) {
      const written = isInner ? writeJson(value, { indent: '' }) : writeJson(value);
      rows.push([path, written.length > SHOWN ? `${written.slice(0, SHOWN)}…` : written]);
    }
    if (value instanceof Map)
      for (const [name, inner] of value) visit(inner, below(path, name), has(name));
    else if (Array.isArray(value))
      value.forEach((inner, at) => {
        visit(inner, below(path, at), false);
      });
  };
  visit(root, '$', false);
  return rows;
}
