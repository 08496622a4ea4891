//! Lossless JSON parser and writer. Standard: RFC 8259.
//!
//! Objects become `Map`s, since plain objects move numeric names to the front and give `__proto__`
//! a meaning. A number that a double cannot represent becomes a `JsonNumber` that keeps its digits.
//! The position of every value in the text is available.

import { Refusal } from '../../kit/tool.js';
import { compareCodePoints } from '../compare.js';
import { inPart } from '../positions.js';
import { goodRows } from '../rows.js';
import { describeDefect } from './defects.js';

export const MAX_DEPTH = 512;

/** A number whose digits matter: written as it was read. */
export class JsonNumber {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** @typedef {null | boolean | string | number | bigint | JsonNumber | JsonValue[] | Map<string, any>} JsonScalar */
/** @typedef {any} JsonValue */

/**
 * @typedef {object} JsonOptions
 * @property {(name: string, offset: number) => void} [onDuplicate] a duplicate name in one object
 * @property {(raw: string, offset: number) => JsonValue} [number] makes the value of a number
 * @property {(range: Range) => void} [onValue] called once for the document, with all ranges
 */

/** Range of a value in the text, with the ranges of its members.
 * @typedef {{ start: number, end: number, items?: Range[], members?: Map<string, Range> }} Range */

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they end a plain stretch
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const ESCAPES = /** @type {Record<string, string>} */ ({
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
});

/**
 * Parses a JSON text. Integers beyond 2^53 become `bigint`, other numbers that a double would
 * change become `JsonNumber`.
 * @param {string} text
 * @param {JsonOptions} [options]
 * @returns {JsonValue}
 */
export function parseJson(text, options = {}) {
  return new Reader(text, options).whole();
}

/**
 * Parses a text with one JSON document per line. Skips empty lines.
 * @param {string} text
 * @param {JsonOptions & { warn?: ((sentence: string) => void) | undefined }} [options] `warn`: lines that are not JSON are
 *   left out and told, unless all are
 * @returns {JsonValue[]}
 */
export function parseJsonLines(text, { warn, ...options } = {}) {
  let end = 0;
  const lines = text.split('\n').map((line, at) => {
    const start = end;
    end += line.length + 1;
    return { line, start, number: at + 1 };
  });
  /** @param {typeof lines[number]} of */
  const read = ({ line, start }) => {
    const onDuplicate = (/** @type {string} */ name, /** @type {number} */ at) =>
      options.onDuplicate?.(name, start + at);
    return inPart(start, () => parseJson(line, { ...options, onDuplicate }));
  };
  const filled = lines.filter(({ line }) => line.trim() !== '');
  return warn ? goodRows(filled, read, warn, ({ number }) => `Line ${number}`) : filled.map(read);
}

/** A number as a value that keeps all digits. @param {string} raw @returns {JsonValue} */
export function exactNumber(raw) {
  const number = Number(raw);
  if (/^-?[0-9]+$/.test(raw)) {
    if (Object.is(number, -0)) return new JsonNumber(raw);
    return Number.isSafeInteger(number) ? number : BigInt(raw);
  }
  return String(number) === raw ? number : new JsonNumber(raw);
}

const END_OF_LINE = /[ \t\r]*(?:\n|$)/y;

/** The JSON grammar. Subclasses decide what becomes of its parts. */
export class Reader {
  /** @param {string} text @param {JsonOptions} options */
  constructor(text, options) {
    this.text = text;
    this.options = options;
    this.number = options.number ?? exactNumber;
    this.at = 0;
    /** @type {Range} */
    this.range = { start: 0, end: 0 };
  }

  /** The value of the text, which must be a single one. */
  whole() {
    this.space();
    const value = this.value(1);
    this.space();
    if (this.at < this.text.length) throw this.defect();
    return value;
  }

