//! The chip that tells of requests, on every page, in Chromium. `node tests/wire.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { becomes, catalog, outputs, reaches, until } from './chromium.mjs';
import { isWanted, useBrowser, useServer } from './fixtures.mjs';
import { looksGood } from './looks.mjs';

/** @typedef {import('playwright-core').Page} Page */

const server = useServer();
const browser = useBrowser();
const ZERO = 'Requests since this page opened: 0';

/** Opens the panel of the chip; the page is where it was. @param {Page} page */
async function opened(page) {
  const chip = page.locator('[data-wire]');
  await chip.click();
  await page.locator('.wire [data-requests]').waitFor();
  assert.equal(await chip.getAttribute('aria-expanded'), 'true');
  return page.locator('.wire [data-requests]');
}

describe('requests by scripts', { concurrency: 2 }, () => {
  for (const { slug } of catalog().filter(({ slug }) => isWanted(slug)))
    test(`${slug}: none, used with its first example`, async () => {
      const { page, close } = await browser.open({ serviceWorkers: 'block' });
      const response = await page.goto(`${server.web}/tools/${slug}`);
      assert.match(response?.headers()['content-security-policy'] ?? '', /connect-src 'none';/);
      await reaches(page, 'ready', 'done');
      await page.locator('[data-example]').first().click();
      await reaches(page, 'done');
      const count = await opened(page);
      assert.equal(await count.textContent(), ZERO);
      await close();
    });
});

test('the chip tells the policy in words, on home too, also to a keyboard on a phone', async () => {
  for (const path of ['/', '/tools/hex-encoder']) {
    const { page, close } = await browser.open({ viewport: { width: 390, height: 800 } });
    await page.goto(server.web + path);
    await reaches(page, 'ready');
    await page.locator('[data-wire]').focus();
    await page.keyboard.press('Enter');
    const panel = page.locator('.wire');
    await panel.getByText(ZERO).waitFor();
    await panel.locator('code', { hasText: "connect-src 'none'" }).waitFor();
    await looksGood(page);
    await page.keyboard.press('Enter');
    await becomes(() => panel.isVisible(), false);
    await close();
  }
});

describe('the wire', () => {
  const own = useServer({ own: true });
  /** The requests that reached the server, but for those of the browser for a newer service worker. */
  const reached = () =>
    own
      .log()
      .split('\n')
      .filter((line) => /\/toolkit\/(?!sw\.js)/.test(line)).length;

  test('cut, it lets the pages be answered by this device alone, until it is released', async () => {
    const { page, close } = await browser.open();
    await page.goto(`${own.web}/tools/hex-encoder`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.reload();
    await reaches(page, 'ready');
    await opened(page);
    await page.getByRole('button', { name: 'Cut the wire' }).click();
    await page.locator('.wire').getByText('The wire is cut').waitFor();
    const before = reached();
    assert.ok(before > 0, 'the log has the requests');
    for (const slug of ['hex-encoder', 'toml-converter']) {
      await page.goto(`${own.web}/tools/${slug}`);
      await reaches(page, 'ready');
      await page.locator('[data-example]').first().click();
      await reaches(page, 'done');
      assert.ok(Object.keys(await outputs(page)).length > 0);
    }
    await page.goto(`${own.web}/openapi.json`);
    await page.getByText('The server cannot be reached').first().waitFor();
    assert.equal(reached(), before);
    await page.goto(`${own.web}/tools/hex-encoder`);
    await reaches(page, 'ready');
    await opened(page);
    await page.getByRole('button', { name: 'Release' }).click();
    await page.locator('.wire').getByText('The wire is whole again.').waitFor();
    const response = await page.goto(`${own.web}/openapi.json`);
    assert.equal(response?.status(), 200);
    await until(() => reached() > before, 'the server is asked again');
    await close();
  });
});
