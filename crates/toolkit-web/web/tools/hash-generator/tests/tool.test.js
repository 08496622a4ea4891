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

test('a key may begin with its encoding, and one that looks encoded is asked about', async () => {
  const bytes = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
  const text = (/** @type {string} */ key) => Buffer.from(key);
  for (const [key, meant, said] of /** @type {const} */ ([
    [`hex:${bytes.toString('hex')}`, bytes, /begins with `hex:`, so the rest was read as hex\.$/],
    [`base64:${bytes.toString('base64')}`, bytes, /the rest was read as base64\.$/],
    [`whsec_${bytes.toString('base64')}`, bytes, /begins with `whsec_`, so the rest was read/],
    [
      ` HEX:${bytes.toString('hex')}\n`,
      bytes,
      /begins with `hex:`, so the rest was read as hex\.$/,
    ],
    [`hex:\u200b${bytes.toString('hex')},`, bytes, /so the rest was read as hex\.$/],
    [`0x${bytes.toString('hex')}`, text(`0x${bytes.toString('hex')}`), /If it is hex, put `hex:`/],
    ['hex:xy', text('hex:xy'), /but the rest is not hex: all of it was taken as text\.$/],
    ['base64:', text('base64:'), /but the rest is not base64/],
    [bytes.toString('hex'), text(bytes.toString('hex')), /If it is hex, put `hex:` in front/],
    [bytes.toString('base64'), text(bytes.toString('base64')), /put `base64:` in front of it\.$/],
    ['Jefe', text('Jefe'), /^$/],
  ])) {
    const { outputs, warnings } = await runTool(tool, { text: 'a', algorithm: 'sha256', key });
    assert.equal(outputs.result, createHmac('sha256', meant).update('a').digest('hex'), key);
    assert.match(warnings.join(' '), said);
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
    [{ text: 'xy', input_encoding: 'hex' }, /^Character 1: Text has the character "x".*/],
    [{ text: 'abc', input_encoding: 'hex' }, /^Text has an odd number of hexadecimal digits/],
    [{ text: 'a*', input_encoding: 'base64' }, /^Character 2: Text has the character "\*".*/],
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
  assert.equal(usual.outputs.result.pairs.length, 6);
  assert.equal(usual.outputs.result.main, 'SHA-256');
});

test('a checksum is found in the lines of the usual programs', async () => {
  const hex = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  const base64 = Buffer.from(hex, 'hex').toString('base64');
  const pairs = hex.match(/../g) ?? [];
  for (const compare of [
    `${hex}  file.iso`,
    `${hex} *file.iso`,
    ...['handshake.pcap', 'libsm3.so', 'blake2.tar.gz'].map((name) => `${hex}  ${name}`),
    `SHA256 (blake2.tar.gz) = ${hex}`,
    `SHA256 (file.iso) = ${hex}`,
    `SHA2-256(file.iso)= ${hex}`,
    `SHA256(stdin)= ${hex}`,
    `sha256:${hex}`,
    `--hash=sha256:${hex}`,
    `pkg==1.0 --hash=sha256:${hex} \\ --hash=sha256:${'0'.repeat(64)}`,
    `sha256-${base64}`,
    `"integrity": "sha256-${base64}"`,
    `SHA256:${base64.replace('=', '')}`,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
    pairs.join(':').toUpperCase(),
    `sha256 Fingerprint=${pairs.join(':').toUpperCase()}`,
    pairs.join(' '),
    `file.iso: ${(hex.toUpperCase().match(/.{8}/g) ?? []).join(' ')}`,
    `SHA256          ${hex.toUpperCase()}       C:\\file.iso`,
  ])
    for (const algorithm of /** @type {const} */ (['sha256', 'all'])) {
      const { outputs } = await runTool(tool, { text: 'abc', algorithm, compare });
      assert.equal(outputs.headline.text, 'Same: it is the SHA-256', compare);
    }
});

test('there is a verdict only on what can be a digest of a computed algorithm', async () => {
  const verdict = async (
    /** @type {string} */ compare,
    algorithm = /** @type {'sha256' | 'all'} */ ('sha256'),
  ) => (await runTool(tool, { text: 'abc', algorithm, compare })).outputs.headline.text;
  assert.equal(await verdict('hello'), 'Not compared: this is not a checksum of a known length');
  assert.equal(await verdict('ab12'), 'Not compared: this is not a checksum of a known length');
  assert.equal(
    await verdict('a9993e364706816aba3e25717850c26c9cd0d89d'),
    'Not compared: 160 bits are the length of another algorithm',
  );
  assert.equal(
    await verdict(`BLAKE2b (f) = ${'ab'.repeat(64)}`),
    'Not compared: BLAKE2b is none of these algorithms',
  );
  assert.equal(
    await verdict(`SHA512/256 (f) = ${'ab'.repeat(32)}`),
    'Not compared: SHA512/256 is none of these algorithms',
  );
  for (const wrong of [
    'ab'.repeat(32),
    `${'ab'.repeat(32)}  blake2.tar.gz`,
    `SHA256 (sm3.so) = ${'ab'.repeat(32)}`,
  ])
    assert.match(await verdict(wrong), /^Different/, wrong);
  assert.equal(
    await verdict(`${'ab'.repeat(28)}  backup-20231114.tar`, 'all'),
    'Not compared: this is not a checksum of a known length',
  );
  assert.equal(
    await verdict(`sha3-384-${Buffer.alloc(48, 7).toString('base64')}`, 'all'),
    'Not compared: sha3-384 is none of these algorithms',
  );
  assert.match(await verdict('backup-20231114.tar deadbeef', 'all'), /^Different/);
});
