//! Measurements of the pages in Chromium, with a cold profile on loopback: sizes, requests, paints,
//! keys. `node tests/measure.mjs [FILE]` prints what each tool's page loads and a table of figures, and
//! writes the latter between the markers of FILE if given. The exit code is 1 when a goal that does not depend on the load of the machine is
//! missed: sizes, counts and ratios. Times are only reported, and those of typing only for a release build.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  BUILT,
  catalog,
  launch,
  observe,
  open,
  outputs,
  reaches,
  SERVER,
  serve,
  until,
} from './chromium.mjs';
import { loadFile } from './tools.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Browser} Browser */

/** Pages visited at once where only sizes count: as many as the build machine has cores. */
const AT_ONCE = 2;
/** Keys of a round: enough that the 95th percentile is not the slowest one. */
const KEYS = 40;
/**
 * Pause between keys, longer than the page waits: the tool runs after each, and its result is
 * drawn.
 */
const PACE_MS = 200;
/** Keys in 1 MB of text, where the browser alone takes several times as long. */
const SLOW_KEYS = 12;
const KB = 1024;
/** Requests of one round: enough for the scheduler's clock, which counts in nanoseconds. */
const CALLS = 400;
const WEB = join(import.meta.dirname, '..');
const EMBEDDED = ['data', 'icons', 'kit', 'lib', 'style', 'tools'];
const MARKS = ['<!-- web:figures -->', '<!-- /web -->'];
const isRelease = SERVER.includes('/release/');
/** Repetitions of what takes time; sizes and counts are the same in each. */
const ROUNDS = isRelease ? 5 : 1;

/** @typedef {{ name: string, value: number, goal?: number, unit?: string }} Figure */

/** @param {number[]} values @param {number} part */
const quantile = (values, part) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
/** @param {number[]} values */
const median = (values) => quantile(values, 0.5);

// Loading

/** A second later the page asks for offline use too, which a busy machine may see already. */
const OFFLINE = /\/(?:kit\/offline[\w-]*|sw)\.js$/;

/** What a page asks for: each address once, with its size, when the page is idle. @param {Page} page */
function fetched(page) {
  /** @type {Map<string, Promise<Buffer | undefined>>} */
  const bodies = new Map();
  let pending = 0;
  page.on('request', () => pending++);
  page.on('requestfinished', () => pending--);
  page.on('requestfailed', () => pending--);
  page.on('response', (response) => {
    const url = response.url();
    if (!url.startsWith('http') || OFFLINE.test(url)) return;
    bodies.set(
      url,
      response.body().catch(() => undefined),
    );
  });
  return async () => {
    let calm = 0;
    await until(async () => {
      // The headless build calls no page back for which it draws nothing.
      await page.evaluate(
        () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 })),
      );
      calm = pending === 0 ? calm + 1 : 0;
      return calm > 2;
    }, 'an idle page');
    return Promise.all(
      [...bodies].map(async ([url, body]) => ({ url, size: gzipSync((await body) ?? '').length })),
    );
  };
}

/**
 * One visit with a cold profile: what was loaded until the page was usable and idle, and when. A page that
 * computes as it opens is usable when its result is there.
 * @param {Browser} browser @param {string} url @param {string[]} [states]
 */
async function visit(browser, url, states = ['ready', 'done']) {
  const { page, close } = await open(browser);
  const idle = fetched(page);
  await page.addInitScript(observe);
  await page.goto(url);
  await reaches(page, ...states);
  const paint = await until(
    () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime),
    'a paint',
  );
  const figures = await page.evaluate(() => /** @type {any} */ (globalThis).figures);
  const all = await idle();
  await close();
  const own = all.filter(({ url }) => !url.includes('/libraries/'));
  const sum = (/** @type {typeof all} */ some) =>
    some.reduce((sum, { size }) => sum + size, 0) / KB;
  const of = (/** @type {RegExp} */ which) => sum(own.filter(({ url }) => which.test(url)));
  return {
    paint,
    ...figures,
    requests: own.length,
    all: sum(own),
    library: sum(all) - sum(own),
    kit: of(/\/kit\//),
    css: of(/\.css$/),
    html: of(/\/(tools\/[\w-]+|toolkit\/)$/),
  };
}

/** @param {Browser} browser @param {string} url */
async function visits(browser, url) {
  /** @type {Awaited<ReturnType<typeof visit>>[]} */
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await visit(browser, url));
  return (/** @type {keyof typeof rounds[number]} */ name) =>
    median(rounds.map((one) => one[name]));
}

/**
 * The first load of each tool's page, the heaviest first.
 * @param {Browser} browser @param {string} web
 * @returns {Promise<(Awaited<ReturnType<typeof visit>> & { slug: string, start: boolean })[]>}
 */
