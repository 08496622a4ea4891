//! Data URLs, their Base64 and their MIME types. Standards: WHATWG Fetch §6 (data: URLs), Infra §8
//! (forgiving Base64), MIME Sniffing §4.4 and §4.5 (parsing and serialising a MIME type).

import { Refusal } from '../kit/tool.js';
import { fromDigits, toUtf8 } from './bytes.js';
import { inPart } from './positions.js';

/** @type {(offence: string, at: number) => never} */
function fail(offence, at) {
  throw new Refusal(offence, { at, hint: 'Paste a data URL or Base64.' });
}

/** Forgiving Base64: white space and missing padding are allowed. @param {string} string */
export function decodeBase64(string) {
  const wrong = /[^A-Za-z\d+/=\t\n\f\r ]/u.exec(string);
  if (wrong) fail(`"${wrong[0]}" is not a character of Base64`, wrong.index);
  const [tail = ''] = /(?<![\t\n\f\r =])[\t\n\f\r =]*$/.exec(string) ?? [];
  const third = [...tail.matchAll(/=/g)].at(-3);
  const end = string.length - tail.length + (third ? third.index + 1 : 0);
  const early = string.slice(0, end).indexOf('=');
  if (early >= 0) fail('has a "=" before its end', early);
  const digits = string.slice(0, end).replace(/[\t\n\f\r ]+/g, '');
  const padding = string.slice(end).replace(/[^=]/g, '').length;
  if (digits.length % 4 === 1 || (padding > 0 && (digits.length + padding) % 4 !== 0))
    fail(
      `has ${digits.length + padding} characters of Base64, which no number of bytes gives`,
      end,
    );
  return fromDigits(digits);
}

/** Bytes of percent-encoded text (`%41`). @param {string} text */
function percentDecoded(text) {
  const bytes = toUtf8(text);
  const result = new Uint8Array(bytes.length);
  let size = 0;
  for (let at = 0; at < bytes.length; at++) {
    const digits =
      bytes[at] === 0x25 ? String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0) : '';
    const isByte = /^[\da-f]{2}$/i.test(digits);
    result[size++] = isByte ? Number.parseInt(digits, 16) : (bytes[at] ?? 0);
    if (isByte) at += 2;
  }
  return result.subarray(0, size);
}

/** Start and end of a text without surrounding controls and spaces. @param {string} text */
function innerRange(text) {
  let [start, end] = [0, text.length];
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return /** @type {const} */ ([start, end]);
}

/**
 * Type and bytes of a data URL.
 * @param {string} source
 * @returns {{ type: string, bytes: Uint8Array }}
 */
export function parseDataUrl(source) {
  const [start, end] = innerRange(source);
  if (!/^data:/i.test(source.slice(start))) fail('does not begin with "data:"', start);
  // After two slashes comes a host, which may be invalid.
  if (/^data:\/\//i.test(source.slice(start)) && !URL.canParse(source)) fail('is not a URL', start);
  // As the URL parser does: removes tabs, line ends, the fragment and trailing spaces.
  const url = source
    .slice(start, end)
    .replace(/[\t\n\r]/g, '')
    .replace(/#[\s\S]*$/, '');
  const comma = url.indexOf(',');
  if (comma < 0) fail('has no comma before its data', source.length);
  const head = url
    .slice(5, comma)
    .toWellFormed()
    .replace(/[\p{Cc}\u{a0}-\u{10ffff}]/gu, encodeURIComponent)
    .trim();
  const isBase64 = /; *base64$/i.exec(head);
  const media = head.replace(/; *base64$/i, '');
  const body = percentDecoded(url.slice(comma + 1));
  const type =
    parseMimeType(media.startsWith(';') ? `text/plain${media}` : media) ??
    'text/plain;charset=US-ASCII';
  if (isBase64 === null) return { type, bytes: body };
  const shift = source.indexOf(',', start) + 1;
  const plain = Array.from(body, (byte) => String.fromCharCode(byte)).join('');
  return { type, bytes: inPart(shift, () => decodeBase64(plain)) };
}

const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

/** A MIME type parsed and serialised, or undefined. @param {string} source */
export function parseMimeType(source) {
  const [essence = '', ...rest] = source
    .replace(/^[\t\n\r ]+|(?<![\t\n\r ])[\t\n\r ]+$/g, '')
    .split(';');
  const slash = essence.indexOf('/');
  const [type, subtype] = [
    essence.slice(0, slash),
    essence.slice(slash + 1).replace(/(?<![\t\n\r ])[\t\n\r ]+$/, ''),
  ];
  if (slash < 0 || !TOKEN.test(type) || !TOKEN.test(subtype)) return undefined;
  const parameters = mimeParameters(rest.join(';'));
  return (
    `${type}/${subtype}`.toLowerCase() +
    parameters
      .map(
        ([name, value]) =>
          `;${name}=${TOKEN.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`}`,
      )
      .join('')
  );
}

/** @param {string} source @returns {[string, string][]} */
function mimeParameters(source) {
  /** @type {Map<string, string>} */
  const parameters = new Map();
  const parts = /[\t\n\r ]*([^;=]*)(?:=(?:"((?:[^"\\]|\\[\s\S])*\\?)"?[^;]*|([^;]*)))?(?:;|$)/gy;
  for (const [all, name = '', quoted, plain] of source.matchAll(parts)) {
    if (all === '') break;
    const value =
      quoted === undefined
        ? plain?.replace(/(?<![\t\n\r ])[\t\n\r ]+$/, '')
        : quoted.replace(/\\([\s\S])/g, '$1');
    const key = name.toLowerCase();
    const isValue = value !== undefined && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
    if (
      TOKEN.test(key) &&
      isValue &&
      (value !== '' || quoted !== undefined) &&
      !parameters.has(key)
    )
      parameters.set(key, value);
  }
  return [...parameters];
}
