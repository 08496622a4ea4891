//! Copies without secrets: logs and settings as they are shared, what must stay as it is, and names that return.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Names } from '../lib/redact.js';
import { inLinearTime } from './run.mjs';

/** @param {string} text */
const hidden = (text) => new Names().hide(text).text;
const part = (/** @type {object} */ value) =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
const TOKEN = `${part({ alg: 'HS256' })}.${part({ sub: 'anna' })}.c2lnbmF0dXJl`;

test('a log: addresses, users, tokens and hosts become names, the same for the same', () => {
  const log = [
    `2026-11-27T12:00:01.123Z INFO 10.2.3.4 - anna.berg@acme.com "GET /api/v1/users?id=7 HTTP/1.1" 200 1234`,
    `2026-11-27T12:00:02.456Z WARN 10.2.3.5 login failed user=bob host=db-01.acme.internal`,
    `2026-11-27T12:00:03Z INFO 10.2.3.4 Authorization: Bearer ${TOKEN} upstream=https://db-01.acme.internal:5432/x`,
    `peer [2001:db8::7]:443 mac 00:1b:44:11:3a:b7 trace_id=4bf92f3577b34da6a3ce929d0e0e4736`,
  ].join('\n');
  assert.equal(
    hidden(log),
    [
      `2026-11-27T12:00:01.123Z INFO ⟨ip-2⟩ - ⟨email-1⟩ "GET /api/v1/users?id=7 HTTP/1.1" 200 1234`,
      `2026-11-27T12:00:02.456Z WARN ⟨ip-3⟩ login failed user=⟨user-1⟩ host=⟨host-1⟩`,
      `2026-11-27T12:00:03Z INFO ⟨ip-2⟩ Authorization: Bearer ⟨token-1⟩ upstream=https://⟨host-1⟩:5432/x`,
      `peer [⟨ip-1⟩]:443 mac ⟨mac-1⟩ trace_id=⟨id-1⟩`,
    ].join('\n'),
  );
});

test('settings: passwords, keys, connections and homes', () => {
  /** @type {[string, string][]} */
  const cases = [
    [
      'DATABASE_URL=postgres://app:hunter2@db.acme.com:5432/app',
      'DATABASE_URL=postgres://⟨user-1⟩:⟨secret-1⟩@⟨host-1⟩:5432/app',
    ],
    ['POSTGRES_PASSWORD="correct horse battery"', 'POSTGRES_PASSWORD="⟨secret-1⟩"'],
    ['password: s3cr3t-value', 'password: ⟨secret-1⟩'],
    [
      '{"client_secret": "abc123def", "port": 8080}',
      '{"client_secret": "⟨secret-1⟩", "port": 8080}',
    ],
    ["api_key = 'AbCd1234'", "api_key = '⟨secret-1⟩'"],
    ['AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE', 'AWS_ACCESS_KEY_ID=⟨token-1⟩'],
    ['token ghp_0123456789abcdefghijABCDEFGHIJ012345', 'token ⟨token-1⟩'],
    ['Authorization: Basic dXNlcjpwYXNzd29yZA==', 'Authorization: Basic ⟨token-1⟩'],
    [
      '/home/anna/project and C:\\Users\\anna\\x',
      '/home/⟨user-1⟩/project and C:\\Users\\⟨user-1⟩\\x',
    ],
    ['arn:aws:iam::123456789012:role/deploy', 'arn:aws:iam::⟨id-1⟩:role/deploy'],
    ['card 4111 1111 1111 1111', 'card ⟨card-1⟩'],
    ['id: 0188a9f0-6b1c-7c4e-9b6f-0a1b2c3d4e5f', 'id: ⟨id-1⟩'],
    ['customer_id=CUST-99812', 'customer_id=⟨id-1⟩'],
    ['-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----', '⟨key-1⟩'],
    ['server 192.168.10.0/24 via 192.168.10.1', 'server ⟨ip-1⟩/24 via ⟨ip-2⟩'],
    ['connect to /10.0.0.9:5432', 'connect to /⟨ip-1⟩:5432'],
    ['ssh deploy@web-1.prod.acme.com', 'ssh ⟨email-1⟩'],
    ['ingress: shop.acme.de, api.acme.io', 'ingress: ⟨host-1⟩, ⟨host-2⟩'],
  ];
  for (const [text, wanted] of cases) assert.equal(hidden(text), wanted, text);
});

