//! What is inside of texts as they lie around, and of texts that are made to do harm.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { peel } from '../lib/peel/peel.js';

/** @import { Node } from '../lib/peel/peel.js' */

const NOW = Date.now();
/** @param {string | Buffer} data */
const b64 = (data) => Buffer.from(data).toString('base64');
/** @param {any} value */
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** @param {number} exp seconds from now */
const tokenOf = (exp) =>
  `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: 'anna', exp: Math.floor(NOW / 1000) + exp })}.c2lnbmF0dXJl`;
const EXPIRED = tokenOf(-3 * 3600 - 5);

/** Every layer in a line, indented by its depth. @param {Node | undefined} node @param {number} [depth] @returns {string[]} */
const lines = (node, depth = 0) =>
  node
    ? [
        `${' '.repeat(depth)}${[node.label, node.said].filter(Boolean).join(': ')}`,
        ...node.inside.flatMap((one) => lines(one, depth + 1)),
      ]
    : [];
/** @param {string} text */
const inside = async (text) => lines(await peel(text, { now: NOW, clock: () => 0 }));
/** @param {string} text @param {RegExp} wanted */
const says = async (text, wanted) => assert.match((await inside(text)).join('\n'), wanted);

/** A certificate and its key, valid for 89 days. */
function certificate() {
  const folder = mkdtempSync(join(tmpdir(), 'peel-'));
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name));
  try {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...[
          '-keyout',
          String(key),
          '-out',
          String(cert),
          '-days',
          '90',
          '-subj',
          '/CN=api.example.com',
        ],
        ...['-addext', 'subjectAltName=DNS:api.example.com,DNS:www.example.com'],
      ],
      { stdio: 'ignore' },
    );
    return [cert, key].map((path) => readFileSync(String(path), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const [CERT = '', PRIVATE = ''] = certificate();
const DAYS = 'Certificate of api.example.com, www.example.com: (?:89|90) days left, until ';

describe('what lies around', () => {
  test('a Kubernetes Secret: each value decoded, the certificate in one of them with its names and days', async () => {
    const yaml = `apiVersion: v1\ndata:\n  password: ${b64('s3cr3t')}\n  tls.crt: ${b64(CERT)}\n  tls.key: ${b64(PRIVATE)}\nkind: Secret\nmetadata:\n  creationTimestamp: "2026-01-02T03:04:05Z"\n  name: web-tls\ntype: kubernetes.io/tls\n`;
    const all = await inside(yaml);
    assert.equal(all[0], 'Kubernetes Secret web-tls');
    assert.ok(all.includes(' password: Base64, 6 bytes: s3cr3t'), all.join('\n'));
    assert.match(all.join('\n'), new RegExp(`tls.crt: Base64, \\d+ bytes\n {2}${DAYS}`));
    assert.match(all.join('\n'), /tls.key: Base64, \d+ bytes\n {2}Private key: keep it secret/);
    assert.match(all.join('\n'), /creationTimestamp: 2 January 2026, 03:04:05 UTC/);
    const json = {
      kind: 'List',
      items: [{ kind: 'Secret', metadata: { name: 'a' }, data: { pin: b64('1234') } }],
    };
    await says(JSON.stringify(json), /pin: Base64, 4 bytes: 1234/);
  });

  test('a SAML redirect: query, Base64, deflate, XML; so is a bare request and a posted response', async () => {
    const xml = '<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1"/>';
    const request = b64(deflateRawSync(xml));
    const url = `https://idp.example.com/sso?SAMLRequest=${encodeURIComponent(request)}&RelayState=abc`;
    assert.deepEqual(
      (await inside(url)).map((line) => line.trim().split(',')[0]),
      ['URL of idp.example.com', '?SAMLRequest: Base64', 'Deflate', 'XML'],
    );
    await says(request, /XML, samlp:AuthnRequest/);
    await says(`SAMLRequest=${encodeURIComponent(request)}`, /XML, samlp:AuthnRequest/);
    const response = `<samlp:Response><ds:X509Certificate>${CERT.replace(/-----[^-]+-----|\n/g, '')}</ds:X509Certificate></samlp:Response>`;
    await says(
      `SAMLResponse=${encodeURIComponent(b64(response))}`,
      new RegExp(`XML, samlp:Response\n.*\n.*${DAYS}`),
    );
  });

  test('a line of a log: JSON, a token, when it expired', async () => {
    const log = `2026-11-27T12:00:00Z INFO request {"id":7,"headers":{"authorization":"Bearer ${EXPIRED}"}} took 3 ms`;
    await says(
      log,
      /JSON, an object of 2 members\n +headers.authorization: Token \(HS256\) of anna: expired 3 h ago/,
    );
    await says(`cookie: session=${EXPIRED}; theme=dark`, /session: Token/);
    await says(
      `curl -H 'Authorization: Bearer ${tokenOf(3605)}' https://api.example.com/v1`,
      /Authorization: Token .*expires in 1 h/,
    );
    await says(`a\n{"t":"${EXPIRED}"}\nb`, /line 2: JSON/);
    await says(`{"t":"${EXPIRED}"}\n{"t":2}\n`, /JSON Lines, 2 lines\n line 1: JSON/);
  });

  test('JSON Lines: the first lines as they are, and any in which something is', async () => {
    assert.deepEqual(await inside('{"a":1}\n{"a":2}\n'), [
      'JSON Lines, 2 lines',
      ' line 1: {"a":1}',
      ' line 2: {"a":2}',
    ]);
    const many = Array.from({ length: 30 }, (_, n) => `{"n":${n}}`);
    const all = await inside([...many, `{"t":"${EXPIRED}"}`].join('\n'));
    assert.equal(all[0], 'JSON Lines, 31 lines, the first 10 of which are:');
    assert.deepEqual(all.slice(10, 12), [
      ' line 10: {"n":9}',
      ' line 31: JSON, an object of 1 member',
    ]);
  });

  test('layers of one encoding in another', async () => {
    for (const [text, wanted] of /** @type {[string, RegExp][]} */ ([
      [
        b64(b64(b64('hello world'))),
        /Base64, 24 bytes\n Base64, 16 bytes\n {2}Base64, 11 bytes: hello world/,
      ],
      [
        b64(b64(gzipSync('{"name":"web","info":{"status":"deployed"}}'))),
        /gzip, \d+ bytes: \{"name":"web"/,
      ],
      [b64(deflateSync('<xml>text</xml>')), /zlib, \d+ bytes/],
      [
        `powershell -enc ${Buffer.from('Get-Process | Sort CPU', 'utf16le').toString('base64')}`,
        /: Get-Process \| Sort CPU/,
      ],
      [
        'Authorization: Basic dXNlcjpwYXNzd29yZA==',
        /Authorization: Base64, 13 bytes: user:password/,
      ],
      [
        JSON.stringify({ auths: { 'r.example.com': { auth: b64('user:pass') } } }),
        /auth: Base64, 9 bytes: user:pass/,
      ],
      [
        JSON.stringify(JSON.stringify({ a: EXPIRED })),
        /Text in JSON\n JSON, an object of 1 member\n {2}a: Token/,
      ],
      ['%7B%22a%22%3A%22b%22%7D', /Percent-encoded.*\{"a":"b"\}/],
      [
        `DB=postgres://x:y@db/z\nJWT=${EXPIRED}\nKEY=${b64('a longer secret text')}\n`,
        /JWT: Token[\s\S]*KEY: Base64, 20 bytes: a longer secret text/,
      ],
      [`https://example.com/cb#id_token=${EXPIRED}`, /#id_token: Token/],
      [
        `https://example.com/?next=${encodeURIComponent(`https://b.example/?t=${EXPIRED}`)}`,
        /\?next: URL of b.example\n {2}\?t: Token/,
      ],
      [gzipSync('{"a":"b"}').toString('hex'), /Hexadecimal, \d+ bytes\n gzip, \d+ bytes/],
      [
        CERT + PRIVATE,
        /2 blocks of PEM\n certificate: Certificate of api[\s\S]*\n private key: Private key/,
      ],
      [CERT, new RegExp(`^${DAYS}`)],
      [b64(CERT), new RegExp(DAYS)],
      ['1700000000', /^14 November 2023, 22:13:20 UTC: \d+ years? ago$/],
      ['018f3c1a-7b2c-7def-8a1b-0123456789ab', /^UUID of 3 May 2024/],
      [
        JSON.stringify({ created_at: 1700000000, size: 1700000000 }),
        /^JSON.*\n created_at: 14 November 2023.*$/,
      ],
      [
        `data:application/json;base64,${b64('{"a":1}')}`,
        /Data URL of application\/json;base64.*\{"a":1\}/,
      ],
    ]))
      await says(text, wanted);
  });

  test('a leaf has its text to copy, and the tools that open it', async () => {
    const root = await peel(JSON.stringify({ message: EXPIRED }), { now: NOW, clock: () => 0 });
    const [token] = root?.inside ?? [];
    assert.equal(token?.text, EXPIRED);
    assert.equal(token?.opens[0]?.[0], 'jwt-decoder');
    assert.equal(token?.opens[0]?.[1].token, EXPIRED);
  });

  test('nothing is said of what a person can read', async () => {
    for (const text of [
      'password',
      'search tools json',
      '*/5 * * * *',
      '{"a":1,"b":"hello there"}',
      'a: 1\nb: two words here\n',
      'Hello, this is a sentence with nothing inside.',
      'a9993e364706816aba3e25717850c26c9cd0d89d',
      '#ff8800',
      'commit 10e4c41a9993e364706816aba3e25717850c26c9',
      'https://example.com/a?next=%2Fb%3Fx%3D1',
      '10.0.0.0/8',
      'https://example.com/page?id=12345678&lang=en',
      'SELECT * FROM users WHERE id = 12345678;',
      'InternationalizationService',
      '/usr/local/share/applications',
      'select-all-the-things',
      'name,age\nAnna,42\nBerta,43\n',
      '<p>Hello there</p>',
      'version=1.24.3-alpine',
      'export PATH=/usr/local/bin:/usr/bin',
      'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      '[package]\nname = "toolkit"\nversion = "1.0.0"\n',
      '+49 170 1234567',
      'DE89370400440532013000',
      '',
      '   ',
      'ÄÖÜ äöü ß',
    ])
      assert.deepEqual(await inside(text), [], text);
  });
});

describe('what is made to do harm', () => {
  /** @param {string} text @param {RegExp} [wanted] */
  async function ends(text, wanted) {
    const begin = process.cpuUsage();
    const root = await peel(text, { now: NOW });
    const { user } = process.cpuUsage(begin);
    const took = user / 1000;
    const all = lines(root);
    assert.ok(all.length <= 201, `${all.length} parts`);
    assert.ok(
      all.every((line) => line.length < 2000 && line.search(/\S/) <= 8),
      'depth',
    );
    assert.ok(took < 3000, `${took} ms of ${text.slice(0, 20)}`);
    if (wanted) assert.match(all.join('\n'), wanted);
    return root;
  }

  test('gzip of gzip of zeros is unpacked up to a limit', async () => {
    let bomb = gzipSync(Buffer.alloc(200 << 20));
    for (let layer = 0; layer < 3; layer++) bomb = gzipSync(bomb);
    await ends(bomb.toString('base64'));
    const many = Array.from({ length: 50 }, () => b64(gzipSync(Buffer.alloc(1 << 20, 'a'))));
    const root = await peel(JSON.stringify(many), { now: NOW, clock: () => 0 });
    assert.equal(root?.more, 'size');
    assert.ok(lines(root).length < 40, 'no more than 8 MiB');
  });

  test('Base64 of Base64 ends at a depth', async () => {
    let text = 'hello world, again and again';
    for (let layer = 0; layer < 30; layer++) text = b64(text);
    await ends(text);
  });

  test('many parts, deep documents, and texts that look like everything', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`k${at}`, b64(`a value of ${at}`)]),
    );
    assert.equal((await peel(JSON.stringify(many), { clock: () => 0 }))?.more, 'size');
    const wide = Array.from({ length: 60 }, () =>
      JSON.stringify(Array.from({ length: 60 }, (_, at) => b64(`a value of ${at}`))),
    );
    await ends(JSON.stringify(wide));
    await ends(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    await ends(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
    await ends('{"'.repeat(100_000));
    await ends('<a '.repeat(80_000));
    await ends('eyJhbGciOiJI.'.repeat(20_000));
    await ends(`-----BEGIN A-----\n${'-----BEGIN A-----'.repeat(20_000)}`);
    await ends('a=b&'.repeat(60_000));
    await ends('%41'.repeat(80_000));
    await ends(
      `a: &a [x,x]\n${Array.from({ length: 9 }, (_, at) => `b${at}: &b${at} [*${at ? `b${at - 1}` : 'a'},*${at ? `b${at - 1}` : 'a'}]`).join('\n')}\n`,
    );
    await ends('k=aaaaaaaaaaaa '.repeat(15_000));
    await ends('\u0000\uD800'.repeat(1000));
  });

  test('the search ends when its time is over, and says so', async () => {
    let clock = 0;
    const list = Array.from({ length: 100 }, (_, at) => b64(`a value of ${at}`));
    const root = await peel(JSON.stringify(list), { now: NOW, clock: () => (clock += 10) });
    assert.equal(root?.more, 'time');
    assert.ok(lines(root).length < 40);
  });
});
