//! All pages in Chromium, from the catalog: `node tests/pages.mjs [URL [LOG]]`. TOOLKIT_PAGES names
//! slugs to test alone, separated by commas.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { AXE, catalog, copied, launch, open, outputs, reaches, serve } from './chromium.mjs';
import { runTool } from './run.mjs';

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

/** Opens a tool and waits for its form. @param {string} slug @param {import('playwright-core').BrowserContextOptions} [options] */
async function visit(slug, options) {
  const opened = await open(browser, options);
  const response = await opened.page.goto(address(slug));
  await reaches(opened.page, 'ready', 'done');
  return { ...opened, response };
}

/** @param {import('playwright-core').Page} page */
async function axe(page) {
  await page.evaluate(() => scrollTo(0, 0));
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    /** @type {any} */ (globalThis).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  return violations.map(
    (/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`,
  );
}

/** @param {import('playwright-core').Page} page */
const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** axe and sideways scrolling of a page as it is drawn by `prepare`. @param {string} url @param {(page: import('playwright-core').Page) => Promise<unknown>} prepare */
async function looks(url, prepare) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark']))
    for (const width of [390, 1280]) {
      const opened = await open(browser, {
        colorScheme,
        viewport: { width, height: 900 },
        bypassCSP: true,
      });
      await opened.page.goto(url);
      await prepare(opened.page);
      assert.deepEqual(await axe(opened.page), [], `axe, ${colorScheme}, ${width} px`);
      assert.ok((await overflow(opened.page)) <= 0, `no sideways scrolling at ${width} px`);
      await opened.page.setViewportSize({ width: 320, height: 900 });
      assert.ok((await overflow(opened.page)) <= 0, 'no sideways scrolling at 320 px');
      await opened.close();
    }
}

/** The outputs of the first example that are the same at any time: what the page has to show. @param {string} slug */
async function expected(slug) {
  const { default: tool } = await import(toolFile(slug).href);
  const [example] = tool.examples;
  const { fixedContext } = await import('./run.mjs');
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

for (const { slug, name, server: isServer } of tools)
  describe(slug, () => {
    test('opens, and its first example gives its output', async () => {
      const { page, response, said, asked, close } = await visit(slug);
      assert.equal(response?.status(), 200);
      assert.ok((await page.title()).includes(name), await page.title());
      await firstExample(page);
      const shown = await outputs(page);
      assert.ok(Object.keys(shown).length > 0, 'there is an output');
      if (!isServer) {
        for (const [output, text] of await expected(slug))
          assert.equal(shown[output], text.slice(0, 200_000), output);
        const count = asked.length;
        await page.locator('[data-example]').first().click();
        await reaches(page, 'done');
        await typeCanary(page);
        await reaches(page, 'done', 'refused', 'ready');
        const later = asked.slice(count);
        assert.deepEqual(
          later.filter(
            (url) => !/\/assets\/[^/]+\/(libraries|views|kit|lib|data|style)\//.test(url),
          ),
          [],
        );
      }
      for (const url of asked) assert.ok(url.startsWith(server.origin), url);
      const unexpected = said.filter(
        (one) => !SANITISES.includes(slug) || !/Content Security Policy/.test(one),
      );
      assert.deepEqual(unexpected, [], 'no message in the console');
      await close();
    });

    test('does the same with the keyboard alone', async () => {
      const { page, close } = await visit(slug);
      const reached = async () => {
        await page.keyboard.press('Tab');
        return page.evaluate(() => document.activeElement?.matches('[data-example]'));
      };
      let steps = 0;
      while (!(await reached())) assert.ok(++steps < 150, 'the examples are reached');
      await page.keyboard.press('Enter');
      await reaches(page, 'done');
      await close();
    });

    test('is accessible, and fits narrow windows', async () => {
      await looks(address(slug), async (page) => {
        await reaches(page, 'ready', 'done');
        await firstExample(page);
      });
    });

    test('keeps nothing of what is typed', async () => {
      const { page, close } = await visit(slug);
      await typeCanary(page);
      await page.keyboard.press('Control+Enter');
      await reaches(page, 'done', 'refused', 'ready');
      await page.goto(`${server.web}/`);
      await page.goto(address(slug));
      await reaches(page, 'ready', 'done');
      assert.deepEqual(await traces(page), []);
      await close();
    });

    test('a link brings back what was entered', async () => {
      const { page, close } = await visit(slug);
      await firstExample(page);
      const values = () =>
        page.evaluate(() => {
          const controls = /** @type {NodeListOf<HTMLInputElement>} */ (
            document.querySelectorAll('#tool-place [name]:not([type=file]):not([type=password])')
          );
          return Array.from(controls, ({ name, type, value, checked }) => [
            name,
            type === 'checkbox' ? checked : value,
          ]);
        });
      const wanted = await values();
      await page.getByRole('button', { name: 'Copy link' }).click();
      const link = String(await copied(page));
      await page.goto('about:blank');
      await page.goto(link);
      await reaches(page, 'ready', 'done', 'refused', 'running');
      const { default: tool } = isServer ? { default: {} } : await import(toolFile(slug).href);
      if (tool.secrets) assert.equal(new URL(link).hash, '');
      else assert.deepEqual(await values(), wanted);
      await close();
    });

    if (!isServer)
      test('can reach nothing, and makes no code out of text', async () => {
        const { page, close } = await visit(slug);
        const refused = await page.evaluate(async () => {
          const attempt = async (/** @type {() => unknown} */ act) => {
            try {
              await act();
              return false;
            } catch {
              return true;
            }
          };
          const image = () =>
            new Promise((resolve, reject) => {
              const one = new Image();
              one.onload = resolve;
              one.onerror = reject;
              one.src = '/toolkit/x.png';
            });
          // Later, since what DevTools evaluates is exempt from the policy while it runs.
          const evaluate = () =>
            new Promise((resolve, reject) => {
              setTimeout(() => {
                try {
                  resolve(Reflect.get(globalThis, 'eval')('1'));
                } catch (error) {
                  reject(error);
                }
              });
            });
          return Promise.all([
            attempt(() => fetch('/toolkit/api/health')),
            attempt(image),
            attempt(evaluate),
            attempt(() => {
              document.createElement('p').innerHTML = '<b>x</b>';
            }),
            attempt(
              () =>
                new Promise((resolve, reject) => {
                  const socket = new WebSocket(`ws://${location.host}/`);
                  socket.onopen = resolve;
                  socket.onerror = reject;
                }),
            ),
          ]);
        });
        assert.deepEqual(refused, [true, true, true, true, true]);
        await close();
      });
  });
