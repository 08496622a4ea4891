//! All tools with one good and at least three bad inputs each, in tests/refusals.js of its folder: what is bad is
//! refused in place of the result, nothing is lost, and the page works again once it is mended. With the mouse;
//! the server tools with the keyboard alone too. `node tests/refusals.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalog, outputs, reaches, select, state, until } from './chromium.mjs';
import { isWanted, useBrowser, useServer } from './fixtures.mjs';
import { loadFile } from './tools.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./row.js').Values} Values */
/** @typedef {import('./row.js').Bad} Bad */
/** @typedef {(page: Page, values: Values, press?: string) => Promise<void>} Enter */

const server = useServer();
const browser = useBrowser();
const STEPS_MAX = 200;
/** A longer text is pasted: Chromium takes minutes to type ten thousand lines. */
const TYPED_MAX = 1000;

/** By slug. @type {Record<string, import('./row.js').Row>} */
const PAGES = Object.fromEntries(
  await Promise.all(
    catalog().map(async ({ slug }) => [slug, await loadFile(slug, 'tests/refusals.js')]),
  ),
);

/** Used with the keyboard alone too: pages.mjs does that with the first example of each tool. */
const BY_KEYS = [
  'base64-encoder',
  'url-encoder',
  'json-formatter',
  'data-converter',
  'hash-generator',
  'jwt-decoder',
  'uuid-generator',
  'ulid-generator',
  'nanoid-generator',
  'regex-tester',
  'timestamp-converter',
  'cron-explainer',
  'cidr-calculator',
  'hex-encoder',
  'binary-encoder',
  'base32-encoder',
];

/** @param {Page} page @param {string} name */
const control = (page, name) =>
  page.locator(`#tool-place [name="${name}"]:not([type=radio]:not(:checked))`);

/** Goes on to a control with the Tab key. @param {Page} page @param {string} selector */
async function tabTo(page, selector) {
  const isThere = () =>
    page.evaluate((wanted) => document.activeElement?.matches(wanted), selector);
  for (let steps = 0; !(await isThere()); steps++) {
    assert.ok(steps < STEPS_MAX, `${selector} is reached`);
    await page.keyboard.press('Tab');
  }
}

/** Types into the control that has the focus, over what is there. @param {Page} page @param {string} text */
async function type(page, text) {
  await page.keyboard.press('ControlOrMeta+a');
  if (text === '') await page.keyboard.press('Delete');
  else await page.keyboard.insertText(text);
}