  /** Whether the text consists of objects or lists that each start on a new line, as in JSON Lines or `jq` output. */
  isLines() {
    try {
      this.space();
      const isWhole = /[[{]/.test(this.text[this.at] ?? '');
      this.value(2);
      return isWhole && /^[ \t\r]*\n\s*[[{]/.test(this.text.slice(this.at, this.at + 200));
    } catch {
      return false;
    }
  }

  /** The values of such a text. @returns {any[]} */
  lines() {
    const values = [];
    for (this.space(); this.at < this.text.length; this.space()) {
      values.push(this.value(1));
      END_OF_LINE.lastIndex = this.at;
      if (!END_OF_LINE.test(this.text)) throw this.defect('the end of the line');
    }
    return values;
  }

  space() {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return;
      this.at += 1;
    }
  }

  /** @param {string} [expected] */
  defect(expected) {
    return describeDefect(this.text, this.at, expected);
  }

  /** @param {number} depth @returns {JsonValue} */
  value(depth) {
    const start = this.at;
    const mark = this.text[start];
    if (depth > MAX_DEPTH && (mark === '[' || mark === '{')) {
      throw new Refusal(`nests deeper than ${MAX_DEPTH} levels`, { at: start });
    }
    /** @type {Range} */
    const range = { start, end: start };
    let value;
    if (mark === '{') value = this.object(depth, range);
    else if (mark === '[') value = this.array(depth, range);
    else if (mark === '"') value = this.string();
    else value = this.scalar();
    range.end = this.at;
    this.range = range;
    if (depth === 1) this.options.onValue?.(range);
    return value;
  }

  scalar() {
    for (const [word, value] of WORDS) {
      if (
        this.text.startsWith(word, this.at) &&
        !/[\w$]/.test(this.text[this.at + word.length] ?? '')
      ) {
        this.at += word.length;
        return value;
      }
    }
    NUMBER.lastIndex = this.at;
    const raw = NUMBER.exec(this.text)?.[0];
    if (raw === undefined || /[\w.+-]/.test(this.text[this.at + raw.length] ?? '')) {
      throw this.defect('a value');
    }
    const start = this.at;
    this.at += raw.length;
    return this.number(raw, start);
  }

  /** @param {number} depth @param {Range} range @returns {JsonValue} */
  array(depth, range) {
    const items = [];
    const places = [];
    this.at += 1;
    this.space();
    if (this.text[this.at] === ']') this.at += 1;
    else {
      for (;;) {
        items.push(this.value(depth + 1));
        places.push(this.range);
        if (this.ends(']')) break;
      }
    }
    if (this.options.onValue) range.items = places;
    return items;
  }

  /** @param {number} depth @param {Range} range @returns {JsonValue} */
  object(depth, range) {
    const members = new Map();
    const places = new Map();
    this.at += 1;
    this.space();
    if (this.text[this.at] === '}') this.at += 1;
    else {
      for (;;) {
        const name = this.name(members);
        members.set(name, this.value(depth + 1));
        places.set(name, this.range);
        if (this.ends('}')) break;
      }
    }
    if (this.options.onValue) range.members = places;
    return members;
  }

  /** @param {Map<string, JsonValue>} members */
  name(members) {
    if (this.text[this.at] !== '"') throw this.defect('a name in quotes');
    const start = this.at;
    const name = this.string();
    if (members.has(name)) this.options.onDuplicate?.(name, start);
    this.colon();
    return name;
  }

  colon() {
    this.space();
    if (this.text[this.at] !== ':') throw this.defect('":"');
    this.at += 1;
    this.space();
  }

  /** Whether the array or object ends here. Otherwise consumes a comma. @param {string} bracket */
  ends(bracket) {
    this.space();
    const mark = this.text[this.at];
    if (mark !== bracket && mark !== ',') throw this.defect(`"," or "${bracket}"`);
    this.at += 1;
    if (mark === bracket) return true;
    this.space();
    return false;
  }

  string() {
    let out = '';
    this.at += 1;
    for (;;) {
      PLAIN_TEXT.lastIndex = this.at;
      const plain = PLAIN_TEXT.exec(this.text)?.[0] ?? '';
      out += plain;
      this.at += plain.length;
      const mark = this.text[this.at];
      if (mark === '"') break;
      if (mark !== '\\') throw this.defect('a closing quote');
      out += this.escape();
    }
    this.at += 1;
    return out;
  }

  escape() {
    const letter = this.text[this.at + 1] ?? '';
    if (letter === 'u') {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits))
        throw this.defect('four hexadecimal digits after "\\u"');
      this.at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const character = ESCAPES[letter];
    if (character === undefined) throw this.defect('an escape');
    this.at += 2;
    return character;
  }
}

const WORDS = /** @type {const} */ ([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * JSON text of a value made of Maps or plain objects.
 * @param {JsonValue} value
 * @param {{ indent?: number | string, sort?: boolean }} [options]
 */
export function writeJson(value, { indent = 2, sort = false } = {}) {
  const step = typeof indent === 'number' ? ' '.repeat(indent) : indent;
  const end = step === '' ? '' : '\n';
  const colon = step === '' ? ':' : ': ';
  /** @param {JsonValue} item @param {string} margin @returns {string} */
  const write = (item, margin) => {
    if (item === null || typeof item !== 'object') return writeScalar(item);
    if (item instanceof JsonNumber) return item.text;
    const inner = margin + step;
    const parts = Array.isArray(item)
      ? item.map((entry) => inner + write(entry, inner))
      : entriesOf(item, sort).map(
          ([name, entry]) => inner + JSON.stringify(name) + colon + write(entry, inner),
        );
    const [open, close] = Array.isArray(item) ? ['[', ']'] : ['{', '}'];
    return parts.length === 0
      ? open + close
      : open + end + parts.join(`,${end}`) + end + margin + close;
  };
  return write(value, '');
}

/** @param {JsonValue} item @returns {string} */
function writeScalar(item) {
  if (typeof item === 'bigint') return String(item);
  if (Object.is(item, -0)) return '-0';
  return JSON.stringify(item) ?? 'null';
}

/** @param {Map<string, JsonValue> | Record<string, JsonValue>} object @param {boolean} sort */
function entriesOf(object, sort) {
  const entries = object instanceof Map ? [...object] : Object.entries(object);
  return sort ? entries.sort(([left], [right]) => compareCodePoints(left, right)) : entries;
}

/**
 * Plain objects, arrays and numbers, for libraries that accept only these.
 * @param {JsonValue} value
 * @returns {any}
 */
export function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof JsonNumber) return Number(value.text);
  if (typeof value === 'bigint') return Number(value);
  if (!(value instanceof Map)) return value;
  const object = {};
  for (const [name, item] of value) {
    Object.defineProperty(object, name, {
      value: plain(item),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return object;
}
