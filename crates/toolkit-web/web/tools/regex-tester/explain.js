//! A pattern in words, part by part: the syntax of JavaScript (ECMA-262). It explains a compiled
//! pattern, and checks nothing.

/** @typedef {{ depth: number, source: string, meaning: string, isText: boolean, group?: number }} Part */

/** What stands for characters and places. @type {Record<string, string>} */
export const SINGLE = {
  '.': 'any character but a line break',
  '\\d': 'a digit 0 to 9',
  '\\D': 'no digit 0 to 9',
  '\\w': 'a letter a to z, a digit or _',
  '\\W': 'no letter a to z, digit or _',
  '\\s': 'white space',
  '\\S': 'no white space',
  '\\n': 'a line feed',
  '\\r': 'a carriage return',
  '\\t': 'a tab',
  '\\v': 'a vertical tab',
  '\\f': 'a form feed',
  '\\0': 'the character U+0000',
  '[^]': 'any character',
  '[]': 'nothing: it never matches',
  '^': 'the start of the text',
  $: 'the end of the text',
  '\\b': 'the edge of a word',
  '\\B': 'not the edge of a word',
};

/** What groups mean by their beginning. @type {[begin: RegExp, meaning: string][]} */
const GROUPS = [
  [/^\((?:\?<(\w+)>)?$/, 'Group'],
  [/^\(\?:$/, 'Together'],
  [/^\(\?=$/, 'Followed by'],
  [/^\(\?!$/, 'Not followed by'],
  [/^\(\?<=$/, 'Preceded by'],
  [/^\(\?<!$/, 'Not preceded by'],
  [/^\(\?([a-z-]+):$/i, 'With the flags'],
];
/** @type {Record<string, string>} */
const TIMES = { '?': 'or nothing', '*': 'any number of times', '+': 'once or more' };

const TOKEN = new RegExp(
  [
    String.raw`(?<open>\((?:\?(?:[:=!]|<[=!]|<\w+>|[a-z-]+:))?)`,
    String.raw`(?<or>\|)`,
    String.raw`(?:(?<close>\))|(?<set>\[(?:\\.|[^\]\\])*\]?)|(?<escape>\\(?:[pP]\{[^{}]*\}|u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|k<[^<>]*>|[1-9]\d*|.))|(?<one>.))(?<times>(?:[?*+]|\{\d+(?:,\d*)?\})\??)?`,
  ].join('|'),
  'gisu',
);

/** @param {string} quantifier */
function times(quantifier) {
  const [, least, comma, most] = /^\{(\d+)(?:(,)(\d*))?\}/.exec(quantifier) ?? [];
  const range = most ? `${least || 0} to ${most} times` : `${least} times or more`;
  const isLazy = quantifier.length > 1 && quantifier.endsWith('?');
  const count = TIMES[quantifier.charAt(0)] ?? (comma ? range : `${least} times`);
  return `, ${count}${isLazy ? ', as few as possible' : ''}`;
}

/** @param {string} notation */
function escaped(notation) {
  const [, kind = '', name = ''] = /^\\([pPkxuc1-9])[{<]?(.*?)[}>]?$/su.exec(notation) ?? [];
  if (/p/i.test(kind) && name) return `${kind === 'P' ? 'no' : 'a'} character of ${name}`;
  if (/\d/.test(kind) || (kind === 'k' && name))
    return `the text of group ${kind === 'k' ? name : kind + name} again`;
  if (kind === 'c' && name) return `the control character ${name.toUpperCase()}`;
  if (kind && /^[\da-f]+$/i.test(name))
    return `the character U+${name.toUpperCase().padStart(4, '0')}`;
  return SINGLE[notation] ?? `"${notation.slice(1)}"`;
}

/** A class with its brackets. @param {string} source */
function ofClass(source) {
  const whole = SINGLE[source];
  if (whole) return whole;
  const [, not, inner = ''] = /^\[(\^?)(.*)\]$/s.exec(source) ?? [];
  const lead = not ? 'a character, but not' : 'one of';
  const parts = inner.match(
    /(?:\\[pP]\{[^{}]*\}|\\u\{[^{}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\?.)(?:-\\?[^\]])?/gisu,
  );
  const words = (parts ?? []).map((part) => {
    const [, first, last] = /^(\\?.)-(\\?.)$/su.exec(part) ?? [];
    if (first && last) return `${first} to ${last}`;
    return /^\\/.test(part) ? escaped(part) : part === ' ' ? 'space' : part;
  });
  return `${lead} ${words.join('; ')}`;
}

/** @param {string} one @param {string} flags */
function character(one, flags) {
  if (one === '.' && flags.includes('s')) return 'any character';
  if (/[$^]/.test(one) && flags.includes('m'))
    return one === '^' ? 'the start of a line' : 'the end of a line';
  return SINGLE[one];
}

/** The parts of a valid pattern, in order. @param {string} pattern @param {string} flags @returns {Part[]} */
export function explained(pattern, flags) {
  /** @type {Part[]} */
  const parts = [];
  /** @type {Part[]} */
  const open = [];
  let groups = 0;
  const add = (/** @type {string} */ source, /** @type {string} */ meaning, isText = false) =>
    parts.push({ depth: open.length, source, meaning, isText });
  for (const { 0: whole, groups: token = {} } of pattern.matchAll(TOKEN)) {
    const after = token.times ? times(token.times) : '';
    const last = parts.at(-1);
    if (token.or) add(whole, 'or');
    else if (token.open) {
      const [begin, lead = ''] = GROUPS.find(([begin]) => begin.test(whole)) ?? [];
      const name = begin?.exec(whole)?.[1] ?? '';
      add(
        whole,
        lead === 'Group' ? `Group ${++groups}${name && `, ${name}`}` : `${lead} ${name}`.trim(),
      );
      const part = /** @type {Part} */ (parts.at(-1));
      if (lead === 'Group') part.group = groups;
      open.push(part);
    } else if (token.close) {
      const group = open.pop();
      if (group)
        [group.source, group.meaning] = [`${group.source}…${whole}`, group.meaning + after];
    } else {
      const { set, escape: notation, one = '' } = token;
      const meaning = set ? ofClass(set) : notation ? escaped(notation) : character(one, flags);
      const isText = !meaning && !after;
      if (isText && last?.isText && last.depth === open.length) last.source += whole;
      else add(whole, (meaning ?? `"${one}"`) + after, isText);
      const text = parts.at(-1);
      if (text?.isText) text.meaning = text.source === ' ' ? 'a space' : `"${text.source}"`;
    }
  }
  return parts;
}
