//! TOML parser: the library smol-toml, plus what it loses. Standard: TOML 1.1.
//!
//! It reads the document twice: unchanged, which finds nearly all errors, and with each name, float, date and time as a
//! marked text, so that names keep their order and values their digits. Tables are `Map`s, floats `JsonNumber`s, dates
//! and times `TomlTime`s.

import { Refusal } from '../../kit/tool.js';
import { parse, TomlError } from '../../libraries/smol-toml.js';
import { JsonNumber, MAX_DEPTH } from '../json/json.js';

/** @typedef {import('../json/json.js').JsonValue} Value */
/** @typedef {Map<string, Value>} Table */

/** A date, a time or both, as written. */
export class TomlTime {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

const TOO_DEEP = `nests deeper than ${MAX_DEPTH} levels`;
/** A lone surrogate, which no text in a document can contain. */
const MARK = '\ud800';
const PIECE =
  /(?<comment>#[^\n]*)|(?<text>"""(?:\\[\s\S]|[^\\])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')|(?<word>[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[^\s,\]}#]*|[^\s,\]}#="'[{]+)|(?<sign>[[\]{},=\n])|[^\S\n]+/y;
const TIME = /^[0-9]{2,4}[-:]/;
const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})/;

/**
 * Parses a TOML document into its root table.
 * @param {string} source
 * @returns {{ value: Table, comments: number }}
 */
export function parseToml(source) {
  const text = source.toWellFormed();
  // The library skips one at the start, where the page has dropped one already.
  if (text.startsWith('\ufeff')) throw new Refusal('has a byte order mark in it', { at: 0 });
  read(text);
  const { marked, comments } = mark(text);
  return { value: converted(read(marked)), comments };
}

/** @param {string} text */
function read(text) {
  try {
    return parse(text, { integersAsBigInt: true, maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const lines = text.split('\n').slice(0, error.line - 1);
    const at = lines.reduce((sum, line) => sum + line.length + 1, error.column - 1);
    throw new Refusal(sentence(error.message, text.slice(at)), { at });
  }
}

/** @param {string} message of the library @param {string} rest */
function sentence(message, rest) {
  const reason = (message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '');
  const word = /^[^\s,\]}#]{0,40}/.exec(rest)?.[0] ?? '';
  if (reason.startsWith('trying to redefine'))
    return `defines "${word.split('=')[0]}" a second time`;
  if (reason.includes('excessively nested')) return TOO_DEEP;
  if (reason === 'unfinished string') return 'has a text whose quote is never closed';
  if (/^unfinished (?:array|table)$/.test(reason)) return `has a "${rest[0]}" that is never closed`;
  if (word === 'null') return 'has null, which TOML cannot express';
  if (reason === 'invalid value') {
    const token = word || rest.charAt(0).trim();
    if (token === '') return 'ends where a value belongs';
    return `has "${token}" where a value belongs${/^\w/.test(token) ? '; a text needs quotes, unlike in INI' : ''}`;
  }
  return `is not TOML: ${reason}`;
}

/** The document, which is valid, with marks. @param {string} text */
function mark(text) {
  let marked = '';
  let comments = 0;
  /** Open brackets of values. @type {string[]} */
  const open = [];
  let isName = true;
  PIECE.lastIndex = 0;
  for (let at = 0; at < text.length; at = PIECE.lastIndex) {
    const match = PIECE.exec(text);
    if (!match) throw new Error(`the scanner stopped at ${at}`);
    const { comment, text: quoted, word, sign } = match.groups ?? {};
    if (comment) comments += 1;
    if (sign === '=') isName = false;
    else if (!isName && (sign === '[' || sign === '{')) {
      open.push(sign);
      isName = sign === '{';
    } else if (sign && sign !== '[') {
      if ((sign === ']' || sign === '}') && open.length > 0) open.pop();
      if (sign !== '\n' || open.length === 0) isName = open.at(-1) !== '[';
    }
    if (isName && quoted) marked += quoted[0] + MARK + quoted.slice(1);
    else if (isName && word) marked += word.replace(/[^.\t ]+/g, (name) => `"${MARK}${name}"`);
    else marked += word ? scalar(word, at) : match[0];
  }
  return { marked, comments };
}

/** A number, date or time, which may become a marked text. @param {string} word @param {number} at */
function scalar(word, at) {
  if (TIME.test(word)) {
    const [date, ...parts] = DATE.exec(word) ?? [];
    const [year, month, day] = parts.map(Number);
    // The library takes 29 and 30 February of any year.
    if (date && new Date(Date.UTC(Number(year), Number(month) - 1, day)).getUTCDate() !== day)
      throw new Refusal(`has the date "${date}", which does not exist`, { at });
    return `"${MARK}${word}"`;
  }
  if (!/^[+-]?[0-9]/.test(word)) return word;
  const digits = word.replaceAll('_', '').replace(/^\+/, '');
  if (/^-?[0-9]+[.eE]/.test(digits)) return `"${MARK}${digits}"`;
  const integer = BigInt(digits);
  if (integer !== BigInt.asIntN(64, integer))
    throw new Refusal('has an integer that does not fit into 64 bits', { at });
  return word;
}

/** @param {any} value of the library @param {number} [depth] @returns {any} */
function converted(value, depth = 0) {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === 'string' && value.startsWith(MARK)) {
    const text = value.slice(1);
    return TIME.test(text) ? new TomlTime(text) : new JsonNumber(text);
  }
  if (typeof value !== 'object') return value;
  // The library limits only brackets.
  if (depth > MAX_DEPTH) throw new Refusal(TOO_DEEP, { at: 0 });
  if (Array.isArray(value)) return value.map((item) => converted(item, depth + 1));
  return new Map(
    Object.entries(value).map(([name, item]) => [name.slice(1), converted(item, depth + 1)]),
  );
}
