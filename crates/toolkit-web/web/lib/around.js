//! Surroundings of a copied value: quotes, brackets, a trailing comma or a code fence from a program, a document or a
//! log. Only for values that cannot begin or end with any of it.

/** @typedef {(sentence: string) => void} Warn */

const LONGEST = 1000;
const QUOTES = /^["'`´«»‘’‚‛“”„‟]+|["'`´«»‘’‚‛“”„‟]+$/g;
/** At the ends of a text. */
export const ZERO_WIDTH =
  /^[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+$/g;
const AROUND = {
  'a zero-width space': (/** @type {string} */ text) => text.replace(ZERO_WIDTH, ''),
  'a code fence': (/** @type {string} */ text) => inFence(text) ?? text,
  quotes: (/** @type {string} */ text) => text.replace(QUOTES, ''),
  'a comma or semicolon': (/** @type {string} */ text) => text.replace(/(?<![,;])[,;]+$/, ''),
  brackets: (/** @type {string} */ text) =>
    text.replace(/^\[(.*)\]$|^\((.*)\)$|^<(.*)>$/s, '$1$2$3'),
};

/** The text inside a single Markdown code block, whose end may be missing. @param {string} text */
export function inFence(text) {
  const [, fence, rest] = /^(```|~~~)[\w+.-]*[ \t]*\r?\n([\s\S]*)$/.exec(text.trimStart()) ?? [];
  if (fence === undefined || rest === undefined) return undefined;
  const [end, { length }] = [rest.trimEnd(), fence];
  const inside = end.endsWith(fence) ? end.slice(0, -length) : rest;
  return inside.includes(fence) ? undefined : inside;
}

const MARKS = '"\'`´«»‘’‚‛“”„‟';
const isString = (/** @type {string} */ text) => /^"(?:[^"\\\n]|\\.)*"$/.test(text);

/** Without certain characters at its end and, unless told otherwise, its start. @param {string} text @param {string} characters @param {boolean} [isBoth] */
function trimmed(text, characters, isBoth = true) {
  let [start, end] = [0, text.length];
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  while (isBoth && start < end && characters.includes(text.charAt(start))) start += 1;
  return text.slice(start, end);
}

/** What surrounds a document with brackets. @param {string} brackets @returns {Record<string, (text: string) => string>} */
const aroundDocument = (brackets) => ({
  'a zero-width space': AROUND['a zero-width space'],
  'a code fence': (text) => (/^\s*(?:```|~~~)/.test(text) ? (inFence(text) ?? text) : text),
  'a comma or semicolon': (text) => {
    const inside = trimmed(text, ',;', false);
    return (brackets + MARKS).includes(inside.slice(-1) || ' ') ? inside : text;
  },
  quotes: (text) => {
    const inside = trimmed(text, MARKS);
    const ends = [inside.charAt(0), inside.slice(-1)];
    const isDocument = ends.every((end) => end !== '' && brackets.includes(end));
    return isDocument && !(brackets === JSON_BRACKETS && isString(text)) ? inside : text;
  },
});

export const JSON_BRACKETS = '{}[]';

/** Strips what surrounds a document, with a warning: a code fence and, if it has brackets, quotes and a comma. Blanks replace it, so that positions stay, except before an XML declaration, which must come first. @param {string} text @param {Warn} warn @param {string} [brackets] */
export function documentOf(text, warn, brackets = '') {
  const { 'a code fence': fence, ...others } = aroundDocument(brackets);
  const steps = { 'a code fence': fence, ...(brackets && others) };
  const taken = new Set();
  let inside = text;
  for (let before; before !== inside; ) {
    before = inside;
    for (const [name, without] of Object.entries(steps)) {
      const typed = brackets ? inside.trim() : inside;
      inside = without?.(typed) ?? typed;
      if (inside !== typed) taken.add(name);
    }
  }
  if (taken.size === 0) return text;
  warn(`Left out around the text: ${[...taken].join(', ')}.`);
  const before = text.slice(0, text.lastIndexOf(inside));
  return inside.startsWith('<?xml') ? inside : before.replace(/\S/g, ' ') + inside;
}

/** Strips a value's surroundings, with a warning. @param {string} text @param {Warn} [warn] @param {string} [what] */
export function bareOf(text, warn = () => {}, what = 'value') {
  // A byte order mark is white space to `trim`.
  let rest = text.trim();
  const taken = new Set(/^\ufeff|\ufeff$/.test(text) ? ['a byte order mark'] : []);
  for (let before = ''; before !== rest && rest.length <= LONGEST; ) {
    before = rest;
    for (const [name, without] of Object.entries(AROUND)) {
      const inside = without(rest).trim();
      if (inside !== rest) taken.add(name);
      rest = inside;
    }
  }
  if (taken.size > 0) warn(`Left out around the ${what}: ${[...taken].join(', ')}.`);
  return rest;
}
