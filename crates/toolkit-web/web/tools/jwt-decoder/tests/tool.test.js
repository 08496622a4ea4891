//! jwt-decoder: the tokens of the RFCs, the dates, and what is refused as the service refuses it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runTool } from '../../../tests/run.mjs';
import { readToken } from '../token.js';
import tool from '../tool.js';

const VECTORS = JSON.parse(
  readFileSync(
    new URL('../../../../../toolkit-core/tests/vectors/jwt.json', import.meta.url),
    'utf8',
  ),
);
const base64url = (/** @type {string} */ text) => Buffer.from(text).toString('base64url');
const HS256 = base64url('{"alg":"HS256"}');
const claims = (/** @type {string} */ payload) => `${HS256}.${base64url(payload)}.c2ln`;

/** @param {string} token @param {Record<string, any>} [raw] @returns {Promise<Record<string, any>>} */
async function read(token, raw = {}) {
  const { outputs, warnings, refusal } = await runTool(tool, { token, ...raw });
  const result = refusal
    ? {}
    : { Status: outputs.headline.text, ...Object.fromEntries(outputs.result.pairs) };
  return { ...outputs, result, warnings, sentence: refusal?.sentence ?? '' };
}

test('the tokens of the RFCs are shown with their own digits and names', async () => {
  for (const { source, token, header, payload, algorithm, token_type } of VECTORS) {
    const found = await read(token);
    assert.deepEqual(JSON.parse(found.header.text), JSON.parse(header), source);
    if (payload === null || payload === undefined) assert.equal(found.payload, undefined, source);
    else assert.deepEqual(JSON.parse(found.payload.text), JSON.parse(payload), source);
    assert.equal(found.result.Algorithm, algorithm, source);
    assert.match(found.result.Kind, new RegExp(token_type, 'i'), source);
  }
  const exact = '{"b": 1.10, "a": 1E400, "a": 123456789012345678901, "s": "\\u00e9\\/"}';
  const { payload, warnings } = await read(claims(exact));
  assert.equal(
    payload.text,
    '{\n  "b": 1.10,\n  "a": 1E400,\n  "a": 123456789012345678901,\n  "s": "\\u00e9\\/"\n}',
  );
  assert.match(warnings.join(' '), /The name `a` .* both are kept\. \(In the payload\.\)/);
});

test('the dates are told in words', async () => {
  const now = 1_700_000_000;
  for (const [payload, status] of /** @type {const} */ ([
    [`{"exp":${now}}`, /^Expired 0 s ago/],
    [`{"exp":${now - 1}}`, /^Expired 1 s ago/],
    [`{"exp":${now + 5340}}`, /^Expires in 1 h 29 min$/],
    [`{"exp":${now + 86_400 * 2}}`, /^Expires in 2 days$/],
    [`{"exp":${now - 15 * 31_556_952 - 5}}`, /^Expired 15 years ago$/],
    [`{"exp":${now + 9},"nbf":${now + 3}}`, /^Not valid yet, only in 3 s$/],
    [`{"exp":1e999}`, /cannot be read/],
    [`{"exp":"soon"}`, /cannot be read/],
    ['{}', /^Does not expire/],
  ]))
    assert.match((await read(claims(payload))).result.Status, status, payload);
  const { result, warnings } = await read(claims('{"iat":1700000000.25,"exp":1700000000000}'));
  assert.equal(result.Issued, '2023-11-14T22:13:20.25Z');
  assert.match(warnings.join(), /`exp` looks like milliseconds/);
});

test('a key verifies the signature, and a changed token does not pass', async () => {
  const [{ token }] = VECTORS;
  const raw = {
    key: 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
    format: 'base64url',
  };
  const valid = await read(`Bearer ${token}`, raw);
  assert.match(valid.result.Signature, /^Valid/);
  assert.equal(valid.headline.text, 'Expired 12 years ago, signature valid');
  assert.match((await read(token, { key: 'another' })).result.Signature, /^Not valid/);
  assert.match(
    (await read(token.replace('.eyJpc3', '.eyJpc2'), raw)).result.Signature ?? '',
    /^Not valid|^$/,
  );
  assert.match((await read(token)).result.Signature, /^Not checked: enter a key/);
  assert.match((await read(`${base64url('{"alg":"none"}')}.e30.`, raw)).result.Signature, /^None/);
  const pem = '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----';
  assert.match((await read(token, { key: pem })).sentence, /^Key to verify the signature /);
});

