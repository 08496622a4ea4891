//! Values of a form as `run` gets them, checked; the context of a run; the sentence of a refusal.

import { attempt, initial, Refusal, refuse, shown } from './tool.js';

/** @import * as T from './types.d.ts' */

const MIB = 1 << 20;

/** Loaded with the first file. @type {typeof import('./decode.js') | undefined} */
let decoding;

/** The full sentence of a refusal, starting with its position. @param {Refusal} refusal @param {T.Fields} fields */
export function sentence(
  { field = '', message: offence, position: { offset, line, column, place: named, hint } },
  fields,
) {
  const subject = /^\p{Ll}/u.test(offence) ? `${fields[field]?.label ?? field} ` : '';
  let place = offset === undefined ? '' : `Character ${offset + 1}: `;
  if (line !== undefined)
    place = `Line ${line}${column === undefined ? '' : `, column ${column}`}: `;
  if (named !== undefined) place = `${named}: `;
  return `${place}${subject}${offence}.${hint ? ` ${hint}` : ''}`;
}

/** @param {string} string */
function loneSurrogate(string) {
  let offset = 0;
  for (const character of string) {
    if (!character.isWellFormed()) return offset;
    offset++;
  }
  return -1;
}

/** @implements {T.TextValue} */
class Text {
  #name;
  #source;
  #context;
  #marked = false;
  /** @type {string | undefined} */
  #decoded;
  /** @param {string} name @param {string | T.FileValue} source @param {T.Context} context */
  constructor(name, source, context) {
    this.#name = name;
    this.#source = source;
    this.#context = context;
    if (typeof source !== 'string' && source.name !== '')
      this.file = { name: source.name, type: source.type, size: source.size };
    /** @type {{ start: number, end: number } | undefined} */
    this.selection = undefined;
  }
  get empty() {
    return typeof this.#source === 'string' ? this.#source === '' : this.#source.bytes.length === 0;
  }
  get raw() {
    if (typeof this.#source === 'string') return this.#source;
    this.#decoded ??= this.#decode(this.#source);
    return this.#decoded;
  }
  /** @param {T.FileValue} file */
  #decode({ name, type, bytes }) {
    const decoded =
      decoding?.decode(bytes, type) ??
      refuse(this.#name, 'must be text', {
        hint: `The first bytes are ${hex(bytes.subarray(0, 16))}.`,
      });
    if (decoded.reason !== 'usual') this.#context.decoded?.(this.#name);
    const warning = decoding?.decodedWarning(name, bytes, decoded);
    if (warning) this.#context.warn(warning);
    return decoded.text;
  }
  get string() {
    const { raw } = this;
    if (!raw.startsWith('\uFEFF')) return raw;
    if (!this.#marked) this.#context.warn('A byte order mark at the beginning was dropped.');
    this.#marked = true;
    return raw.slice(1);
  }
  get bytes() {
    if (typeof this.#source !== 'string') return this.#source.bytes;
    if (!this.#source.isWellFormed())
      refuse(this.#name, 'contains half of a surrogate pair, which UTF-8 cannot hold', {
        offset: loneSurrogate(this.#source),
      });
    return new TextEncoder().encode(this.#source);
  }
}

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');

/** @param {T.Field} field @param {number} size @param {string} name @param {number} [standard] */
function bounded({ max }, size, name, standard = 100 * MIB) {
  const most = max ?? standard;
  if (size <= most) return;
  const unit = most >= MIB ? `${most / MIB} MiB` : `${most} bytes`;
  refuse(name, `must have at most ${unit}, not ${size} bytes`);
}

/** @param {T.Field} field @param {any} raw @param {string} name */
function readNumber({ value, min, max, step = 1 }, raw, name) {
  if (raw === null || raw === '') {
    if (value === undefined) return null;
    raw = Number.NaN;
  }
  const number = typeof raw === 'string' ? Number(raw) : raw;
  const whole = step === 'any' || !Number.isInteger(step) || Number.isInteger(number);
  if (
    Number.isFinite(number) &&
    whole &&
    number >= (min ?? -Infinity) &&
    number <= (max ?? Infinity)
  )
    return number;
  const kind = step === 1 ? 'a whole number' : 'a number';
  let range = min === undefined ? '' : ` of ${min} or more`;
  if (max !== undefined)
    range = min === undefined ? ` of at most ${max}` : ` from ${min} to ${max}`;
  return refuse(name, `must be ${kind}${range}`);
}

/** @param {string} name @param {T.Field} field @param {any} raw @param {T.Context} context @returns {unknown} */
function read(name, field, raw, context) {
  const { kind, max } = field;
  if (kind === 'text') {
    if (raw instanceof Uint8Array) raw = { name: 'file', type: '', size: raw.length, bytes: raw };
    if (typeof raw === 'string') bounded(field, raw.length, name, 10 * MIB);
    else bounded(field, raw.bytes.length, name);
    return new Text(name, raw, context);
  }
  if (kind === 'number') return readNumber(field, raw, name);
  if (kind === 'choice' && !Object.hasOwn(field.choices, raw))
    refuse(name, `has no choice "${raw}"`, {
      hint: `Use one of ${Object.keys(field.choices).join(', ')}.`,
    });
  if (kind === 'toggle') return Boolean(raw);
  if (kind === 'rows' || kind === 'files') {
    const most = kind === 'rows' ? (max ?? 100) : (field.count ?? 50);
    if (raw.length > most) refuse(name, `must have at most ${most} entries, not ${raw.length}`);
    if (kind === 'rows')
      return raw.map((/** @type {any} */ row, /** @type {number} */ at) =>
        readRow(name, field, row, context, at + 1),
      );
    for (const one of raw) bounded(field, one.blob?.size ?? one.bytes.length, name);
    return [...raw];
  }
  if (kind === 'file') {
    if (raw) bounded(field, raw.bytes.length, name);
    return raw;
  }
  if (raw.length > (max ?? 10000))
    refuse(name, `must have at most ${max ?? 10000} characters, not ${raw.length}`);
  return raw;
}

/** @param {string} name @param {T.FieldOf<'rows'>} field @param {Record<string, unknown>} row @param {T.Context} context @param {number} number */
function readRow(name, { columns }, row, context, number) {
  const cell = (/** @type {string} */ key, /** @type {T.Field} */ column) => {
    try {
      return read(name, column, row[key] ?? initial(column), context);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return refuse(name, `"${column.label}" ${error.message}`, { place: `Row ${number}` });
    }
  };
  return Object.fromEntries(
    Object.entries(columns).map(([key, column]) => [key, cell(key, column)]),
  );
}

/**
 * Raw values (of a form, link, example or test) as `run` gets them.
 * @template {T.Fields} F
 * @param {F} fields @param {Record<string, any>} raw @param {T.Context} context
 * @returns {Promise<T.Values<F>>}
 */
export async function readValues(fields, raw, context) {
  const isFile = ([name = '', value = /** @type {any} */ ('')]) =>
    fields[name]?.kind === 'text' && typeof value !== 'string';
  if (Object.entries(raw).some(isFile)) decoding ??= await import('./decode.js');
  const all = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      raw[name] === undefined ? initial(field) : raw[name],
    ]),
  );
  const values = Object.entries(fields).map(([name, field]) => {
    const value = read(name, field, shown(field, all) ? all[name] : initial(field), context);
    if (value instanceof Text && field.selection) value.selection = raw[`${name}:selection`];
    return [name, value];
  });
  return /** @type {any} */ (Object.fromEntries(values));
}

/**
 * The context of one run; `base` brings what differs between worker and tests.
 * @param {Pick<T.Context, 'warn' | 'decoded' | 'now' | 'random' | 'progress' | 'again'>} base
 * @returns {T.Context}
 */
export const makeContext = (base) => ({
  ...base,
  decodeText(bytes) {
    const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const decoded = attempt(() => utf8.decode(bytes));
    if (decoded !== undefined) return decoded;
    base.warn('The bytes are not UTF-8 text; they are shown as hexadecimal digits.');
    return hex(bytes);
  },
});
