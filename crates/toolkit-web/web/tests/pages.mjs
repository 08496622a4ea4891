//! All pages of the catalog in Chromium: `node tests/pages.mjs [URL [LOG]]`. TOOLKIT_PAGES lists
//! the slugs to test, separated by commas.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { becomes, catalog, copied, hasTitle, outputs, reaches } from './chromium.mjs';
import { isConfined } from './confined.mjs';
import { isWanted, useBrowser, useServer } from './fixtures.mjs';
import { looksGood } from './looks.mjs';
import { fixedContext, runTool } from './run.mjs';
import { loadFile, stated } from './tools.mjs';

/** Pages tested concurrently: as many as the build machine has cores. */
const AT_ONCE = 2;
const CANARY = 'canary7f3a91';
const tools = catalog().filter(({ slug }) => isWanted(slug));
/** Hostile HTML passed through DOMPurify: Chromium reports the event handlers that it refused. */
const SANITISES = ['markdown-previewer', 'html-formatter'];

const server = useServer();
const browser = useBrowser();

/** @param {string} slug */
const address = (slug) => `${server.web}/tools/${slug}`;

/** @param {import('playwright-core').Page} page @param {string} slug */
async function visit(page, slug) {
  const response = await page.goto(address(slug));
  await reaches(page, 'ready', 'done');
  return response;
}

/** Time-independent outputs of the first example, which the page must show. @param {string} slug */
async function expected(slug) {
  const tool = await loadFile(slug);
  const [example] = tool.examples;
  const other = {
    ...fixedContext(),
    now: () => new Date(),
    random: (/** @type {number} */ count) => crypto.getRandomValues(new Uint8Array(count)),
  };
  const { outputs: made } = await runTool(tool, example.values, other);
  const text = (/** @type {any} */ output) => (output?.kind === 'text' ? output.text : output);
  return Object.entries(await stated(slug, example))
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
  const controls = page.locator('#tool-place form :is(textarea, input[type=text])');
  for (const control of await controls.all())
    if (await control.isVisible()) await control.fill(CANARY);
}

/** Places where the canary was found. @param {import('playwright-core').Page} page */
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

/** Names and values of the form, except files and secrets. @param {import('playwright-core').Page} page */
const values = (page) =>
  page.evaluate(() => {
    const controls = /** @type {NodeListOf<HTMLInputElement>} */ (
      document.querySelectorAll('#tool-place [name]:not([type=file]):not(.masked)')
    );
    return Array.from(controls, ({ name, type, value, checked }) => [
      name,
      /checkbox|radio/.test(type) ? checked : value,
    ]);
  });

/** All tests of a tool share one page, in this order. @param {ReturnType<typeof catalog>[number]} tool */
function judge({ slug, name }) {
  /** @type {Awaited<ReturnType<typeof browser.open>>} */
  let opened;
  before(async () => {
    // Offline use is tested in shell.mjs.
    opened = await browser.open({ serviceWorkers: 'block' });
  });
  after(() => opened?.close());

  test('opens, and its first example shows its output', async () => {
    const { page, said, asked } = opened;
    const response = await visit(page, slug);
    assert.equal(response?.status(), 200);
    await hasTitle(page, (title) => title.includes(name));
    await firstExample(page);
    const shown = await outputs(page);
    assert.ok(Object.keys(shown).length > 0, 'there is an output');
    for (const [output, text] of await expected(slug))
      assert.equal(shown[output], text.slice(0, 200_000), output);
    const count = asked.length;
    await firstExample(page);
    await typeCanary(page);
    await reaches(page, 'done', 'refused', 'ready');
    const later = asked.slice(count);
    const isPart = (/** @type {string} */ url) =>
      /\/assets\/[^/]+\/(libraries|tools|kit|lib|data|style)\//.test(url);
    assert.deepEqual(
      later.filter((url) => !isPart(url)),
      [],
    );
    for (const url of asked) assert.ok(url.startsWith(server.origin), url);
    const unexpected = said.filter(
      (one) => !SANITISES.includes(slug) || !/Content Security Policy/.test(one),
    );
    assert.deepEqual(unexpected, [], 'no message in the console');
  });

  test('stores nothing that is typed', async () => {
    const { page } = opened;
    await typeCanary(page);
    await page.keyboard.press('Control+Enter');
    await reaches(page, 'done', 'refused', 'ready');
    await page.goto(`${server.web}/`);
    await visit(page, slug);
    assert.deepEqual(await traces(page), []);
  });

  test('works the same with the keyboard alone', async () => {
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

  test('a link restores the input', async () => {
    const { page } = opened;
    await firstExample(page);
    const wanted = await values(page);
    await page.getByRole('button', { name: 'Copy link' }).click();
    const link = String(await copied(page));
    await page.goto('about:blank');
    await page.goto(link);
    await reaches(page, 'ready', 'done', 'refused', 'running');
    const tool = (await loadFile(slug)) ?? {};
    if (tool.secrets) assert.equal(new URL(link).hash, '');
    else await becomes(() => values(page), wanted);
  });

  test('is accessible, and fits narrow windows', async () => {
    const { page } = opened;
    await looksGood(page, () => firstExample(page));
  });

  test('has asked for nothing but pages and their parts, of which no address tells what was entered', () => {
    const { pathname: base } = new URL(server.web);
    const others = opened.asked.filter((url) => {
      const { origin, pathname, search } = new URL(url);
      const path = pathname.slice(base.length);
      const isPart = path === '/' || /^\/(?:assets\/|tools\/[\w-]+$)/.test(path);
      return origin !== server.origin || search !== '' || !isPart;
    });
    assert.deepEqual(others, []);
  });

  test('can reach nothing, and runs no text as code', async () => {
    const { page } = opened;
    await firstExample(page);
    // A run that is repeated by itself ends the worker of the last.
    // Beside it is the one that tells what a text is.
    const own = () => page.workers().filter((worker) => !worker.url().includes('/kit/detector'));
    await becomes(() => own().length, 1, 'workers');
    await isConfined(page);
  });
}

describe('tools', { concurrency: AT_ONCE }, () => {
  for (const tool of tools) describe(tool.slug, { concurrency: 1 }, () => judge(tool));
});
