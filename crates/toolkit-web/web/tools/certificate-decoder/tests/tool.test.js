//! Certificate Decoder: fields of NIST PKITS as OpenSSL reads them, chains, CRLs, PKCS #7, bad
//! input.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { took } from '../../../kit/tool.js';
import { writePem } from '../../../lib/keys/pem.js';
import { readStructure } from '../../../lib/x509/x509.js';
import { runTool, seeded, suite } from '../../../tests/run.mjs';
import tool from '../tool.js';

const folder = mkdtempSync(join(tmpdir(), 'x509-'));
after(() => rmSync(folder, { recursive: true }));
const CERTIFICATE = String(tool.examples[0]?.values.text);
/** @param {any} outputs */
const fields = (outputs) => Object.fromEntries(outputs.details.pairs);
/** @param {any} outputs @returns {string[]} */
const signatures = (outputs) => outputs.overview.rows.map((/** @type {string[]} */ row) => row[4]);
/** @param {any} outputs @param {string} name */
const lines = (outputs, name) =>
  outputs.extensions?.rows.find((/** @type {any} */ row) => row[0] === name)?.[2].split('\n');
/** @param {string} text */
const plain = (text) => text.replaceAll(':', '').toLowerCase();

/** Extensions printed by OpenSSL, in our words. @type {Record<string, (text: string[]) => string[] | undefined>} */
const SAME = {
  'Subject Key Identifier': (text) => text,
  'Authority Key Identifier': (text) => (text.length === 1 ? text : undefined),
  'Key Usage': (text) => text,
  'Basic Constraints': ([text = '']) => [
    text
      .replace('CA:TRUE', 'CA: yes')
      .replace('CA:FALSE', 'CA: no')
      .replace('pathlen:', 'path length: '),
  ],
  'Subject Alternative Name': ([text = '']) =>
    text.includes('DirName')
      ? undefined
      : text.split(', ').map((name) => name.replace('IP Address:', 'IP:')),
  'Certificate Policies': (text) =>
    text
      .filter((line) => line.startsWith('Policy'))
      .map((line) =>
        line.replace('Policy: ', '').replace('X509v3 Any Policy', 'any policy (2.5.29.32.0)'),
      ),
  'Policy Mappings': ([text = '']) =>
    text
      .split(', ')
      .map((pair) =>
        pair.replace('X509v3 Any Policy', 'any policy (2.5.29.32.0)').replace(':', ' is '),
      ),
  'Policy Constraints': ([text = '']) =>
    text
      .split(', ')
      .map((one) =>
        one
          .replace('Require Explicit Policy:', 'Require explicit policy: ')
          .replace('Inhibit Policy Mapping:', 'Inhibit policy mapping: '),
      ),
  'Inhibit Any Policy': (text) => text,
};

