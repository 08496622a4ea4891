//! The shell in Chromium: home, search, favourites, theme, options, files, 404, offline use,
//! scripts off; and the look of all of it. `node tests/shell.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { becomes, outputs, reaches, select, until } from './chromium.mjs';
import { useBrowser, useServer } from './fixtures.mjs';
import { looksGood } from './looks.mjs';
import { SLUGS } from './tools.mjs';

/** @typedef {import('playwright-core').Page} Page */

const server = useServer();
const browser = useBrowser();

/** @param {string} path @param {import('playwright-core').BrowserContextOptions} [options] */
async function visit(path, options) {
  const opened = await browser.open(options);
  const response = await opened.page.goto(server.web + path);
  return { ...opened, response };
}

/** A page that shows a result and the refusal of the input after it. */
async function visitRefused() {
  const opened = await visit('/tools/hex-encoder#mode=decode&text=41');
  await reaches(opened.page, 'done');
  await opened.page.locator('[name=text]').fill('4z');
  await reaches(opened.page, 'refused');
  return opened;
}

/** @param {Page} page */
const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('toolkit') ?? '{}'));

describe('home', () => {
  test('has a card for each tool, and finds tools by the start of a word and despite a typo', async () => {
    const { page, said, close } = await visit('/');
    await reaches(page, 'ready');
    assert.equal(await page.locator('.category [data-card]').count(), SLUGS.length);
    assert.equal(await page.locator('.notice-line').count(), 0, 'no tool lacks a library');
    /** Waits until what a query leaves is right: the list is drawn a moment after it. @param {string} query @param {(names: string[]) => boolean} isRight */
    const finds = async (query, isRight) => {
      await page.getByLabel('Find a tool').fill(query);
      const shown = page.locator('[data-hits] strong:visible');
      await until(async () => isRight(await shown.allTextContents()), query);
    };
    await finds('base6', ([first]) => first === 'Base64 Encoder');
    await finds('regwx', ([first]) => first === 'Regex Tester');
    await finds('teapot', ([first]) => first === 'HTTP Status Finder');
    await finds('qqqqqq', (names) => names.length === 0);
    await page.locator('main').getByText('No tool matches.').waitFor();
    assert.deepEqual(said, []);
    await close();
  });

  test('the field has the focus on a desktop, and Enter opens what comes first', async () => {
    const { page, close } = await visit('/');
    await reaches(page, 'ready');
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await becomes(focused, 'filter');
    await page.keyboard.type('cron');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/tools/cron-explainer');
    await page.goto(`${server.web}/`);
    await reaches(page, 'ready');
    for (const key of ['/', 'Control+k']) {
      await page.getByRole('link').first().focus();
      await page.keyboard.press(key);
      await becomes(focused, 'filter', key);
    }
    await close();
  });

  test('favourites come first and are moved with the keyboard; recent ones follow', async () => {
    const { page, close } = await visit('/tools/hex-encoder');
    for (const slug of ['hex-encoder', 'json-formatter', 'uuid-generator']) {
      await page.goto(`${server.web}/tools/${slug}`);
      const star = page.getByRole('button', { name: 'Favorite' });
      await star.click();
      await becomes(() => star.getAttribute('aria-pressed'), 'true', slug);
    }
    await page.goto(`${server.web}/tools/cidr-calculator`);
    await reaches(page, 'ready');
    await page.goto(`${server.web}/`);
    await reaches(page, 'ready');
    const names = () => page.locator('.mine [data-move] strong').allTextContents();
    await becomes(names, ['Hex Encoder', 'JSON Formatter', 'UUID Generator']);
    await page.getByRole('button', { name: 'Move Hex Encoder one place down' }).focus();
    await page.keyboard.press('Enter');
    await becomes(names, ['JSON Formatter', 'Hex Encoder', 'UUID Generator']);
    await page.keyboard.press('Enter');
    await becomes(names, ['JSON Formatter', 'UUID Generator', 'Hex Encoder']);
    await becomes(
      async () => (await kept(page)).favourites,
      ['json-formatter', 'uuid-generator', 'hex-encoder'],
    );
    await page.locator('.mine').getByText('CIDR Calculator').waitFor();
    await close();
  });

  test('damaged or forbidden storage is not an error', async () => {
    for (const value of [
      '{',
      '[]',
      '{"version":1,"favourites":7,"recent":null,"options":[]}',
      '{"version":99}',
    ]) {
      const { page, said, close } = await visit('/');
      await page.evaluate((text) => localStorage.setItem('toolkit', text), value);
      await page.reload();
      await reaches(page, 'ready');
      assert.deepEqual(said, [], value);
      await close();
    }
  });
});

