//! Extracts certificates, keys and tokens from settings files, source code, XML, JSON and logs. Standards: RFC 7468 for PEM, RFC 7517 §4.7 for `x5c`, XML Signature for
//! `X509Certificate`. Nothing is decrypted.

import { fromAnyBase64, fromHex, toBase64 } from '../lib/bytes.js';
import { utf8 } from '../lib/utf8.js';
import { attempt } from './tool.js';

/** @typedef {'certificate' | 'key' | 'token'} Kind */
/** @typedef {(text: string, kind: Kind) => string | undefined | false | ''} Step the inner text, if this step applies */

/** Maximum number of layers, such as Base64 in Base64 in JSON. */
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

/** Decodes Base64 if it contains the wanted kind. @param {string} digits @param {Kind} kind */
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
  // An algorithm identifier is short, the content of a certificate is not.
  return (inner[1] ?? 0) < 0x40 ? 'PUBLIC KEY' : 'CERTIFICATE';
}

/** Bytes of a key or certificate in the form that the readers accept. @param {Uint8Array | undefined} der @param {Kind} kind */
function armored(der, kind) {
  const label = der && labelOf(der);
  if (!label) return undefined;
  return kind === 'certificate' ? toBase64(der) : pem(label, toBase64(der));
}

/** Tokens in a text, which start with a Base64url-encoded JSON object. @param {string} text */
const tokensOf = (text) =>
  (text.match(TOKEN) ?? []).filter((one) => {
    const header = bytesOf(one.split('.')[0] ?? '');
    return header && utf8(header)?.trimStart().startsWith('{');
  });

/** Lengths of a signature in Base64, by what its algorithm begins with. @type {Record<string, number[]>} */
const SIGNATURES = {
  ...{ HS256: [43], HS384: [64], HS512: [86] },
  ...{ ES256: [86], ES384: [128], ES512: [176], EdDSA: [86] },
  ...{ RS: [342, 512, 683], PS: [342, 512, 683] },
};
const NEXT_LINE = /^[ \t]*\r?\n\s*([\w.=-]+)(?=[ \t]*\r?(?:\n|$)|[ \t]*["'`,;&)}\]<\\])/;

/** Joins the lines of a token within other text: up to the last of its parts, and those of the signature if a closing quote follows, or if they complete the length of its algorithm. @param {string} text */
function joinedWithin(text) {
  const found = /(?<![\w.-])eyJ[\w.=-]*/.exec(text);
  if (!found) return undefined;
  let [token] = found;
  let rest = text.slice(found.index + token.length);
  /** @type {[end: number, rest: string][]} */
  const ends = [[token.length, rest]];
  for (let next = NEXT_LINE.exec(rest); next; next = NEXT_LINE.exec(rest)) {
    token += next[1];
    rest = rest.slice(next[0].length);
    ends.push([token.length, rest]);
  }
  const bytes = bytesOf(token.split('.')[0] ?? '');
  const header = (bytes && utf8(bytes)) ?? '';
  const [, lengths = []] =
    Object.entries(SIGNATURES).find(([name]) => header.includes(`"${name}`)) ?? [];
  const dots = [...token.matchAll(/\./g)].map(({ index }) => index);
  const wanted = header.includes('"enc"') ? 4 : 2;
  const last = (dots[wanted - 1] ?? token.length) + 1;
  const beyond = dots[wanted] ?? token.length;
  const [first, ...others] = ends.filter(([end]) => end >= last);
  const isLast = ([end, after] = /** @type {[number, string]} */ ([0, ''])) =>
    end <= beyond && (/^["'`]/.test(after) || lengths.includes(end - last));
  const [end, after] = others.findLast((one) => isLast(one)) ?? first ?? [0, ''];
  return end > found[0].length && text.slice(0, found.index) + token.slice(0, end) + after;
}

const line = '[\\w+/-]+={0,2}';
/** Base64-encoded PEM, XML or token, possibly wrapped. @param {string} start */
const encoded = (start) =>
  new RegExp(`(?<![\\w+/])${start}${line}(?:\\r?\\n[ \\t]*${line}(?=[ \\t]*(?:\\r?\\n|$)))*`, 'g');

/** Wrappers, by their name in the warning. @type {Record<string, Step>} */
const STEPS = {
  'line breaks': (text, kind) =>
    kind === 'token' &&
    (/^[\w-]{8}[\w.-]*(?:[^\S\n]*\n\s*[\w.-]+)+$/.test(text)
      ? text.replaceAll(/\s/g, '')
      : joinedWithin(text)),
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
 * Unwraps a text, and warns about what was removed.
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
  // A key without PEM header and footer, as Keycloak shows it.
  if (kind === 'key') inner = armored(bytesOf(inner), kind) ?? inner;
  return inner === text.trim() ? text : inner;
}