test('NIST PKITS: 405 certificates and 173 CRLs have the same fields as in OpenSSL', async (t) => {
  const cases = suite(t, 'certificates_pkits');
  if (!cases) return;
  const counts = { certificates: 0, lists: 0, extensions: 0 };
  for (const { id, kind, input_b64, expect } of cases) {
    const { outputs, refusal } = await runTool(tool, { text: input_b64 });
    assert.equal(refusal, undefined, `${id} ${refusal?.sentence}`);
    const found = fields(outputs);
    const utc = (/** @type {string} */ text) => text.replace('Z', ' UTC');
    assert.equal(found.Issuer, expect.issuer, id);
    assert.equal(found.Signature, expect.signature_algorithm, id);
    if (kind === 'crl') {
      counts.lists += 1;
      assert.equal(found['This update'], utc(expect.this_update), id);
      assert.equal(found['Next update'], utc(expect.next_update), id);
      assert.deepEqual(
        outputs.revoked?.rows.map((/** @type {any} */ row) => row[0]) ?? [],
        expect.revoked_serials,
        id,
      );
      if (expect.crl_number)
        assert.deepEqual(lines(outputs, 'CRL Number'), [expect.crl_number], id);
      continue;
    }
    counts.certificates += 1;
    assert.equal(found.Subject, expect.subject || '(empty)', id);
    assert.equal(found['Serial number'], expect.serial, id);
    assert.equal(found['Valid from'], utc(expect.not_before), id);
    assert.equal(found['Valid until'], utc(expect.not_after), id);
    assert.equal(found.Version, expect.version, id);
    assert.equal(plain(found['SHA-256 fingerprint']), expect.sha256, id);
    assert.equal(plain(found['SHA-1 fingerprint']), expect.sha1, id);
    assert.ok(found.Key.startsWith(expect.key_algorithm), id);
    if (expect.key_bits) assert.match(found.Key, new RegExp(`, ${expect.key_bits} bits`), id);
    assert.equal(outputs.extensions?.rows.length ?? 0, expect.extensions.length, id);
    for (const [index, { name, critical, text }] of expect.extensions.entries()) {
      const row = outputs.extensions.rows[index];
      const short = name
        .replace('X509v3 ', '')
        .replace('CRL Distribution Points', 'CRL Distribution Points');
      assert.equal(row[0], short, id);
      assert.equal(row[1], critical ? 'yes' : 'no', id);
      const wanted = SAME[short]?.(text);
      const shown = row[2]
        .split('\n')
        .filter((/** @type {string} */ line) => !line.startsWith('  '));
      if (wanted) assert.deepEqual(shown, wanted, `${id} ${short}`);
      if (wanted) counts.extensions += 1;
      assert.doesNotMatch(row[2], /does not decode/, `${id} ${short}`);
    }
  }
  assert.deepEqual(counts, { certificates: 405, lists: 173, extensions: 1871 });
});

/** @param {...string} args */
function openssl(...args) {
  const { error, status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  if (error) return false;
  assert.equal(status, 0, stderr);
  return true;
}

/** A root, an intermediate and a server certificate made by OpenSSL. @returns {string[] | undefined} */
function makeChain() {
  writeFileSync(join(folder, 'ca.cnf'), 'basicConstraints=critical,CA:TRUE\n');
  writeFileSync(join(folder, 'ee.cnf'), 'subjectAltName=DNS:a.example\n');
  if (
    !openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=Root',
      '-keyout',
      'root.key',
      '-out',
      'root.pem',
    )
  )
    return undefined;
  for (const [name, issuer, extensions, key] of /** @type {const} */ ([
    ['sub', 'root', 'ca.cnf', 'ec'],
    ['leaf', 'sub', 'ee.cnf', 'ed25519'],
  ])) {
    const made =
      key === 'ec'
        ? ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384']
        : ['-newkey', 'ed25519'];
    openssl(
      'req',
      '-new',
      ...made,
      '-nodes',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
    );
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      `${issuer}.pem`,
      '-CAkey',
      `${issuer}.key`,
      '-CAcreateserial',
      '-days',
      '30',
      '-extfile',
      extensions,
      '-out',
      `${name}.pem`,
    );
  }
  return ['leaf', 'sub', 'root'].map((name) => readFileSync(join(folder, `${name}.pem`), 'utf8'));
}

