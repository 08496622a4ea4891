//! 10 MB of hostile input into each kind of field: the page keeps answering. `node tests/hostile.mjs`.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open, reaches, serve } from './chromium.mjs';

const CHARACTERS = 10_000_000;
/**
 * How long the thread of the page may be held, by its own clock: what other programs use of the machine
 * does not count.
 */
const FREEZE_MS = 1000;

/** What is repeated until the text has its length. */
const TEXTS = {
  'one line': 'a',
  'a million lines': 'nine char\n',
  'deep nesting': '[{"a":',
  'lone surrogates': '\ud800',
};

/** @type {(keyof typeof TEXTS)[]} */
const ALL = ['one line', 'a million lines', 'deep nesting', 'lone surrogates'];

/** What is entered into all text fields of each tool. @type {Record<string, (keyof typeof TEXTS)[]>} */
const CASES = {
  'hex-encoder': ALL,
  'text-diff-checker': ['a million lines'],
  'json-typescript-converter': ['deep nesting'],
  'json-formatter': ALL,
  'http-status-finder': ['lone surrogates'],
  'bcrypt-generator': ['one line'],
  'slug-generator': ['deep nesting'],
};

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

/** Enters a text as pasting does into every text field that is shown. @param {import('playwright-core').Page} page @param {keyof typeof TEXTS} text */
async function enter(page, text) {
  // As JSON, since half of a surrogate pair gets lost on the way otherwise.
  const part = JSON.stringify(TEXTS[text]);
  await page.evaluate(
    ({ part, length }) => {
      const unit = JSON.parse(part);
      const text = unit.repeat(length / unit.length);
      const fields = /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */ (
        document.querySelectorAll(
          '#tool-place form :is(textarea, input[type=text], input[type=password])',
        )
      );
      for (const field of [...fields].filter((one) => one.checkVisibility())) {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        const init = { clipboardData, bubbles: true, cancelable: true };
        if (!field.dispatchEvent(new ClipboardEvent('paste', init))) continue;
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    },
    { part, length: CHARACTERS },
  );
}

/** Milliseconds for which the thread of the page works until it is at rest. @param {import('playwright-core').Page} page @param {() => Promise<unknown>} act */
async function held(page, act) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const before = await spent();
  await act();
  await page.keyboard.press('Control+Enter');
  // In the page: each question from here would hold its thread.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const main = /** @type {HTMLElement} */ (document.querySelector('main'));
        const look = () => main.dataset.state !== 'running' && resolve(undefined);
        new MutationObserver(look).observe(main, { attributes: true });
        look();
      }),
  );
  return (await spent()) - before;
}

/** @param {string} slug @param {(page: import('playwright-core').Page) => Promise<unknown>} act */
async function staysAwake(slug, act) {
  const { page, said, close } = await open(browser);
  await page.goto(`${server.web}/tools/${slug}`);
  await reaches(page, 'ready', 'done');
  const spent = await held(page, () => act(page));
  assert.ok(spent <= FREEZE_MS, `the page was held for ${spent.toFixed()} ms`);
  assert.deepEqual(
    said.filter((one) => one.startsWith('error')),
    [],
  );
  await page.getByRole('button', { name: 'Reset' }).click();
  await reaches(page, 'ready', 'done', 'refused');
  await close();
}

for (const [slug, texts] of Object.entries(CASES))
  for (const text of texts)
    test(`${slug}: ${text}`, () => staysAwake(slug, (page) => enter(page, text)));

test('too long a line is told beside its field, and nothing is lost', async () => {
  const { page, close } = await open(browser);
  await page.goto(`${server.web}/tools/http-status-finder`);
  await reaches(page, 'ready', 'done');
  await page.locator('[name=query]').fill('404');
  await reaches(page, 'done');
  await enter(page, 'one line');
  const refusal = page.locator('[data-refusal][data-field=query]');
  assert.match(await refusal.innerText(), /would have 10,000,000 characters; nothing was pasted/);
  assert.equal(await page.locator('[name=query]').inputValue(), '404');
  assert.equal(await page.locator('[name=query]').getAttribute('aria-invalid'), 'true');
  await close();
});
