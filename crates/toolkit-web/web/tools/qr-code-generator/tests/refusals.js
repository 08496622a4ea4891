//! Good and bad input.
import { bad, upload } from '../../../tests/row.js';

const READ = 'Read the image';

/** @type {import('../../../tests/row.js').Row} */
export default {
  good: { kind: 'Link', link: 'https://www.example.org/' },
  shows: /^https:\/\/www\.example\.org\/$/,
  bad: [
    bad(
      'version',
      '1',
      /^Version must hold 24 bytes, 10 more than version 1 does.* Choose a higher/,
    ),
    bad('link', `https://${'a'.repeat(3000)}`, /^Link has 3008 bytes, 677 more .* Shorten it, or/),
    bad('dark', 'nave', /^Character 1: Dark color has "nave", which is not the name of a color/),
    bad(
      'password',
      { kind: 'Wi-Fi', ssid: 'Guests', password: 'short' },
      /^Password has 5 characters\. WPA passwords have 8 to 63\.$/,
    ),
    bad(
      'date',
      { kind: 'Event', title: 'Talk', date: '2026-02-30' },
      /does not exist: "2026-02-30"\. Write a date as 2026-11-22\.$/,
    ),
    bad('image', {}, /^QR code image to read is missing: choose a picture first\.$/, READ),
    bad('image', upload('notes.txt', 'hello'), /is not an image that this browser can read/, READ),
  ],
};
