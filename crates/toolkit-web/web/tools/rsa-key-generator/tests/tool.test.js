//! RSA Key Generator: exchange with OpenSSL and OpenSSH in both directions; pairs; bad input.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runTool } from '../../../tests/run.mjs';
import tool from '../tool.js';

const folder = mkdtempSync(join(tmpdir(), 'rsa-'));
after(() => rmSync(folder, { recursive: true }));
const made = await runTool(tool, { bits: '2048', comment: 'anna' });
const text = (/** @type {string} */ name) => made.outputs[name].text;

/** @param {string} program @param {string[]} args @returns {string | undefined} what it wrote, or undefined when it is not installed */
function run(program, ...args) {
  const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) return undefined;
  assert.equal(status, 0, stderr);
  return stdout;
}

/** @param {string} name @param {string} content */
function save(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, 0o600);
  return path;
}

for (const name of ['privatePkcs8', 'privatePkcs1']) {
  test(`openssl accepts ${name}`, (t) => {
    const found = run('openssl', 'pkey', '-check', '-noout', '-in', save(name, text(name)));
    if (found === undefined) return t.skip('openssl is not installed');
    assert.match(found, /Key is valid/);
  });
}

test('ssh-keygen reads both OpenSSH files and has the same fingerprint', (t) => {
  const path = save('id_rsa', text('privateSsh'));
  const found = run('ssh-keygen', '-y', '-P', '', '-f', path);
  if (found === undefined) return t.skip('ssh-keygen is not installed');
  assert.equal(found, text('publicSsh'));
  const print = Object.fromEntries(made.outputs.facts.pairs)['Fingerprint (OpenSSH)'];
  assert.match(
    String(run('ssh-keygen', '-l', '-f', save('id_rsa.pub', text('publicSsh')))),
    new RegExp(`^2048 ${print.replace(/[+/.]/g, '\\$&')} anna `),
  );
});

for (const bits of /** @type {const} */ (['2048', '3072', '4096']))
  test(`${bits} bits: openssl accepts the key, and ssh-keygen shows its size`, async (t) => {
    const { outputs } = await runTool(tool, { bits });
    const facts = Object.fromEntries(outputs.facts.pairs);
    assert.deepEqual([facts.Bits, facts['Public exponent']], [Number(bits), '65537']);
    const found = run(
      'openssl',
      'pkey',
      '-check',
      '-noout',
      '-in',
      save('k', outputs.privatePkcs8.text),
    );
    if (found === undefined) return t.skip('openssl is not installed');
    assert.match(found, /Key is valid/);
    const listed = run('ssh-keygen', '-l', '-f', save('k.pub', outputs.publicSsh.text));
    if (listed === undefined) return t.skip('ssh-keygen is not installed');
    assert.ok(listed.startsWith(`${bits} ${facts['Fingerprint (OpenSSH)']} `), listed);
    const der = run('openssl', 'pkey', '-pubout', '-in', save('k', outputs.privatePkcs8.text));
    assert.equal(outputs.publicSpki.text, der);
  });

test('signatures verify across OpenSSL, for every notation of the pair', () => {
  const data = Buffer.from('text');
  const parts = [
    createPrivateKey(text('privatePkcs8')),
    createPrivateKey(text('privatePkcs1')),
    createPrivateKey({ key: JSON.parse(text('privateJwk')), format: 'jwk' }),
  ];
  const open = [
    createPublicKey(text('publicSpki')),
    createPublicKey(text('publicPkcs1')),
    createPublicKey({ key: JSON.parse(text('publicJwk')), format: 'jwk' }),
  ];
  for (const key of parts)
    for (const other of open) assert.ok(verify('sha256', data, other, sign('sha256', data, key)));
});

test('every notation parses back and matches every other', async () => {
  for (const own of ['privatePkcs8', 'privatePkcs1', 'privateSsh', 'privateJwk']) {
    for (const other of ['publicSpki', 'publicPkcs1', 'publicSsh', 'publicJwk']) {
      const { outputs, refusal, warnings } = await runTool(tool, {
        mode: 'check',
        private: text(own),
        public: text(other),
      });
      assert.equal(refusal, undefined, String(refusal?.sentence));
      assert.equal(outputs.pair, 'The keys belong together.');
      assert.deepEqual(warnings, []);
      for (const name of ['privatePkcs8', 'privatePkcs1', 'privateJwk'])
        assert.equal(outputs[name].text, text(name));
    }
  }
});

