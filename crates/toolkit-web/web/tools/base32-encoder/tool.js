//! Base32 encoding and decoding. Standards: RFC 4648 §6 and §7; Crockford's; z-base-32.
import {
  choice,
  download,
  group,
  number,
  Refusal,
  refuse,
  text,
  toggle,
  tool,
} from '../../kit/tool.js';
import {
  checkSymbol,
  fromNumber,
  fromSymbols,
  padding,
  readSymbols,
  toBase32,
  toNumber,
} from '../../lib/base32.js';
import { inField } from '../../lib/positions.js';

const PADDED = ['standard', 'hex'];

/** @param {string} symbols @param {number | null} width */
const wrap = (symbols, width) =>
  width ? symbols.replace(new RegExp(`.{${width}}(?=.)`, 'g'), '$&\n') : symbols;

/** @param {import('../../kit/types.d.ts').TextValue} text */
function numberOf(text) {
  const digits = text.string.trim();
  if (!/^\d{1,10000}$/.test(digits))
    refuse('text', 'is not a whole number', { hint: 'Enter up to 10,000 digits.' });
  return BigInt(digits);
}

/** @param {string} source @param {{ padded: number, symbols: string }} read @param {(sentence: string) => void} warn */
function checkPadding(source, { padded, symbols }, warn) {
  const wanted = padding(symbols).length;
  if (padded === wanted) return;
  if (padded > 0)
    throw new Refusal(`ends in ${padded} "=" where ${wanted} are due`, {
      at: source.indexOf('='),
      hint: 'Leave the padding out, or complete it.',
    });
  warn('Missing padding was tolerated.');
}

/** @param {string} source @param {{ alphabet: import('../../lib/base32.js').Alphabet, check: boolean, number: boolean }} options @param {import('../../kit/types.d.ts').Context} context */
function decoded(source, { alphabet, check, number }, context) {
  const read = readSymbols(source, alphabet, check, context.warn);
  const { symbols, padded, check: given } = read;
  if (symbols === '' && padded === 0 && !given) return {};
  if (given && given.symbol !== checkSymbol(symbols))
    throw new Refusal(
      `The check symbol is "${given.symbol}" where "${checkSymbol(symbols)}" is due`,
      { at: given.index, hint: 'A symbol was mistyped or left out.' },
    );
  if (PADDED.includes(alphabet)) checkPadding(source, read, context.warn);
  else if (padded > 0 && !check)
    throw new Refusal('has padding, which this alphabet does not use', {
      at: source.indexOf('='),
    });
  if (number) return { number: String(toNumber(symbols)) };
  const bytes = fromSymbols(read, alphabet);
  return { text: context.decodeText(bytes), file: download(bytes, { file: 'bytes.bin' }) };
}

export default tool({
  fields: {
    text: text('Text or file', { accepts: 'file', max: 32 << 20 }),
    mode: choice('Direction', { encode: 'To Base32', decode: 'From Base32' }),
    alphabet: choice('Alphabet', {
      standard: 'Standard (RFC 4648)',
      hex: 'Hex (RFC 4648)',
      crockford: 'Crockford',
      zbase32: 'z-base-32',
    }),
    wrap: number('Symbols per line', {
      min: 1,
      max: 1000,
      help: 'Leave empty for one line.',
      when: { mode: 'encode' },
    }),
    ...group('Symbols', {
      pad: toggle('Padding', { value: true, when: { mode: 'encode', alphabet: PADDED } }),
      lower: toggle('Lowercase', {
        when: { mode: 'encode', alphabet: [...PADDED, 'crockford'] },
      }),
      check: toggle('Check symbol', { when: { alphabet: 'crockford' } }),
      number: toggle('Integer instead of text', { when: { alphabet: 'crockford' } }),
    }),
  },
  run({ text, mode, alphabet, wrap: width, pad, lower, check, number }, context) {
    if (text.empty) return {};
    if (mode === 'encode') {
      let symbols = number ? fromNumber(numberOf(text)) : toBase32(text.bytes, alphabet);
      if (check) symbols += checkSymbol(symbols);
      if (pad && PADDED.includes(alphabet)) symbols += padding(symbols);
      return { base32: wrap(lower ? symbols.toLowerCase() : symbols, width) };
    }
    return inField('text', text.string, () =>
      decoded(text.string, { alphabet, check, number }, context),
    );
  },
  labels: { file: 'Bytes' },
  examples: [
    { title: 'A text', values: { text: 'foobar' }, outputs: { base32: 'MZXW6YTBOI======' } },
    {
      title: 'A Crockford number with a check symbol',
      values: { text: '1234', alphabet: 'crockford', number: true, check: true },
    },
    {
      title: 'Back to text',
      values: { text: 'mzxw6ytb', mode: 'decode' },
    },
  ],
});
