//! The chain never ends, in Chromium: what a paste is, results that go on to another tool, input that is kept,
//! copies without secrets. `node tests/chain.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { becomes, copied, outputs, reaches, until } from './chromium.mjs';
import { useBrowser, useServer } from './fixtures.mjs';

/** @typedef {import('playwright-core').Page} Page */

const server = useServer();
const browser = useBrowser();
/** @param {string} text */
const b64 = (text) => Buffer.from(text).toString('base64');
const SECRET = `apiVersion: v1\ndata:\n  password: ${b64('s3cr3t')}\n  settings: ${b64('{"mode":"fast"}')}\nkind: Secret\nmetadata:\n  name: web\n`;

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

describe('what it is', () => {
  const card = (/** @type {Page} */ page) => page.locator('.what');

  test('a Kubernetes Secret is read by a paste on home', async () => {
    const { page, said, asked, close } = await visit('/');
    await paste(page, SECRET);
    await becomes(
      () => card(page).locator('p').innerText(),
      'password: s3cr3t, settings: {"mode":"fast"}',
    );
    for (const address of asked) assert.ok(!address.includes('s3cr3t'), address);
    assert.deepEqual(said, []);
    await close();
  });

  test('a text is held as one line with its length, and nothing but one card; typing takes its place', async () => {
    const { page, close } = await visit('/');
    await paste(page, SECRET);
    await card(page).waitFor();
    const field = page.locator('#filter');
    assert.equal(await field.inputValue(), SECRET.trim().replace(/\s+/g, ' '));
    assert.equal(await page.locator('.length').innerText(), `${SECRET.length} characters`);
    assert.equal(
      await page.locator('.category:visible, [data-hits]:visible, .mine:visible').count(),
      0,
    );
    const size = await card(page)
      .locator('h2')
      .evaluate((node) => getComputedStyle(node).fontSize);
    assert.equal(size, '24px');
    const actions = await card(page).locator('button').count();
    assert.ok(actions > 1 && actions < 5, `${actions} actions`);
    assert.deepEqual(await card(page).locator('kbd').allInnerTexts(), ['Enter', '↓ Enter']);
    await page.keyboard.type('diff');
    await card(page).waitFor({ state: 'hidden' });
    assert.equal(await field.inputValue(), 'diff');
    await page.locator('[data-hits]').waitFor();
    await page.getByRole('button', { name: 'Clear text' }).click();
    await page.locator('.category').first().waitFor();
    await close();
  });

  test('the first load is as small as without it', async () => {
    const { page, asked, close } = await visit('/');
    const later = (/** @type {string} */ one) => /suggest|detector|tools\//.test(one);
    assert.deepEqual(asked.filter(later), []);
    await paste(page, SECRET);
    await card(page).waitFor();
    await close();
  });
});

describe('results go on', () => {
  test('Base64 of gzip of JSON is read by one paste, and opens unpacked', async () => {
    const { page, close } = await visit('/');
    await paste(page, gzipSync('{"items":[1,2,3]}').toString('base64'));
    await becomes(() => page.locator('.what p').innerText(), '{"items":[1,2,3]}');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/tools/base64-encoder*');
    await until(
      async () =>
        Object.values(await outputs(page)).some((one) => one?.includes('{"items":[1,2,3]}')),
      'JSON',
    );
    await close();
  });

  test('JSON Lines are read by one paste, and open with Enter', async () => {
    const { page, close } = await visit('/');
    await paste(page, '{"a":1}\n{"a":2}\n');
    await becomes(() => page.locator('.what h2').innerText(), 'JSON lines');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/tools/json-formatter*');
    await until(async () => (await outputs(page)).result?.includes('"a": 2') ?? false, 'the lines');
    await close();
  });

  test('a decoded token goes to the encoder with its header, payload and shared secret', async () => {
    const { page, close } = await visit('/tools/jwt-decoder');
    const part = (/** @type {object} */ value) =>
      Buffer.from(JSON.stringify(value)).toString('base64url');
    await paste(page, `${part({ alg: 'HS512', kid: 'a' })}.${part({ sub: 'anna' })}.c2ln`);
    await page
      .locator('[name=key]')
      .fill('a shared secret of at least 64 bytes, which HS512 wants to be safe');
    // A result that comes later closes the menu.
    await reaches(page, 'done');
    await page
      .locator('details.menu', { has: page.locator('[data-send-to=jwt-encoder]') })
      .locator('summary')
      .click();
    await page.locator('[data-send-to=jwt-encoder]').click();
    await page.waitForURL('**/tools/jwt-encoder*');
    await becomes(
      async () => JSON.parse(await page.locator('[name=payload]').inputValue()).sub,
      'anna',
    );
    assert.match(await page.locator('[name=header]').inputValue(), /"kid": "a"/);
    await until(async () => (await outputs(page)).token?.split('.').length === 3, 'a signed token');
    await close();
  });

  test('digests go on to the tool for bytes', async () => {
    const { page, close } = await visit('/tools/hash-generator');
    await page.locator('[name=text]').fill('abc');
    await page
      .locator('details.menu', { has: page.locator('[data-send-to=hex-encoder]') })
      .locator('summary')
      .click();
    await page.locator('[data-send-to=hex-encoder]').click();
    await page.waitForURL('**/tools/hex-encoder*');
    await until(
      async () => (await page.locator('[name=text]').inputValue()).startsWith('ba7816bf'),
      'the digest',
    );
    await close();
  });
});

