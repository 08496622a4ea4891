//! TOML parser. Standard: TOML 1.1.
//!
//! Tables are `Map`s in the order of the document, floats keep their digits as `JsonNumber`, dates
//! and times keep their text as `TomlTime`.

import { quoteCharacter } from './json-defects.js';
import { readNumberOrTime, SCALAR, TomlError } from './toml-scalars.js';
import { readBasicString, readLiteralString } from './toml-strings.js';

const MAX_DEPTH = 512;
const BARE_KEY = /[A-Za-z0-9_-]+/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: TOML forbids them in comments
const COMMENT = /#[^\n\r\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*/y;

/** @typedef {import('./json.js').JsonValue} Value */
/** @typedef {Map<string, Value>} Table */
/** The origin of a table decides what may be added to it later.
 * @typedef {'implicit' | 'header' | 'dotted' | 'inline'} Origin */

/**
 * Parses a TOML document into its root table.
 * @param {string} text
 * @returns {{ value: Table, comments: number }}
 */
export function parseToml(text) {
  const reader = new Reader(text);
  reader.document();
  return { value: reader.root, comments: reader.comments };
}

export class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.comments = 0;
    /** @type {Table} */
    this.root = new Map();
    /** @type {WeakMap<object, Origin>} */
    this.origins = new WeakMap([[this.root, 'header']]);
    /** Arrays of tables, made by `[[name]]`. @type {WeakSet<object>} */
    this.tableLists = new WeakSet();
  }

  /** @param {string} message @param {number} [at] @returns {never} */
  fail(message, at = this.at) {
    throw new TomlError(message, at);
  }

  /** @param {string} expected @returns {never} */
  unexpected(expected) {
    const found = this.at < this.text.length && quoteCharacter(this.text, this.at);
    return this.fail(`${found ? `has ${found}` : 'ends'} where ${expected} belongs`);
  }

  document() {
    let table = this.root;
    for (;;) {
      this.blank();
      if (this.at >= this.text.length) return;
      if (this.text[this.at] === '[') table = this.header();
      else this.pair(table, 1);
      this.space();
      this.lineEnd();
    }
  }

  space() {
    while (this.text[this.at] === ' ' || this.text[this.at] === '\t') this.at += 1;
  }

  /** Spaces, comments and line ends. */
  blank() {
    for (;;) {
      this.space();
      const mark = this.text[this.at];
      if (mark === '#') this.comment();
      else if (mark === '\n') this.at += 1;
      else if (mark === '\r' && this.text[this.at + 1] === '\n') this.at += 2;
      else return;
    }
  }

  comment() {
    COMMENT.lastIndex = this.at;
    this.at += COMMENT.exec(this.text)?.[0].length ?? 0;
    this.comments += 1;
    const next = this.text[this.at];
    const ends = next === undefined || next === '\n' || this.text.startsWith('\r\n', this.at);
    if (!ends) this.fail('has a control character in a comment');
  }

  lineEnd() {
    if (this.text[this.at] === '#') this.comment();
    if (this.at >= this.text.length) return;
    if (this.text[this.at] === '\n') this.at += 1;
    else if (this.text.startsWith('\r\n', this.at)) this.at += 2;
    else this.unexpected('the end of the line');
  }

  header() {
    const start = this.at;
    const isList = this.text.startsWith('[[', start);
    this.at += isList ? 2 : 1;
    const path = this.path();
    const end = isList ? ']]' : ']';
    if (!this.text.startsWith(end, this.at)) this.unexpected(`"${end}"`);
    this.at += end.length;
    const name = /** @type {string} */ (path.pop());
    let table = this.root;
    for (const step of path) table = this.into(table, step, start);
    return isList ? this.appendTable(table, name, start) : this.openTable(table, name, start);
  }

  /** The table at one step of a header's path. @param {Table} table @param {string} name @param {number} start @returns {Table} */
  into(table, name, start) {
    const found = table.get(name);
    if (found === undefined) return this.newTable(table, name, 'implicit');
    if (Array.isArray(found) && this.tableLists.has(found)) return found.at(-1);
    if (found instanceof Map && this.origins.get(found) !== 'inline') return found;
    return this.fail(`cannot add to "${name}", which is complete already`, start);
  }

  /** @param {Table} table @param {string} name @param {number} start @returns {Table} */
  openTable(table, name, start) {
    const found = table.get(name);
    if (found === undefined) return this.newTable(table, name, 'header');
    if (!(found instanceof Map) || this.origins.get(found) !== 'implicit') {
      this.fail(`defines "${name}" a second time`, start);
    }
    this.origins.set(found, 'header');
    return found;
  }

  /** @param {Table} table @param {string} name @param {number} start @returns {Table} */
  appendTable(table, name, start) {
    const list = table.get(name) ?? [];
    if (!table.has(name)) this.tableLists.add(list);
    else if (!this.tableLists.has(list)) this.fail(`defines "${name}" a second time`, start);
    /** @type {Table} */
    const entry = new Map();
    this.origins.set(entry, 'header');
    list.push(entry);
    table.set(name, list);
    return entry;
  }

  /** @param {Table} table @param {string} name @param {Origin} origin */
  newTable(table, name, origin) {
    /** @type {Table} */
    const made = new Map();
    table.set(name, made);
    this.origins.set(made, origin);
    return made;
  }

  path() {
    const path = [];
    for (;;) {
      this.space();
      path.push(this.key());
      this.space();
      if (this.text[this.at] !== '.') return path;
      this.at += 1;
    }
  }

  /** @returns {string} */
  key() {
    const mark = this.text[this.at];
    if (this.text.startsWith('"""', this.at) || this.text.startsWith("'''", this.at)) {
      this.fail('has a name in three quotes; names take one');
    }
    if (mark === '"') return readBasicString(this);
    if (mark === "'") return readLiteralString(this);
    BARE_KEY.lastIndex = this.at;
    const name = BARE_KEY.exec(this.text)?.[0] ?? this.unexpected('a name');
    this.at += name.length;
    return name;
  }

  /** One `name = value` pair. @param {Table} table @param {number} depth */
  pair(table, depth) {
    const start = this.at;
    const path = this.path();
    if (this.text[this.at] !== '=') this.unexpected('"="');
    this.at += 1;
    this.space();
    const name = /** @type {string} */ (path.pop());
    let place = table;
    for (const step of path) {
      const found = place.get(step);
      if (found === undefined) place = this.newTable(place, step, 'dotted');
      else if (found instanceof Map && this.origins.get(found) === 'dotted') place = found;
      else this.fail(`cannot add to "${step}", which is complete already`, start);
    }
    if (place.has(name)) this.fail(`defines "${name}" a second time`, start);
    const value = this.value(depth);
    place.set(name, value);
  }

  /** @param {number} depth @returns {Value} */
  value(depth) {
    const mark = this.text[this.at];
    if (mark === '"') return readBasicString(this, true);
    if (mark === "'") return readLiteralString(this, true);
    if (depth > MAX_DEPTH) this.fail(`nests deeper than ${MAX_DEPTH} levels`);
    if (mark === '[') return this.array(depth);
    if (mark === '{') return this.inlineTable(depth);
    SCALAR.lastIndex = this.at;
    const word = SCALAR.exec(this.text)?.[0].replace(/ +$/, '');
    if (!word) return this.unexpected('a value');
    const value = readNumberOrTime(word, this.at);
    this.at += word.length;
    return value;
  }

  /** @param {number} depth */
  array(depth) {
    /** @type {Value[]} */
    const items = [];
    this.sequence(']', () => {
      items.push(this.value(depth + 1));
    });
    return items;
  }

  /** @param {number} depth */
  inlineTable(depth) {
    /** @type {Table} */
    const table = new Map();
    this.sequence('}', () => this.pair(table, depth + 1));
    this.close(table);
    return table;
  }

  /** Seals an inline table, to which nothing can be added later. @param {Table} table */
  close(table) {
    this.origins.set(table, 'inline');
    for (const item of table.values()) {
      if (item instanceof Map && this.origins.get(item) === 'dotted') this.close(item);
    }
  }

  /** @param {string} bracket @param {() => void} item */
  sequence(bracket, item) {
    const start = this.at;
    this.at += 1;
    for (;;) {
      this.blank();
      if (this.text[this.at] === bracket) break;
      item();
      this.blank();
      if (this.at >= this.text.length)
        this.fail(`has a "${this.text[start]}" that is never closed`, start);
      if (this.text[this.at] === bracket) break;
      if (this.text[this.at] !== ',') this.unexpected(`"," or "${bracket}"`);
      this.at += 1;
    }
    this.at += 1;
  }
}
