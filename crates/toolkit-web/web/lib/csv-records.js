//! Records between tables and JSON: names with points are paths into nested values.

import { JsonNumber, writeJson } from './json.js';

/** @typedef {import('./json.js').JsonValue} JsonValue */

/**
 * Columns and rows of a list of objects, in the order in which names first occur.
 * @param {JsonValue[]} records
 * @param {{ nested: boolean, onKind?: (index: number) => never }} options
 */
export function flattenRecords(records, { nested, onKind }) {
  /** @type {Map<string, number>} */
  const columns = new Map();
  const flat = records.map((record, index) => {
    if (!(record instanceof Map)) onKind?.(index);
    /** @type {Map<string, string>} */
    const fields = new Map();
    flatten(record, '', nested, fields);
    for (const name of fields.keys()) if (!columns.has(name)) columns.set(name, columns.size);
    return fields;
  });
  const names = [...columns.keys()];
  return { names, rows: flat.map((fields) => names.map((name) => fields.get(name) ?? '')) };
}

/** @param {JsonValue} value @param {string} path @param {boolean} nested @param {Map<string, string>} out */
function flatten(value, path, nested, out) {
  const items =
    value instanceof Map ? [...value] : Array.isArray(value) ? [...value.entries()] : undefined;
  if (items === undefined || (path !== '' && (!nested || items.length === 0))) {
    out.set(path, fieldText(value));
    return;
  }
  for (const [name, item] of items) {
    const step = String(name).replaceAll('\\', '\\\\').replaceAll('.', '\\.');
    flatten(item, path === '' ? step : `${path}.${step}`, nested, out);
  }
}

/** A value as the text of one field. @param {JsonValue} value */
export function fieldText(value) {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'object' ? writeJson(value, { indent: 0 }) : String(value);
}

/**
 * One record with its nested values; a path that contradicts another is kept as a plain name.
 * @param {string[]} names
 * @param {JsonValue[]} values
 */
export function nestRecord(names, values) {
  /** @type {Map<string, any>} */
  const root = new Map();
  for (const [i, name] of names.entries()) {
    const steps = splitPath(name);
    let place = root;
    let step = steps[0] ?? '';
    for (const next of steps.slice(1)) {
      const inner = place.get(step) ?? new Map();
      if (!(inner instanceof Map)) break;
      place.set(step, inner);
      place = inner;
      step = next;
    }
    if (place.has(step)) root.set(name, values[i]);
    else place.set(step, values[i]);
  }
  return asLists(root);
}

/** @param {string} path */
function splitPath(path) {
  return path.match(/(?:\\.|[^.\\])+/gs)?.map((step) => step.replaceAll(/\\(.)/gs, '$1')) ?? [path];
}

/** Maps whose names count from 0 become lists. @param {JsonValue} value @param {boolean} [inner] @returns {JsonValue} */
function asLists(value, inner = false) {
  if (!(value instanceof Map)) return value;
  const entries = [...value].map(
    ([name, item]) => /** @type {const} */ ([name, asLists(item, true)]),
  );
  const counts = inner && entries.length > 0 && entries.every(([name], i) => name === String(i));
  return counts ? entries.map(([, item]) => item) : new Map(entries);
}

/**
 * The value that a field seems to mean; texts such as `007` and long numbers stay texts.
 * @param {string} field
 * @returns {JsonValue}
 */
export function typedField(field) {
  if (field === 'true' || field === 'TRUE') return true;
  if (field === 'false' || field === 'FALSE') return false;
  if (field === '' || field === 'null' || field === 'NULL') return null;
  if (!/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(field)) return field;
  const number = Number(field);
  const holds = /^-?[0-9]+$/.test(field)
    ? Number.isSafeInteger(number)
    : field.replaceAll(/\D/g, '').length <= 15;
  return holds && Number.isFinite(number) ? new JsonNumber(field) : field;
}
