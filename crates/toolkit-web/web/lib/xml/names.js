//! Keys that are no names of XML, as names and back: a character as `_x0024_`, by its number.
import { isName } from './read.js';

/** @typedef {import('../json/json.js').JsonValue} Value */
/** @typedef {ReadonlySet<string>} Prefixes */

const EMPTY = '_x_';
const ESCAPE = /^_x[\da-f]{4}/i;
/** An escape of a character, of four digits or eight. */
const CODED = /_x((?!d[89a-f])[\da-f]{4}|(?!0000d[89a-f])00(?:0[\da-f]|10)[\da-f]{4})_/gi;
const DECLARES = /^@xmlns:/;

/** @param {string} character */
function coded(character) {
  const code = character.codePointAt(0) ?? 0;
  const digits = code > 0xffff ? 8 : 4;
  return `_x${code.toString(16).toUpperCase().padStart(digits, '0')}_`;
}

/** The name for a key. A colon after a declared prefix is kept. @param {string} key @param {Prefixes} [prefixes] */
export function encoded(key, prefixes) {
  if (key === '') return EMPTY;
  if (key === EMPTY) return `${coded('_')}x_`;
  const colon = key.indexOf(':');
  const isQualified = isName(`a${key.slice(colon, colon + 2)}`) && !key.includes(':', colon + 1);
  const kept = isQualified && prefixes?.has(key.slice(0, colon)) ? colon : -1;
  let name = '';
  let at = 0;
  for (const one of key) {
    const isFree = one !== ':' && isName(at === 0 ? one : `a${one}`);
    const isKept = one === '_' ? !ESCAPE.test(key.slice(at, at + 6)) : isFree || at === kept;
    name += isKept ? one : coded(one);
    at += one.length;
  }
  return name;
}

/** @param {string} name */
export const decoded = (name) =>
  name === EMPTY
    ? ''
    : name.replace(CODED, (_, digits) => String.fromCodePoint(Number.parseInt(digits, 16)));

/** The prefixes that the attributes of an element declare. @param {Value | undefined} value */
const declaredBy = (value) =>
  value instanceof Map
    ? [...value.keys()].filter((key) => DECLARES.test(key)).map((key) => key.slice(7))
    : [];

/** A value with encoded keys. A text's and a declaration's keys are kept. @param {Value} value @param {Prefixes} [outer] @returns {Value} */
export function encodedKeys(value, outer = new Set(['xml'])) {
  if (Array.isArray(value)) return value.map((one) => encodedKeys(one, outer));
  if (!(value instanceof Map)) return value;
  const prefixes = new Set([...outer, ...declaredBy(value)]);
  return new Map(
    [...value].map(([key, one]) => {
      const isScalar = !(Array.isArray(one) || one instanceof Map);
      const own = new Set([...prefixes, ...declaredBy(one)]);
      const isFixed = isScalar && (key === '#text' || /^@xmlns(?::|$)/.test(key));
      const sign = isScalar && key.startsWith('@') ? '@' : '';
      const name = isFixed ? key : sign + encoded(key.slice(sign.length), own);
      return [name, encodedKeys(one, prefixes)];
    }),
  );
}

/** A value whose keys are decoded, where the decoded one is not in the same object. @param {Value} value @returns {Value} */
export function decodedKeys(value) {
  if (Array.isArray(value)) return value.map(decodedKeys);
  if (!(value instanceof Map)) return value;
  /** @type {Map<string, Value>} */
  const result = new Map();
  for (const [key, one] of value) {
    const sign = key.startsWith('@') ? '@' : '';
    const name = sign + decoded(key.slice(sign.length));
    result.set(result.has(name) ? key : name, decodedKeys(one));
  }
  return result;
}
