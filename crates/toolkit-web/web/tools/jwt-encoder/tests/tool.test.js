//! JWT Encoder: RFC 7515 appendix A, RFC 7520 §4, RFC 8037 A.4, keys that do not fit, claims, bad input.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac, generateKeyPairSync, verify as nodeVerify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as jose from '../../../lib/jose/jws.js';
import { runAction, runTool, seeded, suite } from '../../../tests/run.mjs';
import tool from '../tool.js';

const SECRET = 'a shared secret of at least 32 bytes';
const PAYLOAD = '{"sub":"1"}';
const NOW = 1_700_000_000;
/** @param {any} values */
const sign = (values) => runTool(tool, { payload: PAYLOAD, key: SECRET, ...values });
/** @param {any} values */
const verify = (values) => runTool(tool, { mode: 'verify', key: SECRET, ...values });
/** @param {string} text */
const base64url = (text) => Buffer.from(text).toString('base64url');
/** @param {any} claims */
const tokenOf = async (claims) =>
  (await sign({ payload: JSON.stringify(claims) })).outputs.token.text;

test('RFC 7515 A.1 to A.5: signed as written, and verified', async (t) => {
  const cases = suite(t, 'jose_rfc7515_rfc7516');
  if (!cases) return;
  for (const { id, input, expect } of cases.filter(
    (/** @type {any} */ one) => one.input.protected,
  )) {
    const key = JSON.stringify(input.key ?? {});
    const found = await verify({ token: expect.compact, key });
    if (input.alg === 'none') {
      assert.match(found.refusal?.sentence ?? 'accepted', /"none".*never accepted/, id);
      continue;
    }
    if (id === 'rfc7515-A.4') {
      assert.match(String(found.warnings), /not a JSON object/);
      assert.equal(found.outputs.result, 'Valid.');
      continue;
    }
    assert.equal(found.outputs.checks.rows[0][1], 'valid', id);
    if (!expect.deterministic) continue;
    const made = await runTool(tool, { header: input.protected, payload: input.payload, key });
    assert.equal(made.outputs.token.text, expect.compact, id);
  }
});

test('RFC 7520 §4.1 to §4.4 and RFC 8037 A.4', async (t) => {
  const cases = suite(t, 'jose_cookbook_rfc7520');
  if (!cases) return;
  const names = /^jose-(jws-4_[1234]|curve25519-jws)/;
  const found = cases.filter((/** @type {any} */ one) => names.test(one.id));
  assert.equal(found.length, 5);
  for (const { id, input, expect } of found) {
    const { outputs } = await verify({
      token: expect.compact,
      key: JSON.stringify({ ...input.key, alg: undefined }),
    });
    assert.equal(outputs.checks.rows[0][1], 'valid', id);
    if (!/RS256|HS256|EdDSA/.test(input.alg)) continue;
    const [key] = await jose.readKeys(JSON.stringify(input.key), 'auto');
    assert.ok(key);
    const [head = ''] = expect.compact.split('.');
    const made = await jose.signJws(
      Buffer.from(head, 'base64url').toString(),
      Buffer.from(input.payload),
      input.alg,
      key,
    );
    assert.equal(made, expect.compact, id);
  }
});

test('HMAC matches Node, for each hash and each notation of the key', async () => {
  for (const bits of [256, 384, 512]) {
    const key = Buffer.alloc(bits / 8, 0xe9);
    for (const [format, text] of [
      ['hex', key.toString('hex')],
      ['base64url', key.toString('base64url')],
      ['base64url', key.toString('base64')],
    ]) {
      const { outputs, warnings } = await sign({ algorithm: `HS${bits}`, key: text, format });
      const [head, body, signature] = outputs.token.text.split('.');
      assert.equal(
        signature,
        createHmac(`sha${bits}`, key).update(`${head}.${body}`).digest('base64url'),
      );
      assert.deepEqual(warnings, []);
    }
  }
});

const pairs = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  Ed25519: generateKeyPairSync('ed25519'),
};
/** @param {any} key @param {string} type */
const pem = (key, type) => String(key.export({ type, format: 'pem' }));

