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
