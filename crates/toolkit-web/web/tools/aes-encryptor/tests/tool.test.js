//! AES Encryptor: RFC 7520 §5.3, NIST CAVP GCM, every changed character refused, bad input.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { test } from 'node:test';
import { decryptJwe, encryptJwe } from '../../../lib/jose/jwe.js';
import { runAction, runTool, seeded, suite } from '../../../tests/run.mjs';
import { decryptGcm, encryptGcm } from '../aes-gcm.js';
import tool from '../tool.js';

const PASS = 'correct horse battery staple';
const KEY = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
/** @param {string} hex */
const bytes = (hex) => new Uint8Array(Buffer.from(hex, 'hex'));
/** Node's WebCrypto has no 8-byte IVs; browsers do. @param {any} one */
const isOffered = ({ input }) => input.iv.length > 2;
/** @param {Uint8Array | undefined} found */
const hex = (found) => Buffer.from(found ?? []).toString('hex');

test('RFC 7520 §5.3 decrypts', async (t) => {
  const cases = suite(t, 'jose_cookbook_rfc7520');
  if (!cases) return;
  const { input, expect } = cases.find((/** @type {any} */ one) => one.input.pwd);
  const { outputs } = await runTool(tool, {
    mode: 'decrypt',
    text: expect.compact,
    passphrase: input.pwd,
  });
  assert.equal(outputs.text.text, input.plaintext);
});

test('NIST CAVP: encryption', async (t) => {
  const cases = suite(t, 'aes_gcm_encrypt_cavp_sample');
  if (!cases) return;
  assert.equal(cases.length, 1575);
  for (const { id, input, expect } of cases.filter(isOffered)) {
    const { text, tag } = await encryptGcm(bytes(input.plaintext), {
      key: bytes(input.key),
      iv: bytes(input.iv),
      aad: bytes(input.aad),
      tagBits: input.tag_bits,
    });
    assert.equal(hex(text), expect.ciphertext, id);
    assert.equal(hex(tag), expect.tag, id);
  }
});

test('NIST CAVP: decryption', async (t) => {
  const cases = suite(t, 'aes_gcm_decrypt_cavp_sample');
  if (!cases) return;
  assert.equal(cases.length, 3148);
  for (const { id, input, expect } of cases.filter(isOffered)) {
    const plain = await decryptGcm(bytes(input.ciphertext), bytes(input.tag), {
      key: bytes(input.key),
      iv: bytes(input.iv),
      aad: bytes(input.aad),
      tagBits: input.tag_bits,
    });
    if (expect === 'reject') assert.equal(plain, undefined, id);
    else assert.equal(hex(plain), expect.plaintext, id);
  }
});

test('an independent implementation decrypts the output', async () => {
  const { outputs } = await runTool(tool, { text: 'Grüße', passphrase: PASS });
  const [head, wrapped, iv, text, tag] = outputs.encrypted.text
    .split('.')
    .map((/** @type {string} */ part) => Buffer.from(part, 'base64url'));
  const header = JSON.parse(head.toString());
  assert.deepEqual(
    [header.alg, header.enc, header.p2c],
    ['PBES2-HS512+A256KW', 'A256GCM', 600_000],
  );
  const salt = Buffer.concat([
    Buffer.from(header.alg),
    Buffer.from([0]),
    Buffer.from(header.p2s, 'base64url'),
  ]);
  const wrapping = createDecipheriv(
    'id-aes256-wrap',
    pbkdf2Sync(PASS, salt, 600_000, 32, 'sha512'),
    Buffer.from('a6a6a6a6a6a6a6a6', 'hex'),
  );
  const key = Buffer.concat([wrapping.update(wrapped), wrapping.final()]);
  const cipher = createDecipheriv('aes-256-gcm', key, iv)
    .setAuthTag(tag)
    .setAAD(Buffer.from(outputs.encrypted.text.split('.')[0]));
  assert.equal(Buffer.concat([cipher.update(text), cipher.final()]).toString(), 'Grüße');
});

test('salt, key and IV are fresh each time', async () => {
  const random = (/** @type {number} */ count) => crypto.getRandomValues(new Uint8Array(count));
  const made = await Promise.all(
    Array.from({ length: 20 }, () => encryptJwe(new Uint8Array(3), PASS, { rounds: 1000, random })),
  );
  for (const part of [0, 1, 2, 3, 4])
    assert.equal(new Set(made.map((token) => token.split('.')[part])).size, 20);
});