async function firstLoads(browser, web) {
  const waiting = catalog();
  /** @type {Awaited<ReturnType<typeof firstLoads>>} */
  const rows = [];
  const work = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      const { slug } = one;
      const { start = false } = (await loadFile(slug)) ?? {};
      const loaded = await visit(browser, `${web}/tools/${slug}`, start ? ['done'] : ['ready']);
      rows.push({ ...loaded, slug, start });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return rows.sort((a, b) => b.all - a.all);
}

/** @param {Awaited<ReturnType<typeof firstLoads>>} rows */
function pagesTable(rows) {
  const lines = rows.map(
    ({ slug, requests, all, library }) =>
      `| ${slug} | ${requests} | ${all.toFixed(1)} | ${library.toFixed(1)} |`,
  );
  return ['| Page | Requests | KB | Library, KB |', '| --- | --- | --- | --- |', ...lines].join(
    '\n',
  );
}

/** @param {Awaited<ReturnType<typeof firstLoads>>} rows @param {string} kind @param {number} goal @returns {Figure[]} */
function most(rows, kind, goal) {
  const row = (/** @type {'requests' | 'all' | 'library'} */ by) => {
    const [first] = rows.toSorted((a, b) => b[by] - a[by]);
    return { value: first?.[by] ?? Number.NaN, slug: first?.slug };
  };
  const [all, requests, library] = [row('all'), row('requests'), row('library')];
  return [
    {
      name: `${kind}, all of it (${all.slug})`,
      value: all.value,
      goal,
      unit: 'KB',
    },
    {
      name: `${kind}, requests (${requests.slug})`,
      value: requests.value,
      goal: 18,
    },
    ...(library.value > 0
      ? [
          {
            name: `${kind} that computes as it opens, its library (${library.slug})`,
            value: library.value,
            goal: 4,
            unit: 'KB',
          },
        ]
      : []),
  ];
}

/** @param {Browser} browser @param {string} web @returns {Promise<Figure[]>} */
async function loading(browser, web) {
  const rows = await firstLoads(browser, web);
  console.log(`${pagesTable(rows)}\n`);
  const slug = rows.find(({ start }) => !start)?.slug;
  const tool = await visits(browser, `${web}/tools/${slug}`);
  const home = await visits(browser, `${web}/`);
  const [moved = { slug: '', shift: Number.NaN }] = [
    ...rows,
    { slug: 'home', shift: home('shift') },
  ].sort((a, b) => b.shift - a.shift);
  return [
    ...most(rows, 'browser tool', 50),
    { name: `browser tool, kit (${slug})`, value: tool('kit'), goal: 18, unit: 'KB' },
    { name: `browser tool, HTML (${slug})`, value: tool('html'), goal: 2.25, unit: 'KB' },
    { name: `browser tool, CSS (${slug})`, value: tool('css'), goal: 7.5, unit: 'KB' },
    { name: 'home, all of it', value: home('all'), goal: 19, unit: 'KB' },
    { name: 'home, requests', value: home('requests') },
    {
      name: `layout shift while loading (${moved.slug})`,
      value: moved.shift,
      goal: 0.02,
    },
    { name: 'first contentful paint', value: tool('paint'), unit: 'ms' },
    { name: 'form can be used', value: tool('ready'), unit: 'ms' },
    {
      name: 'longest task while loading',
      value: Math.max(tool('long'), home('long')),
      unit: 'ms',
    },
  ];
}

// Typing

/** Milliseconds from keys to their frames, 95th percentile, in a text of the given length. @param {Page} page @param {string} selector @param {number} length @param {{ count?: number, pace?: number }} [how] */
async function keys(page, selector, length, { count = SLOW_KEYS, pace = 0 } = {}) {
  await page.locator(selector).evaluate((node, size) => {
    const area = /** @type {HTMLTextAreaElement} */ (node);
    area.value = 'lorem ipsum dolor sit amet\n'.repeat(size / 27);
    // As after a paste: the page knows of the text before the first key.
    area.dispatchEvent(new Event('input', { bubbles: true }));
    area.focus();
    area.setSelectionRange(20, 20);
    const spent = /** @type {number[]} */ ([]);
    Object.assign(globalThis, { spent });
    area.onkeydown = () => {
      const begin = performance.now();
      requestAnimationFrame(() => setTimeout(() => spent.push(performance.now() - begin)));
    };
  }, length);
  const spent = () => page.evaluate(() => /** @type {any} */ (globalThis).spent);
  for (let key = 0; key < count; key++) {
    await page.keyboard.press('x');
    await until(async () => (await spent()).length > key, 'a frame');
    await new Promise((resolve) => setTimeout(resolve, pace));
  }
  return quantile(await spent(), 0.95);
}

/** Time from a key to the result of a small run, including the pause before it. @param {Page} page */
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

/** Empties a field at once; a browser takes many seconds to delete a megabyte as a person does. @param {Page} page @param {string} selector */
const empty = (page, selector) =>
  page.locator(selector).evaluate((node) => {
    /** @type {HTMLTextAreaElement} */ (node).value = '';
    node.dispatchEvent(new Event('input', { bubbles: true }));
  });

