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
  const opened = await visit('data-converter', prepare);
  let count = 0;
  await opened.page.route('**/toolkit/api/tools/*/run', (route) =>
    ++count === 1 ? answer(route) : route.continue(),
  );
  await opened.text.fill('"a b"');
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
    await text.fill('"a c"');
    await reaches(page, 'done');
    assert.ok(called - answered >= 1000 * seconds, `the page paused: ${called - answered} ms`);
    assert.equal((await outputs(page)).result, '"a c"');
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
      assert.equal(await text.inputValue(), '"a b"');
      await reaches(page, 'done');
      assert.equal((await outputs(page)).result, '"a b"');
      assert.equal(await page.locator('.status').isVisible(), false);
      await close();
    });

  test('a part of the page that cannot be loaded is reported', async () => {
    const { page, close } = await browser.open({ serviceWorkers: 'block' });
    await page.goto(`${server.web}/tools/cidr-calculator`);
    await reaches(page, 'ready', 'done');
    await page.route('**/assets/**', (route) => route.abort());
    await page.locator('[name=cidr]').fill('192.0.2.10/24');
    await page.getByText('The tool could not be loaded. Reload the page.').waitFor();
    await reaches(page, 'refused');
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
      assert.equal(await text.inputValue(), '"a b"');
      assert.equal(calls(), 1);
      await page.getByRole('button', { name: 'Run' }).click();
      await reaches(page, 'done');
      assert.equal((await outputs(page)).result, '"a b"');
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
    assert.equal(await text.inputValue(), '"a b"');
    await page.unroute('**/toolkit/api/tools/*/run');
    await page.route('**/toolkit/api/tools/*/run', () => {}, { times: 1 });
    await waits(page, 500);
    await page.getByRole('button', { name: 'Run' }).click();
    await says(page, 'The server did not answer in 30 seconds. Press Run to try again.');
    await reaches(page, 'refused');
    assert.equal(await text.inputValue(), '"a b"');
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
    await text.fill('"c d"');
    await reaches(page, 'done');
    assert.equal((await outputs(page)).result, '"c d"');
    await close();
  });

  test('an answer that comes after a change of the input is not the result', async () => {
    /** @type {Route | undefined} */
    let late;
    const { page, text, close } = await withServer((route) => {
      late = route;
    });
    await until(() => late, 'the first call');
    await text.fill('"c d"');
    await late?.continue().catch(() => {});
    await reaches(page, 'done');
    assert.equal((await outputs(page)).result, '"c d"');
    await close();
  });
});

/** What a screen reader is told last. @param {Page} page */
const announced = (page) => page.locator('[role=status].unseen');

