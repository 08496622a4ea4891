//! Images as data URLs, Base64, CSS, HTML and Markdown, and back.
//! Standards: WHATWG Fetch (data: URLs), Infra (forgiving Base64), MIME Sniffing §6.1.
import { choice, file, line, text, tool } from '../../kit/tool.js';
import { decoded, encoded } from './forms.js';

const MIB = 1 << 20;

const DOT = 'R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==';

export default tool({
  fields: {
    mode: choice('Direction', { encode: 'Image to Base64', decode: 'Base64 to image' }),
    image: file('Image', { types: 'image/*', max: 20 * MIB, when: { mode: 'encode' } }),
    alt: line('Alt text', {
      max: 500,
      when: { mode: 'encode' },
      help: 'Describe what the image shows, for people who cannot see it.',
    }),
    text: text('Data URL or Base64', {
      accepts: 'file',
      max: 28 * MIB,
      when: { mode: 'decode' },
      help: 'Paste a data URL or Base64, or CSS, HTML or Markdown that contains a data URL.',
    }),
  },
  labels: { dataUrl: 'Data URL', css: 'CSS', html: 'HTML', picture: 'Image' },
  run({ mode, image, alt, text }, context) {
    if (mode === 'encode') return image ? encoded(image, alt, context) : {};
    return text.raw.trim() === '' ? {} : decoded(text.string, context);
  },
  examples: [
    {
      title: 'A red dot, from its data URL',
      values: { mode: 'decode', text: `data:image/gif;base64,${DOT}` },
    },
    {
      title: 'A wrong type',
      values: { mode: 'decode', text: `<img src="data:image/png;base64,${DOT}">` },
    },
  ],
});
