//! HTML entities: characters to character references, and back.
//! Standards: WHATWG HTML §13.2.5.72 to §13.2.5.80 and its list of 2,231 names; XML 1.0 §4.1.
import { choice, table, text, tool } from '../../kit/tool.js';

export default tool({
  fields: {
    text: text('Text', { accepts: 'file', max: 10 << 20 }),
    mode: choice('Direction', { encode: 'To entities', decode: 'From entities' }),
    extent: choice(
      'Characters to encode',
      {
        needed: 'Required: & < > " \'',
        ascii: 'Required and non-ASCII',
        all: 'All but A–Z, a–z, 0–9',
      },
      { when: { mode: 'encode' } },
    ),
    form: choice(
      'Notation',
      {
        names: 'Names, else hexadecimal',
        decimal: 'Decimal numbers',
        hex: 'Hexadecimal numbers',
      },
      { when: { mode: 'encode' } },
    ),
    context: choice(
      'Context',
      { text: 'HTML text', attribute: 'HTML attribute value', xml: 'XML' },
      {
        when: { mode: 'decode' },
        help: 'Choose the attribute value to keep `&copy=`, which many URLs contain.',
      },
    ),
  },
  labels: { found: 'References found' },
  async run({ text, mode, extent, form, context: readAs }, context) {
    const string = text.string;
    if (string === '') return {};
    if (mode === 'decode') {
      const { decoded } = await import('./tables.js');
      const result = decoded(string, readAs, context);
      const columns = ['Reference', 'Characters', 'Code points', 'Offset'];
      return {
        text: result.text,
        found: result.found.length > 0 ? table(columns, result.found) : null,
      };
    }
    if (extent !== 'needed' && /[\0\x80-\x9f]|\p{Cs}/u.test(string))
      context.warn(
        'NUL, C1 controls and halves of surrogate pairs stay as they are: no reference stands for them.',
      );
    const { encode } = await import('./entities.js');
    return { entities: encode(string, extent, form) };
  },
  product: { entities: 'HTML' },
  examples: [
    {
      title: 'A tag as text',
      values: { text: '<a href="?x&y">Grüße</a>' },
      outputs: { entities: '&lt;a href=&quot;?x&amp;y&quot;&gt;Grüße&lt;/a&gt;' },
    },
    {
      title: 'ASCII only, as numbers',
      values: { text: 'Grüße € 𝄞', extent: 'ascii', form: 'hex' },
    },
    {
      title: 'Decoding, with mistakes',
      values: { text: '&euro; &#8364; &copy 2024 &nosuch; &#x80;', mode: 'decode' },
    },
  ],
});
