//! The pages in Firefox and in WebKitGTK: the first example of every tool, files, downloads and axe.
//! `node tests/browsers.mjs [URL [LOG]]`; the programs are FIREFOX, WEBKIT_DRIVER and WEBKIT.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { AXE, BUILT, catalog, until } from './chromium.mjs';
import { isWanted, useServer } from './fixtures.mjs';

/**
 * @typedef {object} Driven
 * @property {(url: string) => Promise<unknown>} goto
 * @property {(script: string) => Promise<any>} evaluate the value of an expression, awaited
 * @property {() => Promise<unknown>} close
 */

const {
  FIREFOX = '/usr/bin/firefox-esr',
  WEBKIT_DRIVER = 'WebKitWebDriver',
  WEBKIT = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
} = process.env;
const PORT = 4_555;

/** WebDriver BiDi by puppeteer-core. @returns {Promise<Driven>} */
async function firefox() {
  const require = createRequire(join(BUILT, 'package.json'));
  const module = pathToFileURL(require.resolve('puppeteer-core')).href;
  const { default: puppeteer } = await import(module);
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX });
  const page = await browser.newPage();
  return {
    goto: (url) => page.goto(url),
    evaluate: (script) => page.evaluate(script),
    close: () => browser.close(),
  };
}

/** WebDriver, which runs scripts with a callback; the browser needs a display. @returns {Promise<Driven>} */
async function webkit() {
  const display = process.env.DISPLAY ?? ':77';
  const screen = process.env.DISPLAY ? undefined : spawn('Xvfb', [display]);
  const driver = spawn(WEBKIT_DRIVER, [`--port=${PORT}`], {
    env: { ...process.env, DISPLAY: display },
  });
  /** @param {string} path @param {object} [body] @param {string} [method] */
  const call = async (path, body, method = 'POST') => {
    const response = await fetch(`http://127.0.0.1:${PORT}${path}`, {
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
/** Puts a file into a field, as its control does. @param {string} field @param {string} content @param {string} type */
const put = (field, content, type) => `(() => {
  const input = document.querySelector('[name="${field}"][type=file], [data-file="${field}"]');
  const files = new DataTransfer();
  files.items.add(new File([${content}], 'a.bin', { type: '${type}' }));
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
})()`;
const GIF = 'Uint8Array.from(atob("R0lGODlhAQABAAAAACwAAAAAAQABAAA="), (one) => one.charCodeAt(0))';

for (const [name, launch] of Object.entries({ firefox, webkit })) {
  describe(name, () => {
    const server = useServer();
    /** @type {Driven} */
    let page;
    before(async () => {
      page = await launch();
    });
    after(() => page.close());

    for (const { slug } of catalog().filter(({ slug }) => isWanted(slug))) {
      test(`${slug} answers its first example`, async () => {
        await page.goto(`${server.web}/tools/${slug}`);
        // As early as it can be clicked: what is done before the page is ready is not lost.
        await until(() => page.evaluate(CLICK), 'an example');
        await reaches(page, 'done');
        const outputs = await page.evaluate(OUTPUTS);
        assert.ok(Object.values(outputs).join('').length > 0, JSON.stringify(outputs));
      });
    }

    test('a file is read', async () => {
      await page.goto(`${server.web}/tools/image-base64-encoder`);
      await reaches(page, 'ready');
      await page.evaluate(put('image', GIF, 'image/gif'));
      await reaches(page, 'done');
      assert.match(JSON.stringify(await page.evaluate(OUTPUTS)), /R0lGODlhAQAB/);
    });

    test('a result is downloaded under its name', async () => {
      await page.goto(`${server.web}/tools/gradient-generator`);
      await reaches(page, 'ready', 'done');
      await until(() => page.evaluate(CLICK), 'an example');
      await reaches(page, 'done');
      await page.evaluate(`(() => {
        HTMLAnchorElement.prototype.click = function () { document.title = this.download; };
        [...document.querySelectorAll('[data-output] button')]
          .find((one) => /Download/.test(one.getAttribute('aria-label') ?? one.textContent) && !one.hidden).click();
      })()`);
      await until(() => page.evaluate(`/\\.\\w+$/.test(document.title)`), 'a download');
    });

    test('axe finds nothing', async () => {
      for (const path of ['/', '/tools/hex-encoder', '/tools/json-formatter', '/docs']) {
        await page.goto(server.web + path);
        await until(() => page.evaluate(`document.readyState === 'complete'`), 'the page');
        const found = await page.evaluate(`(() => {
          const module = undefined, exports = undefined, define = undefined;
          ${AXE};
          return (window.axe ?? axe).run();
        })().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`);
        assert.deepEqual(found, [], path);
      }
    });
  });
}