describe('input that is kept', () => {
  const keep = (/** @type {Page} */ page) =>
    page.getByRole('button', { name: 'Keep until I close this tab' });
  const stored = (/** @type {Page} */ page) =>
    page.evaluate(() => JSON.stringify({ ...sessionStorage }));

  test('a reload loses it, unless a person asks to keep it; then all tools of the tab keep theirs', async () => {
    const { page, close } = await visit('/tools/json-formatter');
    const field = page.locator('[name=text]');
    await field.fill('{"lost":1}');
    await reaches(page, 'done');
    assert.equal(await stored(page), '{}');
    await page.reload();
    await reaches(page, 'ready');
    assert.equal(await field.inputValue(), '');
    await field.fill('{"kept":1}');
    await keep(page).click();
    await page.reload();
    await becomes(() => field.inputValue(), '{"kept":1}');
    await until(
      async () => (await outputs(page)).result?.includes('"kept": 1') ?? false,
      'the result',
    );
    await page.goto(`${server.web}/tools/url-parser`);
    await page.locator('[name=url]').fill('https://example.com/kept');
    await until(async () => (await stored(page)).includes('example.com/kept'), 'the second tool');
    await keep(page).click();
    assert.equal(await stored(page), '{}', 'it forgets all');
    await close();
  });

  test('secret fields and tools of secrets are never kept', async () => {
    const { page, close } = await visit('/tools/hash-generator');
    await page.locator('[name=text]').fill('a text');
    await page.locator('[name=key]').evaluate((node) => {
      node.closest('details')?.setAttribute('open', '');
    });
    await page.locator('[name=key]').fill('hush');
    await page.locator('[name=key]').press('Escape');
    await keep(page).click();
    assert.ok((await stored(page)).includes('a text'));
    assert.ok(!(await stored(page)).includes('hush'));
    await page.goto(`${server.web}/tools/jwt-decoder`);
    await reaches(page, 'ready');
    await page.locator('[name=key]').fill('hush');
    assert.equal(await keep(page).count(), 0);
    assert.ok(!(await stored(page)).includes('hush'));
    await close();
  });
});

describe('copies without secrets', () => {
  const LOG =
    '10.2.3.4 GET /x user=anna.berg password=hunter2hunter2\n10.2.3.4 GET /y version 1.2.3.4\n';
  // The policy of the pages lets nobody read the clipboard: what is copied is recorded.
  const recorded = { keepsClipboard: false };
  const pasted = (/** @type {Page} */ page, /** @type {string} */ text) =>
    page.locator('[name=text]').evaluate((node, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      node.focus();
      node.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    }, text);

  test('an input is copied with names for its values, and an answer that is pasted has the values back', async () => {
    const { page, said, asked, close } = await visit('/tools/word-counter', recorded);
    const field = page.locator('[name=text]');
    await field.fill(LOG);
    await page.getByRole('button', { name: 'Copy without secrets' }).first().click();
    await becomes(
      () => copied(page),
      '⟨ip-1⟩ GET /x user=⟨user-1⟩ password=⟨secret-1⟩\n⟨ip-1⟩ GET /y version 1.2.3.4\n',
    );
    await page.getByText('Copied with names in place of 3 values').waitFor();
    await field.fill('');
    await pasted(page, 'Block ⟨ip-1⟩ for <user-1>.');
    await becomes(() => field.inputValue(), 'Block 10.2.3.4 for anna.berg.');
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    );
    for (const place of [kept, ...asked]) assert.ok(!/hunter2|anna/.test(place), place);
    assert.deepEqual(said, []);
    await close();
  });

  test('a result is copied without secrets too', async () => {
    const { page, close } = await visit('/tools/json-formatter', recorded);
    await page.locator('[name=text]').fill('{"host":"db.acme.internal","port":5432}');
    const result = page.locator('[data-output=result]');
    await result.getByRole('button', { name: 'Copy without secrets' }).click();
    await becomes(() => copied(page), '{\n  "host": "⟨host-1⟩",\n  "port": 5432\n}');
    await close();
  });
});
