//! What is this, and send on, in Chromium: suggestions for a pasted or dropped thing, tools opened
//! filled, results handed on. `node tests/suggestions.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { becomes, copied, outputs, reaches, until } from './chromium.mjs';
import { useBrowser, useServer } from './fixtures.mjs';

/** @typedef {import('playwright-core').Page} Page */

const server = useServer();
const browser = useBrowser();
const TEXT = 'SGVsbG8sIHdvcmxkIQ==';

/** @param {string} path @param {Parameters<typeof browser.open>[0]} [options] */
async function visit(path, options) {
  const opened = await browser.open(options);
  await opened.page.goto(server.web + path);
  await reaches(opened.page, 'ready', 'done');
  return opened;
}

/** Pastes as a browser does into a field. @param {Page} page @param {string} selector @param {string} text */
const paste = (page, selector, text) =>
  page.locator(selector).evaluate((node, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const init = { clipboardData, bubbles: true, cancelable: true };
    if (!node.dispatchEvent(new ClipboardEvent('paste', init)) || !('value' in node)) return;
    node.value = text;
    node.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }));
  }, text);

/** @param {Page} page */
const suggested = (page) =>
  page
    .locator('[data-suggestion]:visible')
    .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-suggestion')));

/** @param {Page} page @param {string} wanted */
const suggestsFirst = (page, wanted) => becomes(async () => (await suggested(page))[0], wanted);

describe('what is this?', () => {
  test('a paste anywhere on home suggests tools, and opens the chosen one filled', async () => {
    const { page, said, asked, close } = await visit('/');
    await paste(page, 'body', '{"a": [1, 2]}');
    await suggestsFirst(page, 'json-formatter');
    await page.locator('[data-suggestion=jsonpath-tester]').click();
    await page.waitForURL('**/tools/jsonpath-tester*');
    const field = page.locator('[name=text]');
    await becomes(() => field.inputValue(), '{"a": [1, 2]}');
    assert.ok(!page.url().includes('#'), page.url());
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    for (const place of [kept, ...asked]) assert.ok(!place.includes('[1'), place);
    await page.reload();
    await reaches(page, 'ready');
    assert.equal(await field.inputValue(), '', 'it is handed over once');
    assert.deepEqual(said, []);
    await close();
  });

  test('Enter opens the first suggestion for what was pasted, filled', async () => {
    const { page, close } = await visit('/');
    await paste(page, '#filter', TEXT);
    await page.locator('#filter').press('Enter');
    await page.waitForURL('**/tools/base64-encoder*');
    await becomes(() => page.locator('[name=text]').inputValue(), TEXT);
    await close();
  });

  test('Enter never opens a tool that refuses what was pasted', async () => {
    const token =
      `${btoa('{"alg":"HS256"}')}.${btoa('{"sub":"a","exp":1516239022}')}.c2ln`.replaceAll('=', '');
    for (const [text, slug, what] of /** @type {[string, string, string | RegExp][]} */ ([
      ['HOST=a\nPORT=1', 'data-converter', 'A .env file'],
      ['3 March 2025 14:00 CET', 'timestamp-converter', 'A date and time'],
      [
        '5d41402abc4b2a76b9719d911017c592',
        'hash-generator',
        '32 hexadecimal digits: the length of MD5',
      ],
      [
        `12:00 INFO auth=${token} ok`,
        'jwt-decoder',
        /^Text with a JSON Web Token, expired \d+ years ago$/,
      ],
    ])) {
      const { page, close } = await visit('/');
      await paste(page, 'body', text);
      const title = page.locator('.what h2');
      await until(async () => {
        const said = (await title.count()) > 0 ? await title.innerText() : '';
        return what instanceof RegExp ? what.test(said) : said === what;
      }, text);
      await page.locator('#filter').press('Enter');
      await page.waitForURL(`**/tools/${slug}*`);
      await reaches(page, 'done');
      await close();
    }
  });

  test('a pasted text is no search: Enter opens a tool with it, and the title is what it is', async () => {
    for (const [text = '', slug, what = ''] of [
      ['v1.2.3', 'text-diff-checker', 'Text'],
      ['anna@example.com', 'text-diff-checker', 'Text'],
      ['/a+b/g', 'regex-tester', 'A regular expression'],
    ]) {
      const { page, close } = await visit('/');
      await paste(page, 'body', text);
      await becomes(() => page.locator('.what h2').innerText(), what, text);
      await page.locator('#filter').press('Enter');
      await page.waitForURL(`**/tools/${slug}*`);
      await close();
    }
  });

  test('the arrow keys reach the other actions, Escape lets the text go', async () => {
    const { page, close } = await visit('/');
    await paste(page, '#filter', '{"a": [1, 2]}');
    await suggestsFirst(page, 'json-formatter');
    await page.keyboard.press('ArrowDown');
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('data-suggestion'));
    await becomes(focused, 'jsonpath-tester');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    await becomes(() => page.locator('#filter').inputValue(), '');
    await page.locator('.category').first().waitFor();
    await paste(page, '#filter', '{"a": [1, 2]}');
    await suggestsFirst(page, 'json-formatter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/tools/jsonpath-tester*');
    await close();
  });

  test('so does the search field, and a dropped file', async () => {
    const { page, close } = await visit('/');
    await paste(page, '#filter', 'SELECT * FROM a WHERE b = 1');
    await suggestsFirst(page, 'sql-formatter');
    await page.locator('#filter').fill('csv');
    await becomes(() => suggested(page), []);
    await page.locator('body').evaluate((node) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['a,b\n1,2\n3,4\n'], 'a.csv'));
      node.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    });
    await suggestsFirst(page, 'csv-converter');
    await close();
  });

  test('the search dialog opens the first suggestion with Enter', async () => {
    const { page, close } = await visit('/tools/hex-encoder');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search tools' }).waitFor();
    await paste(page, '[role=combobox]', '30 9 * * MON-FRI');
    await suggestsFirst(page, 'cron-explainer');
    const first = page.locator('[data-suggestion]').first();
    assert.match(await first.innerText(), /Explain it\. This looks like a cron expression\.$/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/tools/cron-explainer*');
    await becomes(() => page.locator('[name=expression]').inputValue(), '30 9 * * MON-FRI');
    await close();
  });

  test('without a service worker the text is copied, and the page says so', async () => {
    const { page, close } = await visit('/', { serviceWorkers: 'block' });
    await paste(page, 'body', TEXT);
    await suggestsFirst(page, 'base64-encoder');
    await page.locator('[data-suggestion]').first().click();
    await page.waitForURL('**/tools/base64-encoder*');
    await page.getByText('The text is on the clipboard: paste it here.').waitFor();
    await close();
  });

  test('words are searched for: any of them, without the small ones', async () => {
    const { page, close } = await visit('/tools/hex-encoder');
    await page.keyboard.press('Control+k');
    const input = page.getByRole('combobox', { name: 'Search tools' });
    for (const [query = '', wanted] of [
      ['yaml to json', 'data-converter'],
      ['json to yaml', 'data-converter'],
      ['urlencode', 'url-encoder'],
      ['prettify', 'json-formatter'],
      ['hash file', 'hash-generator'],
      ['checksum', 'hash-generator'],
      ['date difference', 'date-calculator'],
      ['docker compose', 'data-converter'],
      ['jwt.io', 'jwt-decoder'],
      ['regex101', 'regex-tester'],
      ['diffchecker', 'text-diff-checker'],
    ]) {
      await input.fill(query);
      const first = page.locator('#search-list [role=option]').first();
      await becomes(() => first.getAttribute('data-slug'), wanted ?? null, query);
    }
    await close();
  });
});

