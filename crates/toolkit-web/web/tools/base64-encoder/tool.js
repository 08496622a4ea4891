//! Base64, and back; what bytes are that are no text, with gzip and zlib unpacked. Standard: RFC 4648 §4 and §5; data
//! URLs: RFC 2397.

import { choice, download, Refusal, text, toggle, tool } from '../../kit/tool.js';
import { fromAnyBase64, toBase64, toBase64Url, toHex } from '../../lib/bytes.js';
import { knownOutputs } from '../../lib/known-bytes.js';
import { inField, inPart } from '../../lib/positions.js';
import { utf8 } from '../../lib/utf8.js';

/** Longer results are a file: a page cannot show them. */
const SHOWN_BYTES = 16 << 20;
/** Of a larger file, encoded at once: a multiple of three, so that the parts fit together. */
const PART_BYTES = 3 << 20;
const SPACE = /[\t\n\f\r ]/g;

/** @param {Uint8Array} bytes @param {(bytes: Uint8Array) => string} write @param {string} head */
function encoded(bytes, write, head) {
  if (bytes.length <= SHOWN_BYTES) return { result: head + write(bytes) };
  const parts = [head];
  for (let at = 0; at < bytes.length; at += PART_BYTES)
    parts.push(write(bytes.subarray(at, at + PART_BYTES)));
  return { file: download(new Blob(parts), { file: 'base64.txt', type: 'text/plain' }) };
}

/** Index at which the Base64 begins: after the head of a data URL. @param {string} typed @param {(sentence: string) => void} warn */
function startOf(typed, warn) {
  if (!/^[\t\n\f\r ]*data:/i.test(typed)) return 0;
  const comma = typed.indexOf(',');
  if (comma < 0) throw new Refusal('is a data: URL without a comma and data');
  if (!/; *base64 *$/i.test(typed.slice(0, comma)))
    throw new Refusal('is a data: URL whose data is not Base64', {
      hint: 'Its head must end in `;base64`; decode the part after the comma as a URL.',
    });
  warn('The head of a data: URL was taken off.');
  return comma + 1;
}

/** @param {string} typed @param {string} alphabet @param {(sentence: string) => void} warn */
function decoded(typed, alphabet, warn) {
  const excluded = { true: /[+/]/, false: /[-_]/ }[alphabet]?.exec(typed);
  if (excluded)
    throw new Refusal(`has "${excluded[0]}", which is not in the alphabet that is chosen`, {
      at: excluded.index,
      hint: 'Automatic reads either alphabet.',
    });
  const isUrl = alphabet === 'true' || /[-_]/.test(typed);
  const packed = typed.replace(SPACE, '');
  const digits = packed.replace(/={1,2}$/, '').length;
  const padding = packed.length - digits;
  const complete = -digits & 3;
  if (padding > complete && digits % 4 !== 1)
    throw new Refusal('has a "=" too many', {
      at: typed.lastIndexOf('='),
      hint: 'One or two of them fill up the last four characters.',
    });
  const bytes = fromAnyBase64(typed.replaceAll('\f', ' '));
  if (packed.length < typed.length) warn('White space in the Base64 text was dropped.');
  if (padding < complete && (!isUrl || padding > 0))
    warn('Missing padding (`=`) was added at the end of the Base64 text.');
  return bytes;
}

export default tool({
  fields: {
    text: text('Text or file', { accepts: 'file', max: Number.MAX_SAFE_INTEGER }),
    mode: choice('Direction', { encode: 'Encode', decode: 'Decode' }),
    url_safe: choice(
      'Alphabet',
      { '': 'Automatic', false: 'Standard (+ and /)', true: 'URL-safe (- and _)' },
      { help: 'Automatic encodes in the standard alphabet and decodes either.' },
    ),
    data_url: toggle('Data URL', { when: { mode: 'encode' } }),
  },
  labels: { unpacked: 'Unpacked text' },
  // The service writes no data URLs.
  call: ({ data_url, ...others }) => (data_url && others.mode === 'encode' ? undefined : others),
  limits: { seconds: 600 },
  async run({ text, mode, url_safe, data_url }, { warn }) {
    if (text.empty) return {};
    if (mode === 'encode') {
      if (data_url && url_safe === 'true') warn('Data URLs have the standard alphabet.');
      const type = text.file
        ? text.file.type || 'application/octet-stream'
        : 'text/plain;charset=utf-8';
      const write = url_safe === 'true' && !data_url ? toBase64Url : toBase64;
      return encoded(text.bytes, write, data_url ? `data:${type};base64,` : '');
    }
    const typed = text.string;
    const bytes = inField('text', typed, () => {
      const start = startOf(typed, warn);
      return inPart(start, () => decoded(typed.slice(start), url_safe, warn));
    });
    if (bytes.length > SHOWN_BYTES) return { file: download(bytes, { file: 'decoded.bin' }) };
    const result = utf8(bytes);
    if (result !== undefined) return { result };
    const { outputs, file, opened } = await knownOutputs(bytes, SHOWN_BYTES);
    warn('The bytes are not UTF-8 text; they are shown as hexadecimal digits.');
    return { ...outputs, result: opened(toHex(bytes)), file };
  },
  examples: [
    {
      title: 'Text to Base64',
      values: { text: 'Grüße' },
      outputs: { result: 'R3LDvMOfZQ==' },
    },
    {
      title: 'Text to Base64 that is safe in a URL',
      values: { text: 'a?>', url_safe: 'true' },
    },
    {
      title: 'Text as a data URL',
      values: { text: 'Grüße', data_url: true },
    },
    {
      title: 'Base64 of either alphabet to text',
      values: { text: 'YT8-', mode: 'decode' },
    },
    {
      title: 'Base64 of gzip, unpacked',
      values: {
        text: 'H4sIAAAAAAACA6tWykvMTVWyUnLMy0tUqgUABJbZ0Q8AAAA=',
        mode: 'decode',
      },
      warnings: ['The bytes are not UTF-8 text; they are shown as hexadecimal digits.'],
    },
    {
      title: "An image's data URL to hexadecimal digits",
      values: { text: 'data:image/png;base64,iVBORw0KGgo=', mode: 'decode' },
      warnings: [
        'The head of a data: URL was taken off.',
        'The bytes are not UTF-8 text; they are shown as hexadecimal digits.',
      ],
    },
  ],
});
