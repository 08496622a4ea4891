//! Error messages for invalid JSON: names the usual mistake where there is one.

import { Refusal } from '../../kit/tool.js';

/** @type {[RegExp, string][]} */
const MISTAKES = [
  [/^'/, 'has a text in single quotes; JSON takes double quotes only'],
  [/^(?:\/\/|\/\*|#)/, 'has a comment; JSON has none'],
  [/^[-+]?(?:NaN|Infinity)\b/, 'has NaN or Infinity, which JSON cannot express'],
  [/^(?:True|False|None)\b/, 'has a word of Python; JSON writes true, false and null'],
  [/^undefined\b/, 'has undefined, which JSON cannot express'],
  [/^-?0[0-9]/, 'has a number with a leading zero'],
  [/^-?0[xXbBoO]/, 'has a number that is not decimal'],
  [/^\+/, 'has a number with a plus sign'],
  [/^-?\./, 'has a number that begins with a point'],
  [/^-?[0-9]+\.(?![0-9])/, 'has a number without digits after the point'],
  [/^-?[0-9.]+[eE][+-]?(?![0-9])/, 'has a number without digits in its exponent'],
  [/^;/, 'has a semicolon; JSON separates with commas'],
  [/^`/, 'has a text in backticks; JSON takes double quotes only'],
  [/^[“”„]/, 'has typographic quotes; JSON takes the straight double quote only'],
];

/**
 * The error at `at`, in words that follow the name of a field.
 * @param {string} text
 * @param {number} at
 * @param {string} [expected]
 */
export function describeDefect(text, at, expected) {
  if (expected === 'a closing quote' || expected === 'an escape') return stringDefect(text, at);
  if (at >= text.length)
    return new Refusal(`ends too early: ${expected ?? 'a value'} is missing`, { at });
  const rest = text.slice(at, at + 80);
  const comma = /,\s*$/.exec(text.slice(Math.max(0, at - 80), at));
  if ((rest[0] === ']' || rest[0] === '}') && comma) {
    return new Refusal('has a comma after the last item', { at: at - comma[0].length });
  }
  for (const [pattern, message] of MISTAKES) {
    if (pattern.test(rest)) return new Refusal(message, { at });
  }
  if (expected === 'a name in quotes' && /^[\p{L}_$]/u.test(rest)) {
    return new Refusal('has a name without double quotes', { at });
  }
  const character = quoteCharacter(text, at);
  if (expected === undefined)
    return new Refusal(`goes on with ${character} after the end of the document`, { at });
  return new Refusal(`has ${character} where ${expected} belongs`, { at });
}

/** @param {string} text @param {number} at */
function stringDefect(text, at) {
  if (at >= text.length) {
    return new Refusal('ends inside a text: the closing quote is missing', { at });
  }
  if (text[at] === '\\') {
    return new Refusal(`has the unknown escape "\\${text[at + 1] ?? ''}"`, { at });
  }
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  return new Refusal(
    `has the control character U+${code} in a text; write it as \\u${code.toLowerCase()}`,
    { at },
  );
}

/** A character as quoted in a sentence. @param {string} text @param {number} at */
function quoteCharacter(text, at) {
  const point = text.codePointAt(at);
  if (point === undefined) return 'the end';
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(String.fromCodePoint(point))
    ? `"${String.fromCodePoint(point)}"`
    : code;
}