describe('send on', () => {
  test('a result becomes the input of the other direction, or of another tool', async () => {
    const { page, close } = await visit('/tools/base64-encoder');
    await page.locator('[name=text]').fill('{"a": 1}');
    await page.locator('[data-send-to=base64-encoder]').click();
    await becomes(() => page.locator('[name=mode]').inputValue(), 'decode');
    await until(async () => (await outputs(page)).result === '{"a": 1}', 'the text is back');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
    await becomes(focused, 'text', 'the focus');
    await page.getByText('Open in', { exact: true }).click();
    await page.locator('[data-send-to=json-formatter]').click();
    await page.waitForURL('**/tools/json-formatter*');
    await becomes(() => page.locator('[name=text]').inputValue(), '{"a": 1}');
    await becomes(focused, 'text', 'the focus');
    await close();
  });

  test('a page that computes as it opens offers tools for its result once it is touched', async () => {
    const { page, asked, close } = await visit('/tools/gradient-generator');
    await reaches(page, 'done');
    const isLoaded = () => asked.some((url) => /\/kit\/send\b/.test(url));
    assert.ok(!isLoaded(), 'what offers them is not loaded before');
    await page.mouse.move(200, 200);
    await page.locator('[data-send-to=css-formatter]').waitFor({ state: 'attached' });
    assert.ok(isLoaded());
    await close();
  });

  test('a pasted text decides the direction, the answer says so, and what a person chose stays', async () => {
    const { page, close } = await visit('/tools/base64-encoder');
    await page.locator('[name=text]').focus();
    await page.keyboard.insertText(TEXT);
    await reaches(page, 'done');
    assert.equal(await page.locator('[name=mode]').inputValue(), 'encode', 'what is typed stays');
    await page.locator('[name=text]').fill('');
    await paste(page, '[name=text]', TEXT);
    await until(async () => (await outputs(page)).result === 'Hello, world!', 'it is decoded');
    const took = page.locator('[data-took]');
    assert.equal(await took.innerText(), 'Decoded, as it is Base64 · encode instead');
    await page.locator('[name=text]').fill('');
    await becomes(
      () => page.locator('[name=mode]').inputValue(),
      'encode',
      'the next text decides',
    );
    await paste(page, '[name=text]', TEXT);
    await took.getByRole('button', { name: 'encode instead' }).click();
    await until(async () => (await outputs(page)).result === btoa(TEXT), 'it is encoded');
    assert.ok(await took.isHidden());
    await page.locator('[name=text]').fill('');
    await paste(page, '[name=text]', TEXT);
    await page.getByText('This looks like Base64.').waitFor();
    await until(async () => (await outputs(page)).result === btoa(TEXT), 'what was chosen stays');
    await page.getByRole('button', { name: 'Direction: Decode' }).click();
    await until(async () => (await outputs(page)).result === 'Hello, world!', 'it is decoded');
    await page.goto(`${server.web}/tools/toml-converter`);
    await reaches(page, 'ready');
    await paste(page, '[name=text]', 'a: 1\nb: 2\n');
    await page.getByText('This looks like YAML.').waitFor();
    await close();
  });
});

