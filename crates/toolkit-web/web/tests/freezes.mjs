//! Texts that once froze a page, in Chromium: after each is pasted, or opened by a link, the page answers every
//! key. And a part that does not arrive is named. `node tests/freezes.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { becomes, reaches } from './chromium.mjs';
import { useBrowser, useServer } from './fixtures.mjs';

/** @typedef {import('playwright-core').Page} Page */

const server = useServer();
const browser = useBrowser();
/** In milliseconds, the longest that a page may be busy. */
const LIMIT = 200;
/** Load from other programs only ever adds time: the best of these counts. */
const ROUNDS = 4;
const MIB = 1 << 20;

const comments = (/** @type {number} */ times) => `${'/*a*/'.repeat(times)}x`;
const header = Array.from(
  { length: 160 },
  (_, at) =>
    `/* Returns the value ${at} of an object, or NULL.\n\n   This is the equivalent of: o.f${at}()  (see "abstract"). */\n` +
    `PyAPI_FUNC(PyObject *) PyObject_Get${at}(PyObject *o, const char *name);\n#define GET_${at}(o) ((o)->tp_${at})\n\n`,
).join('');
const table = Array.from(
  { length: 4000 },
  (_, at) => `${at},name ${at},"{""id"": ${at}, ""tags"": [""a"", ""b""], ""note"": ""a, b; c""}"`,
).join('\n');

/** @type {[name: string, path: string, text: string, isDropped?: boolean][]} */
const TEXTS = [
  ['28 comments and a letter', '/', comments(28)],
  ['40 comments and a letter', '/', comments(40)],
  ['a C header with comments', '/', header],
  ['a table with JSON in its third column', '/', `a,b,c\n${table}`],
  ['a table with JSON, in its tool', '/tools/csv-converter', `a,b,c\n${table}`],
  ['16,000 blanks between two letters', '/', `a${' '.repeat(16_000)}b`],
  ['16,000 blanks in a tool', '/tools/jwt-decoder', `a${' '.repeat(16_000)}b`],
  ['20,000 beginnings of a comment', '/', `<p>${'<!--'.repeat(20_000)}`],
  ['20,000 line breaks in TOML', '/tools/toml-converter', `a = 1${'\n'.repeat(20_000)}b = 2`],
  ['40,000 lines, dropped', '/tools/data-converter', '- a: 1\n'.repeat(40_000), true],
  ['10 MB', '/', 'abc def\n'.repeat((10 * MIB) / 8)],
  ['10 MB in a tool', '/tools/hex-encoder', 'abc def\n'.repeat((10 * MIB) / 8)],
];

/** The longest text that a text area of its own is given to compare with: Chromium takes minutes for 10 MB. */
const COMPARED_MAX = 1 << 19;

/** The longest time, in milliseconds, for which the page answers nothing after a text is pasted or dropped, without the time in which the browser alone reads it and lays it out. @param {Page} page @param {string} text @param {boolean} [isDropped] */
const busy = (page, text, isDropped = false) =>
  page.evaluate(
    async ([text, isDropped, compared]) => {
      const field = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (
        document.querySelector('#tool-place textarea, #filter')
      );
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      const begin = performance.now();
      // A longer text becomes a file.
      if (field.localName !== 'textarea' || text.length >= compared)
        new File([clipboardData.getData('text/plain')], '');
      else {
        const other = document.body.appendChild(document.createElement('textarea'));
        other.className = `${field.className} long`;
        other.value = text;
        other.getBoundingClientRect();
        other.remove();
      }
      const bare = performance.now() - begin;
      field.focus();
      const init = { clipboardData, bubbles: true, cancelable: true };
      let longest = 0;
      let last = performance.now();
      const answers = (/** @type {() => void} */ act = () => {}) =>
        new Promise((resolve) => {
          const begin = performance.now();
          act();
          setTimeout(() => {
            last = performance.now();
            longest = Math.max(longest, last - begin);
            resolve(undefined);
          });
        });
      await answers(() => {
        if (isDropped || field.dispatchEvent(new ClipboardEvent('paste', init))) {
          field.value = text;
          field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        }
      });
      for (const end = performance.now() + 1500; last < end; ) await answers();
      // Laid out as it arrives, and again once it has a scroll bar.
      return Math.max(0, longest - 2 * bare);
    },
    /** @type {const} */ ([text, isDropped, COMPARED_MAX]),
  );

