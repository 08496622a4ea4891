//! Checks a JSON text against a JSON Schema, and lists the problems with their paths. Standards: JSON Schema drafts 4, 7,
//! 2019-09 and 2020-12, by the library @cfworker/json-schema. Schemas at other addresses are not fetched.

import { headline, Refusal, table } from '../../kit/tool.js';
import { readJson } from '../../lib/json/input.js';
import { plain } from '../../lib/json/json.js';
import { below } from '../../lib/json/paths.js';

/** @typedef {'4' | '7' | '2019-09' | '2020-12'} Draft */

const PROBLEMS_MAX = 500;
/** Keywords that only say that something inside does not fit. */
const OUTER =
  /^(?:properties|items|additionalProperties|\$ref|allOf|prefixItems|patternProperties|\$dynamicRef)$/;

/** @param {string} pointer `#/a/0` of the library @param {any} value */
function pathOf(pointer, value) {
  let inner = value;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, key) => {
      const next = below(path, Array.isArray(inner) ? Number(key) : key);
      inner = inner?.[key];
      return next;
    }, '$');
}

/** @param {any} schema @returns {Draft} */
function draftOf({ $schema = '' }) {
  const [draft] = /2019-09|2020-12|draft-0?4|draft-0?[67]/.exec(String($schema)) ?? [];
  if (draft === '2019-09' || draft === '2020-12') return draft;
  return draft?.endsWith('4') ? '4' : draft ? '7' : '2020-12';
}

/**
 * The answer and its reasons.
 * @param {string} typed the schema @param {readonly string[]} texts of JSON
 */
export async function checked(typed, texts) {
  const schema = plain(readJson('schema', typed));
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null))
    throw new Refusal('is not a JSON Schema, which is an object, true or false');
  const { Validator } = await import('../../libraries/json-schema.js');
  /** @type {[string, string, string][]} */
  const rows = [];
  try {
    const validator = new Validator(schema, draftOf(Object(schema)), false);
    texts.forEach((text, at) => {
      const value = JSON.parse(text);
      for (const { keyword, instanceLocation, error } of validator.validate(value).errors) {
        if (OUTER.test(keyword) || rows.length >= PROBLEMS_MAX) continue;
        const path = pathOf(instanceLocation, value);
        rows.push([texts.length > 1 ? `line ${at + 1}: ${path}` : path, error, keyword]);
      }
    });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new Refusal(
      error instanceof RangeError
        ? 'refers to itself endlessly'
        : `cannot be used: ${message.split('\n')[0]?.replace(/\.$/, '')}`,
    );
  }
  const count = rows.length === 1 ? '1 place does' : `${rows.length} places do`;
  return rows.length === 0
    ? { headline: headline('Fits the schema', { tone: 'good' }) }
    : {
        headline: headline(`${count} not fit the schema`, { tone: 'bad' }),
        problems: table(['Path', 'Problem', 'Rule'], rows),
      };
}
