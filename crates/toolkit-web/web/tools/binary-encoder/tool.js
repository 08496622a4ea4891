//! Text to digits of its bytes, UTF-16 units or code points, and back; numbers in other bases. Standard: RFC 3629.
import { choice, download, number, Refusal, refuse, text, toggle, tool } from '../../kit/tool.js';
import { toHex } from '../../lib/bytes.js';
import { characterOffset, inField } from '../../lib/positions.js';
import { notUtf8At } from '../../lib/utf8.js';
import { fromDigits, toDigits } from './digits.js';
import { inBases } from './radix.js';

const BASE = { min: 2, max: 36, when: { mode: 'number' } };
const TEXT = { when: { mode: ['encode', 'decode'] } };
const SEPARATORS = { space: ' ', comma: ', ', line: '\n', none: '' };

/** @import { Unit } from './digits.js' */

/** @param {import('../../kit/types.d.ts').TextValue} text @param {Unit} unit */
function numbersOf(text, unit) {
  if (unit === 'byte') return text.bytes;
  const { raw } = text;
  if (unit === 'utf16') return Array.from({ length: raw.length }, (_, at) => raw.charCodeAt(at));
  return Array.from(raw, (character) => character.codePointAt(0) ?? 0);
}

/** @param {string} source @param {{ unit: Unit, base: 2 | 8 | 10 }} layout @param {import('../../kit/types.d.ts').Context} context */
function decoded(source, layout, context) {
  const groups = fromDigits(source, layout);
  const numbers = groups.map(({ number }) => number);
  if (numbers.length === 0) return {};
  if (layout.unit === 'byte') {
    const bytes = Uint8Array.from(numbers);
    const file = download(bytes, { file: 'bytes.bin' });
    const wrong = groups[notUtf8At(bytes)];
    if (wrong === undefined) return { text: context.decodeText(bytes), file };
    const place = characterOffset(source, wrong.index);
    context.warn(
      `The bytes are not UTF-8 text from character ${place + 1} on; they are shown as hexadecimal digits.`,
    );
    return { text: toHex(bytes, { between: ' ' }), file };
  }
  // A number below 65,536 is the same as a unit and as a code point.
  const string = numbers.map((number) => String.fromCodePoint(number)).join('');
  const lone = /\p{Cs}/u.exec(string)?.index;
  if (lone === undefined) return { text: string };
  let length = 0;
  const half = groups.find(({ number }) => {
    length += number > 0xffff ? 2 : 1;
    return length > lone;
  });
  throw new Refusal(
    `The number ${half?.number.toString(layout.base)} is half of a surrogate pair`,
    {
      at: half?.index ?? 0,
      hint: 'In UTF-16 D800 to DBFF and DC00 to DFFF stand together, and for one character.',
    },
  );
}

export default tool({
  more: 'pad',
  fields: {
    text: text('Text or file', { accepts: 'file', max: 4 << 20 }),
    mode: choice('Direction', {
      encode: 'To digits',
      decode: 'From digits',
      number: 'Number to another base',
    }),
    from: number('Base of the number', { value: 10, ...BASE }),
    to: number('Target base', { value: 2, ...BASE }),
    unit: choice(
      'Grouping',
      { byte: 'UTF-8 byte', utf16: 'UTF-16 unit', codepoint: 'Code point' },
      TEXT,
    ),
    base: choice('Digits', { 2: 'Binary', 8: 'Octal', 10: 'Decimal' }, TEXT),
    separator: choice(
      'Separator',
      { space: 'Space', comma: 'Comma', line: 'Line', none: 'None' },
      { when: { mode: 'encode' } },
    ),
    pad: toggle('Leading zeros', { value: true, when: { mode: 'encode' } }),
    quads: toggle('Groups of four (0100_0111)', { when: { mode: 'encode', base: '2' } }),
    prefix: toggle('Prefix 0b or 0o', { when: { mode: 'encode', base: ['2', '8'] } }),
  },
  run({ text, mode, unit, separator, pad, quads, prefix, from, to, ...options }, context) {
    const base = /** @type {2 | 8 | 10} */ (Number(options.base));
    if (text.empty) return {};
    if (mode === 'number')
      return inField('text', text.string, () => inBases(text.string, from ?? 10, to ?? 2));
    if (mode === 'encode') {
      if (separator === 'none' && !pad)
        refuse('separator', 'cannot be None without leading zeros', {
          hint: 'Groups of different length need a separator.',
        });
      const layout = { unit, base, separator: SEPARATORS[separator], pad, quads, prefix };
      return { digits: toDigits(numbersOf(text, unit), layout) };
    }
    return inField('text', text.string, () => decoded(text.string, { unit, base }, context));
  },
  labels: { file: 'Bytes' },
  examples: [
    { title: 'Bytes', values: { text: 'Gü' }, outputs: { digits: '01000111 11000011 10111100' } },
    {
      title: 'Code points in decimal',
      values: { text: '€😀', unit: 'codepoint', base: '10', pad: false },
    },
    {
      title: 'Back to text',
      values: { text: '01000111 11000011 10111100', mode: 'decode' },
    },
    {
      title: 'A number in base 36',
      values: { text: '0xDEAD_BEEF', mode: 'number', from: 16, to: 36 },
    },
  ],
});
