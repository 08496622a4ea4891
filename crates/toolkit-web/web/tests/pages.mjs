//! All pages in Chromium, from the catalog: `node tests/pages.mjs [URL [LOG]]`. TOOLKIT_PAGES names
//! slugs to test alone, separated by commas.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { catalog, copied, launch, open, outputs, reaches, serve } from './chromium.mjs';
import { isConfined } from './confined.mjs';
import { looksGood } from './looks.mjs';
import { fixedContext, runTool } from './run.mjs';

/** Pages under test at the same time: as many as the machine of the build has cores. */
const AT_ONCE = 2;
const CANARY = 'canary7f3a91';
const only = process.env.TOOLKIT_PAGES?.split(',');
const toolFile = (/** @type {string} */ slug) => new URL(`../tools/${slug}.js`, import.meta.url);
const tools = catalog()
  .filter(({ slug, server }) => server || existsSync(toolFile(slug)))
  .filter(({ slug }) => !only || only.includes(slug));
/** Hostile HTML on its way through DOMPurify: Chromium reports the handlers that it refused. */
const SANITISES = ['markdown-previewer', 'html-formatter'];

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

/** @param {string} slug */
const address = (slug) => `${server.web}/tools/${slug}`;

/** @param {import('playwright-core').Page} page @param {string} slug */
async function visit(page, slug) {
  const response = await page.goto(address(slug));
  await reaches(page, 'ready', 'done');
  return response;
}

/** The outputs of the first example that are the same at any time: what the page has to show. @param {string} slug */
async function expected(slug) {
  const { default: tool } = await import(toolFile(slug).href);
  const [example] = tool.examples;
  const other = {
    ...fixedContext(),
    now: () => new Date(),
    random: (/** @type {number} */ count) => crypto.getRandomValues(new Uint8Array(count)),
  };
  const { outputs: made } = await runTool(tool, example.values, other);
  const text = (/** @type {any} */ output) => (output?.kind === 'text' ? output.text : output);
  return Object.entries(example.outputs)
    .map(([name, output]) => [name, text(output)])
    .filter(
      ([name, output]) =>
        typeof output === 'string' && output !== '' && output === text(made[name]),
    );
}

/** @param {import('playwright-core').Page} page */
async function firstExample(page) {
  await page.locator('[data-example]').first().click();
  await reaches(page, 'done');
}

/** Types the canary into all texts and secrets. @param {import('playwright-core').Page} page */
async function typeCanary(page) {
  const controls = page.locator(
    '#tool-place form :is(textarea, input[type=text], input[type=password])',
  );
  for (const control of await controls.all())
    if (await control.isVisible()) await control.fill(CANARY);
}

/** Where the canary was found. @param {import('playwright-core').Page} page */
async function traces(page) {
  const cookies = JSON.stringify(await page.context().cookies());
  const kept = await page.evaluate(async () => {
    const names = await globalThis.caches?.keys().catch(() => []);
    const found = [];
    for (const name of names ?? []) {
      const cache = await caches.open(name);
      for (const request of await cache.keys())
        found.push(request.url, await (await cache.match(request))?.text());
    }
    return JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      location.href,
      document.title,
      found,
    ]);
  });
  return [cookies, kept, server.log()].filter((place) => place.includes(CANARY));
}

/** Names and values of the form, besides files and secrets. @param {import('playwright-core').Page} page */
const values = (page) =>
  page.evaluate(() => {
    const controls = /** @type {NodeListOf<HTMLInputElement>} */ (
      document.querySelectorAll('#tool-place [name]:not([type=file]):not([type=password])')
    );
    return Array.from(controls, ({ name, type, value, checked }) => [
      name,
      type === 'checkbox' ? checked : value,
    ]);
  });

/** The tests of a tool share one page, in this order. @param {ReturnType<typeof catalog>[number]} tool */
function judge({ slug, name, server: isServer }) {
  /** @type {Awaited<ReturnType<typeof open>>} */
  let opened;
  before(async () => {
    // Offline use is the matter of shell.mjs.
    opened = await open(browser, { serviceWorkers: 'block' });
  });
  after(() => opened?.close());

  test('opens, and its first example gives its output', async () => {
    const { page, said, asked } = opened;
    const response = await visit(page, slug);
    assert.equal(response?.status(), 200);
    assert.ok((await page.title()).includes(name), await page.title());
    await firstExample(page);
    const shown = await outputs(page);
    assert.ok(Object.keys(shown).length > 0, 'there is an output');
    if (!isServer) {
      for (const [output, text] of await expected(slug))
        assert.equal(shown[output], text.slice(0, 200_000), output);
      const count = asked.length;
      await firstExample(page);
      await typeCanary(page);
      await reaches(page, 'done', 'refused', 'ready');
      const later = asked.slice(count);
      assert.deepEqual(
        later.filter((url) => !/\/assets\/[^/]+\/(libraries|views|kit|lib|data|style)\//.test(url)),
        [],
      );
    }
    for (const url of asked) assert.ok(url.startsWith(server.origin), url);
    const unexpected = said.filter(
      (one) => !SANITISES.includes(slug) || !/Content Security Policy/.test(one),
    );
    assert.deepEqual(unexpected, [], 'no message in the console');
  });

  test('keeps nothing of what is typed', async () => {
    const { page } = opened;
    await typeCanary(page);
    await page.keyboard.press('Control+Enter');
    await reaches(page, 'done', 'refused', 'ready');
    await page.goto(`${server.web}/`);
    await visit(page, slug);
    assert.deepEqual(await traces(page), []);
  });

  test('does the same with the keyboard alone', async () => {
    const { page } = opened;
    const reached = async () => {
      await page.keyboard.press('Tab');
      return page.evaluate(() => document.activeElement?.matches('[data-example]'));
    };
    let steps = 0;
    while (!(await reached())) assert.ok(++steps < 150, 'the examples are reached');
    await page.keyboard.press('Enter');
    await reaches(page, 'done');
  });

  test('a link brings back what was entered', async () => {
    const { page } = opened;
    await firstExample(page);
    const wanted = await values(page);
    await page.getByRole('button', { name: 'Copy link' }).click();
    const link = String(await copied(page));
    await page.goto('about:blank');
    await page.goto(link);
    await reaches(page, 'ready', 'done', 'refused', 'running');
    const { default: tool } = isServer ? { default: {} } : await import(toolFile(slug).href);
    if (tool.secrets) assert.equal(new URL(link).hash, '');
    else assert.deepEqual(await values(page), wanted);
  });

  test('is accessible, and fits narrow windows', async () => {
    const { page } = opened;
    await looksGood(page, () => firstExample(page));
  });

  if (!isServer)
    test('can reach nothing, and makes no code out of text', async () => {
      const { page } = opened;
      const { default: tool } = await import(toolFile(slug).href);
      await firstExample(page);
      assert.equal(page.workers().length, tool.page ? 0 : 1);
      await isConfined(page);
    });
}

describe('tools', { concurrency: AT_ONCE }, () => {
  for (const tool of tools) describe(tool.slug, { concurrency: 1 }, () => judge(tool));
});
