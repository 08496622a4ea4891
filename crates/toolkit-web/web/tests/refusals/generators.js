//! Generators: good and bad input.
import { bad, upload } from './row.js';

/** The button beside an image. */
const READ = 'Read the image';

/** @type {Record<string, import('./row.js').Row>} */
export const GENERATORS = {
  'password-generator': {
    good: { length: '12' },
    shows: /^.{12}$/,
    bad: [
      bad('length', '3', /^Length must be a whole number from 4 to 256\.$/),
      bad(
        'lower',
        { lower: false, upper: false, digits: false, symbols: false },
        /^Lowercase and the other sets are all off.*Choose at least one\.$/,
      ),
      bad('count', '1.5', /^Count must be a whole number from 1 to 100\.$/),
      bad(
        'words',
        { kind: 'Passphrase', words: '2' },
        /^Words must be a whole number from 3 to 20\.$/,
      ),
    ],
  },
  'lorem-ipsum-generator': {
    good: { unit: 'Sentences', count: '2', length: '5', seed: 'a' },
    shows: /^Lorem ipsum/,
    bad: [
      bad('count', '0', /^Count must be a whole number from 1 to 1000\.$/),
      bad('count', '', /^Count must be a whole number from 1 to 1000\.$/),
      bad('length', '51', /^Words in each sentence must be a whole number from 1 to 50\.$/),
      bad('bytes', { unit: 'Bytes', bytes: '100001' }, /^Bytes must be .* from 1 to 100000\.$/),
    ],
  },
  'qr-code-generator': {
    good: { kind: 'Link', link: 'https://www.example.org/' },
    shows: /^https:\/\/www\.example\.org\/$/,
    bad: [
      bad(
        'version',
        '1',
        /^Version must hold 24 bytes, 10 more than version 1 does.* Give a higher/,
      ),
      bad(
        'link',
        `https://${'a'.repeat(3000)}`,
        /^Link has 3008 bytes, 677 more .* Shorten it, or/,
      ),
      bad('dark', 'nave', /^Dark color has "nave", which is not the name of a color/),
      bad(
        'password',
        { kind: 'Wi-Fi', ssid: 'Guests', password: 'short' },
        /^Password has 5 characters\. WPA passwords have 8 to 63\.$/,
      ),
      bad(
        'date',
        { kind: 'Event', title: 'Talk', date: '2026-02-30' },
        /is not a day of the calendar: "2026-02-30"\. Dates are written as 2026-11-22\.$/,
      ),
      bad('image', {}, /^QR code image to read is missing: choose a picture first\.$/, READ),
      bad(
        'image',
        upload('notes.txt', 'hello'),
        /is not an image that this browser can read/,
        READ,
      ),
    ],
  },
  'meta-tag-generator': {
    good: { title: 'Toolkit', canonical: 'https://www.example.org/' },
    shows: /<title>Toolkit<\/title>/,
    bad: [
      bad('title', '', /^Title is empty\. Every page needs a title\.$/),
      bad('canonical', '/about', /^Page URL is relative: "\/about"\. Write the whole address/),
      bad(
        'image',
        'file:///card.png',
        /has the scheme file:\. Only http and https are accepted\.$/,
      ),
      bad(
        'published',
        { type: 'Article', published: 'yesterday' },
        /^Published is "yesterday"\. Write it as 2026-11-22 or 2026-11-22T18:30:00\+01:00\.$/,
      ),
      bad('head', '<p>no tags</p>', /has no tag that this tool knows\.$/, 'Fill in the form'),
    ],
  },
};
