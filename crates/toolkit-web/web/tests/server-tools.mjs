//! Pages of server tools in Chromium: calls, and a server that refuses, is busy, slow or down.
//! `node tests/server-tools.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { copied, outputs, reaches, until } from './chromium.mjs';
import { useBrowser, useServer } from './fixtures.mjs';
import { looksGood } from './looks.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Route} Route */

const server = useServer();
const browser = useBrowser();

/** @param {string} slug @param {(page: Page) => unknown} [prepare] */
async function visit(slug, prepare) {
  const opened = await browser.open();
  const { page, asked } = opened;
  await prepare?.(page);
  await page.goto(`${server.web}/tools/${slug}`);
  await reaches(page, 'ready');
  const calls = () => asked.filter((url) => url.endsWith('/run')).length;
  return { ...opened, calls, text: page.locator('[name=text]') };
}

/** A page whose first call gets this answer, and later ones the server's. @param {(route: Route) => unknown} answer @param {(page: Page) => unknown} [prepare] */
async function withServer(answer, prepare) {
  const opened = await visit('url-encoder', prepare);
  let count = 0;
  await opened.page.route('**/toolkit/api/tools/*/run', (route) =>
    ++count === 1 ? answer(route) : route.continue(),
  );
  await opened.text.fill('a b');
  return opened;
}

/** Waits until the page shows a sentence; the region for screen readers repeats some of them. @param {Page} page @param {string | RegExp} sentence */
const says = (page, sentence) =>
  page.locator(':is(.status, .hint, .old):visible').filter({ hasText: sentence }).first().waitFor();

/** Records every sentence of the status, since the page replaces some by itself. @param {Page} page */
const recordStatus = (page) =>
  page.addInitScript(() => {
    /** @type {string[]} */
    const told = [];
    Object.assign(globalThis, { told });
    new MutationObserver(() => {
      const status = /** @type {HTMLElement | null} */ (document.querySelector('.status'));
      if (status?.checkVisibility()) told.push(status.textContent ?? '');
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });

/** Waits until the page has shown a sentence, even if it is gone by now. @param {Page} page @param {RegExp} sentence */
const hasSaid = (page, sentence) =>
  until(async () => {
    const told = await page.evaluate(() => /** @type {any} */ (globalThis).told);
    return told.some((/** @type {string} */ one) => sentence.test(one));
  }, String(sentence));

describe('a server in trouble', () => {
  test('429 waits for Retry-After, even when the input changes', async () => {
    // Long enough that the input changes in time on a busy machine.
    const seconds = 8;
    let answered = Number.NaN;
    let called = Number.NaN;
    const { page, text, calls, close } = await withServer((route) => {
      answered = Date.now();
      return route.fulfill({
        status: 429,
        headers: { 'Retry-After': String(seconds) },
        json: { detail: 'Too many.' },
      });
    });
    page.on('request', (request) => {
      if (request.url().endsWith('/run')) called = Date.now();
    });
    await says(page, `Too many calls: the next one is made in ${seconds} seconds.`);
    await text.fill('a c');
    await reaches(page, 'done');
    assert.ok(called - answered >= 1000 * seconds, `the page paused: ${called - answered} ms`);
    assert.equal((await outputs(page)).result, 'a%20c');
    assert.equal(calls(), 2);
    assert.equal(await page.locator('.status').isVisible(), false);
    await close();
  });

  for (const [
    name,
    answer,
    sentence,
  ] of /** @type {[string, (route: Route) => unknown, RegExp][]} */ ([
    [
      '503',
      (route) =>
        route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { detail: 'x' } }),
      /^The server is not available at the moment\. .* tried again in 1 second\.$/,
    ],
    [
      'a dead server',
      (route) => route.abort(),
      /^The server cannot be reached\. .* tried again in 3 seconds\.$/,
    ],
  ]))
    test(`${name} is reported, loses nothing, and the page retries by itself`, async () => {
      const { page, text, close } = await withServer(answer, recordStatus);
      await hasSaid(page, sentence);
      assert.equal(await text.inputValue(), 'a b');
      await reaches(page, 'done');
      assert.equal((await outputs(page)).result, 'a%20b');
      assert.equal(await page.locator('.status').isVisible(), false);
      await close();
    });

  for (const [name, body] of [
    ['a page of a proxy', '<h1>Bad gateway</h1>'],
    ['JSON of another service', '{"error":1}'],
  ])
    test(`${name} instead of an answer is reported, and the page does not retry`, async () => {
      const { page, text, calls, close } = await withServer((route) =>
        route.fulfill({ status: 200, contentType: 'text/html', body }),
      );
      await says(page, /^The answer \(status 200\) is not one of this service/);
      assert.equal(await text.inputValue(), 'a b');
      assert.equal(calls(), 1);
      await page.getByRole('button', { name: 'Run' }).click();
      await reaches(page, 'done');
      assert.equal((await outputs(page)).result, 'a%20b');
      await close();
    });

  test('a slow call is reported, can be cancelled, and times out', async () => {
    // The page waits 30 seconds; here it waits for the button, and then for half a second.
    const hurry = (/** @type {Page} */ page) =>
      page.addInitScript(() => {
        const { timeout } = AbortSignal;
        AbortSignal.timeout = () =>
          timeout.call(AbortSignal, /** @type {any} */ (globalThis).patience ?? 600_000);
      });
    const waits = (/** @type {Page} */ page, /** @type {number | undefined} */ patience) =>
      page.evaluate((patience) => Object.assign(globalThis, { patience }), patience);
    const { page, text, close } = await withServer(() => {}, hurry);
    await says(page, 'Running…');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await says(page, 'The run was cancelled.');
    await reaches(page, 'ready');
    assert.equal(await text.inputValue(), 'a b');
    await page.unroute('**/toolkit/api/tools/*/run');
    await page.route('**/toolkit/api/tools/*/run', () => {}, { times: 1 });
    await waits(page, 500);
    await page.getByRole('button', { name: 'Run' }).click();
    await says(page, 'The server did not answer in 30 seconds. Press Run to try again.');
    await reaches(page, 'refused');
    assert.equal(await text.inputValue(), 'a b');
    await waits(page, undefined);
    await page.getByRole('button', { name: 'Run' }).click();
    await reaches(page, 'done');
    await close();
  });

  test('an answer to an earlier input is not shown', async () => {
    /** @type {Route | undefined} */
    let late;
    const { page, text, close } = await withServer((route) => {
      late = route;
    });
    await until(() => late, 'the first call');
    await text.fill('');
    await reaches(page, 'ready');
    await late?.continue().catch(() => {});
    await text.fill('c d');
    await reaches(page, 'done');
    assert.equal((await outputs(page)).result, 'c%20d');
    await close();
  });

  test('an answer that comes after a change of the input is not the result', async () => {
    /** @type {Route | undefined} */
    let late;
    const { page, text, close } = await withServer((route) => {
      late = route;
    });
    await until(() => late, 'the first call');
    await text.fill('c d');
    await late?.continue().catch(() => {});
    await reaches(page, 'done');
    assert.equal((await outputs(page)).result, 'c%20d');
    await close();
  });
});

