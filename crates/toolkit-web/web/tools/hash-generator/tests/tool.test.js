//! hash-generator: Node's digests of the same bytes, in parts and with keys; checksums; refusals.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import { fixedContext, runTool } from '../../../tests/run.mjs';
import tool from '../tool.js';

const NAMES = /** @type {const} */ (['md5', 'sha1', 'sha256', 'sha384', 'sha512']);
const big = new Uint8Array((9 << 20) + 5).map((_, at) => at * 7);

test('files are read in parts, and give the digests that Node gives', async () => {
  /** @type {number[]} */
  const made = [];
  const context = { ...fixedContext(), progress: (/** @type {number} */ done) => made.push(done) };
  const all = [
    { name: 'big', bytes: big },
    { name: 'empty', bytes: new Uint8Array() },
  ].map(({ name, bytes }) => ({
    name,
    type: '',
    size: bytes.length,
    bytes: new Uint8Array(),
    blob: new Blob([bytes]),
  }));
  const { outputs } = await runTool(tool, { files: all }, context);
  const wanted = [big, new Uint8Array()].flatMap((bytes) =>
    NAMES.map((name) => createHash(name).update(bytes).digest('hex')),
  );
  assert.deepEqual(
    outputs.result.rows
      .filter((/** @type {string[]} */ row) => row[1] !== 'CRC-32')
      .map((/** @type {string[]} */ row) => row[2]),
    wanted,
  );
  assert.equal(made.at(-1), big.length);
});

test('a key makes HMACs, of any length', async () => {
  for (const key of ['k', 'k'.repeat(300)])
    for (const algorithm of NAMES) {
      const { outputs } = await runTool(tool, { text: 'Grüße', algorithm, key });
      assert.equal(outputs.result, createHmac(algorithm, key).update('Grüße').digest('hex'));
    }
});

test('a checksum is compared in every notation, and a difference is told', async () => {
  const digest = createHash('sha512').update('abc').digest();
  for (const compare of [
    digest.toString('hex').toUpperCase(),
    digest.toString('base64'),
    digest.toString('base64url'),
    `SHA512:${digest.toString('hex')}`,
    `${digest.toString('hex')}  abc.txt`,
  ]) {
    const { outputs } = await runTool(tool, { text: 'abc', compare });
    assert.equal(outputs.headline.text, 'Same: it is the SHA-512', compare);
  }
  const { outputs } = await runTool(tool, { text: 'abd', compare: digest.toString('hex') });
  assert.match(outputs.headline.text, /^Different/);
});

test('what is no text or key in its encoding is refused with its place', async () => {
  for (const [raw, sentence] of /** @type {const} */ ([
    [{ text: 'xy', input_encoding: 'hex' }, /^Character 0: Text has the character "x".*/],
    [{ text: 'abc', input_encoding: 'hex' }, /^Text has an odd number of hexadecimal digits/],
    [{ text: 'a*', input_encoding: 'base64' }, /^Character 1: Text has the character "\*".*/],
    [{ text: 'a', key: 'é', key_encoding: 'hex' }, /Key has the character "é"/],
    [{ text: 'a\ud800' }, /Text contains half of a surrogate pair/],
  ]))
    assert.match((await runTool(tool, raw)).refusal?.sentence ?? '', sentence);
});

test('SHA-3, BLAKE3 and CRC-32 have the values of their standards, in parts too', async () => {
  const digest = async (/** @type {string} */ algorithm, /** @type {string} */ text) =>
    (await runTool(tool, { text, algorithm: /** @type {'blake3'} */ (algorithm) })).outputs.result;
  assert.equal(
    await digest('sha3_256', ''),
    'a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a',
  );
  assert.match(String(await digest('sha3_512', 'abc')), /^b751850b1a57168a5693cd924b6b096e/);
  assert.equal(
    await digest('blake3', ''),
    'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262',
  );
  assert.equal(await digest('crc32', '123456789'), 'cbf43926');
  const large = 'a'.repeat(9 << 20);
  const { crc32 } = await import('node:zlib');
  const wanted =
    typeof crc32 === 'function' ? crc32(large).toString(16).padStart(8, '0') : undefined;
  if (wanted) assert.equal(await digest('crc32', large), wanted);
});

test('with a key no BLAKE3 and CRC-32 are shown, and asked for they are refused; a checksum of any is found', async () => {
  const { outputs } = await runTool(tool, { text: 'abc', key: 'k' });
  const names = outputs.result.pairs.map(([name = '']) => name);
  assert.ok(
    names.includes('HMAC-SHA3-256') &&
      !names.some((/** @type {string} */ name) => /BLAKE|CRC/.test(name)),
  );
  assert.match(
    (await runTool(tool, { text: 'abc', key: 'k', algorithm: 'crc32' })).refusal?.sentence ?? '',
    /makes no HMAC/,
  );
  const file = { name: 'a.txt', type: '', size: 3, bytes: new TextEncoder().encode('abc') };
  const compare = '6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85';
  const compared = await runTool(tool, { files: [file], compare });
  assert.equal(compared.outputs.headline.text, 'Same: it is the BLAKE3 of a.txt');
  const usual = await runTool(tool, { files: [file] });
  assert.equal(usual.outputs.result.rows.length, 6);
});