test('a password that stands elsewhere too is gone there as well', () => {
  assert.equal(
    hidden('password=hunter2hunter2\nretry with hunter2hunter2 failed'),
    'password=⟨secret-1⟩\nretry with ⟨secret-1⟩ failed',
  );
});

test('versions, times, paths, code and standards stay as they are', () => {
  for (const text of [
    'Chrome/120.0.0.0 Safari/537.36',
    'version 1.2.3.4',
    'v1.2.3.4',
    'file version: 10.0.19041.1',
    'nginx:1.27.3-alpine',
    '127.0.0.1:8080 and 0.0.0.0',
    'netmask 255.255.255.0',
    '::1',
    '12:34:56.789',
    '2026-11-27T12:00:00Z',
    'std::vector<int>',
    'a::b::c',
    'com.example.app.MainActivity',
    'java.lang.String at java.io.File',
    'main.rs README.md package.json',
    'console.log(user.name)',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '"$schema": "https://json-schema.org/draft/2020-12/schema"',
    'e.g. i.e. etc.',
    'user: root',
    `password: \${DB_PASSWORD}`,
    'password: <your password>',
    'token = process.env.TOKEN',
    'user: null',
    'commit 10e4c41',
    '#ff8800',
    '1700000000000',
    '1234567890123456',
    'port=5432',
    'https://example.com/a',
    'localhost:3000',
    'const password = readLine();',
    'the password is wrong',
    'SELECT user, host FROM mysql.user',
    'size 10.5 MB',
    '1.2.3',
    '10.0.0.1.5',
    '"user": "1000:1000"'.replace('1000:1000', '1000'),
    'tokens: 8192',
    'max_tokens=4096',
    'React.Component',
    'e.target.value',
    '@types/node@20.1.0',
  ])
    assert.equal(hidden(text), text);
});

test('an answer has its names back, whatever brackets it came with', () => {
  const names = new Names();
  const { text, count } = names.hide('ping 10.2.3.4 from anna@acme.com');
  assert.equal(text, 'ping ⟨ip-1⟩ from ⟨email-1⟩');
  assert.equal(count, 2);
  assert.deepEqual(
    names.restore('Block `⟨ip-1⟩`, mail <email-1>, keep ⟨ip-9⟩ and <b-1> &lt;ip-1&gt;'),
    {
      text: 'Block `10.2.3.4`, mail anna@acme.com, keep ⟨ip-9⟩ and <b-1> 10.2.3.4',
      count: 3,
    },
  );
  assert.equal(names.hide('again 10.2.3.4, new 10.2.3.9').text, 'again ⟨ip-1⟩, new ⟨ip-2⟩');
  assert.equal(names.hide(text).text, text, 'a copy of a copy is the same');
});

test('long texts take a time that grows with their length', async () => {
  for (const text of [
    '10.2.3.4 anna@acme.com password=hunter22 '.repeat(5000),
    'a.'.repeat(100_000),
    'a-'.repeat(100_000),
    ':'.repeat(100_000),
    '"'.repeat(100_000),
    'password='.repeat(20_000),
    '-----BEGIN A-----'.repeat(5000),
    '1 '.repeat(100_000),
    'f:'.repeat(100_000),
    '/'.repeat(100_000),
    'a@'.repeat(100_000),
    '://'.repeat(50_000),
    'x_token'.repeat(20_000),
  ]) {
    await inLinearTime(() => hidden(text), text.slice(0, 20));
  }
});
