//! Certificates, keys and tokens as they lie around: what is around them is taken off, and said.
import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { unwrap } from '../kit/unwrap.js';
import certificates from '../tools/certificate-decoder/tool.js';
import decoder from '../tools/jwt-decoder/tool.js';
import encoder from '../tools/jwt-encoder/tool.js';
import keys from '../tools/rsa-key-generator/tool.js';
import { runTool } from './run.mjs';

const PEM = String(certificates.examples[0]?.values.text);
const DIGITS = PEM.replaceAll(/-----.*-----|\s/g, '');
const HEX = Buffer.from(DIGITS, 'base64').toString('hex');
const base64 = (/** @type {string} */ text) => Buffer.from(text).toString('base64');
const lines = (/** @type {string} */ text) => text.match(/.{1,76}/g)?.join('\n    ') ?? '';
const rows = PEM.trim().split('\n');

const CERTIFICATES = {
  'Base64 of kubeconfig': `users:\n- user:\n    client-certificate-data: ${base64(PEM)}\n    token: abc\n`,
  'Base64 in lines': `data:\n  tls.crt: >\n    ${lines(base64(PEM))}\n  server: here\n`,
  'Base64 twice': base64(base64(PEM)),
  'an .env file': `CERT="${PEM.replaceAll('\n', '\\n')}"\nPORT=1\n`,
  'JSON with CR LF': JSON.stringify({ cert: PEM.replaceAll('\n', '\r\n'), port: 1 }),
  'JSON in JSON': JSON.stringify(JSON.stringify({ cert: PEM })),
  'PHP, which escapes slashes': JSON.stringify(PEM).replaceAll('/', '\\/'),
  'lines of a program in C': `const char* ca =\n${rows.map((row) => `  "${row}\\n"`).join(' \\\n')};\n`,
  'lines of a program in Java': `String ca = ${rows.map((row) => `"${row}\\n"`).join(' +\n    ')};`,
  'a comment': rows.map((row) => `# ${row}`).join('\n'),
  'a quoted mail': rows.map((row) => `> ${row}`).join('\n'),
  'a header of nginx': encodeURIComponent(PEM),
  'a header of AWS': PEM.replaceAll('\n', '%0A').replaceAll(' ', '%20'),
  'a header of Envoy': `Hash=1;Cert="${encodeURIComponent(PEM)}";Subject="CN=a"`,
  'hexadecimal digits': HEX,
  'digits with colons': HEX.toUpperCase().match(/../g)?.join(':') ?? '',
  'an array in C': `{ ${HEX.match(/../g)
    ?.map((byte) => `0x${byte}`)
    .join(', ')} };`,
  'a literal of SQL': `0x${HEX}`,
  SAML: `<ds:X509Data><ds:X509Certificate>\n${DIGITS}&#13;\n</ds:X509Certificate></ds:X509Data>`,
  'SAML in Base64': base64(
    `<saml:Response><X509Certificate>${DIGITS}</X509Certificate></saml:Response>`,
  ),
  'a JWK Set': `{"keys":[{"kty":"EC","x5c":["${DIGITS}"]}]}`,
  'a data URL': `data:application/x-x509-ca-cert;base64,${DIGITS}`,
  'a member of JSON': `{"certificate": "${DIGITS}"}`,
  'typographic dashes': PEM.replaceAll('-----', '—--'),
};

for (const [what, text] of Object.entries(CERTIFICATES))
  test(`a certificate is read out of ${what}`, async () => {
    const { outputs, refusal, warnings } = await runTool(certificates, { text });
    assert.equal(refusal, undefined, String(refusal?.sentence));
    assert.match(JSON.stringify(outputs.details), /CN=example\.com/);
    assert.match(warnings.join(), /^Taken off before it was read: /);
  });

test('several certificates are all read, and a private key among them is not shown', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const text = `a: ${base64(PEM)}\nb: ${base64(PEM)}\nclient-key-data: ${base64(key)}\n`;
  const { outputs, warnings } = await runTool(certificates, { text });
  assert.equal(outputs.overview.rows.length, 2);
  assert.ok(warnings.includes('The private key in the text is not shown.'));
});