/** @param {Browser} browser @param {string} web @returns {Promise<Figure[]>} */
async function typing(browser, web) {
  const { page, close } = await open(browser);
  await page.goto(`${web}/tools/hex-encoder`);
  await reaches(page, 'ready');
  const small = await keyToResult(page);
  const hundred = await keys(page, '[name=text]', 100_000, { count: KEYS, pace: PACE_MS });
  await page.evaluate(() =>
    document.body.append(
      Object.assign(document.createElement('textarea'), { id: 'bare', rows: 8 }),
    ),
  );
  // Interleaved, and the best of each: load from other programs only ever adds time.
  let [large, bare] = [Infinity, Infinity];
  for (let round = 0; round < 2; round++) {
    large = Math.min(large, await keys(page, '[name=text]', 1_000_000));
    await empty(page, '[name=text]');
    bare = Math.min(bare, await keys(page, '#bare', 1_000_000));
    await empty(page, '#bare');
  }
  await close();
  return [
    { name: 'small run, from the key to the result', value: small, unit: 'ms' },
    { name: 'a key in 100 KB of text, 95th percentile', value: hundred, unit: 'ms' },
    {
      name: `a key in 1 MB of text, where a bare text area takes ${bare.toFixed(0)} ms`,
      value: large,
      unit: 'ms',
    },
  ];
}

// Embedded files, and the cost of a page

/** @param {string} folder @returns {string[]} */
const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !/\.d\.ts$|\/tests\//.test(path));

/** @returns {Figure[]} */
function embedded() {
  const libraries = filesBelow(join(BUILT, 'libraries'));
  const own = EMBEDDED.flatMap((folder) => filesBelow(join(WEB, folder)));
  const sum = (/** @type {string[]} */ paths) =>
    paths.reduce((all, path) => all + statSync(path).size, 0) / KB / KB;
  const compressed = libraries.map((path) => gzipSync(readFileSync(path)).length / KB);
  return [
    { name: 'largest library', value: Math.max(...compressed), goal: 163, unit: 'KB' },
    {
      name: 'all files in the binary',
      value: sum([...own, ...libraries]),
      goal: 5.5,
      unit: 'MB',
    },
  ];
}

/** CPU time of a process in nanoseconds, all threads together. @param {number} pid */
function cpuTime(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce(
    (all, id) =>
      all + Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
    0,
  );
}

/** CPU time of a page relative to that of the catalog response. @param {Awaited<ReturnType<typeof serve>>} server @returns {Promise<Figure[]>} */
async function cost({ web, origin, pid }) {
  // A debug build looks for changed files at each request.
  if (!isRelease || pid === undefined) return [];
  const spent = async (/** @type {string} */ url) => {
    const before = cpuTime(pid);
    for (let call = 0; call < CALLS; call++) await (await fetch(url)).arrayBuffer();
    return cpuTime(pid) - before;
  };
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await spent(`${web}/tools/hex-encoder`);
    rounds.push(page / (await spent(`${origin}/toolkit/api/tools`)));
  }
  const value = median(rounds);
  return [{ name: 'CPU of a page, of that of the catalog', value, goal: 1.25, unit: 'x' }];
}

// The table

/** @param {number} value @param {string} [unit] */
const figure = (value, unit = '') => `${+value.toFixed(value < 10 ? 2 : 0)} ${unit}`.trim();

/** @param {Figure[]} figures */
function table(figures) {
  const rows = figures.map(
    ({ name, value, goal, unit }) =>
      `| ${name} | ${figure(value, unit)} | ${goal === undefined ? '' : figure(goal, unit)} |`,
  );
  return ['| What | Measured | At most |', '| --- | --- | --- |', ...rows].join('\n');
}

/** @param {string} path @param {string} text */
function write(path, text) {
  const document = readFileSync(path, 'utf8');
  const [begin, end] = MARKS.map((mark) => document.indexOf(mark));
  if (begin === undefined || end === undefined || begin < 0 || end < begin)
    throw new Error(`${path} lacks the marks ${MARKS.join(' and ')}`);
  const kept = document.slice(0, begin + (MARKS[0] ?? '').length);
  writeFileSync(path, `${kept}\n${text}\n${document.slice(end)}`);
}

const server = await serve({ own: true });
const browser = await launch();
try {
  const figures = [
    ...(await loading(browser, server.web)),
    ...(isRelease ? await typing(browser, server.web) : []),
    ...embedded(),
    ...(await cost(server)),
  ];
  console.log(table(figures));
  const file = process.argv.slice(2).find((argument) => argument.endsWith('.md'));
  if (file) write(file, table(figures));
  const missed = figures.filter(({ value, goal }) => goal !== undefined && !(value <= goal));
  for (const { name } of missed) console.error(`missed: ${name}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  await browser.close();
  server.stop();
}
