//! Bytes as hexadecimal digits, and back; what bytes are that are no text, with gzip and zlib unpacked. Standard: RFC
//! 4648 §8.
import { choice, download, number, text, textOutput, toggle, tool } from '../../kit/tool.js';
import { toBase64, toHex } from '../../lib/bytes.js';
import { knownOutputs } from '../../lib/known-bytes.js';
import { inField, lineColumn } from '../../lib/positions.js';
import { utf8 } from '../../lib/utf8.js';
import { CHARSETS, decode, encode } from './charsets.js';
import { fromHex, toC, toDump } from './hex.js';

const LAYOUTS = {
  plain: {},
  spaced: { between: ' ' },
  colon: { between: ':' },
  prefix: { before: '0x', between: ' ' },
  escape: { before: '\\x' },
};

/** A C identifier derived from the file name. @param {string} [file] */
const nameOf = (file) => (file ?? 'bytes').replace(/^(?=\d)|\W/g, '_');

export default tool({
  fields: {
    text: text('Text or file', {
      accepts: 'file',
      max: 32 << 20,
      help: 'To decode, enter digits in any format, also `hexdump -C`.',
    }),
    mode: choice('Direction', { encode: 'To hex', decode: 'From hex' }),
    charset: choice('Text encoding', CHARSETS, { help: 'Files are read as bytes.' }),
    format: choice(
      'Format',
      {
        plain: 'Plain: 4f6b',
        spaced: 'Spaced: 4f 6b',
        colon: 'Colons: 4f:6b',
        prefix: 'Prefix: 0x4f 0x6b',
        escape: 'Escaped: \\x4f\\x6b',
        c: 'C array',
        xxd: 'xxd dump',
      },
      { when: { mode: 'encode' } },
    ),
    upper: toggle('Uppercase', { when: { mode: 'encode' } }),
    per_line: number('Bytes per line', {
      min: 1,
      max: 256,
      help: 'Leave empty for one line, 12 in an array, 16 in a dump.',
      when: { mode: 'encode' },
    }),
  },
  async run({ text, mode, charset, format, per_line: perLine, upper }, context) {
    if (mode === 'encode') {
      const bytes = inField('text', text.file ? '' : text.raw, () => encode(text, charset));
      if (bytes.length === 0) return {};
      if (format === 'xxd') return { hex: toDump(bytes, { upper, perLine: perLine ?? 16 }) };
      const name = nameOf(text.file?.name);
      if (format === 'c')
        return {
          hex: textOutput(toC(bytes, { upper, perLine: perLine ?? 12, name }), {
            file: `${name}.h`,
          }),
        };
      return { hex: toHex(bytes, { ...LAYOUTS[format], upper, perLine }) };
    }
    const source = text.string;
    const bytes = inField('text', source, () => fromHex(source, context.warn), lineColumn);
    if (bytes.length === 0) return {};
    const shown = utf8(bytes) === undefined ? await knownOutputs(bytes) : undefined;
    const base64 = toBase64(bytes);
    return {
      ...shown?.outputs,
      text: decode(bytes, charset, context),
      base64: shown?.opened(base64) ?? base64,
      file: shown?.file ?? download(bytes, { file: 'bytes.bin' }),
    };
  },
  labels: { hex: 'Hexadecimal', file: 'Bytes', unpacked: 'Unpacked text' },
  examples: [
    { title: 'A text', values: { text: 'Grüße' }, outputs: { hex: '4772c3bcc39f65' } },
    {
      title: 'A dump',
      values: { text: 'Grüße', format: 'xxd' },
    },
    {
      title: 'An array in C',
      values: { text: 'OK', format: 'c' },
    },
    {
      title: 'Back to text',
      values: { text: '0x47 0x72 0xc3 0xbc', mode: 'decode' },
    },
  ],
});
