//! Text as digits of its bytes, UTF-16 units or code points, and back. Standard: RFC 3629.
import { choice, download, refuse, text, toggle, tool } from '../kit/tool.js';
import { fromDigits, toDigits } from '../lib/digits.js';
import { characterOffset } from '../lib/positions.js';

const SEPARATORS = { space: ' ', comma: ', ', line: '\n', none: '' };

/** @param {import('../kit/types.d.ts').TextValue} text @param {import('../lib/digits.js').Unit} unit */
function numbersOf(text, unit) {
  if (unit === 'byte') return text.bytes;
  const { raw } = text;
  if (unit === 'utf16') return Array.from({ length: raw.length }, (_, at) => raw.charCodeAt(at));
  return Array.from(raw, (character) => character.codePointAt(0) ?? 0);
}

/** Units as text, a chunk at a time. @param {number[]} numbers @param {(...numbers: number[]) => string} make */
function join(numbers, make) {
  const parts = [];
  for (let at = 0; at < numbers.length; at += 8192)
    parts.push(make(...numbers.slice(at, at + 8192)));
  return parts.join('');
}

export default tool({
  fields: {
    text: text('Text or file', { accepts: 'file', max: 4 << 20, help: 'At most 4 MiB.' }),
    mode: choice('Direction', { encode: 'To digits', decode: 'From digits' }),
    unit: choice('One group per', {
      byte: 'UTF-8 byte',
      utf16: 'UTF-16 unit',
      codepoint: 'Code point',
    }),
    base: choice('Digits', { 2: 'Binary', 8: 'Octal', 10: 'Decimal' }),
    separator: choice(
      'Separator',
      { space: 'Space', comma: 'Comma', line: 'Line', none: 'None' },
      { when: { mode: 'encode' } },
    ),
    pad: toggle('Leading zeros', { value: true, when: { mode: 'encode' } }),
    quads: toggle('Groups of four: 0100_0111', { when: { mode: 'encode', base: '2' } }),
    prefix: toggle('Prefix 0b or 0o', { when: { mode: 'encode', base: ['2', '8'] } }),
  },
  run({ text, mode, unit, separator, pad, quads, prefix, ...options }, context) {
    const base = /** @type {2 | 8 | 10} */ (Number(options.base));
    if (text.empty) return {};
    if (mode === 'encode') {
      if (separator === 'none' && !pad)
        refuse('separator', 'cannot be None without leading zeros', {
          hint: 'Groups of different length need a separator.',
        });
      const layout = { unit, base, separator: SEPARATORS[separator], pad, quads, prefix };
      return { digits: toDigits(numbersOf(text, unit), layout) };
    }
    const source = text.string;
    const numbers = fromDigits(source, { unit, base }, ({ offence, index, hint }) =>
      refuse('text', offence, { offset: characterOffset(source, index), hint }),
    );
    if (numbers.length === 0) return {};
    if (unit === 'utf16') return { text: join(numbers, String.fromCharCode) };
    if (unit === 'codepoint') return { text: join(numbers, String.fromCodePoint) };
    const bytes = Uint8Array.from(numbers);
    return { text: context.decodeText(bytes), file: download(bytes, { file: 'bytes.bin' }) };
  },
  labels: { file: 'Bytes' },
  examples: [
    { title: 'bytes', values: { text: 'Gü' }, outputs: { digits: '01000111 11000011 10111100' } },
    {
      title: 'code points in decimal',
      values: { text: '€😀', unit: 'codepoint', base: '10', pad: false },
      outputs: { digits: '8364 128512' },
    },
    {
      title: 'back to text',
      values: { text: '01000111 11000011 10111100', mode: 'decode' },
      outputs: { text: 'Gü' },
    },
  ],
});
