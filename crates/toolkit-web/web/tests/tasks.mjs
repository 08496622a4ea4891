//! What people come for, in as few actions as they need, in Chromium; an action is a paste, a click, a choice, a file or
//! something typed. `node tests/tasks.mjs [URL [LOG]]`. The large file has TOOLKIT_LARGE MiB, 64 unless stated.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { copied, outputs, reaches, select, until } from './chromium.mjs';
import { useBrowser, useServer } from './fixtures.mjs';

/** @typedef {import('playwright-core').Page} Page */

const MIB = 1 << 20;
const LARGE = Number(process.env.TOOLKIT_LARGE ?? 64) * MIB;
const server = useServer();
const browser = useBrowser();

/** @param {string} path @param {Parameters<typeof browser.open>[0]} [options] */
async function visit(path, options) {
  const opened = await browser.open({
    permissions: ['clipboard-read', 'clipboard-write'],
    keepsClipboard: true,
    ...options,
  });
  await opened.page.goto(server.web + path);
  await reaches(opened.page, 'ready', 'done');
  // A text that is handed to another page waits for the service worker a while only.
  if (path === '/')
    await opened.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  return opened;
}

/** A person at a page: each method but the last two is an action, and is counted. */
class Person {
  actions = 0;
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }
  /** With the keyboard, into what has the focus. @param {string} text */
  async paste(text) {
    this.actions += 1;
    await this.page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await this.page.keyboard.press('Control+v');
  }
  /** @param {string} selector */
  async click(selector) {
    this.actions += 1;
    await this.page.locator(selector).first().click();
  }
  /** @param {string} key */
  async press(key) {
    this.actions += 1;
    await this.page.keyboard.press(key);
  }
  /** @param {string} text */
  async type(text) {
    this.actions += 1;
    await this.page.keyboard.type(text);
  }
  /** A field is entered and filled. @param {string} name @param {string} text */
  async fill(name, text) {
    this.actions += 1;
    await this.page.locator(`[name="${name}"]`).first().fill(text);
  }
  /** @param {string} name @param {string} value */
  async choose(name, value) {
    this.actions += 1;
    await select(this.page, name, value);
  }
  /** @param {string} name @param {string} mimeType @param {Buffer} buffer */
  async give(name, mimeType, buffer) {
    this.actions += 1;
    const chosen = this.page.locator('input[type=file]').first();
    await chosen.setInputFiles([{ name, mimeType, buffer }]);
  }
  /** Waits until all that the page shows as results, or what home says of a paste, has a text. @param {RegExp} wanted */
  async reads(wanted) {
    const shown = async () => {
      const card = this.page.locator('.what:visible');
      const said = (await card.count()) > 0 ? await card.innerText() : '';
      return `${Object.values(await outputs(this.page)).join('\n')}\n${said}`;
    };
    await until(async () => wanted.test(await shown()), String(wanted)).catch(async (error) => {
      throw new Error(`${error.message}: ${(await shown()).slice(0, 500)}`);
    });
  }
  /** @param {string} slug */
  async comesTo(slug) {
    await this.page.waitForURL(`**/tools/${slug}*`);
    await reaches(this.page, 'ready', 'done');
  }
}

/** @param {string} text */
const b64 = (text) => Buffer.from(text).toString('base64');
const part = (/** @type {object} */ value) =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
const EXPIRED = `${part({ alg: 'HS256' })}.${part({ sub: 'anna', exp: 1516239022 })}.c2ln`;
const COMPOSE = 'services:\n  web:\n    image: nginx:1.27\n    ports:\n      - "80:80"\n';
const SECRET = `apiVersion: v1\ndata:\n  password: ${b64('s3cr3t')}\nkind: Secret\nmetadata:\n  name: web\n`;

/** A picture of noise in PNG. @param {Page} page */
const photo = async (page) =>
  Buffer.from(
    await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(300, 200);
      const data = new ImageData(300, 200);
      for (let at = 0; at < data.data.length; at++)
        data.data[at] = at % 4 === 3 ? 255 : (at * 7919) % 256;
      canvas.getContext('2d')?.putImageData(data, 0, 0);
      return Array.from(new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer()));
    }),
  );

/** What is copied is recorded, as the policy of the pages lets nobody read the clipboard. */
const RECORDED = { keepsClipboard: false };

