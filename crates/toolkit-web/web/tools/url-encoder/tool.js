//! Percent-encoding, and back. Standard: RFC 3986 §2; forms: WHATWG URL §5.

import { attempt, choice, Refusal, text, tool } from '../../kit/tool.js';
import { inField } from '../../lib/positions.js';
import { notUtf8At } from '../../lib/utf8.js';

/** @param {string} character */
const escaped = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
/** Escapes of reserved characters (RFC 3986 §2.2). */
const RESERVED = /%(?=2[1346-9a-cf]|3[abdf]|40|5[bd])/gi;

/** What each scope changes in the result of `encodeURIComponent` or `encodeURI`. @type {Record<string, (text: string) => string>} */
const ENCODE = {
  component: (text) => encodeURIComponent(text).replace(/[!'()*]/g, escaped),
  uri: (text) => encodeURI(text).replaceAll('%5B', '[').replaceAll('%5D', ']'),
  form: (text) =>
    encodeURIComponent(text)
      .replace(/[!'()~]/g, escaped)
      .replaceAll('%20', '+'),
};

/** @param {string} text */
const decoded = (text) => attempt(() => decodeURIComponent(text));

/** Index of the first escape that is not part of UTF-8. @param {string} text */
function notTextAt(text) {
  for (const { 0: run, index } of text.matchAll(/(?:%[\da-f]{2})+/gi)) {
    const bytes = Uint8Array.from(run.match(/[\da-f]{2}/gi) ?? [], (pair) => Number(`0x${pair}`));
    const at = notUtf8At(bytes);
    if (at >= 0) return index + 3 * at;
  }
  return 0;
}

/** @param {string} text @param {string} scope @param {(sentence: string) => void} warn */
function decode(text, scope, warn) {
  const bad = /%(?![\da-f]{2})/i.exec(text);
  const [unit = ''] = (bad && /^(?:%u[\da-f]{4}){1,2}/i.exec(text.slice(bad.index))) ?? [];
  const units = unit.match(/[\da-f]{4}/gi)?.map((digits) => Number.parseInt(digits, 16)) ?? [];
  const [character = ''] = String.fromCharCode(...units);
  if (bad && unit && !/\p{Cs}/u.test(character))
    throw new Refusal(`has a bad escape ${unit.slice(0, 6)}`, {
      at: bad.index,
      hint: `Write ${encodeURIComponent(character)} for the character ${character}.`,
    });
  if (bad)
    throw new Refusal(
      `has a bad escape ${[...text.slice(bad.index, bad.index + 4)].slice(0, 3).join('')}`,
      {
        at: bad.index,
        hint: '% needs two hexadecimal digits after it; a percent sign itself is %25.',
      },
    );
  let read = scope === 'form' ? text.replaceAll('+', ' ') : text;
  if (scope === 'uri') read = read.replace(RESERVED, '%25');
  const result = decoded(read);
  if (result === undefined)
    throw new Refusal('decodes to bytes that are not UTF-8', {
      at: notTextAt(text),
      hint: 'Only escapes of UTF-8 text can be decoded.',
    });
  if (read.length > text.length)
    warn(
      'Escapes of reserved characters were kept, since decoding them would change the meaning of a URL; "Part of a URL" decodes them too.',
    );
  return result;
}

export default tool({
  fields: {
    text: text('Text or file', { accepts: 'file', max: Number.MAX_SAFE_INTEGER }),
    mode: choice('Direction', { encode: 'Encode', decode: 'Decode' }),
    scope: choice(
      'Extent',
      { component: 'Part of a URL', uri: 'Whole URL', form: 'HTML form value' },
      {
        help: 'Choose a part to encode everything but letters, digits and `-._~`, a whole URL to keep `/`, `?`, `&` and the like, a form value to write a space as `+`.',
      },
    ),
  },
  limits: { seconds: 600 },
  run({ text, mode, scope }, { warn }) {
    if (text.empty) return {};
    // Refuses half of a surrogate pair, which has no escape.
    if (mode === 'encode' && !text.raw.isWellFormed()) text.bytes;
    const typed = text.string;
    const encode = ENCODE[scope] ?? String;
    const [twice] = (mode === 'encode' && scope === 'uri' && /%[\da-f]{2}/i.exec(typed)) || [];
    if (twice)
      warn(
        `\`${twice}\` was encoded again, as \`%25${twice.slice(1)}\`; decode the URL first if it is encoded already.`,
      );
    return {
      result:
        mode === 'encode'
          ? encode(typed)
          : inField('text', typed, () => decode(typed, scope, warn)),
    };
  },
  product: ({ mode }) => ({ result: mode === 'encode' ? 'encoded text' : 'text' }),
  examples: [
    {
      title: 'Encode a query value',
      values: { text: 'Tom & Jerry/ü' },
      outputs: { result: 'Tom%20%26%20Jerry%2F%C3%BC' },
    },
    {
      title: 'Encode a whole URL',
      values: { text: 'https://example.com/a b?q=ü', scope: 'uri' },
    },
    {
      title: 'Decode a form value',
      values: { text: '1+%2B+1', mode: 'decode', scope: 'form' },
    },
  ],
});
