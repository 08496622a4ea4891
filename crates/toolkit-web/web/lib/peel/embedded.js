//! What lies in the midst of other text, for `peel`: tokens, JSON, URLs with a query, Base64 after a name, in logs,
//! headers, commands and files of settings.

import { parsed } from './values.js';

/** @import { Layer, Part } from './peel.js' */

const LONGEST = 256 << 10;
const MOST = 50;
/** Brackets that are tried in vain. */
const TRIES = 200;
const TOKEN = /(?<![\w.-])eyJ[\w-]{5,}\.[\w-]+\.[\w-]*(?![\w.-])/g;
const ADDRESS = /\bhttps?:\/\/[^\s"'<>`]+[?#][^\s"'<>`]+/g;
/** Base64 after a name: of settings, headers and flags. */
const NAMED =
  /(?:([\w.-]{1,60})["']?\s{0,3}[=:]\s{0,3}["']?(?:Basic )?|Basic |-(?:enc|e|EncodedCommand)\s+)([A-Za-z\d+/_-]{12,}={0,2})(?![\w+/=%.-])/gi;
const PEM = /-----BEGIN ([A-Z\d ]+)-----[^-]{20,}-----END \1-----/g;

/** Index after the bracket that closes the one at `start`, or -1. @param {string} text @param {number} start */
function closed(text, start) {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at++) {
    const mark = text[at];
    if (isString) {
      if (mark === '\\') at++;
      else if (mark === '"') isString = false;
    } else if (mark === '"') isString = true;
    else if (mark === '{' || mark === '[') depth++;
    else if (mark === '}' || mark === ']') {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** @typedef {{ start: number, end: number, content: string, name?: string }} Found */

/** JSON objects in a text. @param {string} text @returns {Found[]} */
function objects(text) {
  /** @type {Found[]} */
  const documents = [];
  let at = text.search(/\{\s*"/);
  for (let tries = 0; at >= 0 && tries < TRIES && documents.length < MOST; tries++) {
    const end = closed(text, at);
    const content = end < 0 ? '' : text.slice(at, end);
    const isObject = content !== '' && parsed(content) !== undefined;
    if (isObject) documents.push({ start: at, end, content });
    const from = isObject ? end : at + 1;
    const next = text.slice(from).search(/\{\s*"/);
    at = next < 0 ? -1 : from + next;
  }
  return documents;
}

/** @template T @param {Iterable<T>} all @param {number} most */
function first(all, most) {
  /** @type {T[]} */
  const some = [];
  for (const one of all) if (some.push(one) === most) break;
  return some;
}

/** @param {string} text @param {RegExp} pattern @param {number} [group] @returns {Found[]} */
const matches = (text, pattern, group = 0) =>
  first(text.matchAll(pattern), MOST).map((match) => {
    const content = match[group] ?? '';
    const end = match.index + match[0].length;
    return {
      start: end - content.length,
      end,
      content,
      ...(group > 0 && match[1] && { name: match[1] }),
    };
  });

/** The name before a place: `key=`, `key: `, `"key": `. @param {string} text @param {number} start */
const nameBefore = (text, start) =>
  /([\w.-]{1,60})["']?\s{0,3}[=:]\s{0,3}["']?(?:Bearer )?$/i.exec(
    text.slice(Math.max(0, start - 80), start),
  )?.[1] ?? '';

/** @param {string} text @returns {Layer | undefined} */
export function embedded(text) {
  if (text.length > LONGEST) return undefined;
  const all = [
    ...matches(text, PEM),
    ...objects(text),
    ...matches(text, TOKEN),
    ...matches(text, ADDRESS),
    ...matches(text, NAMED, 2),
  ];
  /** @type {Found[]} */
  const outer = [];
  for (const one of all) {
    const isWhole = one.start === 0 && one.end === text.length;
    if (!isWhole && !outer.some(({ start, end }) => one.start < end && start < one.end))
      outer.push(one);
  }
  if (outer.length === 0) return undefined;
  outer.sort((one, other) => one.start - other.start);
  const isLong = text.includes('\n');
  /** @type {Part[]} */
  const parts = outer.slice(0, MOST).map(({ start, content, name }) => {
    const line = text.slice(0, start).split('\n').length;
    return { label: (name ?? nameBefore(text, start)) || (isLong ? `line ${line}` : ''), content };
  });
  return { said: isLong ? `Text of ${text.split('\n').length} lines` : 'Text', parts };
}