for (const alg of [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
  'EdDSA',
]) {
  test(`${alg}: every notation of a key signs, and every notation verifies`, async () => {
    const kind = /^[RP]S/.test(alg) ? 'RS256' : alg === 'EdDSA' ? 'Ed25519' : alg;
    const { privateKey, publicKey } = pairs[/** @type {'RS256'} */ (kind)];
    const own = [pem(privateKey, 'pkcs8'), JSON.stringify(privateKey.export({ format: 'jwk' }))];
    if (kind === 'RS256') own.push(pem(privateKey, 'pkcs1'));
    if (kind.startsWith('ES')) own.push(pem(privateKey, 'sec1'));
    const open = [
      pem(publicKey, 'spki'),
      JSON.stringify(publicKey.export({ format: 'jwk' })),
      ...own,
    ];
    for (const key of own) {
      const { outputs, refusal } = await sign({ algorithm: alg, key });
      assert.equal(refusal, undefined, String(refusal?.sentence));
      assert.doesNotMatch(outputs.publicKey.text, /"d"/);
      for (const other of [...open, outputs.publicKey.text]) {
        const found = await verify({ token: outputs.token.text, key: other });
        assert.equal(found.outputs.result, 'Valid.', String(found.refusal?.sentence));
      }
    }
  });
}

test('an independent implementation accepts an ES256 signature', async () => {
  const { privateKey, publicKey } = pairs.ES256;
  const { outputs } = await sign({ algorithm: 'ES256', key: pem(privateKey, 'pkcs8') });
  const [head, body, signature] = outputs.token.text.split('.');
  const found = nodeVerify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  assert.ok(found);
});

test('a JWK Set: by kid, otherwise each suitable key', async () => {
  const jwk = { ...pairs.ES256.publicKey.export({ format: 'jwk' }), kid: 'b' };
  const other = {
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
    kid: 'a',
  };
  const set = JSON.stringify({ keys: [{ kty: 'oct', k: 'AAAA' }, other, jwk] });
  const key = pem(pairs.ES256.privateKey, 'pkcs8');
  const named = await sign({ header: '{"alg":"ES256","kid":"b"}', key });
  assert.equal(
    (await verify({ token: named.outputs.token.text, key: set })).outputs.result,
    'Valid.',
  );
  const unnamed = await sign({ header: '{"alg":"ES256"}', key });
  assert.equal(
    (await verify({ token: unnamed.outputs.token.text, key: set })).outputs.result,
    'Valid.',
  );
  const wrong = await sign({ header: '{"alg":"ES256","kid":"a"}', key });
  assert.equal(
    (await verify({ token: wrong.outputs.token.text, key: set })).outputs.result,
    'Not valid.',
  );
  const unknown = await sign({ header: '{"alg":"ES256","kid":"c"}', key });
  assert.match(
    (await verify({ token: unknown.outputs.token.text, key: set })).refusal?.sentence ?? '',
    /no key with the "kid" "c"/,
  );
});

test('"use" and "key_ops" of a JWK hold', async () => {
  const jwk = pairs.ES256.publicKey.export({ format: 'jwk' });
  const own = pairs.ES256.privateKey.export({ format: 'jwk' });
  const { outputs } = await sign({ algorithm: 'ES256', key: JSON.stringify(own) });
  const verified = async (/** @type {any} */ key) =>
    await verify({ token: outputs.token.text, key: JSON.stringify(key) });
  assert.equal(
    (await verified({ ...jwk, use: 'sig', key_ops: ['verify'] })).outputs.result,
    'Valid.',
  );
  assert.equal((await verified({ ...own, key_ops: ['sign'] })).outputs.result, 'Valid.');
  for (const [members, offence] of /** @type {[any, RegExp][]} */ ([
    [{ use: 'enc' }, /"use" is "enc", not "sig"/],
    [{ key_ops: ['encrypt'] }, /"key_ops" lack "verify"/],
    [{ key_ops: 'verify' }, /"key_ops" lack "verify"/],
  ])) {
    assert.match((await verified({ ...jwk, ...members })).refusal?.sentence ?? 'accepted', offence);
    const set = await verified({ keys: [{ ...jwk, ...members }, jwk] });
    assert.equal(set.outputs.result, 'Valid.');
  }
  const key = JSON.stringify({ ...own, key_ops: ['verify'] });
  assert.match(
    (await sign({ algorithm: 'ES256', key })).refusal?.sentence ?? 'accepted',
    /"key_ops" lack "sign"/,
  );
});

