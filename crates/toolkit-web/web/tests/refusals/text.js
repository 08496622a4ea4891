//! Text tools: good and bad input.
import { bad, upload } from './row.js';

const LATIN1 = upload('latin1.txt', [0x47, 0x72, 0xfc, 0xdf, 0x65]);

/** @type {Record<string, import('./row.js').Row>} */
export const TEXT = {
  'case-converter': {
    good: { text: 'user id', acronyms: 'ID' },
    shows: /^userID$/,
    fewer: 'any text has its cases; only the length is bounded',
    bad: [
      bad(
        'acronyms',
        'a'.repeat(10_001),
        /^Acronyms must have at most 10000 characters, not 10001\.$/,
      ),
      bad('text', 'a'.repeat((1 << 20) + 1), /^Text must have at most 1 MiB, not 1048577 bytes\.$/),
    ],
  },
  'text-diff-checker': {
    good: { left: '{"a":1}', right: '{"a":2}' },
    shows: /Changed lines1/,
    bad: [
      bad('left', upload('a.bin', [0, 1, 2, 0]), /^First text is a binary file\. Only texts are/),
      bad(
        'right',
        LATIN1,
        /^Second text must be UTF-8 text\. The first bytes are 47 72 fc df 65\.$/,
      ),
      bad(
        'left',
        { json: true, left: '{"a":1' },
        /ends too early: "," or "\}" is missing, at line 1/,
      ),
      bad('context', '-1', /^Context lines must be a whole number from 0 to 100000\.$/),
    ],
  },
  'word-counter': {
    good: { text: 'one two three' },
    shows: /Words3/,
    bad: [
      bad(
        'language',
        'English language',
        /^"English language" is not a language\. Write it as en, th/,
      ),
      bad('limit', '0', /^Character limit must be a whole number from 1 to 10000000\.$/),
      bad('text', LATIN1, /^Text must be UTF-8 text\. The first bytes are 47 72 fc df 65\.$/),
      bad(
        'text',
        upload('large.txt', (10 << 20) + 1),
        /^Text must have at most 10 MiB, not 10485761/,
      ),
    ],
  },
  'slug-generator': {
    good: { text: 'Crème brûlée' },
    shows: /^creme-brulee$/,
    bad: [
      bad('longest', '0', /^Maximum length must be a whole number from 1 to 1000\.$/),
      bad('text', 'a\n'.repeat(10_000), /^Titles must be at most 10000 lines, not 10001\.$/),
      bad(
        'others',
        'a'.repeat(10_001),
        /^Other words to remove must have at most 10000 characters/,
      ),
    ],
  },
  'line-sorter': {
    good: { text: 'pear\napple', order: 'Text, dictionary order' },
    shows: /^apple$/,
    bad: [
      bad(
        'pattern',
        { by: 'Pattern match', pattern: '(a' },
        /^Pattern is not a regular expression, at character 0\. Unterminated group\. A sign such as/,
      ),
      bad(
        'language',
        'English language',
        /^"English language" is not a language\. Write it as de, sv/,
      ),
      bad('header', '1001', /^Header lines must be a whole number from 0 to 1000\.$/),
      bad('text', LATIN1, /^Lines must be UTF-8 text\. The first bytes are 47 72 fc df 65\.$/),
    ],
  },
  'markdown-previewer': {
    good: { markdown: '# Title' },
    shows: /<h1 id="title">Title<\/h1>/,
    fewer: 'any text is Markdown; files can be something else, or too large',
    bad: [
      bad(
        'markdown',
        LATIN1,
        /^Markdown must be UTF-8 text\. The first bytes are 47 72 fc df 65\.$/,
      ),
      bad(
        'markdown',
        upload('large.md', (10 << 20) + 1),
        /^Markdown must have at most 10 MiB, not/,
      ),
    ],
  },
};