/** [task, actions at most, where it begins, what is done] @type {[string, number, string, (person: Person, page: Page) => Promise<void>, Parameters<typeof browser.open>[0]?][]} */
const TASKS = [
  [
    'a claim of a token is changed, and it is signed again',
    3,
    '/tools/jwt-decoder',
    async (person, page) => {
      await person.paste(EXPIRED);
      await until(
        async () => (await page.locator('[name=payload]').inputValue()).includes('anna'),
        'the payload',
      );
      await person.fill('payload', '{"sub": "berta"}');
      await person.fill('key', 'a shared secret of at least 32 bytes');
      await until(
        async () => (await outputs(page)).signed?.split('.')[1] === part({ sub: 'berta' }),
        'the new token',
      );
    },
  ],
  [
    'a Kubernetes Secret is read',
    1,
    '/',
    async (person) => {
      await person.paste(SECRET);
      await person.reads(/password: s3cr3t/);
    },
  ],
  [
    'Base64 of gzip of JSON is read',
    1,
    '/',
    async (person) => {
      await person.paste(gzipSync('{"items":[1,2,3]}').toString('base64'));
      await person.reads(/\{"items":\[1,2,3\]\}/);
    },
  ],
  [
    'JSON Lines are read',
    1,
    '/',
    async (person) => {
      await person.paste('{"level":"info","n":1}\n{"level":"warn","n":2}\n');
      await person.reads(/"level": ?"warn"/);
    },
  ],
  [
    'two JSON texts are compared by structure',
    2,
    '/tools/text-diff-checker',
    async (person) => {
      await person.fill('left', '{"a": 1, "b": [1, 2]}');
      await person.fill('right', '{"b": [1, 3], "a": 1}');
      await person.reads(/\$\.b\[1\]/);
    },
  ],
  [
    'a photo becomes WebP, and is compared with what it was',
    3,
    '/tools/image-converter',
    async (person, page) => {
      await person.give('photo.png', 'image/png', await photo(page));
      await person.choose('to', 'webp');
      await page.locator('.compared .said', { hasText: /^WebP, .*, quality 82$/ }).waitFor();
      const slider = page.locator('.compared input');
      person.actions += 1;
      await slider.fill('20');
      const place = page.locator('.compared');
      assert.equal(await place.evaluate((node) => node.style.getPropertyValue('--at')), '20%');
    },
  ],
  [
    'a pattern is tried on a log of 1 MB while it is typed',
    2,
    '/tools/regex-tester',
    async (person, page) => {
      const line = '2023-11-14 12:00:00 ERROR request 4711 failed\n';
      await person.give('a.log', 'text/plain', Buffer.from(line.repeat(MIB / line.length)));
      await page.locator('[name=pattern]').focus();
      await person.type('ERROR .* (\\d+)');
      await person.reads(/^22,795 matches/);
    },
  ],
  [
    'when a JWT expires is read',
    1,
    '/tools/jwt-decoder',
    async (person) => {
      await person.paste(EXPIRED);
      await person.reads(/^Expired \d+ years ago/);
    },
  ],
  [
    'a JWT pasted on home opens decoded',
    2,
    '/',
    async (person) => {
      await person.paste(EXPIRED);
      await person.press('Enter');
      await person.comesTo('jwt-decoder');
      await person.reads(/^Expired \d+ years ago/);
    },
  ],
  [
    'a token in a line of a log: when it expired',
    1,
    '/',
    async (person) => {
      await person.paste(`2026-11-27T12:00:00Z INFO {"auth":"Bearer ${EXPIRED}"} took 3 ms`);
      await person.reads(/JSON Web Token, expired \d+ years ago\s+.*"anna"/);
    },
  ],
  [
    'a tool is found by its name',
    2,
    '/',
    async (person) => {
      await person.type('cron');
      await person.press('Enter');
      await person.comesTo('cron-explainer');
    },
  ],
  [
    'a tool is found from another one',
    3,
    '/tools/hex-encoder',
    async (person, page) => {
      await person.press('Control+k');
      await page.getByRole('combobox', { name: 'Search tools' }).waitFor();
      await person.type('vlsm');
      await person.press('Enter');
      await person.comesTo('cidr-calculator');
    },
  ],
  [
    'YAML of compose is JSON',
    2,
    '/',
    async (person, page) => {
      await person.paste(COMPOSE);
      await person.click('[data-suggestion=data-converter]');
      await person.comesTo('data-converter');
      await until(
        async () =>
          JSON.parse((await outputs(page)).result ?? '').services.web.ports[0] === '80:80',
        'JSON',
      );
    },
  ],
  [
    'a QR code for the Wi-Fi',
    4,
    '/tools/qr-code-generator',
    async (person, page) => {
      await person.click('label:has-text("Wi-Fi")');
      await person.fill('ssid', 'Home');
      await person.fill('password', 'correct horse');
      await page.locator('[data-output=code] img').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        person.click('[data-product]'),
      ]);
      assert.equal(download.suggestedFilename(), 'qr-code.png');
    },
  ],
  [
    'whether a key belongs to a certificate',
    2,
    '/tools/certificate-decoder',
    async (person, page) => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      await page.locator('[data-example]').first().click();
      await reaches(page, 'done');
      await person.click('[name=key]');
      await person.paste(String(privateKey.export({ format: 'pem', type: 'pkcs8' })));
      await person.reads(/The key does not match/);
    },
  ],
  [
    'what time it is in Tokyo',
    1,
    '/',
    async (person) => {
      await person.type('what time is it in tokyo');
      await person.reads(/ in Asia\/Tokyo/);
    },
  ],
  [
    'a language that few choose, from the list beside the usual ones',
    2,
    '/tools/curl-converter',
    async (person, page) => {
      await person.paste('curl https://example.com/');
      person.actions += 1;
      await page.getByRole('combobox', { name: 'Language' }).selectOption('go');
      await person.reads(/package main/);
    },
  ],
  [
    '50 UUIDs of version 7',
    2,
    '/tools/uuid-generator',
    async (person, page) => {
      await person.choose('version', 'v7');
      await person.fill('count', '50');
      await until(
        async () => ((await outputs(page)).result?.match(/-7[\da-f]{3}-/g) ?? []).length === 50,
        '50 UUIDs',
      );
    },
  ],
  [
    'Base64 to JSON to JSONPath',
    5,
    '/',
    async (person) => {
      await person.paste(b64('{"items": [{"n": 1}, {"n": 2}]}'));
      await person.click('[data-suggestion=base64-encoder]');
      await person.comesTo('base64-encoder');
      await person.click('details.menu > summary');
      await person.click('[data-send-to=jsonpath-tester]');
      await person.comesTo('jsonpath-tester');
      await person.fill('expression', '$.items[*].n');
      await person.reads(/^2 matches/);
    },
  ],
  [
    'the next runs of a cron expression',
    1,
    '/tools/cron-explainer',
    async (person) => {
      await person.paste('30 9 * * MON-FRI');
      await person.reads(/09:30/);
    },
  ],
  [
    'a Unix time is a date',
    1,
    '/tools/timestamp-converter',
    async (person) => {
      await person.paste('1700000000');
      await person.reads(/Tuesday, 14 November 2023, 22:13:20/);
    },
  ],
  [
    'the digests of a text, SHA-3 and BLAKE3 among them',
    1,
    '/tools/hash-generator',
    async (person) => {
      await person.paste('abc');
      await person.reads(/6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85/);
    },
  ],
  [
    'a file is compared with its checksum',
    2,
    '/tools/hash-generator',
    async (person) => {
      await person.give('abc.txt', 'text/plain', Buffer.from('abc'));
      await person.fill('compare', 'a9993e364706816aba3e25717850c26c9cd0d89d  abc.txt');
      await person.reads(/^Same: it is the SHA-1/);
    },
  ],
  [
    'a network is split into subnets',
    2,
    '/tools/cidr-calculator',
    async (person) => {
      await person.paste('10.20.0.0/22');
      await person.fill('split', '24');
      await person.reads(/10\.20\.3\.0\/24/);
    },
  ],
  [
    'a password, copied',
    1,
    '/tools/password-generator',
    async (person, page) => {
      await person.click('.list li');
      await until(async () => /^\S{20}$/.test(String(await copied(page))), 'the password');
    },
    RECORDED,
  ],
  [
    'a curl command is Python',
    3,
    '/',
    async (person) => {
      await person.paste(
        "curl -X POST https://example.com/a -H 'X-A: 1' --data '{\"a\":1}' --compressed",
      );
      await person.press('Enter');
      await person.comesTo('curl-converter');
      await person.choose('language', 'requests');
      await person.reads(/import requests/);
    },
  ],
  [
    'a CSV table is JSON',
    2,
    '/',
    async (person) => {
      await person.paste('id,name\n1,Anna\n2,Berta\n');
      await person.press('Enter');
      await person.comesTo('csv-converter');
      await person.reads(/"name": "Berta"/);
    },
  ],
  [
    'JSON is checked against a JSON Schema',
    3,
    '/tools/json-formatter',
    async (person) => {
      await person.paste('{"age": "42"}');
      await person.click('.more > summary');
      await person.fill('schema', '{"properties": {"age": {"type": "integer"}}}');
      await person.reads(/1 place does not fit the schema/);
    },
  ],
  [
    'JSON in a string is JSON',
    1,
    '/tools/json-formatter',
    async (person) => {
      await person.paste('"{\\"id\\":7}"');
      await person.reads(/\{\n {2}"id": 7\n\}/);
    },
  ],
  [
    'doubled lines are taken out',
    2,
    '/tools/line-sorter',
    async (person, page) => {
      await person.paste('b\na\nb\n');
      await person.choose('unique', 'first');
      await until(
        async () =>
          Object.values(await outputs(page)).some((text) => /^(?:a\nb|b\na)\s*$/.test(text)),
        'two lines',
      );
    },
  ],
  [
    'a log is copied without its secrets',
    2,
    '/tools/word-counter',
    async (person, page) => {
      await person.fill('text', `anna@example.com from 203.0.113.7 with ${EXPIRED}`);
      await person.click('.without:visible');
      await until(async () => /⟨ip-1⟩/.test(String(await copied(page))), 'the copy');
      assert.doesNotMatch(String(await copied(page)), /anna@|203\.0|eyJ/);
    },
    RECORDED,
  ],
];