test('each changed character of the signature is detected', async () => {
  const { outputs } = await sign({});
  const [head, body, signature] = outputs.token.text.split('.');
  for (let at = 0; at < signature.length - 1; at++) {
    const changed =
      signature.slice(0, at) + (signature[at] === 'A' ? 'B' : 'A') + signature.slice(at + 1);
    const found = await verify({ token: `${head}.${body}.${changed}` });
    assert.equal(found.outputs.result, 'Not valid.');
  }
  assert.equal(
    (await verify({ token: `${head}.${base64url('{"sub":"2"}')}.${signature}` })).outputs.result,
    'Not valid.',
  );
});

test('claims: times with skew, issuer, audience', async () => {
  const result = async (/** @type {any} */ claims, /** @type {any} */ values = {}) =>
    (await verify({ token: await tokenOf(claims), ...values })).outputs.result;
  assert.equal(await result({ exp: NOW + 1 }), 'Valid.');
  assert.equal(await result({ exp: NOW }), 'Not valid.');
  assert.equal(await result({ exp: NOW - 59 }, { skew: 60 }), 'Valid.');
  assert.equal(await result({ exp: NOW - 60 }, { skew: 60 }), 'Not valid.');
  assert.equal(await result({ nbf: NOW }), 'Valid.');
  assert.equal(await result({ nbf: NOW + 1 }), 'Not valid.');
  assert.equal(await result({ nbf: NOW + 1 }, { skew: 1 }), 'Valid.');
  assert.equal(await result({ iat: NOW + 5 }), 'Not valid.');
  assert.equal(await result({ exp: 'tomorrow' }), 'Not valid.');
  assert.equal(await result({ iss: 'a' }, { issuer: 'a' }), 'Valid.');
  assert.equal(await result({}, { issuer: 'a' }), 'Not valid.');
  assert.equal(await result({ aud: ['a', 'b'] }, { audience: 'b' }), 'Valid.');
  assert.equal(await result({ aud: 'a' }, { audience: 'b' }), 'Not valid.');
});

test('any payload round-trips exactly (seeded)', async () => {
  const next = seeded(21);
  const pieces = ['ü', '"', '\\', '\n', ' ', '😀', 'a', '\u2028', '<', '0'];
  for (let round = 0; round < 60; round++) {
    const text = Array.from({ length: next(12) }, () => pieces[next(pieces.length)]).join('');
    const payload = `{ "${round}" : ${JSON.stringify(text)},\n"n":1.50 }`;
    const algorithm = /** @type {const} */ (['HS256', 'HS384', 'HS512'])[next(3)] ?? 'HS256';
    const { outputs } = await sign({ payload, algorithm, key: SECRET.repeat(2) });
    const [, body = ''] = outputs.token.text.split('.');
    assert.equal(Buffer.from(body, 'base64url').toString(), payload);
    const found = await verify({ token: outputs.token.text, key: SECRET.repeat(2) });
    assert.equal(found.outputs.result, 'Valid.');
    assert.equal(JSON.parse(found.outputs.payload.text)[round], text);
    assert.match(found.outputs.payload.text, /1\.50/);
  }
});

test('the payload keeps its digits and order; a duplicate name is reported', async () => {
  const payload = '{"id":12345678901234567890,"2":1.50,"1":1e2,"id":7}';
  const { outputs } = await sign({ payload });
  const found = await verify({ token: outputs.token.text });
  assert.equal(found.outputs.payload.text, '{\n  "id": 7,\n  "2": 1.50,\n  "1": 1e2\n}');
  assert.match(String(found.warnings), /The name "id" occurs again/);
  const set = await runAction(tool, 'Set iat: now', {
    payload: '{"2":12345678901234567890,"1":1}',
  });
  assert.equal(
    set.values.payload,
    `{\n  "2": 12345678901234567890,\n  "1": 1,\n  "iat": ${NOW}\n}`,
  );
  assert.equal(
    (await runAction(tool, 'Set iat: now', { payload: '[1]' })).refusal?.offence,
    'must be a JSON object',
  );
});

