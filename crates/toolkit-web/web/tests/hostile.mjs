//! 10 MB of hostile input in each kind of field, and as a file in each page that accepts files: the
//! page keeps responding. `node tests/hostile.mjs [URL [LOG]]`; TOOLKIT_PAGES lists the slugs to
//! test.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { catalog, reaches, select, state, until } from './chromium.mjs';
import { isWanted, useBrowser, useServer } from './fixtures.mjs';
import { seeded } from './run.mjs';
import { loadFile } from './tools.mjs';

/** @typedef {import('playwright-core').Page} Page */

const CHARACTERS = 10_000_000;
/**
 * How long the main thread may be blocked, in CPU time: the load of other programs does not count.
 */
const FREEZE_MS = 1000;

/** After this Cancel ends the work. */
const WORK_MS = 10_000;

/** Texts to repeat up to the wanted length. */
const TEXTS = {
  'one line': 'a',
  'a million lines': 'nine char\n',
  'deep nesting': '[{"a":',
  'lone surrogates': '\ud800',
};

/** @type {(keyof typeof TEXTS)[]} */
const ALL = ['one line', 'a million lines', 'deep nesting', 'lone surrogates'];

/** Texts for all text fields of each tool. @type {Record<string, (keyof typeof TEXTS)[]>} */
const CASES = {
  'hex-encoder': ALL,
  'text-diff-checker': ['a million lines'],
  'json-typescript-converter': ['deep nesting'],
  'json-formatter': ALL,
  'http-status-finder': ['lone surrogates'],
  'bcrypt-generator': ['one line'],
  'slug-generator': ['deep nesting'],
};

const server = useServer();
const browser = useBrowser();

/** Enters a text into every visible text field, as pasting does. @param {Page} page @param {keyof typeof TEXTS} text */
async function enter(page, text) {
  // As JSON, since a lone surrogate would be lost in transit.
  const part = JSON.stringify(TEXTS[text]);
  await page.evaluate(
    ({ part, length }) => {
      const unit = JSON.parse(part);
      const text = unit.repeat(length / unit.length);
      const fields = /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */ (
        document.querySelectorAll('#tool-place form :is(textarea, input[type=text])')
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

/** Milliseconds that the main thread works until it is idle, or work is cancelled. @param {Page} page @param {() => Promise<unknown>} act */
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
  // In the page: each query from here would block its thread.
  const isEndless = await page.evaluate(
    (patience) =>
      new Promise((resolve) => {
        const main = /** @type {HTMLElement} */ (document.querySelector('main'));
        const look = () => main.dataset.state !== 'running' && resolve(false);
        new MutationObserver(look).observe(main, { attributes: true });
        look();
        setTimeout(resolve, patience, true);
      }),
    WORK_MS,
  );
  if (isEndless) {
    // It may just have ended by itself.
    const cancel = page.getByRole('button', { name: 'Cancel' });
    await cancel.evaluateAll((all) => all.map((one) => one.dispatchEvent(new Event('click'))));
    await until(async () => (await state(page)) !== 'running', 'an end after Cancel');
  }
  return (await spent()) - before;
}

/** @param {string} slug @param {(page: Page) => Promise<unknown>} act */
async function staysAwake(slug, act) {
  const { page, said, close } = await browser.open();
  await page.goto(`${server.web}/tools/${slug}`);
  await reaches(page, 'ready', 'done');
  const spent = await held(page, () => act(page));
  assert.ok(spent <= FREEZE_MS, `the page was held for ${spent.toFixed()} ms`);
  assert.deepEqual(
    said.filter((one) => one.startsWith('error')),
    [],
  );
  // It may be below the open options.
  await page.locator('h1').click();
  await page.getByRole('button', { name: 'Reset' }).click();
  await reaches(page, 'ready', 'done', 'refused');
  await close();
}

for (const [slug, texts] of Object.entries(CASES))
  for (const text of texts)
    test(`${slug}: ${text}`, { skip: !isWanted(slug) }, () =>
      staysAwake(slug, (page) => enter(page, text)),
    );

// Files

/** Ten million bytes of no known format. */
function noise() {
  const next = seeded();
  return Uint8Array.from({ length: CHARACTERS }, () => next(256));
}

const FILES = {
  'a million lines': () => TEXTS['a million lines'].repeat(CHARACTERS / 10),
  noise,
};
const folder = mkdtempSync(join(tmpdir(), 'toolkit-hostile-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The path of a file: bytes passed directly would be decoded by the page. @param {keyof typeof FILES} name */
function pathOf(name) {
  const path = join(folder, name);
  if (!existsSync(path)) writeFileSync(path, FILES[name]());
  return path;
}

/** The first file field of a tool, if it has one. @param {{ slug: string }} entry @returns {Promise<{ when?: Record<string, any> } | undefined>} */
async function fileField({ slug }) {
  const tool = await loadFile(slug);
  return Object.values(tool.fields).find(
    ({ kind, accepts }) => accepts === 'file' || kind === 'file' || kind === 'files',
  );
}

/** Sets the choices that show a field. @param {Page} page @param {Record<string, any>} when */
async function choose(page, when) {
  for (const [name, wanted] of Object.entries(when)) {
    const [value] = [wanted].flat();
    const control = page.locator(`#tool-place [name="${name}"]`);
    if (typeof value === 'boolean') await control.setChecked(value);
    else await select(page, name, value);
  }
}

/** Picks a file in each visible file field. @param {Page} page @param {string} path */
async function pick(page, path) {
  const fields = page.locator('#tool-place .field:not([hidden]) input[type=file]');
  assert.ok((await fields.count()) > 0, 'a file field is shown');
  for (const field of await fields.all()) await field.setInputFiles(path);
}

for (const entry of catalog()) {
  const field = await fileField(entry);
  if (field)
    for (const name of /** @type {(keyof typeof FILES)[]} */ (Object.keys(FILES)))
      test(`${entry.slug}: a file of ${name}`, { skip: !isWanted(entry.slug) }, () =>
        staysAwake(entry.slug, async (page) => {
          await choose(page, field.when ?? {});
          await pick(page, pathOf(name));
        }),
      );
}

test('too long a line is reported at its field, and nothing is lost', async () => {
  const { page, close } = await browser.open();
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
