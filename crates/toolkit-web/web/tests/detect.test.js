//! What is this? The tools suggested for texts and files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detect, detectFile } from '../lib/detect/detect.js';
import { KINDS } from '../lib/detect/kinds.js';
import { inLinearTime } from './run.mjs';
import { loadFile } from './tools.mjs';
import * as heldOut from './vectors/held-out-texts.js';
import { TEXTS } from './vectors/texts-of-kinds.js';
import { LOOKALIKES } from './vectors/texts-of-no-kind.js';
import { PLAIN, TRAPS } from './vectors/unknown-texts.js';

/** A suggestion that is less certain is not made by itself. */
const CERTAIN = 0.6;

/** Whether one of the first suggestions is right. @param {import('./vectors/unknown-texts.js').Sample} sample @param {number} among */
function isRight([wanted, text], among) {
  const found = detect(text);
  if (wanted === '-') return (found[0]?.certainty ?? 0) < CERTAIN;
  return found.slice(0, among).some(({ slug }) => wanted.split('|').includes(slug));
}

/** The texts whose suggestions are wrong. @param {import('./vectors/unknown-texts.js').Sample[]} samples @param {number} among */
const wrong = (samples, among) =>
  samples
    .filter((sample) => !isRight(sample, among))
    .map(([wanted, text]) => {
      const first = detect(text).slice(0, 3);
      return `${wanted}: ${JSON.stringify(text.slice(0, 60))} ${first.map((one) => `${one.slug} ${one.certainty.toFixed(2)}`)}`;
    });

/** @param {Record<string, string[]>} texts @returns {import('./vectors/unknown-texts.js').Sample[]} */
const samples = (texts) =>
  Object.entries(texts).flatMap(([wanted, all]) => all.map((text) => [wanted, text]));

/** @param {import('./vectors/unknown-texts.js').Sample[]} plain @param {import('./vectors/unknown-texts.js').Sample[]} traps */
function isMostlyRight(plain, traps) {
  const all = [...plain, ...traps];
  const [first, three] = [wrong(all, 1), wrong(all, 3)];
  assert.ok(first.length <= all.length * 0.05, first.join('\n'));
  assert.ok(three.length <= all.length * 0.01, three.join('\n'));
}

test('the first tool is right in 95 %, one of the first three in 99 %', () =>
  isMostlyRight(PLAIN, TRAPS));
test('so it is in the second corpus', () => isMostlyRight(samples(TEXTS), samples(LOOKALIKES)));

test('so it is in the third corpus', () =>
  isMostlyRight(
    [...samples(heldOut.TEXTS), ...samples(heldOut.LATER_TEXTS)],
    [...samples(heldOut.LOOKALIKES), ...samples(heldOut.LATER_LOOKALIKES)],
  ));
test('code with backticks is not Markdown', () => {
  const slugs = detect('package main\n\ntype Root struct {\n\tId int64 `json:"id"`\n}\n').map(
    ({ slug }) => slug,
  );
  assert.ok(!slugs.includes('markdown-previewer'), String(slugs));
});
test('words with hyphens are not a secret in Base32, groups are', () => {
  const isSecret = (/** @type {string} */ text) =>
    detect(text).some(({ slug }) => slug === 'totp-generator');
  assert.ok(!isSecret('parse-http-response2'));
  for (const secret of ['mzxw 6ytb oi2d mnzy gjrx', 'MZXW-6YTB-OI2D-MNZY-GJ'])
    assert.ok(isSecret(secret), secret);
});
test('a token that was broken into lines is filled in as one', () => {
  const broken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIi\nOiJhIn0.c2lnbmF0dXJl';
  assert.deepEqual(detect(broken)[0]?.values, { token: broken.replace('\n', '') });
});

test('each target is a tool, and fills fields that it has', async () => {
  for (const { targets } of Object.values(KINDS))
    for (const { slug, fill } of targets) {
      const tool = await loadFile(slug);
      for (const [name, value] of Object.entries(tool ? fill('text') : {})) {
        const field = tool.fields[name];
        assert.ok(field, `${slug} has the field ${name}`);
        if (field.kind === 'choice')
          assert.ok(Object.hasOwn(field.choices, value), `${slug}: ${value}`);
      }
    }
});

test('a file is known by its first bytes, or by the text in it', async () => {
  const of = async (/** @type {BlobPart} */ content, name = 'file') =>
    (await detectFile(new File([content], name)))[0]?.slug;
  assert.equal(await of(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10)), 'image-converter');
  assert.equal(await of(Uint8Array.of(0x30, 0x82, 3, 1, 0x30)), 'certificate-decoder');
  assert.equal(await of(Uint8Array.of(0, 255, 254)), 'hex-encoder');
  assert.equal(await of('{"a": 1}'), 'json-formatter');
  assert.equal(await of('a,b\n1,2\n3,4\n'), 'csv-converter');
});

test('long texts take a time that grows with their length', async () => {
  const shapes = [
    'a',
    'a ',
    '<a ',
    '{',
    'a: b\n',
    'a,b\n',
    '%41',
    '/* ',
    'a{b:c;',
    '1 * ',
    'ab\\x41',
    '# a\n',
    '0',
  ];
  for (const shape of shapes) {
    const text = shape.repeat(Math.floor((1 << 20) / shape.length));
    await inLinearTime(() => detect(text), JSON.stringify(shape));
  }
});
test('domains are filled in as domains, not as raw Punycode', () => {
  for (const text of ['bücher.example', 'xn--mnchen-3ya.de', 'münchen.de'])
    assert.deepEqual(detect(text)[0]?.values, { text, mode: 'domains' });
});
