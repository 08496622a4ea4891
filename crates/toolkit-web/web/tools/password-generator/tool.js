//! Passwords, passphrases and PINs. The word list is EFF's large one (CC BY 3.0 US).
import { choice, group, line, list, number, refuse, toggle, tool, view } from '../../kit/tool.js';
import { chooser } from '../../lib/random.js';
import {
  bitsOf,
  charactersOf,
  countWithEach,
  drawCharacters,
  drawWords,
  guessTime,
  SETS,
} from './passwords.js';

const characters = { kind: 'characters' };
const passphrase = { kind: 'passphrase' };

/** @param {Record<'lower' | 'upper' | 'digits' | 'symbols' | 'distinct', boolean> & Record<'own' | 'without', string>} values */
function setsOf({ lower, upper, digits, symbols, own, distinct, without }) {
  const unwanted = new Set(without);
  const chosen = [lower && SETS.lower, upper && SETS.upper, digits && SETS.digits, symbols && own];
  return chosen
    .filter((set) => typeof set === 'string')
    .map((set) => charactersOf(set, distinct).filter((one) => !unwanted.has(one)))
    .filter((set) => set.length > 0);
}

export default tool({
  secrets: true,
  start: true,
  more: 'own',
  verb: 'Generate',
  fields: {
    kind: choice('Kind', { characters: 'Characters', passphrase: 'Passphrase', pin: 'PIN' }),
    length: number('Length', { value: 20, min: 4, max: 256, slider: 64, when: characters }),
    pin: number('Digits', { value: 6, min: 3, max: 32, slider: 12, when: { kind: 'pin' } }),
    words: number('Words', { value: 6, min: 3, max: 20, slider: 12, when: passphrase }),
    count: number('Count', { value: 1, min: 1, max: 100 }),
    separator: line('Separator', { value: '-', max: 10, code: true, when: passphrase }),
    ...group('Characters', {
      lower: toggle('Lowercase', { value: true, when: characters }),
      upper: toggle('Uppercase', { value: true, when: characters }),
      digits: toggle('Digits', { value: true, when: characters }),
      symbols: toggle('Symbols', { value: true, when: characters }),
      distinct: toggle('No look-alikes (l, 1, I)', { when: characters }),
      each: toggle('At least one of each', { value: true, when: characters }),
    }),
    capitals: toggle('Capitalize words', { when: passphrase }),
    digit: toggle('Add a digit', { when: passphrase }),
    own: line('Symbols to use', {
      value: '!#$%&()*+,-./:;<=>?@[]^_{|}~',
      code: true,
      max: 200,
      when: { kind: 'characters', symbols: true },
    }),
    without: line('Excluded characters', { code: true, max: 200, when: characters }),
  },
  async run({ kind, count, length, pin, words, each, ...values }, context) {
    const choose = chooser(context.random);
    /** @type {() => string} */
    let draw;
    /** @type {number} */
    let bits;
    if (kind === 'passphrase') {
      const { default: wordList } = await import('../../libraries/eff-large-wordlist.js');
      const { separator, capitals, digit } = values;
      draw = () => drawWords(wordList, { words, separator, capitals, digit }, choose);
      bits = words * Math.log2(wordList.length) + (digit ? Math.log2(10 * words) : 0);
      if (separator === '' && !capitals)
        context.warn(
          'Without a separator, two choices can give the same phrase, so the entropy is slightly lower.',
        );
    } else if (kind === 'pin') {
      draw = () => drawCharacters([[...SETS.digits]], pin, false, choose);
      bits = pin * Math.log2(10);
    } else {
      const sets = setsOf(values);
      if (sets.length === 0)
        refuse('lower', 'and the other sets are off, or have no characters left', {
          hint: 'Turn on at least one.',
        });
      if (each && length < sets.length)
        refuse('length', `is ${length}, for ${sets.length} sets`, {
          hint: 'Choose a length with room for one character of each.',
        });
      draw = () => drawCharacters(sets, length, each, choose);
      bits = bitsOf(
        each ? countWithEach(sets, length) : BigInt(new Set(sets.flat()).size) ** BigInt(length),
      );
    }
    return {
      passwords: list(Array.from({ length: count }, draw), { tones: true }),
      strength: view({ bits: Number(bits.toFixed(1)), time: guessTime(bits) }),
    };
  },
  product: ({ kind, count }) => ({
    passwords: `${kind === 'pin' ? 'PIN' : 'password'}${count === 1 ? '' : 's'}`,
  }),
  examples: [
    {
      title: 'A PIN of four digits',
      values: { kind: 'pin', pin: 4 },
    },
    { title: 'Twenty characters', values: {} },
    { title: 'A passphrase of six words', values: { kind: 'passphrase' } },
  ],
});
