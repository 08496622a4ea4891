//! Chromium and the server for tests of the pages: `node tests/pages.mjs [URL [LOG]]`. URL is the
//! origin of a running server, LOG its log file; without them a server is started, TOOLKIT_SERVER
//! or the debug build of api-server. The browser is CHROMIUM.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

const { CARGO_TARGET_DIR, TOOLKIT_WEB_BUILT, TOOLKIT_SERVER, CHROMIUM } = process.env;
const [url, logFile] = process.argv.slice(2).filter((argument) => !argument.endsWith('.mjs'));
const REPOSITORY = join(import.meta.dirname, '../../../..');
const TARGET = CARGO_TARGET_DIR ?? join(REPOSITORY, 'target');
export const BUILT = TOOLKIT_WEB_BUILT ?? join(TARGET, 'web');
/** The server binary to start. */
export const SERVER = TOOLKIT_SERVER ?? join(TARGET, 'debug/api-server');
const require = createRequire(join(BUILT, 'package.json'));

/** @type {typeof import('playwright-core')} */
const { chromium } = require('playwright-core');
export const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser with a fresh profile. @param {string[]} [flags] */
export const launch = (flags = []) =>
  chromium.launch({
    executablePath: CHROMIUM ?? '/usr/bin/chromium',
    args: [...FLAGS, ...flags],
  });

/** A free port. @returns {Promise<number>} */
export const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });

/** How long anything may take: a busy machine is slow, and only a failure waits this long. */
const PATIENCE = Number(process.env.TOOLKIT_PATIENCE_MS ?? 60_000);