test('each changed character, and a wrong passphrase, get the same sentence', async () => {
  const { outputs } = await runTool(tool, { text: 'secret', passphrase: PASS, rounds: 1000 });
  const token = outputs.encrypted.text;
  const wrong = await runTool(tool, { mode: 'decrypt', text: token, passphrase: `${PASS}.` });
  assert.match(wrong.refusal?.sentence ?? '', /the passphrase is wrong, or the text was changed/);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const start = token.indexOf('.');
  for (let at = start + 1; at < token.length; at++) {
    if (token[at] === '.') continue;
    const other = letters[(letters.indexOf(token[at]) + 32) % 64];
    const changed = token.slice(0, at) + other + token.slice(at + 1);
    const { refusal } = await runTool(tool, { mode: 'decrypt', text: changed, passphrase: PASS });
    assert.ok(refusal, `character ${at}`);
    if (!/bits that are not zero/.test(refusal.offence))
      assert.equal(refusal.offence, wrong.refusal?.offence);
  }
  for (let at = 0; at < start; at++) {
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
    assert.ok(
      (await runTool(tool, { mode: 'decrypt', text: changed, passphrase: PASS })).refusal,
      `character ${at} of the header`,
    );
  }
});

test('each changed bit is refused with a raw key too; additional data must match', async () => {
  const { outputs } = await runTool(tool, {
    text: 'secret',
    method: 'key',
    key: KEY,
    aad: 'for Anna',
  });
  const sealed = Buffer.from(outputs.encrypted.text, 'base64');
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const copy = Buffer.from(sealed);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const { refusal } = await runTool(tool, {
      mode: 'decrypt',
      text: copy.toString('base64'),
      method: 'key',
      key: KEY,
      aad: 'for Anna',
    });
    assert.match(refusal?.sentence ?? '', /cannot be opened/);
  }
  const values = /** @type {const} */ ({
    mode: 'decrypt',
    text: outputs.encrypted.text,
    method: 'key',
    key: KEY,
  });
  assert.ok((await runTool(tool, { ...values, aad: 'for Bert' })).refusal);
  assert.equal((await runTool(tool, { ...values, aad: 'for Anna' })).outputs.text.text, 'secret');
});

test('texts of any kind and size round-trip, with passphrase and with each key size', async () => {
  const next = seeded(11);
  for (const size of [1, 15, 16, 17, 1000, 100_000]) {
    const plain = Uint8Array.from({ length: size }, () => next(256));
    const token = await encryptJwe(plain, PASS, {
      rounds: 1000,
      random: (count) => Uint8Array.from({ length: count }, () => next(256)),
    });
    assert.deepEqual(await decryptJwe(token, PASS), plain);
    for (const length of [16, 24, 32]) {
      const key = hex(Uint8Array.from({ length }, () => next(256)));
      const sealed = await runTool(tool, { text: plain, method: 'key', key, tag: '96' });
      const back = await runTool(tool, {
        mode: 'decrypt',
        text: sealed.outputs.encrypted.text,
        method: 'key',
        key,
        tag: '96',
      });
      const found = back.outputs.file?.data ?? new TextEncoder().encode(back.outputs.text.text);
      assert.deepEqual(new Uint8Array(found), plain);
    }
  }
});

test('a new key comes from the random number generator', async () => {
  assert.equal((await runAction(tool, 'New key')).values.key, KEY);
  assert.equal(
    (await runAction(tool, 'New key', { size: '128', method: 'key' })).values.key,
    KEY.slice(0, 32),
  );
});

test('warnings: a given IV, a short passphrase', async () => {
  const own = await runTool(tool, {
    text: 'x',
    method: 'key',
    key: KEY,
    iv: '000102030405060708090a0b',
  });
  assert.match(String(own.warnings), /never be used twice/);
  assert.match(
    String((await runTool(tool, { text: 'x', passphrase: 'short', rounds: 1000 })).warnings),
    /Short passphrase: whoever gets the encrypted text can guess it\./,
  );
});

/** @param {any} header */
const token = (header) =>
  `${Buffer.from(JSON.stringify(header)).toString('base64url')}.AA.AA.AA.AA`;
