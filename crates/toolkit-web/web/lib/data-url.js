//! Data URLs, their Base64 and their MIME types. Standards: WHATWG Fetch §6 (data: URLs), Infra §8
//! (forgiving Base64), MIME Sniffing §4.4 and §4.5 (parsing and serialising a MIME type).

/** @typedef {(offence: string, offset: number) => never} Fail */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map(Array.from(ALPHABET, (character, value) => [character, value]));

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  let result = '';
  // 24,573 is a multiple of three, so the pieces join without padding.
  for (let at = 0; at < bytes.length; at += 24_573)
    result += btoa(String.fromCharCode(.../** @type {any} */ (bytes.subarray(at, at + 24_573))));
  return result;
}

/** Forgiving Base64: white space and missing padding are allowed. @param {string} string @param {Fail} fail */
export function decodeBase64(string, fail) {
  const wrong = /[^A-Za-z\d+/=\t\n\f\r ]/u.exec(string);
  if (wrong) fail(`"${wrong[0]}" is not a character of Base64`, wrong.index);
  const end = string.search(/[\t\n\f\r ]*(?:=[\t\n\f\r ]*){0,2}$/);
  const early = string.slice(0, end).indexOf('=');
  if (early >= 0) fail('has a "=" before its end', early);
  const digits = string.slice(0, end).replace(/[\t\n\f\r ]+/g, '');
  const padding = string.slice(end).replace(/[^=]/g, '').length;
  if (digits.length % 4 === 1 || (padding > 0 && (digits.length + padding) % 4 !== 0))
    fail(
      `has ${digits.length + padding} characters of Base64, which no number of bytes gives`,
      end,
    );
  return bytesOf(digits);
}

/** @param {string} digits */
function bytesOf(digits) {
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let [bits, count, at] = [0, 0, 0];
  for (let index = 0; index < digits.length; index++) {
    bits = ((bits << 6) | (VALUES.get(digits.charAt(index)) ?? 0)) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes[at++] = (bits >> count) & 255;
    }
  }
  return bytes;
}

/** Bytes of percent-encoded text (`%41`). @param {string} text */
function percentDecoded(text) {
  const bytes = new TextEncoder().encode(text);
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
 * @param {string} source @param {Fail} fail
 * @returns {{ type: string, bytes: Uint8Array }}
 */
export function parseDataUrl(source, fail) {
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
  return { type, bytes: decodeBase64(plain, (offence, offset) => fail(offence, shift + offset)) };
}

const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

/** A MIME type parsed and serialised, or undefined. @param {string} source */
export function parseMimeType(source) {
  const [essence = '', ...rest] = source.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '').split(';');
  const slash = essence.indexOf('/');
  const [type, subtype] = [
    essence.slice(0, slash),
    essence.slice(slash + 1).replace(/[\t\n\r ]+$/, ''),
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
  const found = new Map();
  const parts = /[\t\n\r ]*([^;=]*)(?:=(?:"((?:[^"\\]|\\[\s\S])*\\?)"?[^;]*|([^;]*)))?(?:;|$)/gy;
  for (const [all, name = '', quoted, plain] of source.matchAll(parts)) {
    if (all === '') break;
    const value =
      quoted === undefined
        ? plain?.replace(/[\t\n\r ]+$/, '')
        : quoted.replace(/\\([\s\S])/g, '$1');
    const key = name.toLowerCase();
    const isValue = value !== undefined && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
    if (TOKEN.test(key) && isValue && (value !== '' || quoted !== undefined) && !found.has(key))
      found.set(key, value);
  }
  return [...found];
}
