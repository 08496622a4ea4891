//! TOML writer: plain values first, then tables, in the order of the value. Standard: TOML 1.1.

import { Refusal } from '../../kit/tool.js';
import { JsonNumber } from '../json/json.js';
import { TomlTime } from './toml.js';

/** @typedef {import('../json/json.js').JsonValue} Value */

/** TOML text of a table. Refuses values that TOML cannot represent. @param {Map<string, Value>} root */
export function writeToml(root) {
  /** @type {string[]} */
  const lines = [];
  writeTable(root, '', '$', lines);
  return lines.length === 0 ? '' : `${lines.join('\n').replace(/^\n/, '')}\n`;
}

/** @param {string} path @param {string} what @returns {never} */
function fail(path, what) {
  throw new Refusal(`cannot become TOML: ${path} ${what}`, {
    hint: 'TOML has no null, and its integers have 64 bits; leave such names out.',
  });
}

/** @param {Map<string, Value>} table @param {string} name @param {string} path @param {string[]} lines */
function writeTable(table, name, path, lines) {
  const tables = [];
  for (const [key, value] of table) {
    if (isTable(value) || isTableList(value)) tables.push({ key, value });
    else lines.push(`${writeKey(key)} = ${inline(value, `${path}.${key}`)}`);
  }
  for (const { key, value } of tables) {
    const inner = name === '' ? writeKey(key) : `${name}.${writeKey(key)}`;
    if (isTable(value)) {
      if (needsHeader(value)) lines.push('', `[${inner}]`);
      writeTable(value, inner, `${path}.${key}`, lines);
      continue;
    }
    for (const [i, item] of value.entries()) {
      lines.push('', `[[${inner}]]`);
      writeTable(item, inner, `${path}.${key}[${i}]`, lines);
    }
  }
}

/** @param {Value} value */
const isTable = (value) => value instanceof Map;

/** @param {Value} value */
const isTableList = (value) => Array.isArray(value) && value.length > 0 && value.every(isTable);

/** A table that contains only tables needs no header of its own. @param {Map<string, Value>} table */
function needsHeader(table) {
  return (
    table.size === 0 || [...table.values()].some((item) => !isTable(item) && !isTableList(item))
  );
}

/** @param {string} key */
const writeKey = (key) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : basicString(key));

/** @param {Value} value @param {string} path @returns {string} */
function inline(value, path) {
  if (typeof value === 'string') return writeString(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof TomlTime) return value.text;
  if (value instanceof JsonNumber) return writeFloat(value.text);
  if (typeof value === 'bigint') {
    return value === BigInt.asIntN(64, value)
      ? String(value)
      : fail(path, 'is an integer of more than 64 bits');
  }
  if (typeof value === 'number') return writeNumber(value);
  if (Array.isArray(value)) {
    const items = value.map((item, i) => inline(item, `${path}[${i}]`));
    const short = items.join(', ');
    return short.length <= 80 && !short.includes('\n')
      ? `[${short}]`
      : `[\n${items.map((item) => `  ${item},\n`).join('')}]`;
  }
  if (value instanceof Map) {
    const pairs = [...value].map(
      ([key, item]) => `${writeKey(key)} = ${inline(item, `${path}.${key}`)}`,
    );
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
  }
  return fail(path, 'is null');
}

/** @param {number} value */
function writeNumber(value) {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return Number.isSafeInteger(value) ? String(value) : writeFloat(String(value));
}

/** TOML recognises floats by their decimal point or exponent. @param {string} text */
function writeFloat(text) {
  return /[.eE]/.test(text) ? text.replace(/^(-?[0-9]+)\.(?=[eE]|$)/, '$1.0') : `${text}.0`;
}

/** @param {string} text */
function writeString(text) {
  if (!text.includes('\n') || text.length < 20) return basicString(text);
  const lines = text.split('\n').map(escapeText).join('\n');
  return `"""\n${lines.replaceAll(/"(?=")|"$/g, '\\"')}"""`;
}

/** @param {string} text */
const basicString = (text) => `"${escapeText(text).replaceAll('"', '\\"')}"`;

const SHORT = /** @type {Record<string, string>} */ ({
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '\\': '\\\\',
});

/** @param {string} text */
function escapeText(text) {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be escaped
    /[\u0000-\u001f\u007f\\]/g,
    (character) =>
      SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