test('chains: signatures of RSA and ECDSA, order, PKCS #7, a false signature', async (t) => {
  const chain = makeChain();
  if (!chain) return t.skip('openssl is not installed');
  const [leaf = '', sub = '', root = ''] = chain;
  const { outputs } = await runTool(tool, { text: chain.join('') });
  assert.deepEqual(signatures(outputs), ['number 2: valid', 'number 3: valid', 'itself: valid']);
  assert.equal(fields(outputs)['Signed by'], 'number 2: valid');
  assert.deepEqual(outputs.took, took('Number 1 of 3', { field: 'show' }));
  assert.match(outputs.order, /^In order/);
  const mixed = await runTool(tool, { text: root + leaf + sub });
  assert.match(mixed.outputs.order, /should send: 2, 3, 1\.$/);
  assert.match((await runTool(tool, { text: leaf + root })).outputs.order, /Not one chain/);
  const alone = await runTool(tool, { text: leaf });
  assert.equal(fields(alone.outputs)['Signed by'], 'an issuer that is not here: not checked');
  assert.equal(alone.outputs.took, undefined);
  writeFileSync(join(folder, 'all.pem'), chain.join(''));
  openssl('crl2pkcs7', '-nocrl', '-certfile', 'all.pem', '-out', 'all.p7b');
  openssl('crl2pkcs7', '-nocrl', '-certfile', 'all.pem', '-outform', 'DER', '-out', 'all.p7c');
  for (const name of ['all.p7b', 'all.p7c']) {
    const found = await runTool(tool, {
      text: new Uint8Array(readFileSync(join(folder, name))),
      show: 2,
    });
    assert.equal(found.outputs.overview.rows.length, 3, name);
    assert.equal(fields(found.outputs).Subject, 'CN=sub');
  }
  const damaged = Buffer.from(sub.replace(/-----[^-]*-----/g, ''), 'base64');
  damaged[damaged.length - 2] = (damaged[damaged.length - 2] ?? 0) ^ 1;
  const false_ = await runTool(tool, { text: writePem('CERTIFICATE', damaged) + root });
  assert.equal(signatures(false_.outputs)[0], 'number 2: NOT valid');
  const request = await runTool(tool, { text: readFileSync(join(folder, 'leaf.csr'), 'utf8') });
  assert.equal(fields(request.outputs)['Signed by'], 'itself: valid');
});

/** Every common extension, an unknown one, and a name that must be escaped. */
const EXTENSIONS = `[req]
distinguished_name=dn
[dn]
[all]
basicConstraints=critical,CA:TRUE,pathlen:2
keyUsage=critical,digitalSignature,keyCertSign,cRLSign
extendedKeyUsage=serverAuth,clientAuth,1.2.3.4
subjectAltName=DNS:a.example,DNS:*.b.example,IP:192.0.2.1,IP:2001:db8::1,email:x@y.example,URI:https://z.example/?a=b,RID:1.2.3
authorityInfoAccess=OCSP;URI:http://o.example/,caIssuers;URI:http://c.example/ca.crt
crlDistributionPoints=URI:http://d.example/1.crl,URI:http://e.example/2.crl
nameConstraints=critical,permitted;DNS:.example,permitted;email:y.example,excluded;IP:192.0.2.0/255.255.255.0
certificatePolicies=1.3.5.8
tlsfeature=status_request
1.2.3.4.5=ASN1:UTF8String:hello
`;

