//! Pages of a build without libraries in Chromium: `node tests/unbuilt.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputs, reaches } from './chromium.mjs';
import { useBrowser, useServer } from './fixtures.mjs';

const server = useServer();
const browser = useBrowser();

test('a tool without a library works, and one with a library says what it lacks', async () => {
  for (const [slug, isWhole] of /** @type {const} */ ([
    ['hex-encoder', true],
    ['cron-explainer', true],
    ['toml-converter', false],
    ['uuid-generator', false],
  ])) {
    const { page, close } = await browser.open({ serviceWorkers: 'block' });
    await page.goto(`${server.web}/tools/${slug}`);
    await reaches(page, 'ready', 'done', 'refused');
    await page.locator('[data-example]').first().click();
    if (isWhole) {
      await reaches(page, 'done');
      assert.ok(Object.keys(await outputs(page)).length > 0, slug);
    } else await page.locator('.status').filter({ hasText: 'made without Node' }).waitFor();
    await close();
  }
});
