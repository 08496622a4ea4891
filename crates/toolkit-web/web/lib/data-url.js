//! Data URLs and their Base64. Standards: WHATWG Fetch §6 (data: URLs), Infra §8 (forgiving Base64),
//! MIME Sniffing §4.4 (a MIME type, without its parameters).

import { Refusal } from '../kit/tool.js';
import { fromDigits } from './bytes.js';
import { inPart } from './positions.js';

const ESSENCE = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+(?= *(?:;|$))/;

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

/**
 * Type, without parameters, and bytes of a data URL.
 * @param {string} source
 * @returns {{ type: string, bytes: Uint8Array }}
 */
export function parseDataUrl(source) {
  const start = source.search(/[!-\u{10ffff}]|$/u);
  if (!/^data:/i.test(source.slice(start))) fail('does not begin with "data:"', start);
  // After two slashes comes a host, which may be invalid.
  if (/^data:\/\//i.test(source.slice(start)) && !URL.canParse(source)) fail('is not a URL', start);
  // As the URL parser does: removes spaces at the end, tabs, line ends and the fragment, and encodes other letters.
  const url = source
    .slice(start)
    .replace(/(?<=[!-\u{10ffff}])[^!-\u{10ffff}]+$/u, '')
    .replace(/[\t\n\r]/g, '')
    .replace(/#[\s\S]*$/, '')
    .toWellFormed()
    .replace(/[\p{Cc}\u{a0}-\u{10ffff}]/gu, encodeURIComponent);
  const comma = url.indexOf(',');
  if (comma < 0) fail('has no comma before its data', source.length);
  const head = url.slice(5, comma).trim();
  const isBase64 = /; *base64$/i.test(head);
  const [essence = 'text/plain'] = ESSENCE.exec(head.replace(/; *base64$/i, '')) ?? [];
  const type = essence.toLowerCase();
  // A letter for each byte.
  const plain = url
    .slice(comma + 1)
    .replace(/%[\da-f]{2}/gi, (one) => String.fromCharCode(Number(`0x${one.slice(1)}`)));
  if (!isBase64) return { type, bytes: Uint8Array.from(plain, (one) => one.charCodeAt(0)) };
  const shift = source.indexOf(',', start) + 1;
  return { type, bytes: inPart(shift, () => decodeBase64(plain)) };
}
