//! Base64 Encoder: data URLs, read again by the URL reader of the language. The rest: server-vectors.test.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool, seeded } from '../../../tests/run.mjs';
import tool from '../tool.js';

test('any file is a data URL with its type', async () => {
  const next = seeded(64);
  for (const [type, size] of /** @type {[string, number][]} */ ([
    ['image/png', 70],
    ['', 1],
    ['text/csv', 1000],
    ['application/pdf', 4099],
  ])) {
    const bytes = Uint8Array.from({ length: size }, () => next(256));
    const text = /** @type {any} */ ({ name: 'a', type, bytes });
    const { outputs } = await runTool(tool, { text, data_url: true });
    const response = await fetch(outputs.result);
    assert.equal(response.headers.get('content-type'), type || 'application/octet-stream');
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), bytes);
  }
});

test('a data URL has the standard alphabet, and is not what the service writes', async () => {
  const values = { text: 'a?>', url_safe: /** @type {const} */ ('true'), data_url: true };
  const { outputs, warnings } = await runTool(tool, values);
  assert.equal(outputs.result, 'data:text/plain;charset=utf-8;base64,YT8+');
  assert.deepEqual(warnings, ['Data URLs have the standard alphabet.']);
  const raw = { ...values, mode: 'encode' };
  assert.equal(await tool.call?.(raw), undefined);
  assert.deepEqual(await tool.call?.({ ...raw, data_url: false }), {
    ...{ text: 'a?>', mode: 'encode', url_safe: 'true' },
  });
});

test('what PowerShell encodes is UTF-16, also with other letters, and short or other bytes are not', async () => {
  const decoded = async (/** @type {Buffer} */ bytes) => {
    const values = { text: bytes.toString('base64'), mode: /** @type {const} */ ('decode') };
    const { outputs, warnings } = await runTool(tool, values);
    return [outputs.result, /UTF-16/.test(String(warnings))];
  };
  for (const text of ['Write-Host', '# – Größe prüfen: Путь\r\nGet-ChildItem', '\uFEFFЖ'])
    assert.deepEqual(await decoded(Buffer.from(text, 'utf16le')), [
      text.replace(/^\uFEFF/, ''),
      true,
    ]);
  for (const text of ['Write-Host', '\uFEFFЖ'])
    assert.deepEqual(await decoded(Buffer.from(text, 'utf16le').swap16()), [
      text.replace(/^\uFEFF/, ''),
      true,
    ]);
  for (const bytes of ['0001', '00000005', '7f000001', '00616263', 'c0a80001'])
    assert.equal((await decoded(Buffer.from(bytes, 'hex')))[1], false, bytes);
});

test('either alphabet is decoded', async () => {
  for (const text of ['YT8-', 'YT8+'])
    assert.equal((await runTool(tool, { text, mode: 'decode' })).outputs.result, 'a?>');
});
