//! Tools tried before they are offered: none refuses the text, and the first says what it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tries } from '../kit/trial.js';
import { detect } from '../lib/detect/detect.js';
import { loadFile } from './tools.mjs';
import * as heldOut from './vectors/held-out-texts.js';
import { TEXTS } from './vectors/texts-of-kinds.js';
import { PLAIN } from './vectors/unknown-texts.js';

/** @param {string} text */
const offered = (text) => tries(detect(text), () => {});
const part = (/** @type {object} */ value) =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
const EXPIRED = `${part({ alg: 'HS256' })}.${part({ sub: 'anna', exp: 1516239022 })}.c2ln`;

test('Enter opens a tool that takes the text, which says what it is', async () => {
  for (const [text = '', slug, said = /./] of /** @type {[string, string, RegExp?][]} */ ([
    ['DB_HOST=localhost\nDB_PASSWORD="a b"\n# comment\nPORT=5432', 'data-converter'],
    ['export API_KEY=abc\nexport DEBUG=true', 'data-converter'],
    ['3 March 2025 14:00 CET', 'timestamp-converter', /3 March 2025/],
    ['Mar 3, 2025 2:00 PM', 'timestamp-converter', /3 March 2025/],
    ['28.11.2026 14:00', 'timestamp-converter', /28 November 2026/],
    ['15:00 New York', 'timezone-converter', / in \w+/],
    ['tomorrow 9am', 'timezone-converter'],
    ['Monday 9am New York', 'timezone-converter'],
    ['what time is it in Tokyo', 'timezone-converter', / in Asia\/Tokyo$/],
    ['Current time in New York?', 'timezone-converter', / in America\/New_York$/],
    [
      '5d41402abc4b2a76b9719d911017c592',
      'hash-generator',
      /^32 hexadecimal digits: the length of MD5$/,
    ],
    ['da39a3ee5e6b4b0d3255bfef95601890afd80708', 'hash-generator', /^40 hex.* length of SHA-1$/],
    [`SHA256 (a.iso) = ${'5d41402abc4b2a76'.repeat(4)}`, 'hash-generator'],
    [`SHA2-256(a.iso)= ${'5d41402abc4b2a76'.repeat(4)}`, 'hash-generator'],
    [`sha256:${'5d41402abc4b2a76'.repeat(4)}`, 'hash-generator'],
    [`sha512-${'z4Ph+X7v'.repeat(10)}z4Ph+Q==`, 'hash-generator', /512|128/],
    ['fetch("https://example.com/", {\n  "method": "GET"\n});', 'javascript-formatter', /^$/],
    [EXPIRED, 'jwt-decoder', /^Expired \d+ years ago$/],
    [`2026-11-27T12:00:00Z INFO {"auth":"Bearer ${EXPIRED}"} took 3 ms`, 'jwt-decoder', /^Expired/],
    [`GET /a 200 token=${EXPIRED}\nGET /b 404`, 'jwt-decoder', /^Expired/],
    ['SGVsbG8sIHdvcmxkIQ==', 'base64-encoder', /Hello, world!/],
    ['30 9 * * MON-FRI', 'cron-explainer', /09:30/],
    ['kind: Secret\ndata:\n  pin: MTIzNA==\n', 'data-converter', /^pin: 1234$/],
    ['Hello there, how are you doing today, my friend?', 'word-counter', /words/],
  ])) {
    const [first] = await offered(text);
    assert.equal(first?.slug, slug, text);
    assert.match(first?.headline ?? first?.below ?? '', said, text);
  }
});

test('a text for which no tool is meant has two that take any', async () => {
  const all = await offered('§§ ¶¶ ‡‡ §§ ¶¶ ‡‡');
  assert.deepEqual(
    all.map(({ slug }) => slug),
    ['text-diff-checker', 'hash-generator'],
  );
});

test('no certificate has its words counted or its case changed', async () => {
  const { examples } = await loadFile('certificate-decoder');
  const slugs = (await offered(examples[0].values.text)).map(({ slug }) => slug);
  assert.equal(slugs[0], 'certificate-decoder');
  assert.ok(slugs.length > 1);
  for (const slug of ['word-counter', 'case-converter', 'slug-generator', 'line-sorter'])
    assert.ok(!slugs.includes(slug), slug);
});

test('none that is offered for the texts of three corpora refuses, and each text has two to four', async () => {
  const texts = [
    ...[TEXTS, heldOut.TEXTS, heldOut.LATER_TEXTS].flatMap((texts) => Object.values(texts).flat()),
    ...PLAIN.map(([, text]) => text),
  ];
  for (const text of texts) {
    const all = await offered(text);
    assert.ok(all.length >= 2 && all.length <= 4, `${all.length}: ${text.slice(0, 80)}`);
  }
});