/** @param {(page: Page) => Promise<number>} act @param {string} path */
async function best(act, path) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && least > LIMIT; round++) {
    const { page, close } = await browser.open();
    await page.goto(`${server.web}${path}`);
    await reaches(page, 'ready', 'done', 'refused');
    least = Math.min(least, await act(page));
    await close();
  }
  return least;
}

describe('a page answers while it looks at', () => {
  for (const [name, path, text, isDropped] of TEXTS)
    test(name, async (t) => {
      const longest = await best((page) => busy(page, text, isDropped), path);
      t.diagnostic(`${longest.toFixed(0)} ms`);
      assert.ok(longest <= LIMIT, `${longest} ms`);
    });

  for (const slug of ['case-converter', 'line-sorter'])
    test(`a link to ${slug} with 32 comments`, async () => {
      const { page, close } = await browser.open();
      await page.goto(
        `${server.web}/tools/${slug}#text=${encodeURIComponent(comments(32))}&seed=1`,
      );
      await reaches(page, 'done');
      await page.locator('[name=text]').pressSequentially('b', { timeout: 10_000 });
      await close();
    });
});

/** Eight levels of ten, as SVG. @param {(name: string, inside: string) => string} level @param {(name: string) => string} use */
const bomb = (level, use) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99">${Array.from(
    { length: 8 },
    (_, at) => level(`a${at}`, at === 0 ? '<rect/>' : use(`a${at - 1}`).repeat(10)),
  ).join('')}${use('a7')}</svg>`;

describe('a link to a drawing that repeats itself by reference leaves the page awake', () => {
  const level =
    (/** @type {string} */ kind) => (/** @type {string} */ name, /** @type {string} */ inside) =>
      `<defs><${kind} id="${name}">${inside}</${kind}></defs>`;
  /** @type {[kind: string, text: string][]} */
  const drawings = [
    ['use', bomb(level('g'), (name) => `<use href="#${name}"/>`)],
    ['mask', bomb(level('mask'), (name) => `<rect mask="url(#${name})"/>`)],
  ];
  for (const [kind, text] of drawings)
    for (const [slug, values] of [
      ['svg-optimizer', `text=${encodeURIComponent(text)}`],
      [
        'image-base64-encoder',
        `mode=decode&text=${encodeURIComponent(`data:image/svg+xml,${encodeURIComponent(text)}`)}`,
      ],
    ])
      test(`${kind} in ${slug}`, async () => {
        const { page, close } = await browser.open();
        await page.goto(`${server.web}/tools/${slug}#${values}`);
        await reaches(page, 'done');
        await page.getByText('The picture is not shown').waitFor();
        await page.locator('[name=text]').pressSequentially('b', { timeout: 10_000 });
        await close();
      });
});

/** Opens a page on which one file is not there. @param {string} path @param {RegExp} missing @param {import('playwright-core').BrowserContextOptions} [options] */
async function without(path, missing, options) {
  const opened = await browser.open({ serviceWorkers: 'block', ...options });
  await opened.page.route(missing, (route) => route.abort());
  await opened.page.goto(`${server.web}${path}`);
  await reaches(opened.page, 'ready', 'done', 'refused');
  return opened;
}