test('what surrounds a token is taken off', async () => {
  const token = claims('{}');
  for (const around of [
    `Authorization: Bearer ${token}\n`,
    ` "${token}"`,
    `bearer '${token}'`,
    `\uFEFF“${token}”`,
  ])
    assert.equal((await read(around)).payload.text, '{}', around);
});

test('what surrounds a token is named, and a token that a terminal broke is joined', async () => {
  const signature = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const head = `${HS256}.${base64url('{"sub":"anna"}')}.`;
  const whole = head + signature;
  for (const [before, after, name] of /** @type {const} */ ([
    ['Bearer ', '\n', undefined],
    ['"', '"', 'quotes'],
    ['```jwt\n', '\n```', 'a code fence'],
  ])) {
    const { warnings, refusal } = await runTool(tool, { token: before + whole + after });
    assert.equal(refusal, undefined);
    assert.deepEqual(warnings, name ? [`Left out around the token: ${name}.`] : []);
  }
  for (const [before, after] of /** @type {const} */ ([
    ["curl -H 'Authorization: Bearer ", "' https://example.com/a.b.c"],
    ['{\n  "access_token": "', '",\n  "expires_in": 3600\n}'],
    ['name: a\ntoken: ', '\nexpires: 3600\n'],
    ['```jwt\n', '\n```'],
  ]))
    for (const at of [10, head.length - 8, head.length, head.length + 16, head.length + 24]) {
      const token = `${before}${whole.slice(0, at)}\n${whole.slice(at)}${after}`;
      const { outputs, refusal, warnings } = await runTool(tool, { token, key: 'a' });
      assert.equal(refusal, undefined, token);
      assert.equal(outputs.payload.text, '{\n  "sub": "anna"\n}', token);
      assert.match(warnings.join(), /line breaks/, token);
      assert.ok(JSON.stringify(outputs.marks ?? '').length > 0);
    }
  assert.equal(readToken(`token: ${head}c2ln\nDone`, () => {}).compact, `${head}c2ln`);
  const broken = `"${head}${signature.slice(0, 16)}\n${signature.slice(16)}"`;
  assert.equal(readToken(broken, () => {}).compact, whole);
  assert.match((await read(`${whole}.`)).sentence, /Remove the full stop at the end\.$/);
});

