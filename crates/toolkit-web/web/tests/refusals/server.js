//! The 13 server tools: good and bad input.
import { bad } from './row.js';

const counts = ['0', '1001', '1.5'].map((count) =>
  bad('count', count, /^Count is (0|1001|1\.5); use a whole number from 1 to 1000\.$/),
);

/** @type {Record<string, import('./row.js').Row>} */
export const SERVER = {
  'base64-encoder': {
    good: { text: 'YWI=', mode: 'Decode' },
    shows: /^ab$/,
    bad: [
      bad('text', 'a*', /^Text has a character that is not Base64 at/),
      bad('text', 'abcde', /^Text has one character left over at/),
      bad(
        'text',
        { text: 'YT8-', url_safe: 'No' },
        /^Text has a - or _, which the standard alphabet lacks, at offset 3; leave/,
      ),
    ],
  },
  'url-encoder': {
    good: { text: 'a%20b', mode: 'Decode' },
    shows: /^a b$/,
    bad: [
      bad('text', '%zz', /%zz at offset 0; % needs two hexadecimal/),
      bad('text', '100%', /a percent sign itself is %25\.$/),
      bad('text', '%ff', /not UTF-8 at offset 0; only escapes of UTF-8/),
    ],
  },
  'json-formatter': {
    good: { text: '{"a":1}', action: 'Minify' },
    shows: /^\{"a":1\}$/,
    bad: [
      bad('text', '{"a":1,}', /a trailing comma at line 1, column 7; remove/),
      bad('text', '[1,2', /no \] for the array that opens at line 1/),
      bad('text', 'nul', /the word nul without quotes at line 1/),
    ],
  },
  'data-converter': {
    good: { text: 'a: 1', from_format: 'YAML', to_format: 'JSON' },
    shows: /"a": 1/,
    bad: [
      bad('text', 'a: [1', /^Text is not valid YAML: \[ is not closed at/),
      bad('text', { text: '{', from_format: 'JSON' }, /not valid JSON: no \} for/),
      bad('indent', '9', /^Indent is 9; use a whole number from 1 to 8/),
    ],
  },
  'hash-generator': {
    good: { text: 'abc', algorithm: 'MD5' },
    shows: /^900150983cd24fb0d6963f7d28e17f72$/,
    bad: [
      bad(
        'text',
        { text: 'xyz', input_encoding: 'Hexadecimal' },
        /hexadecimal digit at offset 0; use 0-9 and a-f/,
      ),
      bad(
        'text',
        { input_encoding: 'Hexadecimal' },
        /odd number of hexadecimal digits at offset 2; each byte takes/,
      ),
      bad(
        'text',
        { text: 'a*', input_encoding: 'Base64' },
        /not Base64 at offset 1; use letters, digits/,
      ),
    ],
  },
  'jwt-decoder': {
    good: { token: 'eyJhbGciOiJub25lIn0.eyJhIjoxfQ.' },
    shows: /Algorithmnone/,
    bad: [
      bad('token', 'abc', /has 1 part where a token has three \(header/),
      bad('token', 'a.b', /has 2 parts where a token has three/),
      bad(
        'token',
        'eyJhbGciOiJub25lIn0.e30*.',
        /payload that is not base64url: it has a character that is not Base64, at offset 23/,
      ),
    ],
  },
  'uuid-generator': {
    good: { version: 'UUID version 7 (sorts by time)', count: '2' },
    shows: /-7[0-9a-f]{3}-/,
    bad: counts,
  },
  'ulid-generator': { good: { count: '2' }, shows: /[0-9A-Z]{26}/, bad: counts },
  'nanoid-generator': {
    good: { size: '5', alphabet: 'xy' },
    shows: /^[xy]{5}/,
    bad: [
      bad('size', '0', /^Size is 0; use a whole number from 2 to 256/),
      bad('alphabet', 'a', /^Alphabet has one character; give 2 to 255 different/),
      bad('alphabet', 'aba', /^Alphabet repeats a at offset 2; give/),
    ],
  },
  'regex-tester': {
    good: { pattern: 'a+', text: 'baab' },
    shows: /aa/,
    bad: [
      bad('pattern', '(a', /a \( is not closed at offset 0; close it/),
      bad('flags', { pattern: 'a', flags: 'q' }, /no flag q; use any of g \(all/),
      bad('pattern', { pattern: '[z-a]', flags: 'g' }, /^Pattern is not a valid/),
    ],
  },
  'timestamp-converter': {
    good: { value: '0' },
    shows: /1970-01-01T00:00:00Z/,
    bad: [
      bad('value', 'soonish', /neither a number nor a date; write a number/),
      bad('value', '2024-02-30', /a day that does not exist at offset 8; Feb/),
      bad('value', '9'.repeat(23), /outside of the years 0001 to 9999/),
    ],
  },
  'cron-explainer': {
    good: { expression: '0 9 * * 1' },
    shows: /Monday/,
    bad: [
      bad('expression', '61 * * * *', /out of range: minutes are 0-59/),
      bad('expression', '* * *', /has 3 fields; write five: minute/),
      bad('count', { expression: '* * * * *', count: '51' }, /from 1 to 50\.$/),
    ],
  },
  'cidr-calculator': {
    good: { cidr: '10.0.0.0/8' },
    shows: /10\.255\.255\.255/,
    bad: [
      bad('cidr', '192.0.2.0/33', /out of range at offset 10; use a whole/),
      bad('cidr', '300.1.1.1/8', /four numbers from 0 to 255, as in/),
      bad('cidr', '10.0.0.0/8/9', /not a number at offset 9; use a whole/),
    ],
  },
};
