//! HTML and XML character references: search, decoding and encoding.
//! Standards: WHATWG HTML §13.2.5.72 to §13.2.5.80; XML 1.0 §4.1.

import { encodeHTML, HtmlEntityDecoder } from '../../libraries/entities.js';

/**
 * A reference in a text, or an ampersand that looks like one but stands for itself (`text` is undefined).
 * `start` and `end` are UTF-16 indices.
 * @typedef {{ start: number, end: number, source: string, text: string | undefined, problem: string | undefined }} Reference
 */
/** @typedef {'text' | 'attribute' | 'xml'} Context */

// `DecodingMode` of `entities`: minification inlines its enum.
const MODES = { text: 0, attribute: 2 };
const LIKE = /&(?:#[xX][0-9a-fA-F]*|#[0-9]*|[A-Za-z][A-Za-z0-9]*)?;?/g;
const XML_NAMES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** @type {(text: string, context: Context) => Generator<Reference>} */
export function* references(text, context) {
  for (const { 0: source, index } of text.matchAll(LIKE)) {
    yield context === 'xml'
      ? xmlReference(source, index)
      : htmlReference(text, source, index, context);
  }
}

/** @type {(source: string, start: number) => Reference} */
function xmlReference(source, start) {
  const at = { start, end: start + source.length, source };
  const [, digits, name] = /^&(?:#(x[0-9a-fA-F]+|\d+)|([A-Za-z]\w*));$/.exec(source) ?? [];
  if (digits !== undefined) {
    const code = Number.parseInt(digits.replace('x', ''), digits.startsWith('x') ? 16 : 10);
    const text = isXmlCharacter(code) ? String.fromCodePoint(code) : undefined;
    return {
      ...at,
      text,
      problem: text === undefined ? 'is not a character that XML allows' : undefined,
    };
  }
  const text = XML_NAMES.get(name ?? '');
  if (text !== undefined) return { ...at, text, problem: undefined };
  if (name !== undefined) return { ...at, text, problem: 'is not one of the five names of XML' };
  return { ...at, text, problem: source.endsWith(';') ? 'has no digits' : 'has no semicolon' };
}

/** XML 1.0 §2.2. @param {number} code */
const isXmlCharacter = (code) =>
  code === 9 ||
  code === 10 ||
  code === 13 ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff);

/** @type {(text: string, source: string, start: number, context: 'text' | 'attribute') => Reference} */
function htmlReference(text, source, start, context) {
  let decoded = '';
  /** @type {string | undefined} */
  let problem;
  const decoder = new HtmlEntityDecoder(
    (code) => {
      decoded += String.fromCodePoint(code);
    },
    {
      missingSemicolonAfterCharacterReference: () => {
        problem ??= 'has no semicolon';
      },
      absenceOfDigitsInNumericCharacterReference: () => {
        problem = 'has no digits';
      },
      validateNumericCharacterReference: (code) => {
        problem = numericProblem(code) ?? problem;
      },
    },
  );
  decoder.startEntity(MODES[context]);
  // Includes the character after the name, which decides in attributes.
  const rest = text.slice(start + 1, start + source.length + 1);
  let consumed = decoder.write(rest, 0);
  if (consumed < 0) consumed = decoder.end();
  if (consumed > 0) {
    const end = start + consumed;
    return { start, end, source: text.slice(start, end), text: decoded, problem };
  }
  if (/^&[A-Za-z]\w*;$/.test(source)) problem ??= 'is not a name that HTML knows';
  return { start, end: start + source.length, source, text: undefined, problem };
}

/** @type {(code: number) => string | undefined} */
function numericProblem(code) {
  if (code === 0) return 'is the null character, which becomes U+FFFD';
  if (code > 0x10ffff) return 'is beyond U+10FFFF, and becomes U+FFFD';
  if (code >= 0xd800 && code <= 0xdfff) return 'is a surrogate, and becomes U+FFFD';
  if (code >= 0x80 && code <= 0x9f) return 'is a C1 control, read as Windows-1252';
  if ((code & 0xfffe) === 0xfffe || (code >= 0xfdd0 && code <= 0xfdef)) return 'is a noncharacter';
  if (code === 13 || (code < 0x20 && ![9, 10, 12].includes(code)) || code === 0x7f)
    return 'is a control character';
  return undefined;
}

/** The text with all references decoded. @param {string} text @param {Iterable<Reference>} list */
export function decode(text, list) {
  let [result, last] = ['', 0];
  for (const { start, end, text: decoded } of list) {
    if (decoded === undefined) continue;
    result += text.slice(last, start) + decoded;
    last = end;
  }
  return result + text.slice(last);
}

/** @typedef {'needed' | 'ascii' | 'all'} Extent @typedef {'names' | 'decimal' | 'hex'} Form */

/** @type {Record<Extent, RegExp>} */
const EXTENTS = {
  needed: /[&<>"']/g,
  ascii: /[&<>"']|[^\0-\x7f]/gu,
  all: /[^A-Za-z0-9]/gu,
};

/** @type {(text: string, extent: Extent, form: Form) => string} */
export function encode(text, extent, form) {
  /** @type {Map<string, string>} */
  const known = new Map();
  return text.replace(EXTENTS[extent], (character) => {
    const written = known.get(character) ?? encodeOne(character, form);
    known.set(character, written);
    return written;
  });
}

/** NUL, C1 controls and surrogates: references to them mean other characters. @param {number} code */
const hasNoReference = (code) =>
  code === 0 || (code >= 0x80 && code <= 0x9f) || (code >= 0xd800 && code <= 0xdfff);

/** @type {(character: string, form: Form) => string} */
function encodeOne(character, form) {
  const code = character.codePointAt(0) ?? 0;
  if (hasNoReference(code)) return character;
  if (form === 'decimal') return `&#${code};`;
  if (form === 'names') {
    const named = encodeHTML(character);
    if (/^&[A-Za-z]/.test(named)) return named;
  }
  return `&#x${code.toString(16).toUpperCase()};`;
}