test('heads of encodings leave the direction out, and nothing is to be undone before something is changed', async () => {
  const { page, close } = await visit('/tools/base64-encoder');
  assert.equal(await page.locator('h1').innerText(), 'Base64');
  await page.goto(`${server.web}/tools/jwt-decoder`);
  await reaches(page, 'ready');
  const undo = page.getByRole('button', { name: 'Undo changes' });
  assert.equal(await undo.count(), 0);
  await page.locator('[data-example]').first().click();
  await reaches(page, 'done');
  assert.equal(await undo.count(), 0);
  await page.locator('[name=payload]').fill('{"sub":"a"}');
  await undo.waitFor();
  const colors = await page
    .locator('.pane-head .name')
    .evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).color))]);
  assert.equal(colors.length, 1, 'one color of headings');
  await close();
});

describe('search dialog', () => {
  test('opens with Ctrl+K, is a combobox, and opens a tool with the keyboard alone', async () => {
    const { page, said, close } = await visit('/tools/hex-encoder');
    await reaches(page, 'ready');
    await page.keyboard.press('Control+k');
    const input = page.getByRole('combobox', { name: 'Search tools' });
    await input.waitFor();
    await until(() => input.evaluate((node) => node === document.activeElement), 'the focus');
    await page.keyboard.type('uuid');
    await until(
      async () => (await page.getByRole('option').count()) < SLUGS.length,
      'the list is shorter',
    );
    const active = () =>
      input.evaluate((node) => {
        const option = document.getElementById(node.getAttribute('aria-activedescendant') ?? '');
        return option?.dataset.slug;
      });
    await becomes(active, 'uuid-generator');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/tools/uuid-generator');
    assert.deepEqual(said, []);
    await close();
  });

  test('what is typed in the instant after Ctrl+K is searched for, and changes no field of the page', async () => {
    const { page, context, close } = await visit('/tools/hex-encoder');
    await reaches(page, 'ready');
    /** @type {(value?: unknown) => void} */
    let go = () => {};
    const held = new Promise((resolve) => {
      go = resolve;
    });
    await context.route(/\/kit\/palette\b/, async (route) => {
      await held;
      await route.continue();
    });
    await page.locator('[name=text]').focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('uuid');
    assert.equal(await page.locator('[name=text]').inputValue(), '');
    go();
    const input = page.getByRole('combobox', { name: 'Search tools' });
    await becomes(() => input.inputValue(), 'uuid');
    await until(
      async () => (await page.getByRole('option').count()) < SLUGS.length,
      'the list is shorter',
    );
    await page.keyboard.press('Escape');
    await page.reload();
    await reaches(page, 'ready');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('uuid');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/tools/uuid-generator');
    await close();
  });

  test('closes with Escape and returns the focus; a search takes less than 10 ms', async () => {
    const { page, close } = await visit('/tools/hex-encoder');
    await reaches(page, 'ready');
    const opener = page.locator('[data-search]').first();
    await opener.click();
    await page.getByRole('combobox', { name: 'Search tools' }).waitFor();
    const spent = await page.evaluate(async () => {
      const input = /** @type {HTMLInputElement} */ (document.querySelector('[role=combobox]'));
      input.value = 'convert';
      // The best of many: load from other programs only ever adds time.
      const rounds = Array.from({ length: 40 }, () => {
        const begin = performance.now();
        input.dispatchEvent(new Event('input'));
        return performance.now() - begin;
      });
      return Math.min(...rounds);
    });
    assert.ok(spent < 10, `${spent} ms`);
    await page.keyboard.press('Escape');
    await until(() => opener.evaluate((node) => node === document.activeElement), 'the focus');
    await close();
  });
});

