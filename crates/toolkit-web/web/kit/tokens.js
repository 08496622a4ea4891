//! Tokens to color in results: names, strings, numbers, keywords and comments.

const SCRIPT =
  'as|async|await|break|case|catch|class|const|continue|default|delete|do|else|enum|export|extends|false|finally|for|from|function|if|implements|import|in|instanceof|interface|let|new|null|of|readonly|return|static|super|switch|this|throw|true|try|type|typeof|undefined|var|void|while|yield';
const SQL =
  'add|all|alter|and|as|asc|begin|between|by|case|column|commit|constraint|create|cross|default|delete|desc|distinct|drop|else|end|exists|foreign|from|full|group|having|if|in|index|inner|insert|into|is|join|key|left|like|limit|not|null|offset|on|or|order|outer|primary|references|returning|right|rollback|select|set|table|then|union|unique|update|using|values|view|when|where|with';
/** An unclosed string is matched once, and is not a token. */
const STRING = String.raw`(?<!\w)(?:(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|"(?:[^"\\\n]|\\.)*|'(?:[^'\\\n]|\\.)*)`;
const BLOCK = String.raw`\/\*[\s\S]*?(?:\*\/|(?![\s\S]))`;
const NUMBER = String.raw`(?<number>(?<![\w.#])-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b)`;
const WORD = String.raw`(?<word>\b(?:true|false|null)\b)`;

/** @param {string[]} parts @param {string} [flags] */
const language = (parts, flags = '') => new RegExp(parts.join('|'), `gm${flags}`);
const markup = language([
  String.raw`(?<comment><!--[\s\S]*?(?:-->|(?![\s\S]))|<[!?][^>]*>?)`,
  String.raw`(?<name><\/?[\w:.-]+|\/?>)`,
  String.raw`(?<word>(?<![\w:.-])[\w:.-]+(?==["']))`,
  `(?<string>(?<==)(?:"[^"]*"|'[^']*'))`,
]);
const json = language([STRING, NUMBER, WORD]);

/** The tokens of each kind that lib/detect knows. @type {Record<string, RegExp>} */
const LANGUAGES = {
  json,
  records: json,
  jsonLines: json,
  yaml: language([
    String.raw`(?<comment>(?:^|\s)#.*)`,
    String.raw`(?<name>^[ -]*(?:"[^"\n]*"|[^\s"'#{[-][^:#\n]*?)(?=:(?:\s|$)))`,
    STRING,
    NUMBER,
    WORD,
  ]),
  toml: language([
    '(?<comment>#.*)',
    String.raw`(?<name>^[ \t]*(?:\[.*\]|[\w."-]+(?=[ \t]*=)))`,
    STRING,
    NUMBER,
    WORD,
  ]),
  xml: markup,
  svg: markup,
  html: markup,
  css: language([
    `(?<comment>${BLOCK})`,
    String.raw`[{;]\s*(?<name>[\w-]+)(?=\s*:)`,
    STRING,
    String.raw`(?<number>#[\da-f]{3,8}\b|(?<![\w-])-?\d*\.?\d+(?:%|[a-z]+)?)`,
    String.raw`(?<word>@[\w-]+|!important)`,
  ]),
  javascript: language([
    `(?<comment>//.*|${BLOCK})`,
    STRING,
    String.raw`(?<template>${'`'}(?:[^${'`'}\\]|\\[\s\S])*${'`'}?)`,
    NUMBER,
    String.raw`(?<word>\b(?:${SCRIPT})\b)`,
  ]),
  sql: language(
    [`(?<comment>--.*|${BLOCK})`, STRING, NUMBER, String.raw`(?<word>\b(?:${SQL})\b)`],
    'i',
  ),
  markdown: language([
    '(?<comment>^>.*)',
    '(?<name>^#{1,6} .*)',
    '(?<string>`[^`\\n]+`)',
    String.raw`(?<word>\*\*[^*\n]+\*\*|\]\([^()\n]*\))`,
  ]),
};
/** Longer texts are not colored. */
const LONGEST = 200_000;
const MOST_TOKENS = 20_000;
/** Kinds in which a string before a colon is a name. */
const NAMES = ['json', 'records', 'jsonLines'];
/** @typedef {[name: string, start: number, end: number]} Token */

/** The tokens of a text. @param {string} kind @param {string} text @returns {Token[]} */
export function tokens(kind, text) {
  /** @type {Token[]} */
  const colored = [];
  const pattern = LANGUAGES[kind];
  if (!pattern || text.length > LONGEST) return colored;
  for (const { index, 0: whole, groups = {} } of text.matchAll(pattern)) {
    const [name = '', token = ''] =
      Object.entries(groups).find(([, one]) => one !== undefined) ?? [];
    if (name === '') continue;
    const end = index + whole.length;
    const isName =
      name === 'string' && NAMES.includes(kind) && /^\s{0,100}:/.test(text.slice(end, end + 101));
    const shown = isName ? 'name' : name === 'template' ? 'string' : name;
    colored.push([shown, end - token.length, end]);
    if (colored.length === MOST_TOKENS) break;
  }
  return colored;
}
