//! Options of a curl command, long and short, with their values, and its URLs, in order.
import { PLAIN, SHORT, VALUED } from '../data/curl-options.js';
import { Fault } from './fault.js';

/** @import { Command } from './shell-words.js' */
/** @typedef {{ name: string, value: string, offset: number }} Option */

/** @param {string} typed @param {number} offset */
function longOption(typed, offset) {
  const positive = typed.replace(/^no-/, '');
  for (const [name, off] of /** @type {const} */ ([
    [typed, false],
    [positive, true],
  ])) {
    if (VALUED.has(name) && !off) return { name, valued: true };
    if (PLAIN.has(name))
      return { name: off && typed !== name ? `no-${name}` : name, valued: false };
  }
  const likely = [...VALUED, ...PLAIN].filter((name) => name.startsWith(typed));
  const [only] = likely;
  if (likely.length > 0 && only !== undefined) return { name: only, valued: VALUED.has(only) };
  return { name: undefined, valued: false, offset };
}

/** Options and URLs in order; warns of unknown options. @param {Command['words']} words @param {(sentence: string) => void} warn @returns {Option[]} */
export function optionsOf(words, warn) {
  /** @type {Option[]} */
  const found = [];
  let isOver = false;
  for (let at = 0; at < words.length; at++) {
    const { text, offset } = words[at] ?? { text: '', offset: 0 };
    /** @param {string} name */
    const next = (name) => {
      at += 1;
      const value = words[at];
      if (!value) throw new Fault(`has the option ${name} without its value`, { offset });
      return value.text;
    };
    if (isOver || text === '-' || !text.startsWith('-'))
      found.push({ name: 'url', value: text, offset });
    else if (text === '--') isOver = true;
    else if (text.startsWith('--')) {
      const [typed = '', ...given] = text.slice(2).split('=');
      const { name, valued } = longOption(typed, offset);
      if (name === undefined) warn(`The option --${typed} is not known and was left out.`);
      else
        found.push({
          name,
          value: valued ? (given.length ? given.join('=') : next(text)) : '',
          offset,
        });
    } else shortOptions(text, offset, next, found, warn);
  }
  return found;
}

/** `-sSL`, `-XPOST`, `-H 'a: b'`. @param {string} text @param {number} offset @param {(name: string) => string} next @param {Option[]} found @param {(sentence: string) => void} warn */
function shortOptions(text, offset, next, found, warn) {
  for (let at = 1; at < text.length; at++) {
    const letter = text.charAt(at);
    const name = SHORT[letter];
    if (name === undefined) {
      warn(`The option -${letter} is not known and was left out.`);
      continue;
    }
    if (!VALUED.has(name)) {
      found.push({ name, value: '', offset });
      continue;
    }
    const rest = text.slice(at + 1);
    found.push({ name, value: rest || next(`-${letter}`), offset });
    return;
  }
}