for (const [kind, ...key] of [
  ['Ed25519', '-newkey', 'ed25519'],
  ['Ed448', '-newkey', 'ed448'],
  ['rsassaPss, 2048 bits', '-newkey', 'rsa-pss', '-pkeyopt', 'rsa_keygen_bits:2048'],
  ['rsaEncryption, 2048 bits', '-newkey', 'rsa:2048', '-sigopt', 'rsa_padding_mode:pss'],
  ['ecPublicKey, 521 bits, P-521', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  ['ecPublicKey, 256 bits, secp256k1', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1'],
])
  test(`openssl x509 has the same fields: ${kind}`, async (t) => {
    writeFileSync(join(folder, 'all.cnf'), EXTENSIONS);
    const subject = '/C=DE/O=Zürich "AG", Inc./CN=a\\+b';
    const made = ['-nodes', '-keyout', 'x.key', '-out', 'x.pem', '-subj', subject, '-utf8'];
    const found = openssl(
      'req',
      '-x509',
      ...key,
      ...made,
      '-config',
      'all.cnf',
      '-extensions',
      'all',
    );
    if (!found) return t.skip('openssl is not installed');
    const read = (/** @type {string[]} */ ...args) =>
      spawnSync('openssl', ['x509', '-in', 'x.pem', '-noout', ...args], {
        cwd: folder,
        encoding: 'utf8',
      }).stdout;
    const { outputs } = await runTool(tool, { text: readFileSync(join(folder, 'x.pem'), 'utf8') });
    const shown = fields(outputs);
    const named = ['-nameopt', 'RFC2253,utf8,-esc_msb', '-dateopt', 'iso_8601'];
    const wanted = Object.fromEntries(
      read('-subject', '-issuer', '-serial', '-dates', '-fingerprint', '-sha256', ...named)
        .trim()
        .split('\n')
        .map((line) => [
          line.slice(0, line.indexOf('=')).toLowerCase(),
          line.slice(line.indexOf('=') + 1),
        ]),
    );
    const utc = (/** @type {string | undefined} */ text) => text?.replace('Z', ' UTC');
    assert.deepEqual(
      [shown.Subject, shown.Issuer, shown['Serial number'], shown['SHA-256 fingerprint']],
      [wanted.subject, wanted.issuer, wanted.serial, wanted['sha256 fingerprint']],
    );
    assert.deepEqual(
      [shown['Valid from'], shown['Valid until']],
      [utc(wanted.notbefore), utc(wanted.notafter)],
    );
    assert.ok(shown.Key.startsWith(kind), shown.Key);
    const rows = Object.fromEntries(
      outputs.extensions.rows.map((/** @type {string[]} */ [name, critical, value]) => [
        name,
        `${critical} ${value}`,
      ]),
    );
    const identifier = /([0-9A-F]{2}:){19}[0-9A-F]{2}/.exec(
      read('-ext', 'subjectKeyIdentifier'),
    )?.[0];
    assert.deepEqual(rows, {
      'Subject Key Identifier': `no ${identifier}`,
      ...(rows['Authority Key Identifier'] && { 'Authority Key Identifier': `no ${identifier}` }),
      'Basic Constraints': 'yes CA: yes, path length: 2',
      'Key Usage': 'yes Digital Signature, Certificate Sign, CRL Sign',
      'Extended Key Usage':
        'no TLS server (1.3.6.1.5.5.7.3.1)\nTLS client (1.3.6.1.5.5.7.3.2)\n1.2.3.4',
      'Subject Alternative Name':
        'no DNS:a.example\nDNS:*.b.example\nIP:192.0.2.1\nIP:2001:db8::1\nemail:x@y.example\nURI:https://z.example/?a=b\nregistered ID:1.2.3',
      'Authority Information Access':
        'no OCSP (1.3.6.1.5.5.7.48.1): URI:http://o.example/\nCA issuers (1.3.6.1.5.5.7.48.2): URI:http://c.example/ca.crt',
      'CRL Distribution Points': 'no URI:http://d.example/1.crl\nURI:http://e.example/2.crl',
      'Name Constraints':
        'yes Permitted: DNS:.example\nPermitted: email:y.example\nExcluded: IP:192.0.2.0/255.255.255.0',
      'Certificate Policies': 'no 1.3.5.8',
      'TLS Feature': 'no OCSP must be stapled (5)',
      '1.2.3.4.5': 'no 0C:05:68:65:6C:6C:6F',
    });
  });

// RFC 8410 §10.2: an X25519 key, signed with Ed25519.
const RFC8410 = `-----BEGIN CERTIFICATE-----
MIIBLDCB36ADAgECAghWAUdKKo3DMDAFBgMrZXAwGTEXMBUGA1UEAwwOSUVURiBUZX
N0IERlbW8wHhcNMTYwODAxMTIxOTI0WhcNNDAxMjMxMjM1OTU5WjAZMRcwFQYDVQQD
DA5JRVRGIFRlc3QgRGVtbzAqMAUGAytlbgMhAIUg8AmJMKdUdIt93LQ+91oNvzoNJj
ga9OukqY6qm05qo0UwQzAPBgNVHRMBAf8EBTADAQEAMA4GA1UdDwEBAAQEAwIDCDAg
BgNVHQ4BAQAEFgQUmx9e7e0EM4Xk97xiPFl1uQvIuzswBQYDK2VwA0EAryMB/t3J5v
/BzKc9dNZIpDmAgs3babFOTQbs+BolzlDUwsPrdGxO3YNGhW7Ibz3OGhhlxXrCe1Cg
w1AH9efZBw==
-----END CERTIFICATE-----
`;
test('RFC 8410 §10.2: the certificate of an X25519 key', async () => {
  const { outputs, refusal } = await runTool(tool, { text: RFC8410 });
  assert.equal(refusal, undefined, String(refusal?.sentence));
  const shown = fields(outputs);
  assert.deepEqual(
    [shown.Subject, shown.Key, shown.Signature],
    ['CN=IETF Test Demo', 'X25519', 'Ed25519'],
  );
});

test('PKITS: the signature of each end certificate matches one of the CAs, except forged ones', async (t) => {
  const cases = suite(t, 'certificates_pkits');
  if (!cases) return;
  const named = (/** @type {string} */ name) =>
    cases.find((/** @type {any} */ one) => one.id === `pkits-${name}`).input_b64;
  const pem = (/** @type {string} */ name) =>
    writePem('CERTIFICATE', Buffer.from(named(name), 'base64'));
  const row = async (/** @type {string} */ leaf, /** @type {string} */ ca) =>
    signatures(
      (await runTool(tool, { text: pem(leaf) + pem(ca) + pem('TrustAnchorRootCertificate') }))
        .outputs,
    ).map((one) => one.split(': ')[1]);
  assert.deepEqual(await row('ValidCertificatePathTest1EE', 'GoodCACert'), [
    'valid',
    'valid',
    'valid',
  ]);
  assert.deepEqual(await row('InvalidEESignatureTest3EE', 'GoodCACert'), [
    'NOT valid',
    'valid',
    'valid',
  ]);
  assert.deepEqual(await row('ValidDSASignaturesTest4EE', 'DSACACert'), [
    'this browser cannot check it',
    'valid',
    'valid',
  ]);
});

test('warnings about certificates', async (t) => {
  const cases = suite(t, 'certificates_pkits');
  if (!cases) return;
  const notes = async (/** @type {string} */ name) =>
    String(
      (
        await runTool(tool, {
          text: cases.find((/** @type {any} */ one) => one.id === `pkits-${name}`).input_b64,
        })
      ).outputs.notes?.items,
    );
  // What the headline says already.
  assert.doesNotMatch(await notes('InvalidEEnotAfterDateTest6EE'), /has expired/);
  assert.doesNotMatch(await notes('InvalidEEnotBeforeDateTest2EE'), /not valid yet/);
  assert.match(
    await notes('ValidDSASignaturesTest4EE'),
    /dsaWithSHA1, which is broken.*1024 bits|1024 bits/s,
  );
  assert.match(await notes('ValidCertificatePathTest1EE'), /no Subject Alternative Name/);
  assert.match(
    await notes('InvalidUnknownCriticalCertificateExtensionTest2EE'),
    /critical extension/,
  );
});

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (/** @type {any} */ key, /** @type {string} */ type) =>
  String(key.export({ type, format: 'pem' }));
const der = Buffer.from(CERTIFICATE.replace(/-----[^-]*-----/g, ''), 'base64');
for (const [title, text, offence] of /** @type {[string, any, RegExp][]} */ ([
  ['a private key', pem(privateKey, 'pkcs8'), /is a private key, which is not shown/],
  [
    'a private key as DER',
    new Uint8Array(privateKey.export({ type: 'pkcs8', format: 'der' })),
    /is a private key, which is not shown/,
  ],
  ['a public key', pem(publicKey, 'spki'), /"PUBLIC KEY", not a certificate/],
  [
    'a public key as DER',
    new Uint8Array(publicKey.export({ type: 'spki', format: 'der' })),
    /is a public key/,
  ],
  ['an OpenSSH key', 'ssh-ed25519 AAAA', /OpenSSH public key/],
  ['JSON', '{"kty":"RSA"}', /JSON/],
  ['an address', 'https://example.com', /nothing is fetched/],
  ['HTML', '<html>', /HTML/],
  ['words', 'hello world', /not PEM, and not the Base64 of DER/],
  ['bytes', Uint8Array.of(0xff, 0xfd, 0, 1), /neither PEM nor DER.*FF:FD:00:01/],
  ['a block without its end', '-----BEGIN CERTIFICATE-----\nMIIB', /without its end line/],
  ['a foreign character', CERTIFICATE.replace('MIIB', 'M?IB'), /^Character 30: .*"\?"/],
  [
    'DER that is cut off',
    writePem('CERTIFICATE', der.subarray(0, 100)),
    /cut off.*at byte 0 of its DER/,
  ],
  [
    'DER with a byte too many',
    writePem('CERTIFICATE', Buffer.concat([der, Buffer.from([0])])),
    /1 bytes after the end.*at byte 458/,
  ],
  [
    'DER with a wrong length inside',
    writePem(
      'CERTIFICATE',
      Buffer.concat([der.subarray(0, 30), Buffer.from([0x84]), der.subarray(31)]),
    ),
    /DER/,
  ],
  [
    'a sequence of something else',
    writePem('CERTIFICATE', Uint8Array.of(0x30, 3, 2, 1, 5)),
    /not a certificate/,
  ],
  [
    'a fault in the second block',
    CERTIFICATE + writePem('CERTIFICATE', der.subarray(0, 90)),
    /fault in block 2/,
  ],
])) {
  test(`refuses ${title}`, async () => {
    const { refusal } = await runTool(tool, { text });
    assert.equal(refusal?.field, 'text', String(refusal?.sentence));
    assert.match(refusal?.sentence ?? '', offence);
    assert.doesNotMatch(refusal?.sentence ?? '', /MIG|MHc/);
  });
}

test('for one certificate its fields come first, for several the chain', async () => {
  const order = async (/** @type {string} */ text) =>
    Object.entries((await runTool(tool, { text })).outputs)
      .filter(([, output]) => output !== undefined)
      .map(([name]) => name);
  assert.deepEqual(await order(CERTIFICATE), ['headline', 'details', 'extensions', 'pem']);
  assert.deepEqual((await order(CERTIFICATE.repeat(2))).slice(0, 3), ['took', 'overview', 'order']);
});

test('a private key beside its certificate is compared and not shown', async () => {
  const key = pem(privateKey, 'pkcs8');
  const { outputs, warnings } = await runTool(tool, { text: CERTIFICATE + key });
  assert.match(outputs.headline.text, /^The key (matches the certificate|does not match)$/);
  assert.match(outputs.headline.below, /^(Valid|Expired|Not valid)/);
  const locked = key.replaceAll('PRIVATE KEY', 'ENCRYPTED PRIVATE KEY');
  const { headline } = (await runTool(tool, { text: CERTIFICATE + locked })).outputs;
  assert.match(headline.text, /^(Valid|Expired|Not valid)/, 'one that cannot be compared');
  assert.match(String(warnings), /is not shown/);
  assert.doesNotMatch(
    JSON.stringify(outputs),
    new RegExp(key.split('\n')[1]?.slice(0, 30).replace(/[+/]/g, '.') ?? ''),
  );
});

test('limits: 100 certificates, 1 MiB, and one more', async () => {
  assert.equal(
    (await runTool(tool, { text: CERTIFICATE.repeat(100), show: 100 })).outputs.overview.rows
      .length,
    100,
  );
  assert.match(
    (await runTool(tool, { text: CERTIFICATE.repeat(101) })).refusal?.sentence ?? '',
    /more than 100/,
  );
  assert.match(
    (await runTool(tool, { text: CERTIFICATE + ' '.repeat(1 << 20) })).refusal?.sentence ?? '',
    /1 MiB/,
  );
  assert.equal((await runTool(tool, { text: CERTIFICATE, show: 2 })).refusal?.field, 'show');
  const nested = Buffer.from([...Array(100).fill([0x30, 0x80]).flat()]);
  assert.match(
    (await runTool(tool, { text: writePem('CERTIFICATE', nested) })).refusal?.sentence ?? '',
    /nests more than 64/,
  );
});

test('damaged certificates are parsed or refused, and never break the tool', () => {
  const next = seeded(12);
  for (let round = 0; round < 2000; round++) {
    const copy = Buffer.from(der);
    for (let change = 0; change <= next(3); change++) copy[next(copy.length)] = next(256);
    try {
      readStructure(copy);
    } catch (error) {
      assert.equal(
        /** @type {Error} */ (error).name,
        'Refusal',
        String(/** @type {Error} */ (error).stack),
      );
    }
  }
});

test('a key matches its certificate alone, as OpenSSL made them', async (t) => {
  const subject = ['-subj', '/CN=match', '-days', '30', '-nodes'];
  const kinds = {
    rsa: ['rsa:2048'],
    ec: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'],
    ed: ['ed25519'],
  };
  /** @param {string} name */
  const read = (name) => readFileSync(join(folder, name), 'utf8');
  for (const [name, options] of Object.entries(kinds)) {
    const made = ['-newkey', ...options, '-keyout', `${name}.key`];
    if (!openssl('req', '-x509', ...made, '-out', `${name}.crt`, ...subject))
      return t.skip('openssl is not installed');
    openssl('req', '-new', '-key', `${name}.key`, '-out', `${name}.csr`, '-subj', '/CN=match');
  }
  openssl('rsa', '-in', 'rsa.key', '-traditional', '-out', 'rsa-1.key');
  openssl('ec', '-in', 'ec.key', '-out', 'ec-1.key');
  const chain = read('rsa.crt') + read('ec.crt') + read('ed.crt');
  const key = (/** @type {string} */ name) => createPrivateKey(read(name));
  const told = async (/** @type {any} */ values) =>
    (await runTool(tool, values)).outputs.headline?.text;
  for (const [text, typed, wanted] of [
    [read('rsa.crt'), read('rsa.key'), 'The key matches the certificate'],
    [read('rsa.crt'), read('rsa-1.key'), 'The key matches the certificate'],
    [
      read('rsa.csr'),
      JSON.stringify(key('rsa.key').export({ format: 'jwk' })),
      'The key matches the request',
    ],
    [read('ec.crt'), read('ec-1.key'), 'The key matches the certificate'],
    [
      read('ed.crt'),
      JSON.stringify(key('ed.key').export({ format: 'jwk' })),
      'The key matches the certificate',
    ],
    [chain, read('ec.key'), 'The key matches certificate 2'],
    [read('ed.crt'), read('ec.key'), 'The key does not match'],
    [read('rsa.crt'), read('ed.crt'), 'The key does not match'],
  ])
    assert.equal(await told({ text, key: typed }), wanted);
  const secp = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey;
  for (const [typed, wanted] of /** @type {[string, RegExp][]} */ ([
    ['hello', /neither PEM nor a JWK/],
    ['{"kty":"oct","k":"AAAA"}', /cannot compare.*RSA keys are compared/],
    [String(secp.export({ type: 'pkcs8', format: 'pem' })), /cannot compare/],
    ['{"kty":', /not valid JSON/],
    [read('rsa.csr'), /PEM of the kind "CERTIFICATE REQUEST", which is not a key/],
  ])) {
    const { refusal } = await runTool(tool, { text: read('rsa.crt'), key: typed });
    assert.match(String(refusal?.sentence), wanted);
    assert.equal(refusal?.field, 'key');
  }
});
