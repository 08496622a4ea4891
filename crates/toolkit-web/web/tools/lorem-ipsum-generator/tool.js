//! Placeholder text: words, sentences, paragraphs, bytes or list items. The same seed gives the same text.
import { choice, line, number, textOutput, toggle, tool } from '../../kit/tool.js';
import { Lorem } from './words.js';

const LISTS = {
  plain: (/** @type {string[]} */ items) => items.join('\n'),
  html: (/** @type {string[]} */ items) =>
    `<ul>\n${items.map((one) => `  <li>${one}</li>\n`).join('')}</ul>`,
  markdown: (/** @type {string[]} */ items) => items.map((one) => `- ${one}`).join('\n'),
};

const FILES = /** @type {const} */ ({
  plain: ['lorem.txt', 'text/plain'],
  html: ['lorem.html', 'text/html'],
  markdown: ['lorem.md', 'text/markdown'],
});

/** @param {string[]} paragraphs @param {keyof typeof FILES} format */
const paragraphsAs = (paragraphs, format) =>
  format === 'html' ? paragraphs.map((one) => `<p>${one}</p>`).join('\n') : paragraphs.join('\n\n');

export default tool({
  start: true,
  more: 'seed',
  verb: 'Generate',
  fields: {
    unit: choice('Unit', {
      paragraphs: 'Paragraphs',
      sentences: 'Sentences',
      words: 'Words',
      items: 'List items',
      bytes: 'Bytes',
    }),
    count: number('Count', {
      value: 3,
      min: 1,
      max: 1000,
      when: { unit: ['paragraphs', 'sentences', 'words', 'items'] },
    }),
    bytes: number('Bytes', {
      value: 500,
      min: 1,
      max: 100_000,
      help: 'Enter the length without markup.',
      when: { unit: 'bytes' },
    }),
    sentences: number('Sentences in each paragraph', {
      min: 1,
      max: 20,
      help: 'Leave empty for 4 to 7.',
      when: { unit: 'paragraphs' },
    }),
    length: number('Words in each sentence', {
      min: 1,
      max: 50,
      help: 'Leave empty for 6 to 15.',
      when: { unit: ['paragraphs', 'sentences', 'items'] },
    }),
    format: choice('Format', { plain: 'Plain text', html: 'HTML', markdown: 'Markdown' }),
    seed: line('Seed', {
      max: 200,
      help: 'Enter a seed to repeat a text. Leave empty for a new text each time.',
    }),
    classic: toggle('Start with “Lorem ipsum”', { value: true }),
  },
  run({ unit, count, bytes, sentences, length, format, seed, classic }, context) {
    const used =
      seed || Array.from(context.random(6), (byte) => byte.toString(36).padStart(2, '0')).join('');
    const lorem = new Lorem(used, classic, { words: length, sentences });
    const parts = {
      paragraphs: () => Array.from({ length: count }, () => lorem.paragraph()),
      sentences: () => [lorem.sentences(count).join(' ')],
      words: () => [
        lorem
          .words(count)
          .join(' ')
          .replace(/^./, (first) => first.toUpperCase()),
      ],
      items: () => lorem.sentences(count),
      bytes: () => [lorem.bytes(bytes)],
    }[unit]();
    const text = unit === 'items' ? LISTS[format](parts) : paragraphsAs(parts, format);
    const [file, type] = FILES[format];
    return {
      text: textOutput(text, { file, type, prose: format === 'plain', lang: 'la' }),
      seed: seed ? undefined : used,
    };
  },
  examples: [
    {
      title: 'A sentence',
      values: { unit: 'sentences', count: 1, seed: 'a' },
    },
    { title: 'Three paragraphs in HTML', values: { format: 'html', seed: 'demo' } },
    {
      title: 'A list in Markdown',
      values: { unit: 'items', count: 5, format: 'markdown', seed: 'demo' },
    },
  ],
});
