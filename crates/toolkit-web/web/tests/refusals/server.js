//! The 13 tools of the service, of which nine answer on their pages: good and bad input.
import { bad } from './row.js';

const counts = ['0', '1001', '1.5'].map((count) =>
  bad('count', count, /^Count must be a whole number from 1 to 1000\.$/),
);

/** @type {Record<string, import('./row.js').Row>} */
export const SERVER = {
  'base64-encoder': {
    good: { text: 'YWI=', mode: 'Decode' },
    shows: /^ab$/,
    bad: [
      bad('text', 'a*', /^Text or file has the character "\*", which is not in Base64, at/),
      bad('text', 'abcde', /one digit is left over/),
      bad(
        'text',
        { text: 'YT8-', url_safe: 'Standard (+ and /)' },
        /has "-", which is not in the alphabet that is chosen, at character 3/,
      ),
    ],
  },
  'url-encoder': {
    good: { text: 'a%20b', mode: 'Decode' },
    shows: /^a b$/,
    bad: [
      bad('text', '%zz', /has a bad escape %zz, at character 0\. % needs two hexadecimal/),
      bad('text', '100%', /a percent sign itself is %25\.$/),
      bad('text', '%ff', /not UTF-8, at character 0\. Only escapes of UTF-8/),
    ],
  },
  'json-formatter': {
    good: { text: '{"a":1}', action: 'Minify' },
    shows: /^\{"a":1\}$/,
    bad: [
      bad(
        'text',
        '{"a":NaN}',
        /has NaN or Infinity, which JSON cannot express, at line 1, column 6/,
      ),
      bad('text', '[1,2', /ends too early: "," or "\]" is missing, at line 1, column 5/),
      bad('text', 'nul', /has "n" where a value belongs, at line 1, column 1/),
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
        /^Text has the character "x", which is not a hexadecimal digit, at character 0/,
      ),
      bad('text', { input_encoding: 'Hexadecimal' }, /odd number of hexadecimal digits/),
      bad(
        'text',
        { text: 'a*', input_encoding: 'Base64' },
        /^Text has the character "\*", which is not in Base64, at character 1/,
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
        /payload that is not base64url: it has the character "\*".*, at character 23/,
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
      bad('size', '0', /^Size must be a whole number from 2 to 256\.$/),
      bad('alphabet', 'a', /^Alphabet has one character\. Give 2 to 255 different/),
      bad('alphabet', 'aba', /^Alphabet repeats a, at character 2\. Give/),
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
      bad('value', 'soonish', /neither a number nor a date\. Write a number/),
      bad('value', '2024-02-30', /a day that does not exist, at character 8\. Feb/),
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
