//! The pages in Firefox and in WebKitGTK: the first example of every tool, which axe then judges; a file in, a
//! download out, and the first opened tool without the server. `node tests/browsers.mjs [URL [LOG]]`; the
//! programs are FIREFOX, WEBKIT_DRIVER and WEBKIT.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { AXE, BUILT, catalog, freePort, serve, until } from './chromium.mjs';
import { isWanted, useServer } from './fixtures.mjs';

/**
 * @typedef {object} Driven
 * @property {(url: string) => Promise<unknown>} goto
 * @property {(script: string) => Promise<any>} evaluate the value of an expression, awaited
 * @property {(selector: string, path: string) => Promise<unknown>} choose a file, as a person does
 * @property {(selector: string) => Promise<unknown>} click as a person does
 * @property {() => Promise<unknown>} close
 */

const {
  FIREFOX = '/usr/bin/firefox-esr',
  WEBKIT_DRIVER = 'WebKitWebDriver',
  WEBKIT = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
} = process.env;

/** WebDriver BiDi by puppeteer-core. @param {string} folder for downloads @returns {Promise<Driven>} */
async function firefox(folder) {
  const require = createRequire(join(BUILT, 'package.json'));
  const module = pathToFileURL(require.resolve('puppeteer-core')).href;
  const { default: puppeteer } = await import(module);
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    extraPrefsFirefox: { 'browser.download.folderList': 2, 'browser.download.dir': folder },
  });
  const page = await browser.newPage();
  return {
    goto: (url) => page.goto(url),
    evaluate: (script) => page.evaluate(script),
    choose: async (selector, path) => (await page.$(selector)).uploadFile(path),
    click: (selector) => page.click(selector),
    close: () => browser.close(),
  };
}

/** The member under which WebDriver names an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** WebDriver, which runs scripts with a callback; the browser needs a display. @param {string} folder for downloads @returns {Promise<Driven>} */
async function webkit(folder) {
  const display = process.env.DISPLAY ?? ':77';
  const screen = process.env.DISPLAY ? undefined : spawn('Xvfb', [display]);
  // The browser saves where the desktop's settings say.
  const config = join(folder, '.config');
  mkdirSync(config);
  writeFileSync(join(config, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${folder}"\n`);
  const port = await freePort();
  const driver = spawn(WEBKIT_DRIVER, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, XDG_CONFIG_HOME: config },
  });
  /** @param {string} path @param {object} [body] @param {string} [method] */
  const call = async (path, body, method = 'POST') => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      body: body && JSON.stringify(body),
    });
    const { value } = /** @type {any} */ (await response.json());
    if (!response.ok) throw new Error(JSON.stringify(value));
    return value;
  };
  const options = { binary: WEBKIT, args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  const { sessionId } = await until(() => call('/session', { capabilities }), 'a session');
  const session = `/session/${sessionId}`;
  const element = async (/** @type {string} */ value) =>
    `${session}/element/${(await call(`${session}/element`, { using: 'css selector', value }))[ELEMENT]}`;
  return {
    goto: (url) => call(`${session}/url`, { url }),
    async evaluate(script) {
      const { value, error } = await call(`${session}/execute/async`, {
        script: `const [done] = arguments;
          (async () => (${script}))().then((value) => done({ value }), (error) => done({ error: String(error) }));`,
        args: [],
      });
      if (error) throw new Error(error);
      return value;
    },
    choose: async (selector, text) => call(`${await element(selector)}/value`, { text }),
    click: async (selector) => call(`${await element(selector)}/click`, {}),
    async close() {
      await call(session, undefined, 'DELETE');
      driver.kill();
      screen?.kill();
    },
  };
}

const STATE = `document.querySelector('main')?.dataset.state`;
/** @param {Driven} page @param {...string} wanted */
const reaches = (page, ...wanted) =>
  until(async () => wanted.includes(await page.evaluate(STATE)), `state ${wanted.join(' or ')}`);

/** Whether there was an example to click. */
const CLICK = `(() => {
  const example = document.querySelector('[data-example]');
  example?.click();
  return Boolean(example);
})()`;
const OUTPUTS = `Object.fromEntries([...document.querySelectorAll('[data-output]')]
  .map((output) => [output.dataset.output, output.textContent]))`;
const FINDINGS = `(() => {
  const module = undefined, exports = undefined, define = undefined;
  ${AXE};
  return (window.axe ?? axe).run(document, { preload: false });
})().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`;
const GIF = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64');
/** Whether the service worker has what it needs to show the page again. */
const KEPT = `navigator.serviceWorker.ready.then(() => caches.match(location.pathname)).then(Boolean)`;

for (const [name, launch] of Object.entries({ firefox, webkit })) {
  describe(name, () => {
    const server = useServer();
    const folder = mkdtempSync(join(tmpdir(), 'toolkit-browser-'));
    /** @type {Driven} */
    let page;
    before(async () => {
      page = await launch(folder);
    });
    after(async () => {
      await page?.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const axe = async () => assert.deepEqual(await page.evaluate(FINDINGS), []);
    const firstExample = async () => {
      // As early as it can be clicked: what is done before the page is ready is not lost.
      await until(() => page.evaluate(CLICK), 'an example');
      await reaches(page, 'done');
      const outputs = await page.evaluate(OUTPUTS);
      assert.ok(Object.values(outputs).join('').length > 0, JSON.stringify(outputs));
    };

    for (const { slug } of catalog().filter(({ slug }) => isWanted(slug))) {
      test(`${slug} answers its first example, and axe finds nothing`, async () => {
        await page.goto(`${server.web}/tools/${slug}`);
        await firstExample();
        await axe();
      });
    }

    test('axe finds nothing in the other pages', async () => {
      for (const path of ['/', '/docs', '/docs/mcp']) {
        await page.goto(server.web + path);
        await until(() => page.evaluate(`document.readyState === 'complete'`), 'the page');
        await axe();
      }
    });

    test('a file is read', async () => {
      const path = join(folder, 'a.gif');
      writeFileSync(path, GIF);
      await page.goto(`${server.web}/tools/image-base64-encoder`);
      await reaches(page, 'ready');
      await page.choose('[name=image]', path);
      await reaches(page, 'done');
      assert.match(JSON.stringify(await page.evaluate(OUTPUTS)), /R0lGODlhAQAB/);
    });

    test('a result is downloaded under its name', async () => {
      await page.goto(`${server.web}/tools/csv-converter`);
      await reaches(page, 'ready');
      await firstExample();
      await page.evaluate(`[...document.querySelectorAll('[data-output] button')]
        .find((one) => one.ariaLabel?.startsWith('Download') && !one.hidden).id = 'download'`);
      const before = readdirSync(folder);
      await page.click('#download');
      const saved = await until(
        () => readdirSync(folder).find((one) => !before.includes(one) && /^\w+\.\w+$/.test(one)),
        'a download',
      );
      const text = () => readFileSync(join(folder, saved), 'utf8');
      await until(text, 'the content of the file');
      assert.ok(
        Object.values(await page.evaluate(OUTPUTS))
          .join('')
          .includes(text().trim()),
        saved,
      );
    });

    test('the first opened tool answers without the server', async () => {
      const own = await serve({ own: true });
      try {
        await page.goto(`${own.web}/tools/hex-encoder`);
        await until(() => page.evaluate(KEPT), 'the page is kept');
        await firstExample();
      } finally {
        own.stop();
      }
      await until(
        () =>
          fetch(own.origin).then(
            () => false,
            () => true,
          ),
        'the server is down',
      );
      await page.goto(`${own.web}/tools/hex-encoder`);
      await firstExample();
    });
  });
}
