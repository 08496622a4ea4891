//! Error messages for invalid YAML, worded like those of the service. They point at the mistake, which is often before the
//! position where the library stops. The scan for quotes and brackets is coarser than the grammar. It only selects the
//! message, not what is valid.

import { Refusal } from '../../kit/tool.js';
import { lineColumn } from '../positions.js';

/** @typedef {[cause: string, hint: string]} Words */

/** @type {Words} */
const NESTED = [
  'a mapping cannot begin here',
  'Quote a text with a colon and a space, or begin the mapping in a line of its own.',
];
/** @type {Words} */
const TAB = ['a tab indents', 'Use spaces.'];
const TOO_DEEP = /** @type {Words} */ ([
  'this line is indented more than the one above',
  'Align the two, or end the line above with `:`.',
]);
/** The library's message, its cause, and a hint. @type {[RegExp, ...Words][]} */
const CAUSES = [
  [/Nested mappings|block sequence may not be used as an implicit|same line with key/, ...NESTED],
  [/[Tt]abs? /, ...TAB],
  [
    /^All mapping items/,
    'a line does not belong to the mapping around it',
    'Indent it like the other keys, or deeper than the key above.',
  ],
  [
    /^All sequence items|without - indicator/,
    'a line does not belong to the sequence around it',
    'Indent it like the other keys of the item, or begin a new item with `- `.',
  ],
  [
    /followed by map values|Implicit keys|single line/,
    'expected `key: value`',
    'Add `: ` after the key, or indent the line if it continues the value above.',
  ],
  [/1024 chars/, 'a key that is longer than a line or 1024 characters', 'Begin it with `? `.'],
  [
    /within flow collections|Block collection cannot start/,
    'a sequence cannot begin here',
    'Begin each item in a line of its own, or quote the text.',
  ],
  [
    /^Unexpected flow-(?:seq|map)-end/,
    'a bracket closes what was not opened',
    'Remove it, or quote the text.',
  ],
  [
    /^Unexpected , |empty item/,
    'a value is missing',
    'Write it, remove what it belongs to, or quote a text of punctuation.',
  ],
  [
    /scalar header/,
    'a text begins in the line of its `|` or `>`',
    'Begin it in the next line, or quote it.',
  ],
  [
    /^Block scalar/,
    'a line of a block scalar is not indented like its first',
    'Indent it as deep, or write the depth as in `|2`.',
  ],
  [
    /^Comments must be/,
    'a comment right after something else',
    'Put a space before the `#`, or quote the text.',
  ],
  [
    /directives-end/,
    'a directive inside a document',
    'End the document with `...`, or quote a text that begins with `%`.',
  ],
  [
    /directive|YAML version/,
    'a directive of another form than `%YAML 1.2` or `%TAG !e! prefix`',
    'Write it so and once, or quote a text that begins with `%`.',
  ],
  [
    /separated from the next token/,
    'an anchor or a tag right before something else',
    'Put a space between them, or quote the text.',
  ],
  [
    /resolve tag|Unresolved tag/,
    'a tag with a handle that is not declared',
    'Declare it with a `%TAG` line before the document, or quote the text.',
  ],
  [
    /[Tt]ag/,
    'a tag of another form than `!name` or `!<uri>` with a space after it',
    'Write it so, or quote a text that begins with `!`.',
  ],
  [
    /[Aa]nchor|[Aa]lias/,
    'an anchor or alias without a name, or beside another',
    'Quote a text that begins with `&` or `*`.',
  ],
];

/** @param {string} text @param {number} at */
const startOfLine = (text, at) => text.lastIndexOf('\n', at - 1) + 1;
/** @param {string} text @param {number} at */
const lineFrom = (text, at) => /^.*/.exec(text.slice(at))?.[0] ?? '';
/** @param {string} line */
const depthOf = (line) => line.search(/[^ ]|$/);

/** A comment, bracket, quoted string, indicator or property. Plain scalars end differently inside brackets. */
const TOKEN = String.raw`#.*|[[{]|[\]}]|"(?:\\[\s\S]|[^"\\])*("?)|'(?:''|[^'])*('?)|[-?:,](?=\s)|[&*!][^\s,[\]{}]*|`;
const OUTSIDE = new RegExp(String.raw`${TOKEN}[^\s,[\]{}](?:(?!\s#|:\s).)*`, 'g');
const INSIDE = new RegExp(String.raw`${TOKEN}[^\s,[\]{}](?:(?!\s#|:\s)[^\n,[\]{}])*`, 'g');