const HEADER = { alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2s: 'AAAA', p2c: 1000 };
for (const [values, field, offence] of /** @type {[any, string, RegExp][]} */ ([
  [{ passphrase: '' }, 'passphrase', /is empty/],
  [{ rounds: 999 }, 'rounds', /from 1000 to 2000000/],
  [{ rounds: 2_000_001 }, 'rounds', /from 1000/],
  [{ mode: 'decrypt', text: 'a.b' }, 'text', /has 2 parts/],
  [{ mode: 'decrypt', text: 'ab' }, 'text', /has 1 part;/],
  [{ mode: 'decrypt', text: 'U2FsdGVkX18AAAA=' }, 'text', /"openssl enc" or CryptoJS/],
  [{ mode: 'decrypt', text: 'a.b.c.d.e' }, 'text', /header of a JWE/],
  [
    { mode: 'decrypt', text: token({ ...HEADER, p2c: 2_000_001 }) },
    'text',
    /demands 2000001 rounds; 2000000/,
  ],
  [{ mode: 'decrypt', text: token({ ...HEADER, p2c: 0.5 }) }, 'text', /rounds/],
  [{ mode: 'decrypt', text: token({ ...HEADER, alg: 'dir' }) }, 'text', /algorithm "dir"/],
  [{ mode: 'decrypt', text: token({ ...HEADER, alg: 'toString' }) }, 'text', /algorithm/],
  [{ mode: 'decrypt', text: token({ ...HEADER, enc: 'none' }) }, 'text', /encryption "none"/],
  [{ mode: 'decrypt', text: token({ ...HEADER, zip: 'DEF' }) }, 'text', /"zip"/],
  [{ mode: 'decrypt', text: token({ ...HEADER, p2s: 7 }) }, 'text', /salt/],
  [{ mode: 'decrypt', text: token(HEADER) }, 'text', /less than 8 bytes/],
  [{ mode: 'decrypt', text: token(null) }, 'text', /not a JSON object/],
  [{ method: 'key', key: '' }, 'key', /is empty/],
  [{ method: 'key', key: '0011' }, 'key', /16 bits; AES keys have 128, 192 or 256/],
  [{ method: 'key', key: 'zz!' }, 'key', /"!"/],
  [{ method: 'key', key: KEY, mode: 'decrypt', text: 'AAAg' }, 'text', /3 bytes, too few/],
  [{ method: 'key', key: KEY, iv: '%' }, 'iv', /"%"/],
  [{ method: 'key', key: KEY, iv: '00112233445566' }, 'iv', /56 bits; 64 to 1024/],
])) {
  test(`refuses ${JSON.stringify(values).slice(0, 90)}`, async () => {
    const { refusal } = await runTool(tool, { text: 'x', passphrase: PASS, ...values });
    assert.equal(refusal?.field, field, String(refusal?.sentence));
    assert.match(refusal?.sentence ?? '', offence);
  });
}

test('10 MiB, and one byte more', async () => {
  const largest = new Uint8Array(10 << 20);
  assert.equal(
    (await runTool(tool, { text: largest, passphrase: PASS, rounds: 1000 })).refusal,
    undefined,
  );
  assert.match(
    (await runTool(tool, { text: new Uint8Array(largest.length + 1), passphrase: PASS })).refusal
      ?.sentence ?? '',
    /10 MiB/,
  );
});

test('rounds below 210,000 are warned of', async () => {
  for (const [rounds, count] of [
    [209_999, 1],
    [210_000, 0],
  ]) {
    const { warnings } = await runTool(tool, {
      text: 'x',
      passphrase: 'five random words are good',
      rounds,
    });
    assert.equal(warnings.length, count, warnings.join(' '));
  }
});

test('what openssl enc wrote is decrypted, whatever made its key', async (t) => {
  if (spawnSync('openssl', ['version']).error) return t.skip('openssl is not installed');
  for (const [cipher, ...way] of [
    ['-aes-256-cbc', '-md', 'md5'],
    ['-aes-256-cbc', '-md', 'sha256'],
    ['-aes-256-cbc', '-pbkdf2'],
    ['-aes-256-cbc', '-pbkdf2', '-iter', '100000'],
    ['-aes-192-cbc', '-pbkdf2'],
    ['-aes-128-cbc', '-pbkdf2'],
    ['-aes-128-cbc', '-md', 'md5'],
  ])
    for (const input of ['Grüße', 'a'.repeat(1000), '']) {
      const options = ['enc', String(cipher), '-a', '-salt', '-pass', `pass:${PASS}`, ...way];
      const { stdout } = spawnSync('openssl', options, { input, encoding: 'utf8' });
      const values = /** @type {const} */ ({ mode: 'decrypt', text: stdout, passphrase: PASS });
      const { outputs, warnings } = await runTool(tool, values);
      assert.equal(outputs.text.text, input, String(way));
      assert.match(String(warnings), /not protected against changes/);
    }
  // By `openssl enc -aes-256-cbc -a -pbkdf2 -iter 2500`: a fixed one, as a wrong key fits a random one once in 60 times.
  const written = 'U2FsdGVkX1/W3g1VeZOl7u28k1Ex/SGOBWgu3hJ98eo=';
  const odd = /** @type {const} */ ({ mode: 'decrypt', text: written, passphrase: PASS });
  const told = (await runTool(tool, odd)).refusal?.sentence ?? '';
  assert.match(told, /with other options\. Enter the number of `-iter` as PBKDF2 rounds/);
  assert.equal((await runTool(tool, { ...odd, rounds: 2500 })).outputs.text.text, 'Grüße');
  const text = 'U2FsdGVkX1/II8Uk/d12Rp3Pbk32hLus1YTvpZVZneM=';
  const wrong = await runTool(tool, { mode: 'decrypt', text, passphrase: 'another passphrase' });
  assert.match(wrong.refusal?.sentence ?? '', /cannot be opened/);
});