test('a certificate verifies, and cannot sign', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'jwt-'));
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const made = spawnSync(
    'openssl',
    [...args, '-subj', '/CN=a', '-keyout', 'a.key', '-out', 'a.pem'],
    {
      cwd: folder,
    },
  );
  const read = (/** @type {string} */ name) => readFileSync(join(folder, name), 'utf8');
  const [key, certificate] = made.error ? ['', ''] : [read('a.key'), read('a.pem')];
  rmSync(folder, { recursive: true });
  if (made.error) return t.skip('openssl is not installed');
  const { outputs } = await sign({ algorithm: 'ES256', key });
  assert.equal(
    (await verify({ token: outputs.token.text, key: certificate })).outputs.result,
    'Valid.',
  );
  assert.match(
    (await sign({ algorithm: 'ES256', key: certificate })).refusal?.sentence ?? '',
    /needs the private one/,
  );
});

test('ML-DSA signs and verifies where the platform has it, and is refused with a sentence elsewhere', async () => {
  const made = await runAction(tool, 'New key', { algorithm: 'ML-DSA-44' });
  if (made.refusal) return assert.match(made.refusal.sentence, /ML-DSA-44/);
  const { outputs } = await sign({ algorithm: 'ML-DSA-44', key: made.values.key });
  const found = await verify({ token: outputs.token.text, key: outputs.publicKey.text });
  assert.equal(found.outputs.result, 'Valid.');
});

test('without a key a token is shown but not reported as valid', async () => {
  const { outputs } = await verify({ token: `Bearer ${await tokenOf({ a: 1 })}`, key: '' });
  assert.equal(outputs.result, 'Not verified: enter a key.');
  assert.equal(outputs.payload.text, '{\n  "a": 1\n}');
});

test('a public key is never used as a shared secret', async () => {
  const key = pem(pairs.RS256.publicKey, 'spki');
  const head = base64url('{"alg":"HS256"}');
  const forged = `${head}.e30.${createHmac('sha256', key).update(`${head}.e30`).digest('base64url')}`;
  assert.match(
    (await verify({ token: forged, key })).refusal?.sentence ?? 'accepted',
    /type RSA, but HS256 needs a shared secret/,
  );
});

