//! Records between tables and JSON: names with points are paths into nested values.

import { JsonNumber, writeJson } from '../json/json.js';

/** @typedef {import('../json/json.js').JsonValue} JsonValue */

/**
 * Columns of a list of objects, in order of first occurrence, and its rows, made when the size is
 * found acceptable.
 * @param {Map<string, JsonValue>[]} records @param {boolean} nested
 */
export function flattenRecords(records, nested) {
  /** @type {Map<string, number>} */
  const columns = new Map();
  const flat = records.map((record) => {
    /** @type {Map<string, string>} */
    const fields = new Map();
    flatten(record, '', nested, fields);
    for (const name of fields.keys()) if (!columns.has(name)) columns.set(name, columns.size);
    return fields;
  });
  const names = [...columns.keys()];
  const rows = () => flat.map((fields) => names.map((name) => fields.get(name) ?? ''));
  return { names, size: records.length, rows };
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
 * The path of each column: its name split at the dots, or whole where another column of the same
 * table already has a value at a prefix of the path (`a` and `a.b`).
 * @param {readonly string[]} names
 * @returns {{ paths: string[][], plain: string[] }} `plain`: the names that stay whole
 */
export function pathsOf(names) {
  const split = names.map(splitPath);
  const values = new Set(split.map(keyOf));
  const taken = new Set();
  const whole = new Set();
  // A whole name is a top-level value, which can conflict with other paths.
  for (let before = -1; before < whole.size; ) {
    before = whole.size;
    for (const [i, steps] of split.entries()) {
      const isInside = steps.some((_, at) => at > 0 && values.has(keyOf(steps.slice(0, at))));
      if (isInside) whole.add(i);
      if (isInside) values.add(keyOf([names[i] ?? '']));
    }
  }
  const paths = split.map((steps, i) => {
    const name = names[i] ?? '';
    let path = whole.has(i) || taken.has(keyOf(steps)) ? [name] : steps;
    if (path !== steps) whole.add(i);
    for (let n = 2; taken.has(keyOf(path)); n++) path = [`${name}_${n}`];
    taken.add(keyOf(path));
    return path;
  });
  return { paths, plain: [...whole].sort((a, b) => a - b).map((i) => names[i] ?? '') };
}

/** @param {readonly string[]} steps */
const keyOf = (steps) => JSON.stringify(steps);

/** One record with its nested values. @param {readonly (readonly string[])[]} paths @param {readonly JsonValue[]} values */
export function nestRecord(paths, values) {
  /** @type {Map<string, any>} */
  const root = new Map();
  for (const [i, steps] of paths.entries()) {
    let place = root;
    for (const step of steps.slice(0, -1)) {
      const inner = place.get(step) ?? new Map();
      place.set(step, inner);
      place = inner;
    }
    place.set(steps.at(-1) ?? '', values[i]);
  }
  return asLists(root);
}

/** @param {string} path */
function splitPath(path) {
  return path.match(/(?:\\.|[^.\\])+/gs)?.map((step) => step.replaceAll(/\\(.)/gs, '$1')) ?? [path];
}

/** Turns maps whose names count from 0 into lists. @param {JsonValue} value @param {boolean} [inner] @returns {JsonValue} */
function asLists(value, inner = false) {
  if (!(value instanceof Map)) return value;
  const entries = [...value].map(
    ([name, item]) => /** @type {const} */ ([name, asLists(item, true)]),
  );
  const counts = inner && entries.length > 0 && entries.every(([name], i) => name === String(i));
  return counts ? entries.map(([, item]) => item) : new Map(entries);
}

/**
 * The inferred value of a field. `007` and long numbers remain strings.
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