test('a text of Windows decides the direction too, and one typed over it takes that back', async () => {
  const { page, close } = await visit('/tools/base64-encoder');
  await paste(page, '[name=text]', `${TEXT}\r\n`);
  await until(async () => (await outputs(page)).result === 'Hello, world!', 'it is decoded');
  await page.locator('[data-product]').click();
  await page.locator('[name=text]').fill('plain words now');
  await until(
    async () => (await outputs(page)).result === btoa('plain words now'),
    'it is encoded',
  );
  await becomes(() => page.locator('[name=mode]').inputValue(), 'encode');
  await becomes(() => page.locator('[data-product]').innerText(), 'Copy Base64', 'what it copies');
  await close();
});

test('nothing lies over the link that turns back, nor over a field of few lines', async () => {
  const { page, close } = await visit('/tools/html-entity-encoder');
  await paste(
    page,
    '[name=text]',
    '&lt;p&gt;A text of more than forty characters &amp; more&lt;/p&gt;',
  );
  await reaches(page, 'done');
  await page.locator('.outputs .sends').first().waitFor();
  for (const width of [1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    // Fails if another element would get the press.
    await page.locator('[data-took] button').click({ trial: true, timeout: 5000 });
  }
  await page.goto(`${server.web}/tools/jwt-decoder`);
  await reaches(page, 'ready');
  await page.locator('[name=token]').click({ trial: true, timeout: 5000 });
  await close();
});

test('a press on a ready value selects it once, also where it has the focus', async () => {
  for (const [path = '', name] of [
    ['contrast-checker', 'text'],
    ['color-picker', 'color'],
    ['jsonpath-tester', 'expression'],
  ]) {
    const { page, close } = await visit(`/tools/${path}`);
    const field = page.locator(`[name=${name}]`);
    await field.focus();
    await field.click();
    await page.keyboard.insertText('#777');
    assert.equal(await field.inputValue(), '#777', path);
    await close();
  }
});

test('what is changed while a button runs makes the result an old one', async () => {
  const { page, close } = await visit('/tools/bcrypt-generator');
  const field = page.locator('[name=password]');
  await field.fill('first');
  await page.locator('[name=cost]').fill('12');
  await page.locator('.run').click();
  await reaches(page, 'running');
  await until(
    () =>
      field.evaluate((node) => {
        // Right before the answer, whose time is not known: again and again.
        /** @type {HTMLInputElement} */ (node).value += 'x';
        node.dispatchEvent(new Event('input', { bubbles: true }));
        return document.querySelector('[data-output]');
      }),
    'the hash of the first',
  );
  await reaches(page, 'ready');
  assert.ok(await page.locator('.old').isVisible());
  await close();
});

test('the first field has the focus on a desktop, and Copy link is what it was', async () => {
  const { page, close } = await visit('/tools/hex-encoder');
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'text');
  await page.keyboard.type('A');
  await until(async () => (await outputs(page)).hex === '41', 'what was typed');
  await page.getByRole('button', { name: 'Copy link' }).click();
  assert.match(String(await copied(page)), /#text=A$/);
  await close();
});