/** The open brackets at a position, and the quote around it. With `once`, stops at the end of the first bracket. @param {string} text @param {number} until @param {number} [from] @param {boolean} [once] */
function openAt(text, until, from = 0, once = false) {
  /** @type {number[]} */
  const brackets = [];
  for (let at = from; ; ) {
    const token = brackets.length > 0 ? INSIDE : OUTSIDE;
    token.lastIndex = at;
    const found = token.exec(text);
    if (!found || found.index >= until) return { brackets };
    const [whole, ...quotes] = found;
    at = token.lastIndex;
    if (/^["']/.test(whole) && (at > until || !quotes.some(Boolean)))
      return { brackets, quote: found.index };
    if (/^[[{]$/.test(whole)) brackets.push(found.index);
    if (!/^[\]}]$/.test(whole)) continue;
    const opener = text[brackets.pop() ?? -1];
    if (once && brackets.length === 0) return { brackets, isClosed: `${opener}${whole}` };
  }
}

/** @param {string} text @param {number} bracket */
const isClosed = (text, bracket) =>
  ['[]', '{}'].includes(openAt(text, text.length, bracket, true).isClosed ?? '');

/** @param {string} text @param {number} at */
function placeOf(text, at) {
  const { line, column } = lineColumn(text, at);
  return `line ${line}, column ${column}`;
}

/** An unclosed quote, often caused by a line with too little indentation. @param {string} text @param {number} opener */
function openQuote(text, opener) {
  const depth = depthOf(lineFrom(text, startOfLine(text, opener)));
  const { line } = lineColumn(text, opener);
  const after = text.split('\n').slice(line);
  const at = after.findIndex((one) => one.trim() !== '' && depthOf(one) <= depth);
  const hint = at < 0 ? 'Close it.' : `Close it, or indent line ${line + at + 1} deeper.`;
  return { at: opener, cause: 'the quote that opens here is not closed', hint };
}

/** An unclosed bracket, or a line inside it that is not indented. @param {string} text @param {number} opener @param {number} at */
function openBracket(text, opener, at) {
  const open = text[opener];
  if (isClosed(text, opener)) {
    const start = startOfLine(text, at);
    if (/^ *\t/.test(text.slice(start))) return { at: start, cause: TAB[0], hint: TAB[1] };
    const cause = `a line inside the \`${open}\` that opens at ${placeOf(text, opener)} is not indented deeper than its block`;
    return { at, cause, hint: 'Indent it.' };
  }
  const { line } = lineColumn(text, at);
  const isLater = line > lineColumn(text, opener).line && text.slice(at).trim() !== '';
  const hint = `End it with \`${open === '[' ? ']' : '}'}\`${isLater ? ` before line ${line}` : ''}.`;
  return { at: opener, cause: `the \`${open}\` that opens here is not closed`, hint };
}

/** Text after the end of a value. @param {string} text @param {number} at @param {number | undefined} bracket the open one */
function goesOn(text, at, bracket) {
  const quote = /["']$/.exec(text.slice(0, at).trimEnd())?.[0];
  const cause = quote
    ? 'a text goes on after its closing quote'
    : 'a text goes on after the end of a value';
  if (bracket === undefined)
    return {
      ...{ at, cause },
      hint: quote
        ? quote === '"'
          ? 'Write a double quote inside double quotes as `\\"`.'
          : 'Write a single quote inside single quotes twice.'
        : 'Quote the whole text.',
    };
  if (quote && /["']/.test(text[at] ?? ''))
    return {
      ...{ at, cause },
      hint: "Put a comma or a colon between them, or write a quote inside quotes as `\\\"` or `''`.",
    };
  if (!isClosed(text, bracket)) return openBracket(text, bracket, at);
  const [open, close] = text[bracket] === '[' ? '[]' : '{}';
  const where = `the \`${open}\` opens at ${placeOf(text, bracket)}`;
  return {
    ...{ at, cause: `a comma or \`${close}\` is missing` },
    hint: `Write it, or quote the text; ${where}.`,
  };
}

/** An invalid escape. @param {string} text @param {number} at */
function escaped(text, at) {
  const hint = 'Double the backslash, or use single quotes.';
  const kind = text[at + 1] ?? '';
  const digits = { x: 2, u: 4, U: 8 }[kind];
  const code = text.slice(at + 2, at + 2 + (digits ?? 0));
  if (digits && new RegExp(`^[\\da-f]{${digits}}$`, 'i').test(code))
    return {
      at,
      cause: `\`\\${kind}${code}\` does not denote a character`,
      hint: 'Write one up to 10FFFF.',
    };
  const cause = digits
    ? `\`\\${kind}\` without its ${digits} hexadecimal digits`
    : /[!-~]/.test(kind)
      ? `\`\\${kind}\` is not an escape`
      : 'a backslash begins no escape';
  return { at, cause, hint };
}

/** A line that is not `key: value`, or a key in the wrong place. @param {string} text @param {number} at @param {string} message */
function misplaced(text, at, message) {
  const start = startOfLine(text, at);
  const line = lineFrom(text, start);
  const first = start + depthOf(line);
  if (/^Nested mappings/.test(message)) {
    const next = start + line.length + 1;
    const [below, depth] = [lineFrom(text, next), depthOf(lineFrom(text, next))];
    // If the value seems to continue on the next line, that line is the mistake.
    if (/:(?:\s|$)/.test(below) && depth > depthOf(line) && !/:\s/.test(line.slice(at - start)))
      return { at: next + depth, cause: TOO_DEEP[0], hint: TOO_DEEP[1] };
    return undefined;
  }
  const above = text.slice(0, Math.max(0, start - 1));
  const isDeeper = depthOf(line) > depthOf(lineFrom(above, startOfLine(above, above.length)));
  if (/^All mapping items/.test(message) && isDeeper)
    return { at: first, cause: TOO_DEEP[0], hint: TOO_DEEP[1] };
  if (/^- /.test(text.slice(first)) && start > 0)
    return {
      at: first,
      cause: 'an item stands where a key should',
      hint: 'Indent it like the other items, or give the mapping a key for them.',
    };
  const colon = /^[a-z][\w. -]*(?=:(?!\s|$|\/\/))/i.exec(line.trimStart())?.[0].length;
  if (colon !== undefined && !/^All/.test(message))
    return {
      at: first + colon,
      cause: 'a colon without a space after it',
      hint: 'Put a space after it, or quote the text.',
    };
  return undefined;
}

/** The mistake, if the text tells more than the library's message. @param {string} message @param {number} at @param {string} text */
function found(message, at, text) {
  const { brackets, quote } = openAt(text, at);
  const bracket = brackets.at(-1);
  if (/^Missing closing/.test(message)) {
    const opener = quote ?? text.lastIndexOf(message.includes('"') ? '"' : "'", at - 1);
    return openQuote(text, opener);
  }
  if (bracket !== undefined && /end with a [\]}]/.test(message))
    return openBracket(text, bracket, at);
  if (/escape sequence/.test(message)) return escaped(text, at);
  if (/^Plain value cannot start/.test(message))
    return {
      at,
      cause:
        text[at] === '`'
          ? 'a backquote cannot begin a text'
          : `\`${text[at]}\` cannot begin a text`,
      hint: 'Quote the text.',
    };
  if (/at node end|^Missing , /.test(message)) return goesOn(text, at, bracket);
  const start = startOfLine(text, at);
  if (/^Block scalar/.test(message) && /^ *\t/.test(text.slice(start)))
    return { at: start, cause: TAB[0], hint: TAB[1] };
  return /^Nested|^All mapping|mplicit/.test(message) ? misplaced(text, at, message) : undefined;
}

/** @param {{ message: string, pos: [number, number] }} defect of the library @param {string} text */
export function faultOf({ message, pos: [at] }, text) {
  const known = found(message, at, text);
  const [, cause, hint] = CAUSES.find(([pattern]) => pattern.test(message)) ?? [
    ...[/./, 'something is of another form than YAML 1.2 allows', 'Quote the text.'],
  ];
  return new Refusal(`is not valid YAML: ${known?.cause ?? cause}`, {
    at: known?.at ?? at,
    hint: String(known?.hint ?? hint),
  });
}