for (const [task, most, path, work, options] of TASKS)
  test(`${task}: ${most} ${most === 1 ? 'action' : 'actions'}`, async (t) => {
    const { page, close } = await visit(path, options);
    const person = new Person(page);
    await work(person, page);
    t.diagnostic(`${person.actions} of at most ${most}: ${task}`);
    assert.ok(person.actions <= most, `${person.actions} actions`);
    await close();
  });

test('a large file is hashed in pieces, with progress, and can be cancelled', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'toolkit-large-'));
  try {
    // As large as wanted without taking room: all of it but the end is a hole.
    const sparse = (/** @type {string} */ name, /** @type {number} */ length) => {
      const file = join(folder, name);
      const handle = openSync(file, 'w');
      ftruncateSync(handle, length);
      writeSync(handle, 'end', length - 3);
      closeSync(handle);
      return file;
    };
    const { page, close } = await visit('/tools/hash-generator');
    const chosen = page.locator('input[type=file]').first();
    const run = () => page.keyboard.press('Control+Enter');
    const file = sparse('large.bin', LARGE);
    const wanted = execFileSync('sha256sum', [file], { encoding: 'utf8' }).slice(0, 64);
    await chosen.setInputFiles(file);
    await select(page, 'algorithm', 'sha256');
    const begin = Date.now();
    await run();
    await until(
      async () => (await page.locator('[data-output=result]').innerText()).includes(wanted),
      'the digest',
      15 * 60_000,
    );
    const used = await page.evaluate(() => /** @type {any} */ (performance).memory.usedJSHeapSize);
    t.diagnostic(`${LARGE / MIB} MiB in ${Date.now() - begin} ms, ${used / MIB} MiB of the page`);
    assert.ok(used < 64 * MIB, `${used}`);

    await chosen.setInputFiles(sparse('larger.bin', 1024 * MIB));
    await run();
    const status = page.locator('.result .status');
    const says = (/** @type {RegExp} */ words) =>
      until(async () => words.test(await status.innerText()), `the status ${words}`);
    await says(/\d/);
    // The button stays under the hand while what is said beside it changes.
    const before = await status.innerText();
    await status.getByRole('button').focus();
    await until(async () => (await status.innerText()) !== before, 'more progress');
    await page.keyboard.press('Enter');
    await says(/cancelled/i);
    await close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
