//! Options of a curl command, long and short, with their values, and its URLs, in order.
import { PLAIN, SHORT, VALUED } from '../../data/curl-options.js';
import { Refusal } from '../../kit/tool.js';

/** @import { Command } from '../../lib/shell-words.js' */
/** @typedef {{ name: string, value: string }} Option */

/** An option by its whole name, or by the beginning of it. @param {string} typed */
function longOption(typed) {
  const isOff = typed.startsWith('no-') && PLAIN.has(typed.slice(3));
  if (isOff || PLAIN.has(typed)) return { name: typed, valued: false };
  const name = VALUED.has(typed)
    ? typed
    : [...VALUED, ...PLAIN].find((name) => name.startsWith(typed));
  return { name, valued: name !== undefined && VALUED.has(name) };
}

/** `- X` and `-- data` as one word: nobody asks for the address "-". @param {Command['words']} words @param {(sentence: string) => void} warn */
function hyphensJoined(words, warn) {
  return words.flatMap((word, at) => {
    const [{ text: before = '' } = {}, { text: after = '' } = {}] = [words[at - 1], words[at + 1]];
    const joins = (/** @type {string} */ hyphens, /** @type {string} */ name) =>
      hyphens === '-'
        ? name.length === 1 && Object.hasOwn(SHORT, name)
        : hyphens === '--' && (VALUED.has(name) || PLAIN.has(name));
    if (joins(word.text, after)) return [];
    if (!joins(before, word.text)) return [word];
    warn(`"${before} ${word.text}" was read as "${before}${word.text}".`);
    return [{ ...word, text: before + word.text }];
  });
}

/** Options and URLs in order; warns of unknown options. @param {Command['words']} typed @param {(sentence: string) => void} warn @returns {Option[]} */
export function optionsOf(typed, warn) {
  const words = hyphensJoined(typed, warn);
  /** @type {Option[]} */
  const options = [];
  let isOver = false;
  for (let index = 0; index < words.length; index++) {
    const { text, at } = words[index] ?? { text: '', at: 0 };
    /** @param {string} name */
    const next = (name) => {
      index += 1;
      const value = words[index];
      if (!value) throw new Refusal(`has the option ${name} without its value`, { at });
      return value.text;
    };
    if (isOver || text === '-' || !text.startsWith('-')) options.push({ name: 'url', value: text });
    else if (text === '--') isOver = true;
    else if (text.startsWith('--')) {
      const [long = '', ...given] = text.slice(2).split('=');
      const { name, valued } = longOption(long);
      if (name === undefined) warn(`The option --${long} is not known and was left out.`);
      else
        options.push({
          name,
          value: valued ? (given.length ? given.join('=') : next(text)) : '',
        });
    } else shortOptions(text, next, options, warn);
  }
  return options;
}

/** `-sSL`, `-XPOST`, `-H 'a: b'`. @param {string} text @param {(name: string) => string} next @param {Option[]} options @param {(sentence: string) => void} warn */
function shortOptions(text, next, options, warn) {
  for (let at = 1; at < text.length; at++) {
    const letter = text.charAt(at);
    const name = SHORT[letter];
    if (name === undefined) {
      warn(`The option -${letter} is not known and was left out.`);
      continue;
    }
    if (!VALUED.has(name)) {
      options.push({ name, value: '' });
      continue;
    }
    const rest = text.slice(at + 1);
    options.push({ name, value: rest || next(`-${letter}`) });
    return;
  }
}
