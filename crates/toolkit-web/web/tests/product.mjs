//! Input first and the product last, on the pages of all tools in Chromium, with a mouse and with fingers: where the first
//! field begins, how many options are in sight, and that the one filled button hands over what one came for.
//! `node tests/product.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { catalog, copied, outputs, reaches } from './chromium.mjs';
import { isWanted, useBrowser, useServer } from './fixtures.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** Windows, and where the first field begins at the latest. */
const WINDOWS = {
  mouse: { viewport: { width: 1280, height: 800 }, first: 130, hasTouch: false },
  fingers: { viewport: { width: 390, height: 844 }, first: 160, hasTouch: true },
};
/** Options in sight. */
const MOST = 2;
/** Where the verdict is what one comes for. */
const VERDICTS = ['color-picker', 'cron-explainer'];

const server = useServer();
const browser = useBrowser();

/** Where the first field begins, and how many options are in sight. @param {Page} page */
const form = (page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll('#tool-place :is(textarea, input, select)')];
    const shown = all.filter(
      (node) => node.checkVisibility({ visibilityProperty: true }) && !node.matches('.unseen'),
    );
    const content = shown.filter((node) => node.closest('.panes, .lines-pane'));
    const options = [...document.querySelectorAll('.toolbar .field')].filter(
      (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest('.more'),
    );
    // A table of fields begins with the headings of its columns.
    const tops = (content.length > 0 ? content : shown).map(
      (node) => (node.closest('.row') ?? node).getBoundingClientRect().top,
    );
    return { first: Math.min(...tops), options: options.length };
  });

/** The labels of the filled buttons, which have the color of links. @param {Page} page */
const filled = (page) =>
  page.evaluate(() => {
    const probe = document.createElement('i');
    probe.style.color = 'var(--link)';
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return [...document.querySelectorAll('button, .button')]
      .filter((node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((node) => getComputedStyle(node).backgroundColor === color)
      .map((node) => node.textContent);
  });

/** What the clipboard holds: read on a page that may read it. @param {Page} page */
async function clipboard(page) {
  const reader = await page.context().newPage();
  await reader.route('**/reader', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await reader.goto(`${server.origin}/reader`);
  const text = await reader.evaluate(() => navigator.clipboard.readText());
  await reader.close();
  return text;
}

/** Pages that write one thing in many ways: what is entered, and the one that the button hands over. @type {[string, string, string, string][]} */
const ONE = [
  [
    'hash-generator',
    'abc',
    'SHA-256',
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  ],
  ['timestamp-converter', '1700000000', 'ISO 8601 (UTC)', '2023-11-14T22:13:20Z'],
  ['timestamp-converter', '2023-11-14T22:13:20Z', 'Unix seconds', '1700000000'],
  ['color-converter', '#0a53c4', 'RGB', 'rgb(10 83 196)'],
  ['color-converter', 'rgb(10 83 196)', 'Hex', '#0a53c4'],
];

/** @param {string} text */
const squeezed = (text) => text.replace(/[\s:]/g, '');

describe('one of many', () => {
  for (const [slug, entered, name, value] of ONE.filter(([slug]) => isWanted(slug)))
    test(`${slug}: ${entered}`, async () => {
      const { page, close } = await browser.open({ serviceWorkers: 'block' });
      await page.goto(`${server.web}/tools/${slug}`);
      await reaches(page, 'ready', 'done');
      await page.locator('#tool-place :is(textarea, input)').first().fill(entered);
      // Some pages show a result before anything is entered.
      await reaches(page, 'done');
      await page
        .getByRole('button', { name: `Copy ${name}`, exact: true })
        .first()
        .click();
      assert.equal(await copied(page), value);
      await close();
    });
});

test('pressed right after the last key, the button hands over the product of what was typed', async () => {
  for (const [slug, entered, , value] of ONE) {
    const { page, close } = await browser.open({ serviceWorkers: 'block' });
    await page.goto(`${server.web}/tools/${slug}`);
    await reaches(page, 'ready', 'done');
    const field = page.locator('#tool-place :is(textarea, input)').first();
    await field.fill(slug === 'color-converter' ? '#fff' : '0');
    await reaches(page, 'done');
    await field.evaluate((node, text) => {
      Object.assign(node, { value: text });
      node.dispatchEvent(new Event('input', { bubbles: true }));
      /** @type {HTMLElement | null} */ (document.querySelector('[data-product]'))?.click();
    }, entered);
    assert.equal(await copied(page), value, slug);
    await close();
  }
});

test('a press into a color selects it, so that a paste replaces it', async () => {
  const { page, close } = await browser.open({ ...WINDOWS.fingers, serviceWorkers: 'block' });
  await page.goto(`${server.web}/tools/contrast-checker`);
  await reaches(page, 'done');
  for (const name of ['text', 'ground']) {
    const field = page.locator(`[name=${name}]`);
    await field.tap();
    await page.keyboard.insertText('#123456');
    assert.equal(await field.inputValue(), '#123456');
  }
  await close();
});

for (const [name, { first, ...options }] of Object.entries(WINDOWS))
  describe(name, () => {
    for (const { slug } of catalog().filter(({ slug }) => isWanted(slug)))
      test(slug, async () => {
        const permissions = ['clipboard-read', 'clipboard-write'];
        const { page, close } = await browser.open({
          ...{ ...options, permissions, keepsClipboard: true, serviceWorkers: 'block' },
        });
        await page.goto(`${server.web}/tools/${slug}`);
        await reaches(page, 'ready', 'done');
        const seen = await form(page);
        assert.ok(seen.first <= first, `the first field begins at ${seen.first}`);
        assert.ok(seen.options <= MOST, `${seen.options} options are in sight`);
        await page.locator('[data-example]').first().click();
        await reaches(page, 'done');
        const button = page.locator('[data-product]');
        const label = await button.innerText();
        assert.deepEqual(await filled(page), [label], 'the only filled button');
        await page.evaluate(() => scrollTo(0, 0));
        const box = await button.boundingBox();
        const { height } = options.viewport;
        assert.ok(box && box.y + box.height <= height, `it ends at ${box && box.y + box.height}`);
        if (label.startsWith('Download ')) {
          const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
          assert.ok((await readFile(await download.path())).length > 0, label);
          return close();
        }
        await (options.hasTouch ? button.tap() : button.click());
        await page.getByText('Copied', { exact: true }).first().waitFor();
        const copied = squeezed(await clipboard(page));
        const { headline, ...others } = await outputs(page);
        const texts = Object.values(VERDICTS.includes(slug) ? { headline } : others);
        const isOne = texts.some((text) => squeezed(text ?? '').includes(copied.slice(0, 12)));
        assert.ok(copied !== '' && isOne, `${label}: ${copied.slice(0, 60)}`);
        await close();
      });
  });
