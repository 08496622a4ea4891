//! Base64, and back; what bytes are that are no text, with gzip and zlib unpacked. Standard: RFC 4648 §4 and §5; data
//! URLs: RFC 2397.

import { utf16Of } from '../../kit/decode.js';
import { choice, download, Refusal, text, toggle, tool } from '../../kit/tool.js';
import { ZERO_WIDTH } from '../../lib/around.js';
import { fromAnyBase64, toBase64, toBase64Url, toHex } from '../../lib/bytes.js';
import { knownOutputs, SHOWN_BYTES } from '../../lib/known-bytes.js';
import { inField, inPart } from '../../lib/positions.js';
import { utf8 } from '../../lib/utf8.js';

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

/** What encloses pasted Base64. @type {[name: string, form: RegExp][]} */
const ENCLOSED = [
  ['quotes', /^\s*b?["'`]([^"'`]*)["'`][,;]?\s*$/d],
  ['the marks of an encoded word of a mail', /^\s*=\?[^?]*\?b\?([^?]*)\?=\s*$/di],
  ['the name of a digest', /^\s*sha(?:256|384|512)-([^-]*)$/d],
  ['`Basic`', /^\s*(?:authorization:\s*)?basic\s+(\S+)\s*$/di],
  [
    'the BEGIN and END lines of a PEM block',
    /^\s*-----BEGIN [^-]*-----([^-]*)-----END [^-]*-----\s*$/d,
  ],
];

/** The Base64 within what encloses it, which is told, and where it begins. @param {string} typed @param {(sentence: string) => void} warn @returns {[inside: string, start: number]} */
function enclosed(typed, warn) {
  let [inside, start] = [typed, 0];
  for (const [name, form] of ENCLOSED) {
    const [from, to] = form.exec(inside)?.indices?.[1] ?? [];
    if (from === undefined) continue;
    warn(`Left out around the Base64 text: ${name}.`);
    inside = inside.slice(from, to);
    start += from;
  }
  return [inside, start];
}

/** Index at which the Base64 begins: after the head of a data URL. @param {string} typed @param {(sentence: string) => void} warn */
function startOf(typed, warn) {
  const comma = typed.indexOf(',');
  // Without a comma, a space after it is that of a line of YAML.
  if (!/^[\t\n\f\r ]*data:/i.test(typed) || (comma < 0 && /^\s*data:\s/i.test(typed))) return 0;
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
  const [key] = /^\s*[\w-]+(?=:\s)/.exec(typed) ?? [];
  if (key)
    throw new Refusal('has the character ":", which is not in Base64', {
      at: key.length,
      hint: 'Remove the key and the colon in front.',
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
  const [whole, end = ''] = /^[\w+/\s-]*?={1,2}\s*([^\w+/\s=-])/u.exec(typed) ?? [];
  if (whole)
    throw new Refusal(`has the character ${JSON.stringify(end)}, which is not in Base64`, {
      at: whole.length - end.length,
      hint: 'Remove what follows the `=`.',
    });
  const bytes = fromAnyBase64(typed.replaceAll('\f', ' '));
  if (packed.length >= 16 && /^[\da-f]+$/i.test(packed))
    warn('The text looks like hexadecimal digits; it was read as Base64.');
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
    const typed = text.string.replace(ZERO_WIDTH, (all) => ' '.repeat(all.length));
    const bytes = inField('text', typed, () => {
      const [inside, begin] = enclosed(typed, warn);
      const start = startOf(inside, warn);
      return inPart(begin + start, () => decoded(inside.slice(start), url_safe, warn));
    });
    if (bytes.length > SHOWN_BYTES) return { file: download(bytes, { file: 'decoded.bin' }) };
    const [encoding] = utf16Of(bytes) ?? [];
    if (encoding && bytes.length >= 4) {
      warn('The bytes were read as UTF-16, as PowerShell writes it.');
      return { result: new TextDecoder(encoding).decode(bytes) };
    }
    const result = utf8(bytes);
    if (result !== undefined) return { result };
    const { outputs, file, opened } = await knownOutputs(bytes);
    warn('The bytes are not UTF-8 text; they are shown as hexadecimal digits.');
    return { ...outputs, result: opened(toHex(bytes)), file };
  },
  product: ({ mode }) => ({ result: mode === 'encode' ? 'Base64' : 'text' }),
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
      title: 'Base64 of gzip, unpacked',
      values: {
        text: 'H4sIAAAAAAACA6tWykvMTVWyUnLMy0tUqgUABJbZ0Q8AAAA=',
        mode: 'decode',
      },
    },
  ],
});
