//! Keys that are no names of XML, as names and back: a character as `_x0024_`, by its number.
import { isName } from './read.js';

/** @typedef {import('../json/json.js').JsonValue} Value */

/** @param {string} character */
const coded = (character) =>
  `_x${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** @param {string} key */
export function encoded(key) {
  if (key === '') return '_x_';
  const safe = key.replace(/_(?=x[\da-f]*_)/gi, coded('_'));
  let name = '';
  for (const one of safe)
    name += one !== ':' && isName(`a${one}`) && (name !== '' || isName(one)) ? one : coded(one);
  return name;
}

/** @param {string} name */
export const decoded = (name) =>
  name === '_x_'
    ? ''
    : name.replace(/_x([\da-f]{4,6})_/gi, (whole, digits) => {
        const code = Number.parseInt(digits, 16);
        return code > 0x10ffff ? whole : String.fromCodePoint(code);
      });

/** A value whose keys are changed, those of attributes behind their sign. @param {Value} value @param {(key: string) => string} change @returns {Value} */
export function renamed(value, change) {
  if (Array.isArray(value)) return value.map((one) => renamed(one, change));
  if (!(value instanceof Map)) return value;
  return new Map(
    [...value].map(([key, one]) => {
      const sign = key.startsWith('@') ? '@' : '';
      return [key === '#text' ? key : sign + change(key.slice(sign.length)), renamed(one, change)];
    }),
  );
}
