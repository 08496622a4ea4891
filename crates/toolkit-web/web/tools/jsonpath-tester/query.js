//! JSONPath queries over documents that keep digits and positions. Standard: RFC 9535.

import { Refusal } from '../../kit/tool.js';
import { plain } from '../../lib/json/json.js';
import { JSONPathEnvironment } from '../../libraries/json-p3.js';
import { adviceOf } from './advice.js';

/** @typedef {import('../../lib/json/json.js').JsonValue} Value */
/** @typedef {import('../../lib/json/json.js').Range} Range */

const WORDS = /** @type {Record<string, string>} */ ({
  TOKEN_COMMA: '","',
  TOKEN_COLON: '":"',
  TOKEN_RBRACKET: '"]"',
  TOKEN_LBRACKET: '"["',
  TOKEN_RPAREN: '")"',
  TOKEN_LPAREN: '"("',
  TOKEN_EOF: 'the end',
});

/**
 * Matching nodes, at most `limit`.
 * @param {string} expression
 * @param {Value} document
 * @param {number} limit
 * @returns {{ matches: { path: string, location: (string | number)[] }[], isCut: boolean }}
 */
export function queryPath(expression, document, limit) {
  const matches = [];
  try {
    const environment = new JSONPathEnvironment({ maxRecursionDepth: 1000 });
    const length = environment.functionRegister.get('length');
    // The library counts UTF-16 units, but RFC 9535 §2.4.4 wants Unicode scalar values.
    if (length)
      environment.functionRegister.set('length', {
        argTypes: length.argTypes,
        returnType: length.returnType,
        call: (value) => length.call(typeof value === 'string' ? [...value] : value),
      });
    for (const node of environment.compile(expression).lazyQuery(plain(document))) {
      if (matches.length === limit) return { matches, isCut: true };
      matches.push({ path: node.path, location: node.location });
    }
  } catch (error) {
    throw pathError(error, expression);
  }
  return { matches, isCut: false };
}

/** @param {any} error @param {string} expression */
function pathError(error, expression) {
  if (!error?.token) return error;
  const told = String(error.message);
  const place = /':-?[0-9]+\)$/.test(told) ? told.indexOf(" ('") : -1;
  const message = told
    .slice(0, place < 0 ? told.length : place)
    .replaceAll(/token 'TOKEN_/g, "'TOKEN_")
    .replaceAll(
      /'(TOKEN_[A-Z_]+)'/g,
      (_, name) => WORDS[name] ?? `a ${name.slice(6).toLowerCase().replaceAll('_', ' ')}`,
    );
  return new Refusal(`is not JSONPath: ${message}`, {
    at: Math.max(0, error.token.index),
    hint:
      adviceOf(expression) ??
      'An expression begins with $, as in $.store.book[?@.price < 10].title; functions are length, count, match, search and value.',
  });
}

/** The value at a location. @param {Value} document @param {(string | number)[]} location @returns {Value} */
export function valueAt(document, location) {
  let value = document;
  for (const step of location) value = value instanceof Map ? value.get(String(step)) : value[step];
  return value;
}

/** The range of a location in the text. @param {Range} root @param {(string | number)[]} location */
export function rangeAt(root, location) {
  /** @type {Range | undefined} */
  let range = root;
  for (const step of location) {
    range = typeof step === 'number' ? range?.items?.[step] : range?.members?.get(step);
  }
  return range;
}

/** Ranges in order without overlap; nested ones are dropped. @param {Range[]} ranges */
export function outermost(ranges) {
  const sorted = [...ranges].sort((a, b) => a.start - b.start || b.end - a.end);
  /** @type {[number, number][]} */
  const marks = [];
  for (const { start, end } of sorted) {
    if (start >= (marks.at(-1)?.[1] ?? 0)) marks.push([start, end]);
  }
  return marks;
}
