//! TOML strings: basic and literal, on one or several lines.

/** @typedef {import('./toml.js').Reader} Reader */

const ESCAPES = /** @type {Record<string, string>} */ ({
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001b',
  '"': '"',
  '\\': '\\',
});
const CODES = /** @type {Record<string, number>} */ ({ x: 2, u: 4, U: 8 });
// biome-ignore lint/suspicious/noControlCharactersInRegex: TOML forbids them in strings
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** @param {Reader} reader @param {boolean} [multiline] whether three quotes are possible */
export function readLiteralString(reader, multiline = false) {
  if (multiline && reader.text.startsWith("'''", reader.at)) {
    const [content] = several(reader, "'''");
    return content;
  }
  const start = reader.at;
  const end = reader.text.indexOf("'", start + 1);
  const content = reader.text.slice(start + 1, end < 0 ? undefined : end);
  check(reader, content, start + 1, false);
  if (end < 0) reader.fail('has a text whose quote is never closed', start);
  reader.at = end + 1;
  return content;
}

/** @param {Reader} reader @param {boolean} [multiline] whether three quotes are possible */
export function readBasicString(reader, multiline = false) {
  if (multiline && reader.text.startsWith('"""', reader.at)) {
    const [content, start] = several(reader, '"""');
    return readEscapes(reader, content, start, true);
  }
  const start = reader.at;
  const end = closing(reader.text, start + 1, '"');
  const content = reader.text.slice(start + 1, end < 0 ? undefined : end);
  check(reader, content, start + 1, false);
  if (end < 0) reader.fail('has a text whose quote is never closed', start);
  reader.at = end + 1;
  return readEscapes(reader, content, start + 1, false);
}

/** Index of the unescaped closing quote. @param {string} text @param {number} from @param {string} quote */
function closing(text, from, quote) {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(quote, at)) return at;
  }
  return -1;
}

/** Content between three quotes, and its start. @param {Reader} reader @param {string} quote @returns {[string, number]} */
function several(reader, quote) {
  const { text } = reader;
  let start = reader.at + 3;
  if (text[start] === '\n') start += 1;
  else if (text.startsWith('\r\n', start)) start += 2;
  let end = quote === '"""' ? closing(text, start, quote) : text.indexOf(quote, start);
  if (end < 0) reader.fail('has a text whose three quotes are never closed');
  // Up to two quotes may precede the closing three.
  for (let more = 0; more < 2 && text[end + 3] === quote[0]; more += 1) end += 1;
  const content = text.slice(start, end);
  check(reader, content, start, true);
  reader.at = end + 3;
  return [content.replaceAll('\r\n', '\n'), start];
}

/** @param {Reader} reader @param {string} content @param {number} start @param {boolean} lines */
function check(reader, content, start, lines) {
  const found = content.search(CONTROL);
  const bare = content.search(lines ? /\r(?!\n)/ : /[\r\n]/);
  const at = found < 0 ? bare : bare < 0 ? found : Math.min(found, bare);
  if (at < 0) return;
  if (!lines && /[\r\n]/.test(content[at] ?? '')) {
    reader.fail('has a text whose quote is not closed on the same line', start - 1);
  }
  reader.fail('has a control character in a text', start + at);
}

/** @param {Reader} reader @param {string} content @param {number} start @param {boolean} lines */
function readEscapes(reader, content, start, lines) {
  if (!content.includes('\\')) return content;
  const pattern =
    /\\(?:x([\s\S]{0,2})|u([\s\S]{0,4})|U([\s\S]{0,8})|([ \t]*\n[ \t\n]*)|([\s\S]?))/g;
  return content.replaceAll(pattern, (whole, x, u, U, fold, letter, /** @type {number} */ at) => {
    if (fold !== undefined) return lines ? '' : reader.fail('has an unknown escape', start + at);
    const digits = x ?? u ?? U;
    if (digits === undefined) {
      return ESCAPES[letter] ?? reader.fail(`has the unknown escape "\\${letter}"`, start + at);
    }
    const point = Number.parseInt(digits, 16);
    const wrong = digits.length !== CODES[whole.charAt(1)] || !/^[0-9a-fA-F]+$/.test(digits);
    if (wrong || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
      reader.fail(`has the escape "${whole}", which is not a Unicode character`, start + at);
    }
    return String.fromCodePoint(point);
  });
}
