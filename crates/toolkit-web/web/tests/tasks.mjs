//! What people come for, in as few actions as they need, in Chromium; an action is a paste, a click,
//! a choice or a key. `node tests/tasks.mjs [URL [LOG]]`. The large file has TOOLKIT_LARGE MiB, 64 unless stated.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { becomes, outputs, reaches, select, until } from './chromium.mjs';
import { useBrowser, useServer } from './fixtures.mjs';

/** @typedef {import('playwright-core').Page} Page */

const MIB = 1 << 20;
const LARGE = Number(process.env.TOOLKIT_LARGE ?? 64) * MIB;
const COMPOSE = 'services:\n  web:\n    image: nginx:1.27\n    ports:\n      - "80:80"\n';
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
  return opened;
}

/** One action: the text is pasted with the keyboard into what has the focus. @param {Page} page @param {string} text */
async function paste(page, text) {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press('Control+v');
}
/** @param {Page} page */
const headline = (page) => page.locator('.headline').first().innerText();

test('when a JWT expires is read after a paste', async () => {
  const { page, close } = await visit('/tools/jwt-decoder');
  const part = (/** @type {object} */ value) =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  await paste(page, `${part({ alg: 'HS256' })}.${part({ exp: 1516239022 })}.c2ln`);
  await until(async () => /^Expired \d+ years ago/.test(await headline(page)), 'the headline');
  await close();
});

test('YAML of compose is JSON with a paste and one click', async () => {
  const { page, close } = await visit('/');
  await paste(page, COMPOSE);
  await page.locator('[data-suggestion=data-converter]').click();
  await page.waitForURL('**/tools/data-converter*');
  await until(
    async () => JSON.parse((await outputs(page)).result ?? '').services.web.ports[0] === '80:80',
    'JSON',
  );
  await close();
});

test('50 UUIDs of version 7 with two choices', async () => {
  const { page, close } = await visit('/tools/uuid-generator');
  await select(page, 'version', 'v7');
  await page.locator('[name=count]').fill('50');
  await until(
    async () => ((await outputs(page)).result?.match(/-7[\da-f]{3}-/g) ?? []).length === 50,
    '50 UUIDs',
  );
  await close();
});

test('Base64 to JSON to JSONPath with a paste and four actions', async () => {
  const { page, close } = await visit('/');
  await paste(page, Buffer.from('{"items": [{"n": 1}, {"n": 2}]}').toString('base64'));
  await page.locator('[data-suggestion=base64-encoder]').click();
  await page.getByText('Open in', { exact: true }).click();
  await page.locator('[data-send-to=jsonpath-tester]').click();
  await page.waitForURL('**/tools/jsonpath-tester*');
  await reaches(page, 'ready', 'done');
  await page.locator('[name=expression]').fill('$.items[*].n');
  await becomes(() => headline(page), '2 matches');
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
