//! Other addresses of the pages in Chromium: below another path, on another host name over plain HTTP,
//! offline, without scripts, under another name. `node tests/addresses.mjs`.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { hasTitle, outputs, reaches, serve, until } from './chromium.mjs';
import { useBrowser, useServer } from './fixtures.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** A host name of the server that browsers, unlike localhost, do not treat as secure. */
const OTHER_HOST = 'tools.example';
const CANARY = 'canary5d20c8';

const browser = useBrowser([`--host-resolver-rules=MAP ${OTHER_HOST} 127.0.0.1`]);

/** @param {Page} page */
async function firstExample(page) {
  await reaches(page, 'ready', 'done');
  await page.locator('[data-example]').first().click();
  await reaches(page, 'done');
  return outputs(page);
}

/** Goes from home to a tool, and by search to another. @param {Page} page @param {string} web */
async function walk(page, web) {
  await page.goto(`${web}/`);
  await page.locator('.category').getByRole('link', { name: 'Hex Encoder' }).click();
  await page.waitForURL(`${web}/tools/hex-encoder`);
  assert.ok((await firstExample(page)).hex, 'a tool runs in the browser');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search tools' }).fill('url enc');
  await page.locator('[role=option][aria-selected=true][data-slug=url-encoder]').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${web}/tools/url-encoder`);
  assert.ok((await firstExample(page)).result, 'a tool runs on the server');
  const lost = await page.goto(`${web}/tools/hex-encodr`);
  assert.equal(lost?.status(), 404);
  await page.getByRole('link', { name: 'Hex Encoder' }).click();
  await page.waitForURL(`${web}/tools/hex-encoder`);
}

for (const path of ['', '/a/b'])
  describe(`below ${path}/`, () => {
    const server = useServer({ path });

    test('home, both kinds of tools, search and 404 work', async () => {
      const { page, asked, said, close } = await browser.open();
      await walk(page, server.web);
      for (const url of asked)
        assert.ok(url.startsWith(`${server.web}/`) || url.includes('/toolkit/api/'), url);
      const failures = said.filter((one) => !one.includes('404 (Not Found)'));
      assert.deepEqual(failures, []);
      await close();
    });

    test('visited pages work offline', async () => {
      const { page, context, close } = await browser.open();
      await page.goto(`${server.web}/tools/hex-encoder`);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
      await page.reload();
      await firstExample(page);
      await context.setOffline(true);
      await page.reload();
      assert.ok((await firstExample(page)).hex);
      await page.goto(`${server.web}/`);
      await reaches(page, 'ready');
      await close();
    });
  });

describe('over plain HTTP on another host name', () => {
  const server = useServer();
  /** @type {string} */
  let web;
  before(() => {
    web = server.web.replace('127.0.0.1', OTHER_HOST);
  });

  test('tools of both kinds work, and the console is empty', async () => {
    const { page, said, close } = await browser.open({ keepsClipboard: true });
    await page.goto(`${web}/`);
    assert.equal(await page.evaluate(() => isSecureContext), false);
    await walk(page, web);
    const failures = said.filter((one) => !one.includes('404 (Not Found)'));
    assert.deepEqual(failures, []);
    await close();
  });

  test('the documentation and its links to clients name the address that was asked', async () => {
    const { page, close } = await browser.open({ keepsClipboard: true });
    const { origin } = new URL(web);
    for (const path of ['/docs', '/docs/mcp']) {
      await page.goto(web + path);
      const text = () => page.locator('main').innerText();
      await until(async () => (await text()).includes(`${origin}/toolkit`), 'the address');
      assert.ok(!(await text()).includes(server.origin), path);
    }
    const [code, cursor] = await page
      .locator('a.button')
      .evaluateAll((links) =>
        links.map((link) => decodeURIComponent(link.getAttribute('href') ?? '')),
      );
    assert.ok(code?.includes(`"url":"${origin}/toolkit/mcp"`), String(code));
    assert.equal(atob(cursor?.split('config=')[1] ?? ''), `{"url":"${origin}/toolkit/mcp"}`);
    await close();
  });

  /** What is in the clipboard, pasted into a field of the page. @param {import('playwright-core').Page} page */
  const pasted = async (page) => {
    await page.evaluate(() => {
      const field = document.body.appendChild(document.createElement('textarea'));
      field.id = 'pasted';
      field.focus();
    });
    await page.keyboard.press('Control+V');
    return page.locator('#pasted').inputValue();
  };

  test('Copy copies, and a result opens in the next tool to be pasted', async () => {
    const { page, close } = await browser.open({ keepsClipboard: true });
    await page.goto(`${web}/tools/json-formatter`);
    const { result } = await firstExample(page);
    await page.getByRole('button', { name: 'Copy JSON', exact: true }).first().click();
    await page.getByText('Copied', { exact: true }).first().waitFor({ state: 'attached' });
    assert.equal(await pasted(page), result);
    await page.getByText('Open in', { exact: true }).click();
    await page.getByRole('button', { name: 'Open in JSONPath Tester' }).click();
    await page.waitForURL(/\/tools\/jsonpath-tester/);
    await page.getByText('The text is on the clipboard').waitFor();
    assert.equal(await pasted(page), result);
    await close();
  });

  test('a browser that refuses to copy leaves the text selected, and says so', async () => {
    const { page, close } = await browser.open({ keepsClipboard: true });
    await page.addInitScript(() => {
      document.execCommand = () => false;
    });
    await page.goto(`${web}/tools/hex-encoder`);
    const { hex } = await firstExample(page);
    await page.getByRole('button', { name: 'Copy hexadecimal', exact: true }).click();
    await until(
      async () => (await page.evaluate(() => String(getSelection()))).trim() === hex,
      'the selection',
    );
    await page.getByText('press Ctrl+C').waitFor({ state: 'attached' });
    await close();
  });

  test('a tool that needs a secure connection says so, and how to get one', async () => {
    const { page, close } = await browser.open({ keepsClipboard: true });
    await page.goto(`${web}/tools/aes-encryptor`);
    await page.getByText('open this page over HTTPS, or as localhost').waitFor();
    await close();
  });
});

describe('offline', () => {
  const server = useServer();

  test('the button stores all tools; unvisited pages show the offline page', async () => {
    const { page, context, close } = await browser.open();
    await page.goto(`${server.web}/`);
    await page.getByRole('button', { name: 'Keep all tools offline' }).click();
    await page.getByText('All tools work offline now.').waitFor({ timeout: 300_000 });
    await context.setOffline(true);
    await page.goto(`${server.web}/tools/toml-converter`);
    await firstExample(page);
    for (const path of ['/tools/never-was', '/docs']) {
      await page.goto(server.web + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await hasTitle(page, (title) => /Offline/i.test(title));
    }
    await context.setOffline(false);
    await page.goto(`${server.web}/docs`);
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: 'Toolkit API', level: 1 }).waitFor();
    await close();
  });

  test('no cache holds what was typed, or the query of an address', async () => {
    for (const slug of ['word-counter', 'url-encoder']) {
      const { page, close } = await browser.open();
      await page.goto(`${server.web}/tools/${slug}?note=${CANARY}`);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
      await page.reload();
      await reaches(page, 'ready');
      await page.locator('[name=text]').fill(CANARY);
      await reaches(page, 'done');
      const kept = await page.evaluate(async () => {
        const texts = [];
        for (const name of await caches.keys()) {
          const cache = await caches.open(name);
          for (const request of await cache.keys())
            texts.push(request.url, await (await cache.match(request))?.text());
        }
        return texts.join('\n');
      });
      assert.ok(kept.includes(`/tools/${slug}`), 'the page is kept');
      assert.ok(!kept.includes(CANARY));
      await close();
    }
  });
});

describe('without scripts', () => {
  const server = useServer();

  test('home leads to the tools, and each page says what its tool needs', async () => {
    const { page, close } = await browser.open({ javaScriptEnabled: false });
    await page.goto(`${server.web}/`);
    await page.locator('.category').getByRole('link', { name: 'Hex Encoder' }).click();
    // Not by text: Playwright parses the content of `noscript` as a script.
    const shown = () => page.locator('noscript').innerText();
    assert.match(await shown(), /runs in your browser as JavaScript, which is turned off here/);
    await page.goto(`${server.web}/tools/url-encoder`);
    assert.match(await shown(), /curl -s .*\/toolkit\/api\/tools\/url-encoder\/run/);
    assert.match(await shown(), /\btext\b/);
    assert.ok(!(await page.getByRole('button', { name: 'Search tools' }).isVisible()));
    await close();
  });
});

describe('under another name', () => {
  test('bar, title and footer show it unchanged', async () => {
    const name = "Ada & Tom's <b>";
    const server = await serve({ env: { TOOLKIT_PUBLIC__NAME: name } });
    try {
      const { page, close } = await browser.open();
      for (const path of ['/', '/tools/hex-encoder', '/docs', '/none']) {
        await page.goto(server.web + path);
        assert.equal(await page.locator('.brand').innerText(), name, path);
        await hasTitle(page, (title) => title.endsWith(` · ${name}`));
        // Hidden while the tool loads.
        await page.locator('.foot').waitFor();
        assert.ok((await page.locator('.foot').innerText()).startsWith(`${name} `), path);
      }
      await close();
    } finally {
      server.stop();
    }
  });
});