/** Pastes over what is there. @param {import('playwright-core').Locator} target @param {string} text */
const paste = (target, text) =>
  target.evaluate((node, value) => {
    Object.assign(node, { value });
    node.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);

/** Opens the popover of options. @param {Page} page @param {string} hand */
async function unfold(page, hand) {
  const more = page.locator('#tool-place details.more > summary');
  if (!(await more.isVisible())) return;
  if (await page.locator('details.more[open]').count()) return;
  if (hand === 'mouse') return more.click();
  await tabTo(page, 'details.more > summary');
  await page.keyboard.press('Enter');
}

/** Opens the popover where a field is in it. @param {Page} page @param {string} name @param {string} hand */
async function show(page, name, hand) {
  if (await page.locator(`details.more [id="field-${name}"]`).count()) await unfold(page, hand);
}

/** With the keyboard alone. @param {Page} page @param {Values} values */
async function byKeyboard(page, values) {
  for (const [name, value] of Object.entries(values)) {
    await show(page, name, 'keyboard');
    await tabTo(page, `[name="${name}"]:not(.unseen), [name="${name}:one"]`);
    const [at, isList] = await control(page, name).evaluate((node, label) => {
      const options = node instanceof HTMLSelectElement ? [...node.options] : [];
      const at = options.findIndex((option) => option.label === String(label));
      return [at, !node.matches('.unseen')];
    }, value);
    if (at < 0) await type(page, String(value));
    else if (!isList) {
      const count = await page.locator(`[name="${name}:one"]`).count();
      const isChosen = () =>
        page.evaluate(() => document.activeElement?.parentElement?.textContent);
      for (let step = 0; (await isChosen()) !== value && step < count; step++)
        await page.keyboard.press('ArrowRight');
    } else
      for (const key of ['Home', ...Array(at).fill('ArrowDown')]) await page.keyboard.press(key);
  }
  await page.keyboard.press('Control+Enter');
}

/** With the mouse, as far as typing goes. @param {Page} page @param {Values} values @param {string} [press] the button at the end, in place of Ctrl+Enter */
async function byMouse(page, values, press) {
  for (const [name, value] of Object.entries(values)) {
    await show(page, name, 'mouse');
    const target = control(page, name);
    // The list of a `select` is the browser's, not the page's; so is the choice of files.
    if (typeof value === 'object') await choose(page, name, value);
    else if ((await target.getAttribute('type')) === 'file') continue;
    else if (typeof value === 'boolean') await target.setChecked(value);
    else if (await target.evaluate((node) => node.matches('select, [type=radio]')))
      await select(page, name, { label: value });
    else {
      await target.click();
      await (value.length > TYPED_MAX ? paste(target, value) : type(page, value));
    }
  }
  if (!press) return page.keyboard.press('Control+Enter');
  const hidden = { name: press, exact: true, includeHidden: true };
  if (await page.locator('details.more').getByRole('button', hidden).count())
    await unfold(page, 'mouse');
  await page.getByRole('button', { name: press, exact: true }).click();
}

/** Chooses a file: in place of another, or beside it where a field takes several. @param {Page} page @param {string} name @param {import('./row.js').Upload} file */
async function choose(page, name, file) {
  const picker = page.locator(
    `#tool-place :is([data-file="${name}"], [type=file][name="${name}"])`,
  );
  await picker.setInputFiles(file);
  await fieldOf(page, name).locator('.attachments').getByText(file.name).waitFor();
}

/** @param {Page} page @param {string} name */
const fieldOf = (page, name) =>
  page.locator('#tool-place .field').filter({ has: page.locator(`[id="field-${name}"]`) });

/** @param {Page} page @param {string} name */
async function removeFiles(page, name) {
  const remove = fieldOf(page, name).getByRole('button', { name: /^Remove / });
  while ((await remove.count()) > 0) await remove.first().click();
}

/** What a control shows: the words of an option, whether it is ticked, a text, or the names of files. @param {Page} page @param {string} name @returns {Promise<string | boolean>} */
async function shownIn(page, name) {
  const files = fieldOf(page, name).locator('.attachments > li > span');
  if ((await files.count()) > 0) return (await files.allTextContents()).join();
  return control(page, name).evaluate((node) => {
    if (node instanceof HTMLSelectElement) return node.selectedOptions[0]?.label ?? '';
    const { type, checked, value } = /** @type {HTMLInputElement} */ (node);
    if (type === 'radio') return node.parentElement?.textContent ?? '';
    return type === 'checkbox' ? checked : value;
  });
}

/** Whether a text is shown as an attachment once it was run. @param {string | boolean} value */
const isLong = (value) => typeof value === 'string' && value.length > 1 << 20;

/** Names and values of the form. @param {Page} page */
const entered = (page) =>
  page.evaluate(() =>
    Array.from(
      /** @type {NodeListOf<HTMLInputElement>} */ (
        document.querySelectorAll('#tool-place form [name]')
      ),
      ({ name, type, value, checked }) => [
        name,
        // A long text becomes an attachment when it is run.
        /checkbox|radio/.test(type) ? checked : value.length > 1 << 20 ? '' : value,
      ],
    ),
  );

/** What a person sees of a refusal. @param {Page} page @param {Bad} bad */
async function isRefused(page, { values, field, says }) {
  const refusal = page.locator(`[data-refusal][data-field="${field}"]`);
  await until(
    async () => says.test((await refusal.allTextContents()).join()),
    `a refusal that says ${says}`,
  ).catch(async ({ message }) =>
    assert.fail(`${message}: ${await page.locator('[data-refusal]').allTextContents()}`),
  );
  await reaches(page, 'refused');
  assert.equal(await page.locator('[data-refusal]').count(), 1);
  assert.ok(await refusal.isVisible());
  // What is code in a sentence of the server is set as code.
  assert.doesNotMatch(await refusal.innerText(), /`/);
  const target = page.locator(`[id="field-${field}"]`);
  assert.equal(await target.getAttribute('aria-invalid'), 'true');
  const described = (await target.getAttribute('aria-describedby')) ?? '';
  assert.ok(described.split(' ').includes((await refusal.getAttribute('id')) ?? ''));
  const isText = await target.evaluate(
    (node) => node.matches('.lined > *') && node.checkVisibility(),
  );
  if (isText && /^(Line|Character) \d/.test(await refusal.innerText()))
    await fieldOf(page, field).locator('.lines > .wrong > mark').waitFor({ state: 'attached' });
  const isFirst = await refusal.evaluate((node) => {
    const { top } = node.getBoundingClientRect();
    const outputs = document.querySelector('.outputs')?.getBoundingClientRect();
    return node.matches('.result > *') && !(outputs && outputs.top < top);
  });
  assert.ok(isFirst, 'it stands where the answer would');
  for (const [name, value] of Object.entries(values)) {
    const shown = await shownIn(page, name);
    const file = typeof value === 'object' ? value.name : isLong(value) && 'Pasted text';
    if (file) assert.ok(String(shown).includes(`${file}, `), `${name} is kept: ${shown}`);
    else assert.equal(shown, value, `${name} is kept`);
  }
}

/** @param {Page} page */
const result = async (page) => Object.values(await outputs(page)).join('\n');

/** The result of good input, with nothing left of a refusal. @param {Page} page @param {RegExp} shows */
async function isDone(page, shows) {
  const wanted = new RegExp(shows, 'm');
  const check = async () => (await state(page)) === 'done' && wanted.test(await result(page));
  await until(check, `a result that shows ${shows}`).catch(async ({ message }) => {
    const refusal = await page.locator('[data-refusal]').allTextContents();
    assert.fail(`${message}: ${await state(page)}, ${refusal.join()} ${await result(page)}`);
  });
  assert.equal(await page.locator('[data-refusal]').count(), 0);
  assert.equal(await page.locator('[aria-invalid=true]').count(), 0);
  assert.ok(await page.locator('.old').isHidden(), 'the result is not marked as old');
}

/** What stood in the controls before: last first, since what is shown depends on what stands above. @param {Page} page @param {Values} values @param {Values} good */
async function before(page, values, good) {
  /** @type {[string, Values[string]][]} */
  const all = [];
  for (const name of Object.keys(values).reverse())
    all.push([name, good[name] ?? (await shownIn(page, name))]);
  return Object.fromEntries(all);
}

/** One bad input, refused and mended. @param {Page} page @param {Enter} enter @param {import('./row.js').Row} row @param {Bad} one */
async function refusedAndMended(page, enter, { good, shows }, one) {
  const names = Object.keys(one.values);
  const last = await result(page);
  const mended = await before(page, one.values, good);
  // A bad file beside a good one is left out, and told: here it stands alone.
  const files = page.locator('.attachments > li');
  const hadFiles = (await files.count()) > 0;
  for (const name of names) await removeFiles(page, name);
  await enter(page, one.values, one.press);
  const typed = await entered(page);
  const focus = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 80));
  const focused = await focus();
  await isRefused(page, one);
  assert.deepEqual(await entered(page), typed, 'nothing that was typed is lost');
  assert.equal(await focus(), focused, 'the focus stays');
  const shown = await result(page);
  // Of several values the first may have been good on their own, or nothing, and may have run.
  if (names.length === 1 && !hadFiles) assert.equal(shown, last, 'the last good result stays');
  const old = page.getByText('This is the result of the previous input.');
  assert.equal(await old.isVisible(), shown !== '', 'it is marked as old');
  for (const name of names) await removeFiles(page, name);
  await enter(page, mended);
  await isDone(page, shows);
}

describe('good and bad input', { concurrency: 2 }, () => {
  for (const [slug, row] of Object.entries(PAGES)) {
    const hands = Object.entries({
      mouse: byMouse,
      ...(BY_KEYS.includes(slug) && { keyboard: byKeyboard }),
    });
    for (const [hand, enter] of hands)
      test(`${slug}, with the ${hand}`, { skip: !isWanted(slug) }, async () => {
        const { page, said, close } = await browser.open();
        await page.goto(`${server.web}/tools/${slug}`);
        await reaches(page, 'ready', 'done');
        await enter(page, row.good);
        await isDone(page, row.shows);
        for (const one of row.bad) await refusedAndMended(page, enter, row, one);
        // It may be below the open options.
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Reset' }).click();
        await reaches(page, 'ready', 'done');
        await enter(page, row.good);
        await isDone(page, row.shows);
        assert.deepEqual(
          said.filter((one) => !one.includes('status of 422')),
          [],
        );
        await close();
      });
  }
});

test('every tool has at least three refusals, or says why not', () => {
  const few = Object.entries(PAGES).filter(([, row]) => !row?.fewer && !(row?.bad.length >= 3));
  assert.deepEqual(few, []);
});

test('what is not a number is told before it is sent', async () => {
  const { page, asked, close } = await browser.open();
  await page.goto(`${server.web}/tools/cron-explainer`);
  await reaches(page, 'ready');
  await control(page, 'count').focus();
  await page.keyboard.type('--');
  await page.keyboard.press('Control+Enter');
  const says = /^Count must be a whole number from 1 to 50\.$/;
  await page.locator('[data-refusal][data-field=count]').filter({ hasText: says }).waitFor();
  assert.deepEqual(
    asked.filter((url) => url.endsWith('/run')),
    [],
  );
  await close();
});

test('half of a surrogate pair in a long paste is told, and nothing is taken in its place', async () => {
  for (const slug of ['hex-encoder', 'json-formatter']) {
    const { page, close } = await browser.open();
    await page.goto(`${server.web}/tools/${slug}`);
    await reaches(page, 'ready');
    await control(page, 'text').evaluate((node) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', `${'a'.repeat(1 << 20)}\ud800`);
      const init = { clipboardData, bubbles: true, cancelable: true };
      node.dispatchEvent(new ClipboardEvent('paste', init));
    });
    const says = 'Half of a surrogate pair is not text; nothing was pasted.';
    await page.locator('[data-refusal][data-field=text]').filter({ hasText: says }).waitFor();
    assert.equal(await control(page, 'text').inputValue(), '');
    assert.equal(await page.locator('.attachments').count(), 0);
    await close();
  }
});

test('half of a surrogate pair is told beside its field', async () => {
  const { page, close } = await browser.open();
  await page.goto(`${server.web}/tools/hash-generator`);
  await reaches(page, 'ready');
  await control(page, 'text').evaluate((node) => {
    /** @type {HTMLTextAreaElement} */ (node).value = 'a\ud800';
    node.dispatchEvent(new Event('input', { bubbles: true }));
  });
  const says = /^Character 2: Text contains half of a surrogate pair/;
  await page.locator('[data-refusal][data-field=text]').filter({ hasText: says }).waitFor();
  await close();
});