/** Waits for a condition, with a deadline; it may fail meanwhile, as while a document replaces another. @template T @param {() => T | Promise<T>} condition @param {string} what @returns {Promise<NonNullable<T>>} */
export async function until(condition, what, milliseconds = PATIENCE) {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    /** @type {unknown} */
    let cause;
    try {
      const value = await condition();
      if (value) return /** @type {NonNullable<T>} */ (value);
    } catch (error) {
      cause = error;
    }
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`, { cause });
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Waits until what is read equals a value. @template T @param {() => T | Promise<T>} read @param {NoInfer<T>} wanted @param {string} [what] */
export async function becomes(read, wanted, what = 'the value') {
  /** @type {T | undefined} */
  let last;
  const check = async () => {
    last = await read();
    return isDeepStrictEqual(last, wanted);
  };
  await until(check, what).catch(() => assert.deepEqual(last, wanted, what));
}

/** @param {string} url */
const answers = async (url) => (await fetch(url).catch(() => undefined))?.ok;

/**
 * A separate server with an empty database; `log()` returns its output so far.
 * @param {{ path?: string, env?: Record<string, string>, own?: boolean }} [options] path of the pages;
 *   whether a running server must not be reused
 */
export async function serve({ path = '/toolkit', env = {}, own = false } = {}) {
  const isUsual = path === '/toolkit' && Object.keys(env).length === 0 && !own;
  if (url?.startsWith('http') && isUsual) {
    const log = () => (logFile ? readFileSync(logFile, 'utf8') : '');
    return { web: url + path, origin: url, pid: undefined, log, stop: () => {} };
  }
  const folder = mkdtempSync(join(tmpdir(), 'toolkit-pages-'));
  const origin = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(SERVER, [], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      TOOLKIT_API__BIND: origin.slice(7),
      TOOLKIT_API__ADMIN_BIND: '',
      TOOLKIT_LIMITS__RUN_PER_MINUTE: '100000',
      TOOLKIT_PUBLIC__WEB_BASE_URL: origin + path,
      ...env,
    },
  });
  let written = '';
  child.stdout.on('data', (data) => {
    written += data;
  });
  child.stderr.on('data', (data) => {
    written += data;
  });
  const stop = () => {
    child.kill();
    // The server may write until it ends.
    rmSync(folder, { recursive: true, force: true, maxRetries: 50 });
  };
  await until(() => answers(`${origin}/toolkit/api/health`), `the server: ${written}`).catch(
    (error) => {
      stop();
      throw error;
    },
  );
  return { web: origin + path, origin, pid: child.pid, log: () => written, stop };
}

/**
 * @typedef {{ slug: string, name: string, category: string, description: string }} Entry
 */

/** The tools of catalog.toml. @returns {Entry[]} */
export function catalog() {
  const text = readFileSync(join(REPOSITORY, 'catalog.toml'), 'utf8');
  return text
    .split('[[tools]]')
    .slice(1)
    .map((part) => {
      const member = (/** @type {string} */ name) =>
        new RegExp(`^${name} = "?(.*?)"?$`, 'm').exec(part)?.[1] ?? '';
      const [slug, name, category, description] = ['slug', 'name', 'category', 'description'].map(
        member,
      );
      return /** @type {Entry} */ ({ slug, name, category, description });
    });
}

/**
 * A page that records the browser's messages and requests.
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').BrowserContextOptions & { keepsClipboard?: boolean }} [options]
 */
export async function open(browser, { keepsClipboard = false, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  if (!keepsClipboard) await ownClipboard(context);
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  /** @type {string[]} */
  const said = [];
  /** @type {string[]} */
  const asked = [];
  page.on('console', (message) => {
    if (!message.text().startsWith('Service Worker registration blocked by Playwright'))
      said.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => said.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url())) asked.push(request.url());
  });
  return { context, page, said, asked, close: () => context.close() };
}

/** An init script: records layout shifts, long tasks and the time when the page is usable in `figures`. */
export function observe() {
  const figures = { shift: 0, since: 0, long: 0, ready: 0 };
  Object.assign(globalThis, { figures });
  new PerformanceObserver((list) => {
    // An entry may arrive long after its frame.
    for (const entry of list.getEntries())
      if (entry.startTime >= figures.since) figures.shift += /** @type {any} */ (entry).value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) figures.long = Math.max(figures.long, entry.duration);
  }).observe({ type: 'longtask', buffered: true });
  new MutationObserver(() => {
    const state = document.querySelector('main')?.dataset.state;
    if (!figures.ready && state && state !== 'loading') figures.ready = performance.now();
  }).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['data-state'],
  });
}

/** Stores what the page copies in `copied`, since all pages share one clipboard. @param {import('playwright-core').BrowserContext} context */
const ownClipboard = (context) =>
  context.addInitScript(() => {
    navigator.clipboard.writeText = async (text) => {
      Object.assign(globalThis, { copied: text });
    };
  });

/** @param {import('playwright-core').Page} page */
export const copied = (page) =>
  until(() => page.evaluate(() => /** @type {any} */ (globalThis).copied), 'something is copied');

/** @param {import('playwright-core').Page} page */
export const state = (page) => page.evaluate(() => document.querySelector('main')?.dataset.state);

/** Waits for `main` to reach one of the states, and returns it. @param {import('playwright-core').Page} page @param {...string} wanted */
export const reaches = (page, ...wanted) =>
  until(
    async () => {
      const now = (await state(page)) ?? '';
      return wanted.includes(now) && now;
    },
    `state ${wanted.join(' or ')}`,
  );

/** Waits for the title, which can be empty while one document replaces another. @param {import("playwright-core").Page} page @param {(title: string) => boolean} isRight */
export async function hasTitle(page, isRight) {
  let title = '';
  const check = async () => {
    title = await page.title();
    return isRight(title);
  };
  await until(check, 'title').catch(() => assert.fail(`${page.url()} has the title "${title}"`));
}

/** The texts of all outputs by name. @param {import('playwright-core').Page} page @returns {Promise<Record<string, string>>} */
export const outputs = (page) =>
  page.evaluate(() =>
    Object.fromEntries(
      Array.from(document.querySelectorAll('[data-output]'), (output) => [
        output.getAttribute('data-output'),
        output.querySelector('[data-value]')?.textContent ?? '',
      ]),
    ),
  );

/** Chooses by value or label, from a list or among choices beside each other. @param {import('playwright-core').Page} page @param {string} name @param {string | { label: string }} value */
export async function select(page, name, value) {
  const control = page.locator(`#tool-place [name="${name}"]`);
  const isList = (await control.first().evaluate(({ tagName }) => tagName)) === 'SELECT';
  // It may be folded away with the other options.
  if (isList) await control.selectOption(value, { force: true });
  else if (typeof value === 'string')
    await page.locator(`#tool-place [name="${name}"][value="${value}"]`).check();
  else {
    const one = page.locator(`#tool-place [id="field-${name}"] label`);
    await one
      .filter({
        hasText: new RegExp(
          `^${RegExp.escape?.(value.label) ?? value.label.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`,
        ),
      })
      .click();
  }
}
