//! JSON in a form field: refuses the field with the line and column of the error.

import { inField, lineColumn } from '../positions.js';
import { parseJson, parseJsonLines } from './json.js';

/**
 * The value of a field that must be JSON.
 * @param {string} field
 * @param {string} string
 * @param {import('./json.js').JsonOptions & { lines?: boolean, warn?: (sentence: string) => void }} [options] `lines`: one
 *   document a line; with `warn` those that are not JSON are left out
 * @returns {import('./json.js').JsonValue}
 */
export const readJson = (field, string, { lines = false, ...options } = {}) =>
  inField(
    field,
    string,
    () => (lines ? parseJsonLines(string, options) : parseJson(string, options)),
    lineColumn,
  );

/**
 * Warns about duplicate keys in an object. The last one counts.
 * @param {string} string
 * @param {(sentence: string) => void} warn
 */
export function duplicateWarning(string, warn) {
  let count = 0;
  return (/** @type {string} */ name, /** @type {number} */ offset) => {
    count += 1;
    if (count > 5) return;
    const { line, column } = lineColumn(string, offset);
    warn(
      `The name "${name}" occurs again at line ${line}, column ${column}; the last value counts.`,
    );
  };
}
