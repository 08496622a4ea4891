//! Certificates, keys and tokens as they lie around: taken out of what files of settings, programs, XML,
//! JSON and logs put around them. Standards: RFC 7468 for PEM, RFC 7517 §4.7 for `x5c`, XML Signature for
//! `X509Certificate`. Nothing is decrypted.

import { fromAnyBase64, fromHex, toBase64 } from '../lib/bytes.js';
import { utf8 } from '../lib/utf8.js';
import { attempt } from './tool.js';

/** @typedef {'certificate' | 'key' | 'token'} Kind */
/** @typedef {(text: string, kind: Kind) => string | undefined | false | ''} Step what is inside, if that is around it */

/** Base64 inside of Base64 inside of JSON: no file has more layers than this. */
const LAYERS = 6;
const BEGIN = '-----BEGIN ';
const TOKEN = /(?<![\w.-])[\w-]{8,}\.[\w-]*\.[\w-]*(?:\.[\w-]*\.[\w-]*)?(?![\w-])/g;
const CERTIFICATE_XML =
  /<(?:[\w-]+:)?(?:X509Certificate|BinarySecurityToken)\b[^>]*>((?:[^<]|<!\[CDATA\[)+)</g;

/** @param {string} label @param {string} digits */
const pem = (label, digits) => `${BEGIN}${label}-----\n${digits.trim()}\n-----END ${label}-----\n`;

/** @param {(string | undefined)[]} all Base64 of certificates */
const certificates = (all) =>
  all.length > 0 && all.map((one = '') => pem('CERTIFICATE', one)).join('');

/** Bytes of Base64, or undefined. @param {string} digits */
const bytesOf = (digits) => attempt(() => fromAnyBase64(digits));

/** A text in Base64, if it is one that is looked for. @param {string} digits @param {Kind} kind */
function textIn(digits, kind) {
  const bytes = bytesOf(digits);
  const text = bytes && utf8(bytes);
  const looked =
    kind === 'token' ? /^\s*(?:ey|ZXlK)/ : /-----BEGIN |LS0tLS1CRUdJTi|X509Certificate|"kty"|^ssh-/;
  return text !== undefined && looked.test(text) ? text : undefined;
}

/** The label of a key in DER, by its structure (RFC 5280, 5915, 5958, 8017). @param {Uint8Array} der */
function labelOf(der) {
  const [tag, length = 0] = der;
  const inner = der.subarray(length & 0x80 ? 2 + (length & 0x7f) : 2);
  if (tag !== 0x30) return undefined;
  if (inner[0] === 2 && inner[1] === 1)
    return { 48: 'PRIVATE KEY', 4: 'EC PRIVATE KEY' }[inner[3] ?? 0] ?? 'RSA PRIVATE KEY';
  if (inner[0] === 2) return 'RSA PUBLIC KEY';
  if (inner[0] !== 0x30) return undefined;
  // An algorithm is short; what a certificate holds is not.
  return (inner[1] ?? 0) < 0x40 ? 'PUBLIC KEY' : 'CERTIFICATE';
}

/** Bytes of a key or certificate as what the readers take. @param {Uint8Array | undefined} der @param {Kind} kind */
function armored(der, kind) {
  const label = der && labelOf(der);
  if (!label) return undefined;
  return kind === 'certificate' ? toBase64(der) : pem(label, toBase64(der));
}

/** The tokens of a text: what begins with a JSON object in Base64url. @param {string} text */
const tokensOf = (text) =>
  (text.match(TOKEN) ?? []).filter((one) => {
    const header = bytesOf(one.split('.')[0] ?? '');
    return header && utf8(header)?.trimStart().startsWith('{');
  });

const line = '[\\w+/-]+={0,2}';
/** PEM, XML or a token in Base64, also in lines. @param {string} start */
const encoded = (start) =>
  new RegExp(`(?<![\\w+/])${start}${line}(?:\\r?\\n[ \\t]*${line}(?=[ \\t]*(?:\\r?\\n|$)))*`, 'g');

/** What may be around, by the name that the warning gives it. @type {Record<string, Step>} */
const STEPS = {
  'line breaks': (text, kind) =>
    kind === 'token' &&
    /^[\w-]{8}[\w.-]*(?:[^\S\n]*\n\s*[\w.-]+)+$/.test(text) &&
    text.replaceAll(/\s/g, ''),
  'typographic dashes': (text) =>
    /[–—]\s*BEGIN [A-Z]/.test(text) &&
    text.replaceAll(
      /(?<![-–—])[-–—]{2,}\s*((?:BEGIN|END)(?: [A-Z0-9]+)+)\s*[-–—]{2,}/g,
      '-----$1-----',
    ),
  'escapes of a URL': (text) => {
    const [, space] = /-----BEGIN(%20|\+)/i.exec(text) ?? [];
    const spaced = space === '+' ? text.replaceAll('+', ' ') : text;
    const character = (/** @type {string} */ _, /** @type {string} */ code) =>
      String.fromCharCode(Number.parseInt(code, 16));
    return space && spaced.replaceAll(/%([\da-f]{2})/gi, character);
  },
  quotes: (text) =>
    /["'`]-----BEGIN /.test(text) &&
    text
      .replaceAll(/^.*?["'`](?=-----BEGIN )/gm, '')
      .replaceAll(/^[ \t]*["'`]/gm, '')
      .replaceAll(/(?<!\\[rn])(?:\\[rn])*["'`][ \t+\\;,.)]*$/gm, ''),
  'escapes of line breaks': (text) =>
    /-----BEGIN [A-Z0-9 ]+-----[^-]*\\/.test(text) &&
    text
      .replaceAll(/(?<!\\)\\+u00(2[bf]|3d)/gi, (_, code) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
      .replaceAll(/(?<!\\)\\+(?:[rn]|(?=\r?\n))/g, '\n')
      .replaceAll(/(?<!\\)\\+\//g, '/'),
  'marks before each line': (text) =>
    /^[ \t]*(?:>|#|\/\/|\||\*)[ \t]*-----BEGIN /m.test(text) &&
    text.replaceAll(/^[ \t]*(?:>|#|\/\/|\||\*)[ \t]*/gm, ''),
  XML: (text, kind) =>
    kind !== 'token' &&
    certificates(
      [...text.matchAll(CERTIFICATE_XML)].map(([, one = '']) =>
        one.replaceAll(/&#(?:13|10|x[da]);|<!\[CDATA\[|\]\]>/gi, ''),
      ),
    ),
  '`x5c` of a JWK': (text, kind) => {
    const [, list] = (kind === 'certificate' && /"x5c"\s*:\s*\[([^\]]*)\]/.exec(text)) || [];
    return (
      list !== undefined && certificates(list.replaceAll('\\', '').match(/[\w+/=]{20,}/g) ?? [])
    );
  },
  'a data URL': (text) => /^data:[^,]*;base64,(.+)$/s.exec(text)?.[1],
  Base64: (text, kind) => {
    if (text.includes(BEGIN)) return undefined;
    const marked = text.match(encoded(kind === 'token' ? 'ZX' : 'LS0tLS1CRUdJTi'));
    return (marked ?? [text]).flatMap((one) => textIn(one, kind) ?? []).join('\n');
  },
  'hexadecimal digits': (text, kind) => {
    const digits = text.replaceAll(/0x|\\x|[\s:,;{}-]/gi, '');
    const isDer = kind !== 'token' && /^30(?:[\da-f]{2}){20,}$/i.test(digits);
    return isDer && armored(fromHex(digits), kind);
  },
  'the text around it': (text, kind) => {
    if (kind === 'token') return tokensOf(text)[0];
    if (text.includes(BEGIN)) return undefined;
    const plain = text.replaceAll(/\\[rn]/g, '');
    const [digits = ''] = /(?<![\w+/])MI[A-Za-z0-9+/\s]{60,}={0,2}/.exec(plain) ?? [];
    return digits.trim() !== plain && armored(bytesOf(digits), kind);
  },
};

/**
 * What is inside of a text; says what was taken off.
 * @param {string} text @param {Kind} kind @param {(sentence: string) => void} warn
 */
export function unwrap(text, kind, warn) {
  /** @type {string[]} */
  const taken = [];
  let inner = text.trim();
  for (let layer = 0; layer < LAYERS; layer++) {
    for (const [name, step] of Object.entries(STEPS)) {
      const next = step(inner, kind);
      if (!next || next.trim() === inner) continue;
      const others = kind === 'token' ? tokensOf(inner).length - 1 : 0;
      taken.push(others > 0 ? `${name} (${others} other tokens too)` : name);
      inner = next.trim();
      break;
    }
  }
  if (taken.length > 0) warn(`Taken off before it was read: ${taken.join(', ')}.`);
  // A key without the lines of PEM, as Keycloak shows it.
  if (kind === 'key') inner = armored(bytesOf(inner), kind) ?? inner;
  return inner === text.trim() ? text : inner;
}
