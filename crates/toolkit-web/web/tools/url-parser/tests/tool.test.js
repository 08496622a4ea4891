//! URL Parser: WPT's URL suite, changes, reasons for refusals, tracking parameters, passwords.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool, seeded, suite } from '../../../tests/run.mjs';
import { rawParts } from '../parts.js';
import tool from '../tool.js';

const PARTS = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
];

/** The platform's own result, to tell its faults from ours. @param {string} input @param {string | null} base @returns {any} */
function platform(input, base) {
  try {
    return new URL(input, base ?? undefined);
  } catch {
    return undefined;
  }
}

test('the URL suite: parts, and refusals with a reason', async (t) => {
  const cases = suite(t, 'url_parsing_wpt');
  if (!cases) return;
  /** @type {string[]} */
  const older = [];
  let compared = 0;
  for (const { id, input, base, expect } of cases) {
    const own = platform(input, base);
    const isBehind =
      expect === 'reject'
        ? own !== undefined
        : own === undefined ||
          PARTS.some((part) => expect[part] !== undefined && own[part] !== expect[part]);
    if (isBehind) older.push(id);
    if (isBehind || input === '') continue;
    const { outputs, refusal } = await runTool(tool, { url: input, base: base ?? '', plain: true });
    compared += 1;
    if (expect === 'reject') {
      assert.ok(refusal, id);
      assert.ok(['url', 'base'].includes(refusal.field));
      continue;
    }
    assert.equal(refusal, undefined, `${id} ${refusal?.sentence}`);
    const { Host = '', Query = '', Fragment = '' } = Object.fromEntries(outputs.parts.pairs);
    assert.equal(outputs.address, expect.href, id);
    assert.deepEqual([Host, Query, Fragment], [expect.hostname, expect.search, expect.hash], id);
  }
  t.diagnostic(
    `${compared} compared; where this Node itself follows an older standard: ${older.length}`,
  );
  assert.ok(older.length <= 60, older.join(' '));
  assert.ok(compared >= 820);
});

/** @param {string} url @param {Record<string, any>} [values] */
const sentenceOf = async (url, values) => (await runTool(tool, { url, ...values })).refusal;

for (const [url, offence, offset] of /** @type {[string, RegExp, number?][]} */ ([
  ['example.com/a', /has no scheme.*Did you mean https:\/\/example\.com\/a\?/, 0],
  ['no scheme at all', /has no scheme.*Write a scheme/, 0],
  ['https://', /has no host/],
  ['https://user@/x', /has no host/],
  ['http://:80/', /has no host/],
  ['http://a:99999/', /port 99999; ports end at 65535/, 9],
  ['http://a:65536/', /65536/, 9],
  ['http://a:b/', /port "b", which is not a number/, 9],
  ['http://1.2.3.256/', /host that should be an IPv4 address: it has 256, but an octet/, 13],
  ['http://1.2.3.4.5/', /has 5 parts/],
  ['http://4294967296/', /4294967295 at most/, 7],
  ['http://09.1/', /octal digits end at 7/, 7],
  ['http://[::1', /IPv6/],
  ['http://[1:2]/', /has 2 groups/],
  ['http://[::g]/', /not hexadecimal/, 10],
  ['http://a b/', /has " " in its host/, 8],
  ['http://a<b/', /has "<" in its host/, 8],
  ['http://a%00b/', /forbidden/],
  ['http://xn--/', /valid domain/, 7],
  ['foo://a b/', /has " " in its host/],
])) {
  test(`refuses ${url}`, async () => {
    const refusal = await sentenceOf(url);
    assert.match(refusal?.sentence ?? 'accepted', offence);
    if (offset !== undefined) assert.equal(refusal?.offset, offset);
  });
}

test('a base that is not a URL, or cannot be one, is refused', async () => {
  assert.equal((await sentenceOf('x', { base: 'nonsense' }))?.field, 'base');
  assert.match(
    (await sentenceOf('x', { base: 'mailto:a@b' }))?.sentence ?? '',
    /cannot be resolved/,
  );
});

for (const [url, sentence] of [
  ['  https://a/ ', 'White space or control characters at the ends were removed.'],
  ['https://a/b\nc', 'Tabs and line breaks inside were removed.'],
  ['HTTP://a/', 'The scheme was written in small letters: http.'],
  ['https:a/', 'The slashes after the scheme became two.'],
  ['https:\\\\a\\b', 'Backslashes were read as slashes.'],
  ['https://A.example/', 'The host was written in small letters: a.example.'],
  ['https://0x7f.1/', 'The host is an IPv4 address: 0x7f.1 means 127.0.0.1.'],
  ['https://[0:0::1]/', 'The IPv6 address was shortened: [::1].'],
  ['https://a:/', 'The colon without a port was removed.'],
  ['https://a:0080/', 'The port 0080 became 80.'],
  ['https://a', 'The empty path became "/".'],
  ['https://a/b/./c', 'The segments "." and ".." were resolved.'],
  ['https://a/ü', 'Characters of the path were percent-encoded.'],
  ['https://a/?ü', 'Characters of the query were percent-encoded.'],
  ['https://a/#ü', 'Characters of the fragment were percent-encoded.'],
  ['https://ü@a/', 'The user information was percent-encoded or shortened.'],
]) {
  test(`says of ${JSON.stringify(url)}: ${sentence}`, async () => {
    const { outputs } = await runTool(tool, { url: String(url) });
    assert.ok(outputs.changes.items.includes(sentence), JSON.stringify(outputs.changes));
  });
}

