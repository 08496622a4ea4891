//! NanoIDs of any size and alphabet, by the library of that name.

import { line, list, number, pairs, Refusal, tool } from '../../kit/tool.js';
import { inField } from '../../lib/positions.js';

const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const MOST = 255;

/** Distinct characters. @param {string} typed */
function alphabetOf(typed) {
  const characters = [...typed];
  const hint = `Give 2 to ${MOST} different characters.`;
  if (characters.length > MOST) throw new Refusal(`has over ${MOST} characters`, { hint });
  if (characters.length < 2) throw new Refusal('has one character', { hint });
  const repeated = characters.findIndex((one, at) => characters.indexOf(one) < at);
  if (repeated >= 0)
    throw new Refusal(`repeats ${characters[repeated]}`, {
      at: characters.slice(0, repeated).join('').length,
      hint,
    });
  return characters;
}

export default tool({
  verb: 'Generate',
  fields: {
    count: number('Count', { value: 1, min: 1, max: 1000 }),
    size: number('Size', { value: 21, min: 2, max: 256, unit: 'characters' }),
    alphabet: line('Alphabet', {
      code: true,
      help: 'Enter the characters to choose from. Leave empty for letters, digits, `_` and `-`.',
    }),
  },
  start: true,
  async run({ count, size, alphabet }, { random }) {
    const { customRandom } = await import('../../libraries/nanoid.js');
    const characters = inField('alphabet', alphabet, () => alphabetOf(alphabet || URL_SAFE));
    // The library counts UTF-16 units, so it draws indices of characters.
    const draw = customRandom(String.fromCharCode(...characters.keys()), size, random);
    const one = () => Array.from(draw(), (unit) => characters[unit.charCodeAt(0)]).join('');
    return {
      result: list(Array.from({ length: count }, one)),
      strength: pairs([['Random bits', Math.floor(size * Math.log2(characters.length))]]),
    };
  },
  product: ({ count }) => ({ result: count === 1 ? 'ID' : 'IDs' }),
  examples: [
    {
      title: 'A NanoID',
      values: {},
    },
    {
      title: 'Two NanoIDs of ten digits',
      values: { count: 2, size: 10, alphabet: '0123456789' },
    },
  ],
});
