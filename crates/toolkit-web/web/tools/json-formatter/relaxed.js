//! JSON5, JSON with comments, and dicts of Python, converted to JSON token by token. The JSON parser checks the result.
//! Standard: JSON5 1.0. Digits stay as they are written.

// A line comment includes everything up to the line's end, and a block comment its own end, so no text can be read in two ways.
const TOKEN =
  /(\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)|("(?:[^"\\\n\r]|\\(?:\r\n|[\s\S]))*")|('(?:[^'\\\n\r]|\\(?:\r\n|[\s\S]))*')|(,)(?=\s*(?:(?:\/\/[^\n\r]*(?:[\n\r]|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)\s*)*[\]}])|([-+]?(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?))(?![\w$.])|([\p{L}_$][\p{L}\p{N}_$]*)|(\s+)|("(?:[^"\\\n\r]|\\(?:\r\n|[\s\S]))*|'(?:[^'\\\n\r]|\\(?:\r\n|[\s\S]))*|[\s\S])/giuy;

/** Words of Python, as `print` and `str` write dicts. @type {Record<string, string>} */
const PYTHON = { True: 'true', False: 'false', None: 'null' };

/** Whether a key ends at an index: a colon follows. @param {string} text @param {number} end */
const isName = (text, end) =>
  /^\s*(?:(?:\/\/[^\n\r]*(?:[\n\r]|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)\s*)*:/.test(
    text.slice(end, end + 200),
  );

/** A JSON5 string as JSON. @param {string} written */
function string(written) {
  const inner = written
    .slice(1, -1)
    .replace(/\\(\r\n|u[\da-f]{4}|x[\da-f]{2}|[\s\S])|"|\p{Cc}/giu, (part, after = '') => {
      if (/^[\r\n\u2028\u2029]/.test(after)) return '';
      if (/^x/i.test(after)) return `\\u00${after.slice(1)}`;
      if (/^[bfnrt"\\/]$|^u./.test(after)) return part;
      const meant = after === 'v' ? '\v' : after === '0' ? '\0' : after || part;
      return JSON.stringify(meant).slice(1, -1);
    });
  return `"${inner}"`;
}

/** A JSON5 number as JSON. @param {string} written */
function number(written) {
  const [, sign = '', digits = ''] = /^([-+]?)(.*)$/.exec(written) ?? [];
  const plain = /^0x/i.test(digits)
    ? String(BigInt(digits))
    : digits.replace(/^\./, '0.').replace(/\.(?!\d)/, '');
  return (sign === '-' ? '-' : '') + plain;
}

/**
 * A text with everything that JSON lacks converted, and what that was. Undefined if there is none.
 * @param {string} text
 */
export function relaxed(text) {
  /** @type {Set<string>} */
  const changes = new Set();
  /** @type {string[]} */
  const parts = [];
  for (const match of text.matchAll(TOKEN)) {
    const [whole, comment, double, single, comma, digits, word] = match;
    /** @param {string} exchanged @param {string} what */
    const put = (exchanged, what) => {
      parts.push(exchanged);
      if (exchanged !== whole) changes.add(what);
    };
    if (comment) put('', 'comments');
    else if (comma) put('', 'trailing commas');
    else if (single) put(string(whole), 'single-quoted strings');
    else if (double) put(string(whole), 'JSON5 escapes');
    else if (digits) put(number(whole), 'JSON5 numbers');
    // Other words, such as NaN, stay: JSON cannot express them.
    else if (word && isName(text, match.index + whole.length)) put(`"${whole}"`, 'unquoted keys');
    else if (word && Object.hasOwn(PYTHON, whole)) put(PYTHON[whole] ?? '', 'words of Python');
    else parts.push(whole);
  }
  return changes.size > 0 ? { text: parts.join(''), changes: [...changes] } : undefined;
}