test('what is as it should be is left as it is, without a warning', () => {
  const fail = (/** @type {string} */ sentence) => assert.fail(sentence);
  for (const text of [PEM, DIGITS, `subject=a\\b\n${PEM}`, 'MIIB', '', '{"kty":"oct","k":"AQ"}'])
    assert.equal(unwrap(text, 'certificate', fail), text);
  for (const text of ['a secret', '"quoted"', `{"kty":"oct","k":"AQ"}`])
    assert.equal(unwrap(text, 'key', fail), text);
  for (const text of ['eyJh.eyJh', 'a.b.c', 'www.example.com', 'eye.contact.now'])
    assert.equal(unwrap(text, 'token', fail), text);
});

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PKCS8 = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
const PKCS1 = String(privateKey.export({ format: 'pem', type: 'pkcs1' }));
const SPKI = String(publicKey.export({ format: 'pem', type: 'spki' }));
const bare = (/** @type {string} */ pem) => pem.replaceAll(/-----.*-----|\s/g, '');
const input = `${base64('{"alg":"RS256"}').replaceAll('=', '')}.${base64('{"sub":"a"}').replaceAll('=', '')}`;
const TOKEN = `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;

test('a key is read without the lines of PEM, and as settings hold it', async () => {
  const forms = (/** @type {string} */ pem) => [
    bare(pem),
    `KEY='${pem.replaceAll('\n', '\\n')}'`,
    base64(pem),
    JSON.stringify({ private_key: pem }),
    Buffer.from(bare(pem), 'base64').toString('hex'),
  ];
  for (const pem of [PKCS8, PKCS1])
    for (const text of forms(pem)) {
      const { outputs, refusal } = await runTool(keys, { mode: 'check', private: text });
      assert.equal(refusal, undefined, `${text.slice(0, 60)}: ${refusal?.sentence}`);
      assert.equal(outputs.publicSpki.text, SPKI);
    }
  for (const text of forms(SPKI)) {
    const { outputs, refusal } = await runTool(decoder, { token: TOKEN, key: text });
    assert.equal(refusal, undefined, String(refusal?.sentence));
    assert.match(outputs.headline.text, /signature valid$/);
    const verified = await runTool(encoder, { mode: 'verify', token: TOKEN, key: text });
    assert.equal(verified.outputs.result, 'Valid.');
  }
});

test('a shared secret is used as it is, whatever it is like', async () => {
  const values = { payload: '{}', key: base64(PKCS8) };
  const { outputs, warnings } = await runTool(encoder, values);
  const [head, body, signature] = outputs.token.text.split('.');
  const { createHmac } = await import('node:crypto');
  const own = createHmac('sha256', values.key).update(`${head}.${body}`).digest('base64url');
  assert.deepEqual([signature, warnings], [own, []]);
});

const TEXTS = {
  'a cookie': `session=1; token=${TOKEN}; Path=/; HttpOnly`,
  JSON: JSON.stringify({ access_token: TOKEN, expires_in: 1 }),
  'a curl command': `curl -H 'Authorization: Bearer ${TOKEN}' https://www.example.com/a.b.c`,
  'an address': `https://app.example.com/cb#id_token=${TOKEN}&state=1`,
  'a secret of Kubernetes': `  token: ${base64(TOKEN)}`,
  'broken lines': TOKEN.match(/.{1,60}/g)?.join('\n') ?? '',
  'a line of a log': `2026-01-01 WARN [auth] invalid token (${TOKEN})`,
};

for (const [what, text] of Object.entries(TEXTS))
  test(`a token is read out of ${what}`, async () => {
    const { outputs, refusal, warnings } = await runTool(decoder, { token: text, key: SPKI });
    assert.equal(refusal, undefined, String(refusal?.sentence));
    assert.match(outputs.headline.text, /signature valid$/);
    assert.match(warnings.join(), /^Taken off before it was read: /);
    const verified = await runTool(encoder, { mode: 'verify', token: text, key: SPKI });
    assert.equal(verified.outputs.result, 'Valid.');
  });

test('of several tokens the first is read, and the others are told', async () => {
  const token = JSON.stringify({ id_token: TOKEN, access_token: TOKEN });
  const { warnings } = await runTool(decoder, { token });
  assert.match(warnings.join(), /the text around it \(1 other tokens too\)/);
});