describe('code in sentences', () => {
  test('a warning shows it as code, and a screen reader is told no backticks', async () => {
    const { page, close } = await visit('cron-explainer');
    await page.locator('[name=expression]').fill('0 9 ? * 1');
    const warning = page.locator('[data-warnings] li');
    await warning.filter({ hasText: '? ' }).waitFor();
    assert.ok((await warning.locator('code').count()) > 0);
    await announced(page).filter({ hasText: 'with a warning: ' }).waitFor();
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

describe('layouts', () => {
  /** The text that a highlight marks. @param {Page} page @param {number} turn */
  const marked = (page, turn) =>
    page.evaluate(
      (turn) =>
        [.../** @type {any} */ (CSS).highlights.get(`match-${turn}`)].map(
          ({ startContainer, startOffset, endOffset }) =>
            startContainer.data.slice(startOffset, endOffset),
        ),
      turn,
    );

  test('regex-tester marks the matches in the text, and has flags as buttons', async () => {
    const { page, text, calls, close } = await visit('regex-tester');
    await page.locator('[name=pattern]').fill('(?<a>[a-z])1');
    await text.fill('x1 A1\ny1');
    await reaches(page, 'done');
    assert.deepEqual([await marked(page, 0), await marked(page, 1)], [['x1'], ['y1']]);
    assert.match((await outputs(page)).explained ?? '', /Group 1, a/);
    const ignore = page.getByRole('button', { name: 'i: Ignore case' });
    await ignore.focus();
    await page.keyboard.press('Enter');
    await until(async () => (await outputs(page)).headline === '3 matches', 'three matches');
    assert.equal(await ignore.getAttribute('aria-pressed'), 'true');
    assert.equal(await page.locator('[name=flags]').inputValue(), 'gi');
    await page.locator('summary', { hasText: 'Cheat sheet' }).click();
    await page.locator('.cheats dd').first().waitFor();
    await looksGood(page);
    const before = calls();
    await text.evaluate((node) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['z1 z1'], 'x.log', { type: 'text/plain' }));
      const init = { dataTransfer, bubbles: true, cancelable: true };
      node.dispatchEvent(new DragEvent('drop', init));
    });
    await until(async () => (await text.inputValue()) === 'z1 z1', 'the text of the file');
    await until(async () => (await outputs(page)).headline === '2 matches', 'two matches');
    assert.equal(calls(), before + 1);
    await page.setInputFiles('[data-file=text]', {
      ...{ name: 'large.log', mimeType: 'text/plain', buffer: Buffer.alloc(300_000, 'a') },
    });
    await page
      .locator('[data-refusal][data-field=text]')
      .filter({ hasText: 'the server takes at most 256 KiB.' })
      .waitFor();
    assert.equal(calls(), before + 1);
    await close();
  });

  test('cron-explainer names the field at the cursor, and offers five fields for six', async () => {
    const { page, calls, close } = await visit('cron-explainer');
    const expression = page.locator('[name=expression]');
    const help = page.locator('#field-expression-help');
    await expression.fill('0 30 9 ? * MON-FRI');
    await page.getByRole('button', { name: 'Use 30 9 * * MON-FRI' }).click();
    await reaches(page, 'done');
    assert.equal(calls(), 1);
    assert.equal((await outputs(page)).headline, 'At 09:30, Monday through Friday');
    await expression.press('Home');
    assert.match((await help.textContent()) ?? '', /^Minute: 0-59; /);
    await expression.press('End');
    assert.match((await help.textContent()) ?? '', /^Day of week: 0-7 or SUN-SAT/);
    await page.locator('[name=zone]').fill('Asia/Tokyo');
    await until(async () => /09:30.*00:30/.test((await outputs(page)).runs ?? ''), 'both zones');
    await page.getByRole('button', { name: 'Every quarter' }).click();
    await until(
      async () => /^At 00:00, on day 1/.test((await outputs(page)).headline ?? ''),
      'runs',
    );
    await looksGood(page);
    await close();
  });

  test('cidr-calculator splits, moves to the next block, and turns ranges into blocks', async () => {
    const { page, calls, close } = await visit('cidr-calculator');
    const cidr = page.locator('[name=cidr]');
    await cidr.fill('10.0.0.77/255.255.255.192');
    await page.locator('[name=split]').fill('27');
    await page.locator('[name=inside]').fill('10.0.0.100');
    await until(async () => /10.0.0.96\/27/.test((await outputs(page)).parts ?? ''), 'parts');
    assert.match((await outputs(page)).result ?? '', /Contains 10.0.0.100Yes: at 36/);
    await page.getByRole('button', { name: 'Next ›' }).click();
    await until(
      async () => (await outputs(page)).headline === '10.0.0.128/26: 64 addresses',
      'next',
    );
    await looksGood(page);
    const before = calls();
    await cidr.fill('10.0.0.1 - 10.0.0.4');
    await until(async () => (await outputs(page)).headline === '3 blocks: 4 addresses', 'blocks');
    assert.equal(calls(), before);
    assert.equal(await page.locator('.calls').isVisible(), false);
    await page.locator('[name=split]').fill('8');
    await cidr.fill('10.0.0.0/24');
    await reaches(page, 'refused');
    const refusal = page.locator('[data-refusal][data-field=split]');
    assert.match(await refusal.innerText(), /^Split into must be from 24 to 32 for this block\.$/);
    await close();
  });

  test('data-converter finds the format, swaps, and has TOML and .env on the page', async () => {
    const { page, text, calls, close } = await visit('data-converter');
    const to = page.locator('[name=to_format]');
    await text.fill('a: 1\nb: x\n');
    await to.selectOption({ label: 'JSON' });
    await until(async () => (await outputs(page)).headline === 'YAML to JSON', 'JSON');
    assert.match(await page.locator('.calls code').first().innerText(), /"from_format":"yaml"/);
    await page.getByRole('button', { name: 'Swap' }).click();
    await until(async () => (await outputs(page)).result === 'a: 1\nb: x\n', 'YAML again');
    const before = calls();
    await to.selectOption({ label: 'TOML' });
    await until(async () => (await outputs(page)).result === 'a = 1\nb = "x"\n', 'TOML');
    await to.selectOption({ label: '.env' });
    await until(async () => (await outputs(page)).result === 'a=1\nb=x\n', '.env');
    assert.equal(calls(), before);
    assert.equal(await page.locator('.calls').isVisible(), false);
    await looksGood(page);
    await close();
  });
});

describe('calls', () => {
  test('choices are shown in words and sent as the interface writes them', async () => {
    const { page, text, close } = await visit('data-converter');
    const target = page.locator('[name=to_format]');
    assert.deepEqual(await target.locator('option').allTextContents(), [
      'Automatic',
      'JSON',
      'YAML',
      'XML',
      'TOML',
      'CSV',
      '.env',
    ]);
    await target.selectOption({ label: 'YAML' });
    await text.fill('{"a": 1}');
    await reaches(page, 'done');
    assert.equal((await outputs(page)).result, 'a: 1\n');
    assert.match(await page.locator('.calls code').first().innerText(), /"to_format":"yaml"/);
    await close();
  });

  test('a refusal is shown at its field; the same input is sent once', async () => {
    const { page, text, calls, close } = await visit('data-converter');
    await text.fill('[1,');
    await reaches(page, 'refused');
    assert.equal(await page.locator('[data-refusal]').getAttribute('data-field'), 'text');
    assert.equal(calls(), 1);
    await text.dispatchEvent('input');
    await reaches(page, 'refused');
    assert.equal(calls(), 1);
    await text.fill('[1]');
    await reaches(page, 'done');
    assert.equal(calls(), 2);
    assert.match(
      await page.locator('.calls code').first().innerText(),
      /curl -s .*data-converter\/run/,
    );
    await close();
  });

  test('an emptied field leaves neither result nor refusal, and the same input works again', async () => {
    const { page, text, close } = await visit('data-converter');
    // The page runs from the moment of the change, so the state is not that of the last input.
    const entered = async (/** @type {string} */ value, /** @type {string} */ state) => {
      await text.fill(value);
      await reaches(page, state);
    };
    await entered('"ab"', 'done');
    await entered('', 'ready');
    assert.deepEqual(await outputs(page), {});
    await entered('"ab"', 'done');
    assert.equal((await outputs(page)).result, '"ab"');
    await entered('"a', 'refused');
    await entered('', 'ready');
    assert.equal(await page.locator('[data-refusal]').count(), 0);
    assert.equal(await text.getAttribute('aria-invalid'), null);
    await entered('[]', 'done');
    await page.getByRole('button', { name: 'Reset' }).click();
    await reaches(page, 'ready');
    await entered('[]', 'done');
    assert.equal((await outputs(page)).result, '[]');
    await close();
  });

  /** The page of a tool whose field is a secret, as builds without libraries have them. @param {string} slug @param {string} field */
  const withSecret = (slug, field) =>
    visit(slug, (page) =>
      page.route(`**/tools/${slug}`, async (route) => {
        const response = await route.fetch();
        const name = `"name":"${field}"`;
        const body = (await response.text()).replace(name, `${name},"look":"secret"`);
        await route.fulfill({ response, body });
      }),
    );

  test('a filled secret field waits for the button, and is neither in links nor in the call to copy', async () => {
    const { page, calls, close } = await withSecret('cidr-calculator', 'cidr');
    const secret = page.locator('[name=cidr]');
    await secret.fill('192.0.2.0/24');
    await says(page, 'Press Run or Ctrl+Enter.');
    assert.equal(calls(), 0);
    assert.ok(!(await page.locator('.calls').innerText()).includes('192.0.2'));
    await page.getByRole('button', { name: 'Copy link' }).click();
    assert.equal(await copied(page), page.url());
    await secret.press('Control+Enter');
    await reaches(page, 'done');
    assert.equal(calls(), 1);
    assert.equal(await page.getByText('Press Run or Ctrl+Enter.').isVisible(), false);
    const { headline } = await outputs(page);
    await secret.fill('192.0.2.0/25');
    await says(page, 'Press Run or Ctrl+Enter.');
    await says(page, 'This is the result of the previous input.');
    assert.equal((await outputs(page)).headline, headline);
    await close();
  });

  test('the call to copy matches the form, also of a tool that answers on its page', async () => {
    for (const slug of ['url-encoder', 'data-converter']) {
      const { page, text, calls, close } = await visit(slug);
      await text.fill('"a b"');
      await reaches(page, 'done');
      const call = page.locator('.calls code').first();
      assert.match(await call.innerText(), /"text":"\\"a b\\""/);
      assert.equal(calls(), slug === 'url-encoder' ? 0 : 1);
      await page.locator('[data-example]').last().click();
      await reaches(page, 'done');
      assert.match(await call.innerText(), /"(?:scope":"form|from_format":")/);
      await close();
    }
  });

  test('a long input waits for the button, a file too, and a larger one is not sent', async () => {
    const { page, text, calls, close } = await visit('data-converter');
    await text.fill(JSON.stringify('x'.repeat(20_000)));
    await says(page, 'Press Run or Ctrl+Enter.');
    assert.equal(calls(), 0);
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await run.click();
    await reaches(page, 'done');
    assert.match((await outputs(page)).result ?? '', /^"x+"$/);
    const choose = (/** @type {Buffer} */ buffer) =>
      page.setInputFiles('[data-file=text]', {
        name: 'a.json',
        mimeType: 'application/json',
        buffer,
      });
    await choose(Buffer.from('[1]'));
    await says(page, 'Press Run or Ctrl+Enter.');
    await run.click();
    await reaches(page, 'done');
    assert.equal((await outputs(page)).result, '[\n  1\n]');
    assert.equal(calls(), 2);
    await choose(Buffer.alloc((1 << 20) + 1, ' '));
    await run.click();
    await reaches(page, 'refused');
    const refusal = page.locator('[data-refusal][data-field=text]');
    assert.match(await refusal.innerText(), /is too large: the server takes at most 1 MiB\.$/);
    await choose(Buffer.from([0xff, 1]));
    await run.click();
    await refusal.filter({ hasText: 'Text must be text.' }).waitFor();
    assert.equal(calls(), 2);
    await close();
  });

  test('a file dropped on a page without file fields does not replace it', async () => {
    const { page, close } = await visit('cidr-calculator');
    const field = page.locator('[name=cidr]');
    await field.fill('192.0.2.0/24');
    const refused = await field.evaluate((node) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.txt', { type: 'text/plain' }));
      return ['dragover', 'drop'].map((type) => {
        const init = { dataTransfer, bubbles: true, cancelable: true };
        return !node.dispatchEvent(new DragEvent(type, init));
      });
    });
    assert.deepEqual(refused, [true, true]);
    assert.equal(await field.inputValue(), '192.0.2.0/24');
    await close();
  });
});
