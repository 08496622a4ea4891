//! Converts .env files to and from objects. Parses like Node and the npm package dotenv, without variable expansion.
import { Refusal } from '../../kit/tool.js';
import { writeJson } from '../json/json.js';

/** @import { JsonValue } from '../json/json.js' */

const LINE =
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*(?:"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|`([^`]*)`|([^\n#]*))[ \t]*(?:#.*)?$/gm;
/** @type {Record<string, string>} */
const ESCAPES = { n: '\n', r: '\r', t: '\t' };

/** @param {string} source @returns {Record<string, string>} */
export function readEnv(source) {
  /** @type {Record<string, string>} */
  const values = {};
  const rest = source.replaceAll('\r', '').replace(LINE, (_, name, double, ...plain) => {
    const escaped = double?.replace(
      /\\([\s\S])/g,
      (/** @type {string} */ _, /** @type {string} */ one) => ESCAPES[one] ?? one,
    );
    values[name] = escaped ?? plain[0] ?? plain[1] ?? plain[2].trim();
    return '';
  });
  const [wrong] = /^[ \t]*[^#\s].*$/m.exec(rest) ?? [];
  if (wrong === undefined) return values;
  const offence = `has the line "${wrong.trim().slice(0, 60)}", which is not NAME=value`;
  throw new Refusal(offence, { at: source.indexOf(wrong) });
}

/** @param {JsonValue} value */
function quoted(value) {
  const text = typeof value === 'string' ? value : writeJson(value, { indent: 0 });
  return /^[\w./:@%+,=-]*$/.test(text) ? text : JSON.stringify(text);
}

/** @param {JsonValue} value @param {string} path @returns {string} */
const lines = (value, path) =>
  value instanceof Map
    ? [...value]
        .map(([name, one]) => lines(one, (path && `${path}_`) + name.replace(/\W/g, '_')))
        .join('')
    : `${path}=${value === null ? '' : quoted(value)}\n`;

/** Joins the keys of nested objects with `_`. @param {JsonValue} value */
export function writeEnv(value) {
  if (value instanceof Map) return lines(value, '');
  throw new Refusal('is not an object, which .env needs: names with values');
}