test('a slider sets its number, and follows it; the number may be larger', async () => {
  const { page, close } = await visit('/tools/password-generator');
  await reaches(page, 'done');
  const slider = page.getByRole('slider', { name: 'Length slider' });
  const number = page.locator('[name=length]');
  const letters = async () => (await page.locator('.list code').innerText()).length;
  assert.equal(await slider.inputValue(), '20');
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await becomes(() => number.inputValue(), '21');
  await becomes(letters, 21);
  await number.fill('12');
  await becomes(() => slider.inputValue(), '12');
  await number.fill('200');
  await becomes(letters, 200);
  assert.equal(await slider.inputValue(), '64');
  await number.fill('3');
  await reaches(page, 'refused');
  await page.goto(`${server.web}/tools/image-converter#to=webp&quality=40`);
  await reaches(page, 'ready', 'done');
  assert.equal(await page.getByRole('slider', { name: 'Quality slider' }).inputValue(), '40');
  await close();
});

describe('theme and options', () => {
  test('the theme is kept, and set before the first paint', async () => {
    const { page, close } = await visit('/');
    await reaches(page, 'ready');
    await page.getByRole('button', { name: 'Theme: system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    await page.reload({ waitUntil: 'commit' });
    await until(
      () => page.evaluate(() => document.documentElement.dataset.theme === 'dark'),
      'dark',
    );
    await close();
  });

  test('options are remembered; texts are not', async () => {
    const { page, close } = await visit('/tools/hex-encoder');
    await reaches(page, 'ready');
    await page.locator('details.more > summary').click();
    await page.locator('[name=upper]').check();
    await page.locator('[name=text]').fill('secret text');
    await reaches(page, 'done');
    await page.reload();
    await reaches(page, 'ready');
    assert.equal(await page.locator('[name=upper]').isChecked(), true);
    assert.equal(await page.locator('[name=text]').inputValue(), '');
    assert.ok(!JSON.stringify(await kept(page)).includes('secret text'));
    await close();
  });

  test('a link with unknown or impossible values opens with a warning', async () => {
    const { page, close } = await visit('/tools/hex-encoder#mode=sideways&text=ab&nothing=1');
    // The status may say first that the tool runs.
    await page
      .locator('.status:visible')
      .filter({ hasText: /mode, nothing/ })
      .waitFor();
    assert.equal(await page.locator('[name=text]').inputValue(), 'ab');
    await close();
  });
});

describe('links', () => {
  test('another link to the same tool is opened too, and a place of the page is none', async () => {
    const { page, close } = await visit('/tools/hex-encoder#text=a');
    await reaches(page, 'done');
    const go = (/** @type {string} */ hash) =>
      page.evaluate((hash) => {
        location.hash = hash;
      }, hash);
    await go('#text=b');
    await until(async () => (await outputs(page)).hex === '62', 'the result of the second link');
    await go('#main');
    assert.equal(await page.locator('[name=text]').inputValue(), 'b');
    await close();
  });

  test('a link does not run what runs on the button only', async () => {
    const { page, close } = await visit('/tools/javascript-formatter');
    await reaches(page, 'ready');
    // Over the size that this tool minifies by itself.
    await page.evaluate((text) => {
      location.hash = `#mode=minify&text=${text}`;
    }, 'a;'.repeat(100_001));
    await page.getByText('Press Minify or Ctrl+Enter.').waitFor();
    assert.deepEqual(await outputs(page), {});
    await close();
  });

  test('an example, a link and Reset can be undone', async () => {
    const { page, close } = await visit('/tools/hex-encoder');
    await reaches(page, 'ready');
    const text = page.locator('[name=text]');
    const undo = page.getByRole('button', { name: 'Undo' });
    await page.locator('[data-example]').first().click();
    await reaches(page, 'done');
    assert.equal(await undo.isVisible(), false, 'nothing was lost');
    for (const lose of [
      () => page.locator('[data-example]').nth(1).click(),
      () => page.getByRole('button', { name: 'Reset' }).click(),
      () =>
        page.evaluate(() => {
          location.hash = '#text=b';
        }),
    ]) {
      await text.fill('mine');
      await until(async () => (await outputs(page)).hex === '6d696e65', 'what was typed');
      await lose();
      await undo.click();
      await becomes(() => text.inputValue(), 'mine');
      await until(async () => (await outputs(page)).hex === '6d696e65', 'the result is back');
    }
    await page.getByRole('button', { name: 'Reset' }).click();
    await undo.waitFor();
    await text.fill('new');
    assert.equal(await undo.isVisible(), false, 'typing goes on');
    await close();
  });
});

describe('runs', () => {
  test('the state is "done" with the result of the last input alone', async () => {
    const { page, close } = await visit('/tools/hex-encoder');
    await reaches(page, 'ready');
    await page.evaluate(() => {
      const area = /** @type {HTMLTextAreaElement} */ (document.querySelector('[name=text]'));
      /** @type {(string | null | undefined)[]} */
      const done = [];
      Object.assign(globalThis, { done });
      const main = /** @type {HTMLElement} */ (document.querySelector('main'));
      const look = () => {
        if (main.dataset.state === 'done')
          done.push(document.querySelector('[data-output=hex] [data-value]')?.textContent);
      };
      new MutationObserver(() => setTimeout(look)).observe(main, { attributes: true });
      const enter = (/** @type {string} */ text) => {
        area.value = text;
        area.dispatchEvent(new Event('input', { bubbles: true }));
      };
      const { postMessage } = Worker.prototype;
      // Another input while the first one runs: its answer comes later, but before the next run.
      Worker.prototype.postMessage = function (/** @type {any} */ message) {
        postMessage.call(this, message);
        if (area.value === 'a') enter('ab');
      };
      enter('a');
    });
    const done = () => page.evaluate(() => /** @type {any} */ (globalThis).done);
    await until(async () => (await done()).includes('6162'), 'the result of the last input');
    assert.ok(!(await done()).includes('61'), 'no result of the first input counts');
    await close();
  });
});

describe('files', () => {
  test('dropped and picked files, and large pasted text, become attachments', async () => {
    const { page, close } = await visit('/tools/hex-encoder');
    await reaches(page, 'ready');
    await page.locator('[data-file=text]').setInputFiles({
      name: 'a.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from([0, 255]),
    });
    await until(async () => (await outputs(page)).hex === '00ff', 'the bytes of the file');
    await page.getByRole('button', { name: 'Remove a.bin' }).click();
    await page.locator('[name=text]').evaluate((node) => {
      const data = new DataTransfer();
      data.setData('text/plain', 'x'.repeat(1_100_000));
      node.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await page.locator('.attachments').waitFor();
    await until(
      async () =>
        (await page.locator('[data-output=hex] [data-value]').getAttribute('data-length')) ===
        '2200000',
      'the result',
    );
    await until(
      async () => (await outputs(page)).hex?.length === 200_000,
      'the part that is shown',
    );
    await close();
  });

  test('the encoding of a file can be chosen where it is not plainly UTF-8', async () => {
    const { page, close } = await visit('/tools/line-sorter');
    await reaches(page, 'ready');
    const lines = async () => (await outputs(page)).lines?.trim();
    const choose = (/** @type {number[]} */ bytes) =>
      page.locator('[data-file=text]').setInputFiles({
        name: 'a.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from(bytes),
      });
    const encoding = page.getByLabel('Encoding');
    await choose([0x61, 0x0a]);
    await until(async () => (await lines()) === 'a', 'a UTF-8 file');
    assert.equal(await encoding.count(), 0);
    await choose([0xff, 0xfe, 0x3d, 0xd8, 0, 0xde]);
    await until(async () => (await lines()) === '😀', 'a UTF-16 file');
    await choose([0x80, 0xcf]);
    await until(async () => (await lines()) === '€Ï', 'a Windows-1252 file');
    await encoding.selectOption('windows-1251');
    await until(async () => (await lines()) === 'ЂП', 'the chosen encoding');
    assert.equal(await page.locator('[data-warnings] li').count(), 0);
    await encoding.selectOption('utf-8');
    await page.locator('[data-refusal][data-field=text]').waitFor();
    await close();
  });

  test('cells of a spreadsheet are pasted as text, a picture as a file', async () => {
    const { page, close } = await visit('/tools/hex-encoder');
    await reaches(page, 'ready');
    /** Whether the page handled the paste. @param {string[]} types */
    const pasted = (types) =>
      page.locator('[name=text]').evaluate((node, types) => {
        const clipboardData = new DataTransfer();
        for (const type of types) clipboardData.setData(type, 'a\tb');
        clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
        const init = { clipboardData, bubbles: true, cancelable: true };
        return !node.dispatchEvent(new ClipboardEvent('paste', init));
      }, types);
    assert.equal(await pasted(['text/html', 'text/plain']), false);
    assert.equal(await page.locator('.attachments').count(), 0);
    assert.equal(await pasted(['text/html']), true);
    await page.getByRole('button', { name: 'Remove image.png' }).waitFor();
    await close();
  });

  test('the last good result stays, marked as old; the refusal is shown over it', async () => {
    const { page, close } = await visitRefused();
    const refusal = page.locator('[data-refusal]');
    assert.equal(await refusal.getAttribute('data-field'), 'text');
    assert.match(await refusal.innerText(), /^Line 1, column 2: "z" is not a hexadecimal digit/);
    assert.equal(await page.locator('[name=text]').getAttribute('aria-invalid'), 'true');
    assert.equal(await page.locator('[name=text]').inputValue(), '4z');
    await page.getByText('This is the result of the previous input.').waitFor();
    assert.equal((await outputs(page)).text, 'A');
    await close();
  });
});

describe('folds', () => {
  test('JSON folds in its place, counts what is inside, and its text and colors stay', async () => {
    const { page, said, close } = await visit('/tools/json-formatter');
    const value = { a: { b: [1, 2, 3] }, list: [{ n: 1 }] };
    await page.locator('[name=text]').fill(JSON.stringify(value));
    await page.locator('.fold').first().waitFor();
    const whole = JSON.stringify(value, null, 2);
    const shown = page.locator('[data-output=result] pre');
    await becomes(() => shown.innerText(), whole);
    const folds = page.locator('.fold');
    assert.equal(await folds.count(), 5);
    await folds.nth(1).click();
    assert.equal(await folds.nth(1).getAttribute('aria-expanded'), 'false');
    assert.equal(await page.locator('.count').getAttribute('data-count'), '… 1 key');
    assert.match(await shown.innerText(), /^\{\n {2}"a": \{\},\n {2}"list"/);
    assert.equal((await outputs(page)).result, whole);
    await page.locator('.count').click();
    await becomes(() => shown.innerText(), whole);
    await page.getByRole('button', { name: 'Fold all', exact: true }).click();
    assert.match(await shown.innerText(), /^\{\n {2}"a": \{\},\n {2}"list": \[\]\n\}$/);
    await page.getByRole('button', { name: 'Unfold all', exact: true }).click();
    await becomes(() => shown.innerText(), whole);
    await folds.first().focus();
    await page.keyboard.press('ArrowDown');
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Fold "a": {',
    );
    const colored = await page.evaluate(() =>
      Array.from(/** @type {any} */ (CSS).highlights.get('code-name') ?? [], (range) =>
        range.startContainer.data.slice(range.startOffset, range.endOffset),
      ),
    );
    assert.deepEqual(colored.sort(), ['"a"', '"b"', '"list"', '"n"']);
    assert.deepEqual(said, []);
    await close();
  });

  test('a long text is colored, and folds, as a whole', async () => {
    const { page, close } = await visit('/tools/json-formatter');
    const value = Array.from({ length: 1000 }, (_, n) => ({ n }));
    await page.locator('[name=text]').fill(JSON.stringify(value));
    await becomes(() => page.locator('.fold').count(), 1001);
    const connected = await page.evaluate(
      () =>
        Array.from(
          /** @type {any} */ (CSS).highlights.get('code-name'),
          (range) => range.startContainer.isConnected,
        ).filter(Boolean).length,
    );
    assert.equal(connected, 1000);
    await close();
  });
});

describe('other pages', () => {
  test('404 has a search', async () => {
    const { page, response, close } = await visit('/nothing-here');
    assert.equal(response?.status(), 404);
    await page.locator('main [data-search]').click();
    await page.getByRole('combobox', { name: 'Search tools' }).waitFor();
    await close();
  });

  test('offline: visited pages work', async () => {
    const { page, context, close } = await visit('/tools/hex-encoder');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.reload();
    await reaches(page, 'ready');
    await page.locator('[data-example]').first().click();
    await reaches(page, 'done');
    for (const slug of ['url-encoder', 'data-converter']) {
      await page.goto(`${server.web}/tools/${slug}`);
      await reaches(page, 'ready');
      await page.locator('[data-example]').first().click();
      await reaches(page, 'done');
    }
    const keepsModules = async () => {
      const kept = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
      return (await Promise.all(kept))
        .flat()
        .some(({ url }) => /data-converter\/detect-/.test(url));
    };
    await until(() => page.evaluate(keepsModules), 'modules that were not needed yet are kept');
    for (const slug of ['svg-optimizer', 'sql-formatter']) {
      await page.goto(`${server.web}/tools/${slug}`);
      await reaches(page, 'ready');
    }
    const keepsLibraries = async () => {
      const kept = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
      const all = (await Promise.all(kept)).flat();
      // Only the worker of all tools reaches the second.
      return ['sql', 'parse-xml'].every((name) =>
        all.some(({ url }) => url.includes(`libraries/${name}`)),
      );
    };
    await until(() => page.evaluate(keepsLibraries), 'libraries of pages without a run');
    await context.setOffline(true);
    await page.goto(`${server.web}/tools/hex-encoder`);
    await reaches(page, 'ready');
    await page.locator('[data-example]').first().click();
    await reaches(page, 'done');
    await page.goto(`${server.web}/tools/url-encoder`);
    await reaches(page, 'ready');
    await page.locator('[name=text]').fill('a b');
    await reaches(page, 'done');
    await page.goto(`${server.web}/tools/sql-formatter`);
    await reaches(page, 'ready');
    await page.locator('[name=text]').fill('select 1');
    await until(async () => /SELECT\s+1/i.test((await outputs(page)).output ?? ''), 'it runs');
    await page.goto(`${server.web}/tools/data-converter`);
    await reaches(page, 'ready');
    await page.locator('[name=text]').fill('a: [1]');
    await select(page, 'to_format', 'json');
    await becomes(async () => (await outputs(page)).result, '{\n  "a": [\n    1\n  ]\n}');
    await close();
  });

  test('offline: the first page that was opened works too', async () => {
    const { page, context, close } = await visit('/tools/hex-encoder');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    const isKept = () => page.evaluate(async () => Boolean(await caches.match(location.pathname)));
    await until(isKept, 'the page is kept');
    await page.locator('[data-example]').first().click();
    await reaches(page, 'done');
    await context.setOffline(true);
    await page.reload();
    await reaches(page, 'ready');
    await page.locator('[data-example]').first().click();
    await reaches(page, 'done');
    await close();
  });

  test('without scripts a page says what the tool needs', async () => {
    const { page, close } = await visit('/tools/hex-encoder', { javaScriptEnabled: false });
    assert.ok((await page.locator('noscript').count()) > 0);
    assert.ok(await page.locator('h1').isVisible());
    await close();
  });
});

describe('how it looks', () => {
  const PAGES = {
    home: '/',
    'not found': '/nothing-here',
    'not found, with similar tools': '/tools/jsn-formatter',
    offline: '/offline',
    'documentation of REST': '/docs',
    'documentation of MCP': '/docs/mcp',
  };
  for (const [name, path] of Object.entries(PAGES))
    test(`${name}: accessible, and fits narrow windows`, async () => {
      const { page, close } = await visit(path);
      if (name === 'home') await reaches(page, 'ready');
      await looksGood(page);
      await close();
    });

  test('home with favourites and recent tools', async () => {
    const { page, close } = await visit('/tools/hex-encoder');
    for (const slug of ['hex-encoder', 'json-formatter']) {
      await page.goto(`${server.web}/tools/${slug}`);
      await page.getByRole('button', { name: 'Favorite' }).click();
    }
    await page.goto(`${server.web}/tools/url-encoder`);
    await reaches(page, 'ready');
    await page.goto(`${server.web}/`);
    await reaches(page, 'ready');
    await looksGood(page);
    await close();
  });

  test('search dialog', async () => {
    const { page, close } = await visit('/tools/hex-encoder');
    await reaches(page, 'ready');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search tools' }).fill('encode');
    await looksGood(page);
    await close();
  });

  test('a refusal, a warning, an attachment', async () => {
    const { page, close } = await visitRefused();
    await looksGood(page);
    await page.goto(`${server.web}/tools/base32-encoder#mode=decode&text=mzxw6ytb`);
    await reaches(page, 'done');
    await page.locator('[data-warnings] li').first().waitFor();
    await looksGood(page);
    await page.locator('[data-file=text]').setInputFiles({
      name: `${'long name '.repeat(12)}.txt`,
      mimeType: 'text/plain',
      buffer: Buffer.from('MZXW6YTB'.repeat(400)),
    });
    await page.locator('.form .attachments').waitFor();
    await reaches(page, 'done');
    await looksGood(page);
    await close();
  });
});