test('buttons: times, and new keys', async () => {
  const set = await runAction(tool, 'Set exp: in an hour', { payload: '{"a":1}' });
  assert.equal(set.values.payload, `{\n  "a": 1,\n  "exp": ${NOW + 3600}\n}`);
  assert.equal((await runAction(tool, 'Set iat: now')).values.payload, `{\n  "iat": ${NOW}\n}`);
  assert.equal((await runAction(tool, 'Set nbf: now', { payload: '[' })).refusal?.field, 'payload');
  const secret = await runAction(tool, 'New key');
  assert.equal(secret.values.key, 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8');
  for (const algorithm of ['PS256', 'ES384', 'Ed25519']) {
    const made = await runAction(tool, 'New key', { algorithm });
    assert.equal((await sign({ algorithm, key: made.values.key })).refusal, undefined);
  }
});

test('warnings', async () => {
  assert.match(
    String((await sign({ key: 'x'.repeat(31) })).warnings),
    /248 bits; HS256 demands 256/,
  );
  assert.deepEqual((await sign({ key: 'x'.repeat(32) })).warnings, []);
  assert.match(String((await sign({ payload: '{"exp":1700000000000}' })).warnings), /milliseconds/);
  assert.match(String((await sign({ payload: '{"exp":"x"}' })).warnings), /not a number/);
});

const small = generateKeyPairSync('rsa', { modulusLength: 1024 });
for (const [title, values, field, offence] of /** @type {[string, any, string, RegExp][]} */ ([
  ['a payload that is not JSON', { payload: '{"a":\n1,}' }, 'payload', /^Line 2, column 2: /],
  ['a payload that is not an object', { payload: '[1]' }, 'payload', /JSON object/],
  ['a header that is not JSON', { header: '{' }, 'header', /^Line 1, /],
  ['a header without alg', { header: '{}' }, 'header', /no algorithm/],
  ['alg none', { header: '{"alg":"none"}' }, 'header', /never accepted/],
  ['alg nOnE', { header: '{"alg":"nOnE"}' }, 'header', /never accepted/],
  ['an unknown alg', { header: '{"alg":"HS1"}' }, 'header', /"HS1".*Known are HS256/],
  ['alg of a prototype', { header: '{"alg":"constructor"}' }, 'header', /"constructor"/],
  ['an unencoded payload', { header: '{"alg":"HS256","b64":false}' }, 'header', /7797/],
  ['no key', { key: '' }, 'key', /is empty/],
  [
    'a secret for RS256',
    { algorithm: 'RS256' },
    'key',
    /shared secret, but RS256 needs a key of the type RSA/,
  ],
  [
    'another curve',
    { algorithm: 'ES256', key: pem(pairs.ES384.privateKey, 'pkcs8') },
    'key',
    /P-384, but ES256 needs .* P-256/,
  ],
  [
    'RSA for ES256',
    { algorithm: 'ES256', key: pem(pairs.RS256.privateKey, 'pkcs8') },
    'key',
    /type RSA, but ES256/,
  ],
  [
    'RSA of 1024 bits',
    { algorithm: 'RS256', key: pem(small.privateKey, 'pkcs8') },
    'key',
    /1024 bits; 2048/,
  ],
  [
    'RSA of 1024 bits as JWK',
    { algorithm: 'PS256', key: JSON.stringify(small.privateKey.export({ format: 'jwk' })) },
    'key',
    /1024 bits/,
  ],
  [
    'a public key to sign',
    { algorithm: 'ES256', key: pem(pairs.ES256.publicKey, 'spki') },
    'key',
    /needs the private one/,
  ],
  [
    'a JWK for another algorithm',
    { key: '{"kty":"oct","k":"AAAA","alg":"HS512"}' },
    'key',
    /"HS512", not for HS256/,
  ],
  ['a JWK that is not JSON', { key: '{"kty":' }, 'key', /not valid JSON/],
  ['an empty JWK Set', { key: '{"keys":[]}' }, 'key', /0 keys/],
  ['a key that is not hexadecimal', { key: 'xy', format: 'hex' }, 'key', /"x"/],
  ['a token of two parts', { mode: 'verify', token: 'a.b' }, 'token', /has 2 parts/],
  ['a token of one part', { mode: 'verify', token: 'hello' }, 'token', /has 1 part;/],
  ['an encrypted token', { mode: 'verify', token: 'a.b.c.d.e' }, 'token', /encrypted/],
  [
    'a token with a foreign character',
    { mode: 'verify', token: 'e30.e+0.AA' },
    'token',
    /^Character 6: .*"\+"/,
  ],
  [
    'a header of a token that is not JSON',
    { mode: 'verify', token: 'AAAA.e30.AA' },
    'token',
    /Token/,
  ],
  [
    'critical extensions',
    { mode: 'verify', token: `${base64url('{"alg":"HS256","crit":["x"]}')}.e30.AA` },
    'token',
    /"crit"/,
  ],
  [
    'a token with none',
    { mode: 'verify', token: `${base64url('{"alg":"none"}')}.e30.` },
    'token',
    /never accepted/,
  ],
  ['a negative skew', { mode: 'verify', token: 'a.b.c', skew: -1 }, 'skew', /from 0 to 3600/],
])) {
  test(`refuses ${title}`, async () => {
    const { refusal } = await sign(values);
    assert.equal(refusal?.field, field, String(refusal?.sentence));
    assert.match(refusal?.sentence ?? '', offence);
  });
}

test('a token of 1 MiB', async () => {
  const payload = JSON.stringify({ a: 'x'.repeat((1 << 20) - 8) });
  const { outputs } = await sign({ payload });
  assert.equal((await verify({ token: outputs.token.text })).outputs.result, 'Valid.');
  assert.equal((await sign({ payload: `${payload} ` })).refusal?.field, 'payload');
});
