//! Figures of the pages: sizes, requests, paints, keys. `node tests/measure.mjs [URL [LOG]]` prints
//! Markdown, and writes JSON to the file TOOLKIT_FIGURES; the exit code is 1 when a goal is missed.
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { launch, open, outputs, reaches, serve, until } from './chromium.mjs';

const ROUNDS = 5;
const KB = 1024;

/** @typedef {{ name: string, value: number, goal: number, unit: string }} Figure */

/** @param {number[]} values */
const median = (values) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
/** @param {number[]} values */
const high = (values) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;

/** One cold visit: what was loaded until the form was ready, and when. @param {import('playwright-core').Browser} browser @param {string} url */
async function cold(browser, url) {
  const { page, close } = await open(browser);
  /** @type {Map<string, Promise<Buffer | undefined>>} */
  const bodies = new Map();
  page.on('response', (response) => {
    if (response.url().startsWith('http'))
      bodies.set(
        response.url(),
        response.body().catch(() => undefined),
      );
  });
  await page.addInitScript(() => {
    const figures = { shift: 0, long: 0, ready: 0 };
    Object.assign(globalThis, { figures });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) figures.shift += /** @type {any} */ (entry).value;
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
  });
  await page.goto(url);
  await reaches(page, 'ready', 'done');
  const seen = [...bodies];
  const paint = await until(
    () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime),
    'a paint',
  );
  const figures = await page.evaluate(() => /** @type {any} */ (globalThis).figures);
  const sizes = await Promise.all(
    seen.map(async ([address, body]) => ({ address, size: gzipSync((await body) ?? '').length })),
  );
  await close();
  const sum = (/** @type {RegExp} */ which) =>
    sizes.filter(({ address }) => which.test(address)).reduce((all, { size }) => all + size, 0) /
    KB;
  return {
    paint,
    ...figures,
    requests: sizes.length,
    all: sum(/./) - sum(/\/libraries\//),
    kit: sum(/\/kit\//),
    css: sum(/\.css$/),
    html: sum(/\/(tools\/[\w-]+|toolkit\/)$/),
  };
}

/** @param {import('playwright-core').Browser} browser @param {string} url */
async function visits(browser, url) {
  /** @type {Awaited<ReturnType<typeof cold>>[]} */
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await cold(browser, url));
  return (/** @type {keyof typeof rounds[number]} */ name) =>
    median(rounds.map((one) => one[name]));
}

/** Milliseconds from each of 40 keys to the next frame, in a text of so many characters. @param {import('playwright-core').Page} page @param {string} selector @param {number} length */
async function keys(page, selector, length) {
  await page.locator(selector).evaluate((node, size) => {
    const area = /** @type {HTMLTextAreaElement} */ (node);
    area.value = 'lorem ipsum dolor sit amet\n'.repeat(size / 27);
    area.focus();
    area.setSelectionRange(20, 20);
    Object.assign(globalThis, { spent: [] });
    area.addEventListener('keydown', () => {
      const begin = performance.now();
      requestAnimationFrame(() =>
        setTimeout(() => /** @type {any} */ (globalThis).spent.push(performance.now() - begin)),
      );
    });
  }, length);
  for (let key = 0; key < 40; key++) {
    await page.keyboard.press('x');
    await until(
      () => page.evaluate((count) => /** @type {any} */ (globalThis).spent.length > count, key),
      'a frame',
    );
  }
  return high(await page.evaluate(() => /** @type {any} */ (globalThis).spent));
}

/** From a key to the result of a small run. @param {import('playwright-core').Page} page */
async function keyToResult(page) {
  await page.locator('[name=text]').fill('warm');
  await reaches(page, 'done');
  const spent = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = (await outputs(page)).hex;
    spent.push(
      await page.evaluate(
        (old) =>
          new Promise((resolve) => {
            const area = /** @type {HTMLTextAreaElement} */ (document.querySelector('[name=text]'));
            const begin = performance.now();
            const look = () => {
              const now = document.querySelector('[data-output=hex] [data-value]')?.textContent;
              if (now === old) requestAnimationFrame(look);
              else resolve(performance.now() - begin);
            };
            area.value += 'k';
            area.dispatchEvent(new Event('input', { bubbles: true }));
            look();
          }),
        before,
      ),
    );
  }
  return median(/** @type {number[]} */ (spent));
}

/** @param {import('playwright-core').Browser} browser @param {string} web @returns {Promise<Figure[]>} */
async function typing(browser, web) {
  const { page, close } = await open(browser);
  await page.goto(`${web}/tools/hex-encoder`);
  await reaches(page, 'ready');
  const small = await keyToResult(page);
  const hundred = await keys(page, '[name=text]', 100_000);
  const large = await keys(page, '[name=text]', 1_000_000);
  await page.evaluate(() =>
    document.body.append(
      Object.assign(document.createElement('textarea'), { id: 'bare', rows: 8 }),
    ),
  );
  const bare = await keys(page, '#bare', 1_000_000);
  await close();
  return [
    { name: 'small run, key to result, with the pause', value: small, goal: 200, unit: 'ms' },
    { name: 'a key in 100 KB of text, 95th percentile', value: hundred, goal: 50, unit: 'ms' },
    {
      name: `a key in 1 MB of text (bare text area: ${bare.toFixed(1)} ms)`,
      value: large,
      goal: 1.25 * bare + 16,
      unit: 'ms',
    },
  ];
}

const server = await serve();
const browser = await launch();
try {
  const tool = await visits(browser, `${server.web}/tools/hex-encoder`);
  const home = await visits(browser, `${server.web}/`);
  const remote = await visits(browser, `${server.web}/tools/json-formatter`);
  /** @type {Figure[]} */
  const figures = [
    { name: 'browser tool: HTML, CSS and modules', value: tool('all'), goal: 30, unit: 'KB' },
    { name: 'browser tool: requests', value: tool('requests'), goal: 16, unit: '' },
    { name: 'browser tool: kit', value: tool('kit'), goal: 14, unit: 'KB' },
    { name: 'browser tool: HTML', value: tool('html'), goal: 8, unit: 'KB' },
    { name: 'browser tool: CSS', value: tool('css'), goal: 5, unit: 'KB' },
    { name: 'server tool: HTML, CSS and modules', value: remote('all'), goal: 30, unit: 'KB' },
    { name: 'server tool: requests', value: remote('requests'), goal: 16, unit: '' },
    { name: 'home: HTML, CSS and modules', value: home('all'), goal: 40, unit: 'KB' },
    { name: 'first contentful paint', value: tool('paint'), goal: 400, unit: 'ms' },
    { name: 'form ready', value: tool('ready'), goal: 600, unit: 'ms' },
    {
      name: 'layout shift',
      value: Math.max(tool('shift'), home('shift'), remote('shift')),
      goal: 0.02,
      unit: '',
    },
    {
      name: 'longest task while loading',
      value: Math.max(tool('long'), home('long')),
      goal: 100,
      unit: 'ms',
    },
    ...(await typing(browser, server.web)),
  ];
  const rows = figures.map(
    ({ name, value, goal, unit }) =>
      `| ${name} | ${+value.toFixed(value < 1 ? 3 : 1)} ${unit} | ≤ ${+goal.toFixed(2)} ${unit} |`,
  );
  console.log(['| Figure | Measured | Goal |', '| --- | --- | --- |', ...rows].join('\n'));
  const file = process.env.TOOLKIT_FIGURES;
  if (file) writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
  const missed = figures.filter(({ value, goal }) => !(value <= goal));
  for (const { name } of missed) console.error(`missed: ${name}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  await browser.close();
  server.stop();
}
