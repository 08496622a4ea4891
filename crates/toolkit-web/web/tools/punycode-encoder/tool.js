//! International domain names in Unicode and in ASCII, alone, in e-mail addresses and in URLs.
//! Standards: UTS #46 (non-transitional, as the URL standard), RFC 3492, RFC 1035 §2.3.4.
import { choice, text, tool } from '../../kit/tool.js';

export default tool({
  fields: {
    text: text('Text', {
      lines: 4,
      max: 1 << 20,
      help: 'Enter domain names, e-mail addresses or URLs in either form, one per line.',
    }),
    mode: choice('Conversion', {
      domains: 'Domain names, both ways',
      encode: 'Text to Punycode (RFC 3492)',
      decode: 'Punycode to text (RFC 3492)',
    }),
  },
  labels: { ascii: 'ASCII' },
  async run({ text, mode }, context) {
    if (text.raw === '') return {};
    const { domains, raw } = await import('./lines.js');
    if (mode === 'encode') return raw(text.raw, mode);
    return mode === 'decode' ? raw(text.string, mode) : domains(text.string, context);
  },
  examples: [
    {
      title: 'A domain',
      values: { text: 'Bücher.example' },
      outputs: {
        ascii: 'xn--bcher-kva.example',
        unicode: 'bücher.example',
      },
    },
    {
      title: 'An e-mail address and a URL',
      values: { text: 'info@xn--bcher-kva.example\nhttps://☃.net:8080/a?b' },
    },
    {
      title: 'A look-alike',
      values: { text: 'аррӏе.com' },
    },
    {
      title: 'Raw Punycode',
      values: { text: 'ひとつ屋根の下2', mode: 'encode' },
    },
  ],
});