test('invalid tokens are refused with the part and the place', async () => {
  for (const [token, sentence] of /** @type {const} */ ([
    ['abc', /^Token has 1 part where a token has three \(header/],
    ['YWJj.e30', /has 2 parts.*A token without a signature ends in a full stop/],
    [`${HS256}.e30.a.b`, /has 4 parts/],
    ['{"payload":"e30"}', /The JSON serialization is not read/],
    ['!.e30.', /Character 1: .*a header that is not base64url: it has the character "!".*/],
    [`${HS256}.e3+.c2ln`, /Character 24: .*a payload that is not base64url: .*/],
    [`Bearer ${HS256}.e30.c2ln c2ln`, /Character 37: .*a signature that is not base64url: .*/],
    [`${HS256}.e30.c2lnc`, /a signature that is not base64url: .*one digit is left over/],
    [`${HS256}.e31.c2ln`, /a payload that is not base64url: it ends in bits that are not zero/],
    [`${HS256}.YQ.YQ.YQ.YQ`, /has 5 parts, but its header has no `enc`/],
    ['v4.public.YQ', /is a PASETO \(`v4`\)/],
    [`${base64url('{"enc":"A"}')}.YQ.!.YQ.YQ`, /an initialization vector that is not base64url/],
    [`${base64url('[]')}.e30.`, /a header that is not a JSON object: it does not start with/],
    [`${HS256}.${base64url('{"a":}')}.`, /a payload that is not a JSON object: it has/],
    [`${HS256}._w.`, /a payload that is not a JSON object: it is not UTF-8 text/],
    [`${base64url('{"alg":"HS256","cty":"jwt"}')}.${base64url('a.b.c')}.`, /a nested token/],
  ]))
    assert.match((await read(token)).sentence, sentence, token);
});

test('of a token that was cut, what is left can be read', async () => {
  const payload = base64url('{"sub":"annä","exp":1700000000,"roles":["admin","editor"]}');
  const cut = (/** @type {number} */ length) => `${HS256}.${payload.slice(0, length)}`;
  const found = await read(cut(payload.length));
  assert.match(found.header.text, /"alg": "HS256"/);
  assert.match(found.payload.text, /"sub": "annä"/);
  assert.match(found.headline.text, /^Expired /);
  assert.equal(found.headline.tone, 'bad');
  assert.equal(found.result.Signature, 'None: it is cut off.');
  assert.match(found.warnings.join(), /has two of its three parts/);
  for (let length = 12; length < payload.length; length++)
    for (const dots of ['', '...']) {
      const { payload: left, sentence, warnings, headline } = await read(cut(length) + dots);
      assert.equal(sentence, '', `${length}`);
      assert.match(left.text, /^\{"sub":"[^\ufffd]*$/);
      assert.equal(headline.text, 'The token is cut off');
      assert.match(warnings.join(), /The payload is cut off too/);
    }
  assert.match((await read(cut(20), { key: 'a' })).headline.text, /cut off/);
});

test('what readers differ in is a warning', async () => {
  for (const [token, warning] of /** @type {const} */ ([
    [`${HS256}.e30=.c2ln`, /The payload has padding/],
    [`${HS256}.e30.c2lnZh`, /The last character of the signature has unused bits/],
    [`${HS256}..c2ln`, /The payload is detached/],
    [`${HS256}.e30.`, /The signature is empty/],
    [`${HS256}.e30...`, /The signature is cut off/],
    [`${base64url('{}')}.e30.c2ln`, /The header has no `alg`/],
    [`${base64url('{"alg":"NONE"}')}.e30.c2ln`, /has a signature, though `alg` is `none`/],
    [`${base64url('{"alg":"dir","enc":"A"}')}..YQ.YQ.YQ`, /is encrypted \(JWE\)/],
  ]))
    assert.match((await read(token)).warnings.join(' '), warning, token);
});

test('the parts of a token are colored where they were pasted', async () => {
  const token = claims('{"sub":"anna"}');
  const typed = `Cookie: a=b; token=${token}; c=d`;
  const { outputs } = await runTool(tool, { token: typed });
  assert.deepEqual(
    outputs.marks.data.token.map(
      (/** @type {[number, number, string]} */ [start, end, name]) =>
        `${typed.slice(start, end)} ${name}`,
    ),
    token.split('.').map((part, at) => `${part} tone-${at + 1}`),
  );
  const inTwoLines = `${token.slice(0, 20)}\n${token.slice(20)}`;
  assert.deepEqual((await runTool(tool, { token: inTwoLines })).outputs.marks.data.token, []);
});

test('a changed payload is signed again with the key, with its digits, and its dates are told', async () => {
  const key = 'a shared secret of at least 32 bytes';
  const token = claims('{"sub":"anna","exp":1700000000,"n":1.10}');
  const filled = await tool.actions?.[0]?.run(
    /** @type {any} */ ({ token: { string: token } }),
    /** @type {any} */ ({ warn: () => {} }),
  );
  const payload = String(filled?.payload);
  assert.match(payload, /"sub": "anna"/);
  const changed = payload.replace('anna', 'bob').replace('1700000000', '1800000000');
  const found = await read(token, { payload: changed, key });
  const again = await read(found.signed.text, { key });
  assert.equal(again.payload.text, changed);
  assert.match(again.result.Signature, /^Valid/);
  assert.match(found.dates.pairs.join(), /Expires,2027-01-15/);
  assert.match(found.result.Signature, /^Not valid/);
});

test('without its key, or with one that cannot sign, the changed payload is kept and a sentence says why', async () => {
  const token = claims('{"sub":"anna"}');
  const without = await read(token, { payload: '{"sub":"bob"}' });
  assert.equal(without.signed, undefined);
  assert.match(without.warnings.join(), /Enter the key/);
  assert.match(
    (await read(token, { payload: '{"sub":' })).sentence,
    /Editable payload ends too early/,
  );
  assert.match((await read(token, { payload: '[1]' })).sentence, /must be a JSON object/);
  const publicKey = JSON.stringify({ kty: 'EC', crv: 'P-256', x: 'a', y: 'b' });
  const wrong = await read(token, { payload: '{"sub":"bob"}', key: publicKey });
  assert.ok(wrong.signed === undefined, 'nothing is signed with another kind of key');
});

test('a secret that is Base64 or hexadecimal is told, where it fits so', async () => {
  const token =
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.bO6QcZG7VSIsIP2EU5niSyVfWcyMb_U1KIyekxdj_dY';
  for (const [key, name] of [
    ['YWFh', 'Base64'],
    ['616161', 'hexadecimal digits'],
  ]) {
    const { outputs } = await runTool(tool, { token, key });
    assert.ok(
      JSON.stringify(outputs).includes(`valid with the secret as ${name}. Choose that format`),
      JSON.stringify(outputs).slice(0, 400),
    );
  }
});