/** What a screen reader is told last. @param {Page} page */
const announced = (page) => page.locator('[role=status].unseen');

describe('code in sentences', () => {
  test('a warning shows it as code, and a screen reader is told no backticks', async () => {
    const { page, text, close } = await visit('base64-encoder');
    await page.locator('[name=mode]').selectOption({ label: 'Decode' });
    await text.fill('YWI');
    const warning = page.locator('[data-warnings] li');
    await warning.filter({ hasText: 'Missing padding (=) was added' }).waitFor();
    assert.deepEqual(await warning.locator('code').allTextContents(), ['=']);
    await announced(page).filter({ hasText: 'with a warning: Missing padding (=) was' }).waitFor();
    await looksGood(page);
    await close();
  });

  test('a refusal does too, also one that names no field', async () => {
    for (const detail of ['`text` has `%zz` in it.', '`body` is not `JSON`.']) {
      const { page, close } = await withServer((route) =>
        route.fulfill({ status: 422, json: { detail } }),
      );
      const place = page.locator(':is(.status, [data-refusal]):visible');
      await place.filter({ hasText: /^(Text has %zz in it|\s?body is not JSON)\.$/ }).waitFor();
      assert.ok((await place.locator('code').count()) > 0);
      await announced(page)
        .filter({ hasText: / (%zz in|not JSON)/ })
        .waitFor();
      assert.doesNotMatch((await announced(page).textContent()) ?? '', /`/);
      await close();
    }
  });
});

describe('calls', () => {
  test('choices are shown in words and sent as the interface writes them', async () => {
    const { page, close } = await visit('uuid-generator');
    const version = page.locator('[name=version]');
    assert.deepEqual(await version.locator('option').allTextContents(), [
      'UUID version 4 (random)',
      'UUID version 7 (sorts by time)',
    ]);
    await version.selectOption({ label: 'UUID version 7 (sorts by time)' });
    await reaches(page, 'done');
    assert.match((await outputs(page)).result ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.match(await page.locator('.calls code').first().innerText(), /"version":"v7"/);
    await close();
  });

  test('a refusal is shown at its field; the same input is sent once', async () => {
    const { page, text, calls, close } = await visit('base64-encoder');
    await page.locator('[name=mode]').selectOption('decode');
    await text.fill('a*');
    await reaches(page, 'refused');
    assert.equal(await page.locator('[data-refusal]').getAttribute('data-field'), 'text');
    assert.equal(calls(), 1);
    await text.dispatchEvent('input');
    await reaches(page, 'refused');
    assert.equal(calls(), 1);
    await text.fill('YWI=');
    await reaches(page, 'done');
    assert.equal(calls(), 2);
    assert.match(
      await page.locator('.calls code').first().innerText(),
      /curl -s .*base64-encoder\/run/,
    );
    await close();
  });

  test('an emptied field leaves neither result nor refusal, and the same input works again', async () => {
    const { page, text, close } = await visit('base64-encoder');
    // The page runs from the moment of the change, so the state is not that of the last input.
    const entered = async (/** @type {string} */ value, /** @type {string} */ state) => {
      await text.fill(value);
      await reaches(page, state);
    };
    await entered('ab', 'done');
    await entered('', 'ready');
    assert.deepEqual(await outputs(page), {});
    await entered('ab', 'done');
    assert.equal((await outputs(page)).result, 'YWI=');
    await page.locator('[name=mode]').selectOption('decode');
    await entered('a*', 'refused');
    await entered('', 'ready');
    assert.equal(await page.locator('[data-refusal]').count(), 0);
    assert.equal(await text.getAttribute('aria-invalid'), null);
    await entered('YWI=', 'done');
    await page.getByRole('button', { name: 'Reset' }).click();
    await reaches(page, 'ready');
    await page.locator('[name=mode]').selectOption('decode');
    await entered('YWI=', 'done');
    assert.equal((await outputs(page)).result, 'ab');
    await close();
  });

  test('a filled secret field waits for the button, and is not in the calls to copy', async () => {
    const { page, text, calls, close } = await visit('hash-generator');
    await page.locator('[name=key]').fill('key');
    await text.fill('abc');
    await says(page, 'Press Run or Ctrl+Enter.');
    assert.equal(calls(), 0);
    assert.ok(!(await page.locator('.calls').innerText()).includes('"key":"key"'));
    await text.press('Control+Enter');
    await reaches(page, 'done');
    assert.equal(calls(), 1);
    assert.equal(await page.getByText('Press Run or Ctrl+Enter.').isVisible(), false);
    const { result } = await outputs(page);
    await text.fill('abd');
    await says(page, 'Press Run or Ctrl+Enter.');
    await says(page, 'This is the result of the previous input.');
    assert.equal((await outputs(page)).result, result);
    await close();
  });

  test('a token is sent on the button only, and is neither in links nor in the call to copy', async () => {
    const { page, calls, close } = await visit('jwt-decoder');
    const token = 'eyJhbGciOiJub25lIn0.eyJhIjoxfQ.';
    await page.locator('[name=token]').fill(token);
    await says(page, 'Press Run or Ctrl+Enter.');
    assert.equal(calls(), 0);
    assert.ok(!(await page.locator('.calls').innerText()).includes(token));
    await page.getByRole('button', { name: 'Copy link' }).click();
    assert.equal(await copied(page), page.url());
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await reaches(page, 'done');
    assert.equal(calls(), 1);
    await close();
  });

  test('the call to copy matches the form, also after an example', async () => {
    const { page, close } = await visit('url-encoder');
    const call = page.locator('.calls code').first();
    await page.getByRole('button', { name: 'decode a form value' }).click();
    await reaches(page, 'done');
    assert.match(await call.innerText(), /"scope":"form"/);
    assert.match(await call.innerText(), /"text":"1\+%2B\+1"/);
    await close();
  });

  test('a long input waits for the button', async () => {
    const { page, text, calls, close } = await visit('hash-generator');
    await text.fill('x'.repeat(20_000));
    await says(page, 'Press Run or Ctrl+Enter.');
    assert.equal(calls(), 0);
    await page.getByRole('button', { name: 'Run' }).click();
    await reaches(page, 'done');
    assert.match((await outputs(page)).result ?? '', /^[0-9a-f]{64}$/);
    await close();
  });

  test('a file dropped on a page without file fields does not replace it', async () => {
    const { text, close } = await visit('url-encoder');
    await text.fill('a b');
    const refused = await text.evaluate((node) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.txt', { type: 'text/plain' }));
      return ['dragover', 'drop'].map((type) => {
        const init = { dataTransfer, bubbles: true, cancelable: true };
        return !node.dispatchEvent(new DragEvent(type, init));
      });
    });
    assert.deepEqual(refused, [true, true]);
    assert.equal(await text.inputValue(), 'a b');
    await close();
  });
});