test('keys of OpenSSL and of OpenSSH are parsed', async (t) => {
  for (const [size, type] of /** @type {const} */ ([
    [2048, 'pkcs1'],
    [3072, 'pkcs8'],
    [2056, 'pkcs8'],
  ])) {
    const pair = generateKeyPairSync('rsa', { modulusLength: size });
    const pem = String(pair.privateKey.export({ type, format: 'pem' }));
    const { outputs } = await runTool(tool, {
      mode: 'check',
      private: pem,
      public: String(pair.publicKey.export({ type: 'spki', format: 'pem' })),
    });
    assert.equal(outputs.pair, 'The keys belong together.');
    assert.equal(outputs.facts.pairs[0][1], size);
    assert.equal(outputs[type === 'pkcs1' ? 'privatePkcs1' : 'privatePkcs8'].text, pem);
  }
  const path = join(folder, 'made');
  if (run('ssh-keygen', '-q', '-t', 'rsa', '-b', '2048', '-N', '', '-f', path) === undefined)
    return t.skip('ssh-keygen is not installed');
  const [own, other] = [path, `${path}.pub`].map((name) => readFileSync(name, 'utf8'));
  const { outputs } = await runTool(tool, {
    mode: 'check',
    private: own ?? '',
    public: other ?? '',
  });
  assert.equal(outputs.pair, 'The keys belong together.');
});

test('keys that do not match are detected', async () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { outputs } = await runTool(tool, {
    mode: 'check',
    private: text('privatePkcs8'),
    public: String(other.publicKey.export({ type: 'spki', format: 'pem' })),
  });
  assert.match(outputs.pair, /do not belong together/);
});

test('a damaged number is detected', async () => {
  for (const part of ['n', 'd', 'p', 'q', 'dp', 'dq', 'qi']) {
    const jwk = JSON.parse(text('privateJwk'));
    jwk[part] =
      `${jwk[part].slice(0, 20)}${jwk[part][20] === 'A' ? 'B' : 'A'}${jwk[part].slice(21)}`;
    const { refusal } = await runTool(tool, { mode: 'check', private: JSON.stringify(jwk) });
    assert.match(refusal?.sentence ?? 'accepted', /is damaged/, part);
  }
});

const small = generateKeyPairSync('rsa', { modulusLength: 1024 });
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (/** @type {any} */ key, /** @type {string} */ type) =>
  String(key.export({ type, format: 'pem' }));
const locked = small.privateKey.export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'x',
});
for (const [title, values, field, offence] of /** @type {[string, any, string, RegExp][]} */ ([
  [
    'a key of 1024 bits',
    { private: pem(small.privateKey, 'pkcs8') },
    'private',
    /1024 bits.*at least 2048/,
  ],
  ['a public key of 1024 bits', { public: pem(small.publicKey, 'spki') }, 'public', /1024 bits/],
  [
    'a key of another kind',
    { private: pem(curve.privateKey, 'pkcs8') },
    'private',
    /another kind \(1\.2\.840\.10045\.2\.1\)/,
  ],
  [
    'PEM of another kind',
    { private: pem(curve.privateKey, 'sec1') },
    'private',
    /"EC PRIVATE KEY", not an RSA key/,
  ],
  ['an encrypted key', { private: locked }, 'private', /is encrypted/],
  ['a text', { private: 'hello' }, 'private', /not PEM, JWK or an OpenSSH line/],
  [
    'a public key as private key',
    { private: made.outputs.publicSpki.text },
    'private',
    /is a public key/,
  ],
  [
    'PEM without its end',
    { public: '-----BEGIN PUBLIC KEY-----\nAAAA' },
    'public',
    /without its end line/,
  ],
  [
    'PEM with a foreign character',
    { public: '-----BEGIN PUBLIC KEY-----\nA*AA\n-----END PUBLIC KEY-----' },
    'public',
    /^Character 29: .*"\*"/,
  ],
  [
    'PEM that is cut off',
    { public: made.outputs.publicSpki.text.replace(/.+\n(?=-----END)/, '') },
    'public',
    /is cut off: an element of DER says 290 bytes, 284 are there/,
  ],
  ['a JWK of another kind', { public: '{"kty":"EC"}' }, 'public', /"EC"/],
  ['a JWK without a number', { public: '{"kty":"RSA","n":"AQAB"}' }, 'public', /without "e"/],
  ['a JWK that is not JSON', { public: '{"kty":' }, 'public', /not valid JSON/],
  [
    'another OpenSSH key',
    { public: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA==' },
    'public',
    /OpenSSH key of the kind ssh-ed25519\. Accepted is ssh-rsa/,
  ],
  ['an OpenSSH key that is cut off', { public: 'ssh-rsa AAAAB3NzaC1yc2E=' }, 'public', /cut off/],
  [
    'a comment of two lines',
    { comment: 'a\nb', public: made.outputs.publicSpki.text },
    'comment',
    /one line/,
  ],
])) {
  test(`refuses ${title}`, async () => {
    const { refusal } = await runTool(tool, { mode: 'check', ...values });
    assert.equal(refusal?.field, field, String(refusal?.sentence));
    assert.match(refusal?.sentence ?? '', offence);
  });
}

test('warns of a private key in the field of the public one, and of a rare exponent', async () => {
  const both = await runTool(tool, { mode: 'check', public: text('privatePkcs8') });
  assert.match(String(both.warnings), /Only its public part/);
  assert.equal(both.outputs.privatePkcs8, undefined);
  const three = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 });
  assert.match(
    String((await runTool(tool, { mode: 'check', public: pem(three.publicKey, 'spki') })).warnings),
    /exponent is 3/,
  );
});