/** @type {[missing: RegExp, path: string, act: (page: Page) => Promise<unknown>, lack: string][]} */
const PARTS = [
  [
    /\/kit\/palette\b/,
    '/tools/hex-encoder#text=a',
    (page) => page.keyboard.press('Control+k'),
    'Search',
  ],
  [
    /\/kit\/send\b/,
    '/tools/hex-encoder#text=a',
    (page) => page.locator('[name=text]').fill('abc'),
    'The list of next tools',
  ],
  [
    /\/kit\/lines\b/,
    '/tools/hex-encoder#text=a',
    (page) => page.locator('[name=text]').fill('a\nb'),
    'Line numbers',
  ],
  [
    /\/kit\/link\b/,
    '/tools/hex-encoder',
    (page) => page.getByRole('button', { name: 'Copy link' }).click(),
    'The link to this input',
  ],
  [
    /\/kit\/output\b/,
    '/tools/hex-encoder',
    (page) => page.locator('[name=text]').fill('a'),
    'The result pane',
  ],
  [
    /\/kit\/preview\b/,
    '/tools/markdown-previewer',
    (page) => page.locator('[name=markdown]').fill('a'),
    'The preview',
  ],
  [
    /\/tools\/cron-explainer\/view\b/,
    '/tools/cron-explainer',
    (page) => page.locator('[data-example]').first().click(),
    'The view of the result',
  ],
  [
    /\/kit\/suggest\b/,
    '/',
    (page) => page.locator('#filter').fill('{"a": [1, 2]}'),
    'The list of suggested tools',
  ],
  [
    /\/kit\/detector\b/,
    '/',
    (page) => page.locator('#filter').fill('{"a": [1, 2]}'),
    'The list of suggested tools',
  ],
  [
    /\/kit\/redact\b/,
    // A shorter result is copied as it is.
    '/tools/hex-encoder#text=a%20text%20of%20many%20letters',
    (page) => page.getByRole('button', { name: 'Copy without secrets' }).first().click(),
    'Copy without secrets',
  ],
  [
    /\/kit\/rail\b/,
    '/tools/hex-encoder#text=a',
    (page) => page.setViewportSize({ width: 1600, height: 900 }),
    'The list of tools',
  ],
  [/\/kit\/offline\b/, '/tools/hex-encoder#text=a', async () => {}, 'Use without a connection'],
  [
    /\/kit\/request-chip\b/,
    '/tools/hex-encoder#text=a',
    (page) => page.locator('[data-wire]').click(),
    'The request report',
  ],
  [
    /\/kit\/(?:hand|send)\b/,
    '/tools/hex-encoder#handed',
    async () => {},
    'The text from the other page',
  ],
  [
    /\/kit\/color-control\b/,
    '/tools/color-converter#color=red',
    (page) => page.locator('[name=color]').fill('blue'),
    'The color field',
  ],
  [
    /\/kit\/color-field\b/,
    '/tools/contrast-checker',
    (page) => page.getByRole('button', { name: 'Pick: Text color' }).click(),
    'The color field',
  ],
  [
    /\/kit\/decode\b/,
    '/tools/csv-converter#text=a',
    (page) =>
      page.locator('input[type=file]').setInputFiles({
        name: 'table.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('a,b\n1,2\n'),
      }),
    'Encoding detection',
  ],
];

describe('a part that does not arrive is named', () => {
  for (const [missing, path, act, lack] of PARTS)
    test(`${lack}: ${missing}`, async () => {
      const { page, close } = await without(path, missing);
      const before = await page.locator('main').getAttribute('data-state');
      await act(page);
      await page.getByText(new RegExp(`^${lack}.* could not be loaded\\.`)).waitFor();
      assert.equal(await page.getByText('The tool could not be loaded').count(), 0);
      // Without what reads a file there is no other result.
      if (before === 'done' && !/output|send|decode/.test(String(missing))) {
        await reaches(page, 'done');
        await page.locator('[data-output]').first().waitFor();
      }
      await close();
    });
});

test('a text that was handed over and lost is asked for', async () => {
  const { page, close } = await browser.open();
  await page.goto(`${server.web}/tools/hex-encoder#handed`);
  await page.getByText('The text did not arrive; paste it here.').waitFor();
  await close();
});

describe('Cancel ends the worker of a long conversion', () => {
  /** @type {[slug: string, name: string, content: string][]} */
  const LONG = [
    ['csv-converter', 'table.csv', `a,b,c\n${'1,2,3\n'.repeat(3_000_000)}`],
    [
      'toml-converter',
      'values.toml',
      Array.from({ length: 400_000 }, (_, at) => `k${at} = [${at}]\n`).join(''),
    ],
  ];
  for (const [slug, name, content] of LONG)
    test(slug, async () => {
      const { page, close } = await browser.open();
      await page.goto(`${server.web}/tools/${slug}`);
      await reaches(page, 'ready');
      const buffer = Buffer.from(content);
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name, mimeType: 'text/plain', buffer });
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('The run was cancelled.').first().waitFor();
      const running = () =>
        page.workers().filter((one) => /\/kit\/worker\b/.test(one.url())).length;
      await becomes(running, 0);
      await close();
    });
});