test('a normalised URL has no changes, and parsing is idempotent', async () => {
  const next = seeded(4);
  const pieces = [
    'a',
    'B',
    '%41',
    '/',
    '.',
    '..',
    'ü',
    '?',
    '&',
    '=',
    '#',
    ':',
    '@',
    '8',
    ' ',
    '\\',
    '+',
    '~',
  ];
  for (let round = 0; round < 500; round++) {
    const url = `https://h${Array.from({ length: next(12) }, () => pieces[next(pieces.length)]).join('')}`;
    const once = await runTool(tool, { url, plain: true });
    if (once.refusal) continue;
    const again = await runTool(tool, { url: once.outputs.address, plain: true });
    assert.equal(again.outputs.address, once.outputs.address);
    assert.equal(again.outputs.changes, undefined, `${url} -> ${once.outputs.address}`);
  }
});

test('the password is masked unless asked for', async () => {
  const url = 'https://u:canary-secret@h/';
  const { outputs } = await runTool(tool, { url });
  assert.doesNotMatch(outputs.address + JSON.stringify(outputs.parts), /canary/);
  assert.match((await runTool(tool, { url, plain: true })).outputs.address, /canary/);
});

test('tracking parameters are removed, all others are unchanged', async () => {
  const kept = 'a=%41+b&x&=y&a=2&utm=1';
  const url = `https://h/?utm_source=a&${kept}&gclid=1&utm%5Fmedium=b&pk_campaign=3`;
  const { outputs } = await runTool(tool, { url, clean: true });
  assert.equal(outputs.address, `https://h/?${kept}`);
  assert.equal(outputs.removed.items.length, 4);
  assert.equal((await runTool(tool, { url })).outputs.removed, undefined);
});

test('the parts as written', () => {
  assert.deepEqual(rawParts('mailto:a@b?c#d'), {
    scheme: 'mailto:',
    slashes: '',
    user: undefined,
    host: '',
    port: undefined,
    path: 'a@b',
    query: '?c',
    fragment: '#d',
  });
  assert.equal(rawParts('//a/b'), undefined);
});

test('the longest URL, and one more character', async () => {
  const url = `https://h/${'a'.repeat(65526)}`;
  assert.equal(url.length, 65536);
  assert.equal((await runTool(tool, { url })).refusal, undefined);
  assert.match(
    (await sentenceOf(`${url}a`))?.sentence ?? '',
    /at most 65536 characters, not 65537/,
  );
});

test('a drive of a file address is no change', async () => {
  const { outputs } = await runTool(tool, { url: 'file:///C:/x/y' });
  assert.equal(outputs.changes, undefined);
});

test('hosts that only some browsers accept are refused', async () => {
  const OwnUrl = globalThis.URL;
  // As Chromium: a space becomes %20, and an xn-- label is not decoded.
  globalThis.URL = /** @type {any} */ (
    class extends OwnUrl {
      /** @param {string} input @param {string} [base] */
      constructor(input, base) {
        const [, host = ''] = /^http:\/\/(a b\.com|xn--a)\//.exec(input) ?? [];
        super(host ? 'http://x/' : input, base);
        if (host) Object.defineProperty(this, 'hostname', { value: host.replace(' ', '%20') });
      }
    }
  );
  try {
    for (const [url, offence] of /** @type {[string, RegExp][]} */ ([
      ['http://a b.com/', /has " " in its host/],
      ['http://xn--a/', /has the host "xn--a", which is not a valid domain/],
    ])) {
      const { refusal } = await runTool(tool, { url });
      assert.match(refusal?.sentence ?? '', offence);
    }
  } finally {
    globalThis.URL = OwnUrl;
  }
});

test('defanged for reports, and read again', async () => {
  for (const [url, wanted] of [
    ['https://a.example.com/x.y?z=1.2', 'hxxps://a[.]example[.]com/x.y?z=1.2'],
    ['http://192.0.2.7:8080/', 'hxxp://192[.]0[.]2[.]7:8080/'],
    ['https://u:p@b.example/', 'hxxps://u:********@b[.]example/'],
    ['ftp://files.example.org/a', 'ftp://files[.]example[.]org/a'],
    ['https://a.example.a.example.org/', 'hxxps://a[.]example[.]a[.]example[.]org/'],
  ]) {
    const { outputs } = await runTool(tool, { url });
    assert.equal(outputs.defanged, wanted);
  }
  for (const [url, wanted] of [
    ['hxxps://malware[.]example[.]com/a?b=1.2', 'https://malware.example.com/a?b=1.2'],
    ['hXXp[://]a[.]example/', 'http://a.example/'],
    ['https://[2001:db8::1]/', 'https://[2001:db8::1]/'],
  ])
    assert.equal((await runTool(tool, { url })).outputs.address, wanted);
  const { refusal } = await runTool(tool, { url: 'hxxp://a b[.]com' });
  assert.match(String(refusal?.sentence), /URL/);
});

test('an address of several hosts is refused with what to enter', async () => {
  const { refusal } = await runTool(tool, { url: 'postgresql://u:p@h1:5432,h2:5432/db' });
  assert.match(refusal?.sentence ?? '', /Enter one host at a time, not several with commas/);
});
