//! What decoded bytes are, and what is packed in them, on the pages of Base64 and of hexadecimal digits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { known, unpack } from '../lib/known-bytes.js';
import { runTool } from './run.mjs';
import { loadFile } from './tools.mjs';

const JSON_TEXT = '{"items":[1,2,3]}';
const base64 = await loadFile('base64-encoder');
const hex = await loadFile('hex-encoder');
const CERTIFICATE =
  'MIIBkTCB+wIUKkp7mQ8y0b8m5vZ4iQ3m0w5m0iUwDQYJKoZIhvcNAQELBQAwADAeFw0yNjAxMDEwMDAwMDBaFw0yNzAxMDEwMDAwMDBaMAAwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBAKxQ';

test('Base64 of gzip or zlib of JSON is read by one paste', async () => {
  for (const [name, bytes] of [
    ['gzip', gzipSync(JSON_TEXT)],
    ['zlib', deflateSync(JSON_TEXT)],
  ]) {
    const text = /** @type {Buffer} */ (bytes).toString('base64');
    const { outputs } = await runTool(base64, { text, mode: 'decode' });
    assert.equal(outputs.unpacked.text, JSON_TEXT);
    assert.equal(outputs.headline.text, `${name} of 17 bytes of text`);
    assert.equal(outputs.file.file, `decoded.${name === 'gzip' ? 'gz' : 'zz'}`);
  }
});

test('so are hexadecimal digits of it', async () => {
  const { outputs } = await runTool(hex, {
    text: gzipSync(JSON_TEXT).toString('hex'),
    mode: 'decode',
  });
  assert.equal(outputs.unpacked.text, JSON_TEXT);
});

test('text is text, and nothing is said of it', async () => {
  const { outputs } = await runTool(base64, { text: 'eyJhIjoxfQ==', mode: 'decode' });
  assert.deepEqual(Object.keys(outputs), ['result']);
  assert.deepEqual(Object.keys((await runTool(hex, { text: '4f6b', mode: 'decode' })).outputs), [
    'text',
    'base64',
    'file',
  ]);
});

test('a picture is shown with its size, a PDF document named', async () => {
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  const { outputs } = await runTool(base64, { text: dot, mode: 'decode' });
  assert.equal(outputs.headline.text, 'A PNG picture of 1 × 1 pixels');
  assert.equal(outputs.picture.type, 'image/png');
  assert.equal(outputs.file.file, 'decoded.png');
  const pdf = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3', 'latin1').toString('base64');
  const second = await runTool(base64, { text: pdf, mode: 'decode' });
  assert.equal(second.outputs.headline.text, 'A PDF document');
  assert.equal(second.outputs.file.file, 'decoded.pdf');
});

test('bytes of chance and a cut certificate are not named', async () => {
  const noise = Uint8Array.from({ length: 64 }, (_, at) => (at * 73 + 129) & 255);
  assert.equal(await known(noise, 1000), undefined);
  assert.equal(await known(Buffer.from(CERTIFICATE, 'base64'), 1000), undefined);
});

test('what unpacks to much more is read up to the limit, and what is cut off as far as it goes', async () => {
  const bomb = gzipSync(Buffer.alloc(50 << 20));
  const found = await unpack(bomb, 'gzip', 1 << 20);
  assert.equal(found?.inner.length, 1 << 20);
  assert.equal(found?.isWhole, false);
  const text = 'one line after the other, and not the same\n'.repeat(5000);
  const cut = await unpack(gzipSync(text).subarray(0, 300), 'gzip', 1 << 20);
  assert.equal(cut?.isWhole ?? false, false);
  assert.equal((await unpack(deflateRawSync(JSON_TEXT), 'deflate-raw', 100))?.isWhole, true);
  assert.equal(await unpack(Buffer.from('no such format'), 'gzip', 100), undefined);
});
