//! Where PCRE2 (PHP, grep -P and others), Python (`re`) and Go (`regexp`, RE2) read a pattern differently from JavaScript,
//! according to their documentation. It names only what occurs in the pattern or the text.

/** @typedef {string | undefined} Reading how an engine reads it; undefined: as here */
/** @typedef {[part: string, pcre: Reading, python: Reading, go: Reading]} Dialect */

const NONE = 'not known';
/** Notations that are read differently anywhere outside a class. @type {[RegExp, Reading, Reading, Reading][]} */
const NOTATIONS = [
  [
    /\(\?<[A-Za-z_$]\w*>/,
    undefined,
    'not known; write (?P<name>…)',
    'known since Go 1.22; (?P<name>…) always',
  ],
  [/\\k<\w+>/, undefined, 'not known; write (?P=name)', 'no text of a group again'],
  [/\\[1-9]\d?/, undefined, undefined, 'no text of a group again'],
  [/\(\?[=!]/, undefined, undefined, 'no look-ahead'],
  [/\(\?<[=!]/, undefined, undefined, 'no look-behind'],
  [
    /\\u\{[\da-f]+\}/i,
    'not known; write \\x{…}',
    'not known; write \\u or \\U with 4 or 8 digits',
    'not known; write \\x{…}',
  ],
  [/\\u[\da-f]{4}/i, 'not known; write \\x{…}', undefined, 'not known; write \\x{…}'],
  [/\\[pP]\{[^{}=]*=[^{}]*\}/, undefined, 'no Unicode classes', 'only by the value: \\p{Greek}'],
  [/\\[pP]\{[^{}=]*\}/, undefined, 'no Unicode classes', undefined],
  [/\\c[A-Za-z]/, undefined, NONE, NONE],
  [/\{,\d+\}/, 'at most so many times since 10.43', 'at most so many times', undefined],
  [
    /\{(?:\d*,)?(?:100[1-9]|10[1-9]\d|1[1-9]\d\d|[2-9]\d{3}|\d{5,})\}/,
    undefined,
    undefined,
    'more than 1000 times is refused',
  ],
  [/\\A/, 'the start of the text', 'the start of the text', 'the start of the text'],
  [/\\Z/, 'the end of the text, or before its last line feed', 'the end of the text', NONE],
  [/\\z/, 'the end of the text', 'the end of the text since 3.14', 'the end of the text'],
  [/\\[hH]/, 'white space within a line, or none', NONE, NONE],
  [/\\R/, 'a line break of any kind', NONE, NONE],
  [/\\K/, 'the match begins here', NONE, NONE],
  [/\\G/, 'where the last match ended', NONE, NONE],
  [/\\X/, 'a character with all that combines with it', NONE, NONE],
  [/\\Q/, 'literal up to \\E', NONE, 'literal up to \\E'],
  [/\\a/, 'the character U+0007', 'the character U+0007', 'the character U+0007'],
  [/\\e/, 'the character U+001B', NONE, NONE],
];

/** A pattern without escaped backslashes, its classes, and what is outside of them. @param {string} pattern */
function parted(pattern) {
  const bare = pattern.replace(/\\\\/g, '\u0001\u0001');
  const classes = bare.match(/(?<!\\)\[(?:\\[\s\S]|[^\]\\])*\]?/g) ?? [];
  return {
    bare,
    classes,
    outside: classes.reduce((rest, one) => rest.replace(one, '\u0001'), bare),
  };
}

/** The look-behinds of a pattern. @param {string} outside */
function* behind(outside) {
  for (const { index } of outside.matchAll(/\(\?<[=!]/g)) {
    let depth = 0;
    for (let at = index; at < outside.length; at++) {
      if (outside[at] === '\\') at++;
      else if (outside[at] === '(') depth++;
      else if (outside[at] === ')' && --depth === 0) {
        yield outside.slice(index, at + 1);
        break;
      }
    }
  }
}

/** @param {string} outside @param {(...one: Dialect) => void} add */
function addLookBehinds(outside, add) {
  for (const whole of behind(outside)) {
    const inner = whole
      .slice(4, -1)
      .replace(/\\[\s\S]/g, 'x')
      .replace(/\(\?(?:<?[=!]|:|<\w+>)/g, '(');
    if (/[*+]|\{\d+,\}/.test(inner))
      add(whole, 'refused: its length has no limit', 'refused: its length varies', undefined);
    else if (/\?|\{\d+,/.test(inner))
      add(
        whole,
        'refused before 10.43: its length varies',
        'refused: its length varies',
        undefined,
      );
    else if (inner.includes('|'))
      add(whole, undefined, 'refused unless all ways are of one length', undefined);
  }
}

/** @param {ReturnType<typeof parted>} parts @param {string} flags @param {string} text @param {(...one: Dialect) => void} add */
function addCharacters({ bare, classes, outside }, flags, text, add) {
  const isWide = /[^\0-\x7f]/.test(text + bare);
  const [set] = /\\[dwbDWB]/.exec(bare) ?? [];
  if (set && isWide) add(set, 'of ASCII, unless with UCP', 'of all scripts', undefined);
  const [space] = /\\[sS]/.exec(bare) ?? [];
  if (space && (isWide || text.includes('\v')))
    add(space, 'of ASCII, unless with UCP', 'without U+FEFF', 'of ASCII, without the vertical tab');
  const isBroken = /[\r\u2028\u2029]/.test(text);
  const feed = 'any character but a line feed';
  if (isBroken && /(?<!\\)\./.test(outside) && !flags.includes('s')) add('.', feed, feed, feed);
  if (/(?<!\\)[$^]/.test(outside) && flags.includes('m')) {
    const feeds = 'at line feeds alone';
    if (isBroken) add('^ and $', feeds, feeds, feeds);
  } else if (/(?<!\\)\$/.test(outside)) {
    const last = 'also before a line feed at the end';
    add('$', `${last}; \\z is not`, `${last}; \\Z is not`, undefined);
  }
  const posix = classes.find((one) => /^\[\^?\[:/.test(one));
  if (posix)
    add(posix, 'a class by its name, as in POSIX', undefined, 'a class by its name, as in POSIX');
  if (/(?<!\\)\[\^?\]/.test(bare)) {
    const first = 'a class that begins with ]';
    add('[] or [^]', first, first, first);
  }
}

/** @param {string} pattern @param {string} flags @param {string} text @returns {Dialect[]} */
export function dialects(pattern, flags, text) {
  const parts = parted(pattern);
  const { outside } = parts;
  /** @type {Dialect[]} */
  const found = [];
  const add = (/** @type {Dialect} */ ...one) => {
    if (!found.some(([part]) => part === one[0])) found.push(one);
  };
  for (const [notation, ...readings] of NOTATIONS) {
    const [part] = notation.exec(outside) ?? [];
    if (part) add(part, ...readings);
  }
  addLookBehinds(outside, add);
  addCharacters(parts, flags, text, add);
  if (/\\[1-9]|\\k</.test(outside) && /[|?*]|\{0/.test(outside.replace(/\(\?/g, '(')))
    add(
      'the text of a group that took no part',
      'no match, where here it is nothing',
      'no match, where here it is nothing',
      undefined,
    );
  const names = [...outside.matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) add(`the name ${twice} twice`, 'only with (?J)', 'refused', 'refused');
  if (flags.includes('v')) {
    const plain = 'no sets in classes: -- and && are characters';
    add('the flag v', plain, plain, plain);
  }
  if (flags.includes('y')) add('the flag y', 'write \\G', 'use match()', NONE);
  return found;
}
