//! Where things stand on the pages of all tools in Chromium: `node tests/layout.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalog, observe, reaches, until } from './chromium.mjs';
import { isWanted, useBrowser, useServer } from './fixtures.mjs';

const DESKTOP = { width: 1280, height: 860 };
const WIDE = { width: 1440, height: 900 };
/** With fingers, whose targets are larger. */
const PHONE = { width: 390, height: 844 };
/** What must be seen of a result: its heading and a line. */
const BEGINNING = 60;
/** Smaller letters make phones zoom in on a field. */
const PHONE_LETTERS = 16;
/** Where the first field begins at the latest. */
const FIRST = { desktop: { size: { width: 1280, height: 800 }, y: 120 }, phone: { y: 130 } };
/** A fifth of what web.dev calls good. */
const SHIFT_MOST = 0.02;

const server = useServer();
const browser = useBrowser();

/** Where the parts of the page are that no run may move. @param {import('playwright-core').Page} page */
const places = (page) =>
  page.evaluate(() => {
    // A click scrolls to what is clicked.
    scrollTo(0, 0);
    const parts = document.querySelectorAll('.toolbar, .panes, #result, .outputs > *');
    return Array.from(parts, (node) => {
      const { x, y } = node.getBoundingClientRect();
      // It ends at the edge, and its words set its width within a pixel.
      return `${node.className || node.id}: ${node.id === 'result' ? 'end' : x}, ${y}`;
    });
  });

/** Where the first field begins. @param {import('playwright-core').Page} page */
const firstField = (page) =>
  page.evaluate(() => {
    scrollTo(0, 0);
    const fields = Array.from(document.querySelectorAll('#tool-place :is(.field, .run, .more)'));
    const shown = fields.filter((node) => node.checkVisibility());
    return Math.min(...shown.map((node) => node.getBoundingClientRect().top));
  });

/** Tables of a result and the row of examples may be wider than a phone: they scroll in their place. @param {import('playwright-core').Page} page */
const cut = (page) =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll('#tool-place :is(pre, td, th, p, dd, label, button)'))
      .filter(
        (node) =>
          node.checkVisibility() &&
          !node.closest('.scroll, .unseen, .lined, .actions, .examples ul'),
      )
      .filter((node) => node.getBoundingClientRect().right > innerWidth + 1)
      .map((node) => node.textContent?.slice(0, 40)),
  );

describe('the first screen', () => {
  for (const { slug } of catalog().filter(({ slug }) => isWanted(slug)))
    test(slug, async () => {
      const { page, context, close } = await browser.open({
        viewport: DESKTOP,
        serviceWorkers: 'block',
      });
      await page.goto(`${server.web}/tools/${slug}`);
      await reaches(page, 'ready', 'done');
      await page.setViewportSize(FIRST.desktop.size);
      assert.ok((await firstField(page)) <= FIRST.desktop.y, `at ${await firstField(page)}`);
      const touch = await context.newCDPSession(page);
      await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true });
      await page.setViewportSize(PHONE);
      assert.ok((await firstField(page)) <= FIRST.phone.y, `at ${await firstField(page)}`);
      const result = await page.locator('.result').boundingBox();
      const end = PHONE.height - BEGINNING;
      assert.ok(result && result.y <= end, `the result begins at ${result?.y}`);
      const small = await page.evaluate(
        (least) =>
          Array.from(document.querySelectorAll('#tool-place :is(input, select, textarea)'))
            .filter((node) => node.checkVisibility() && !node.matches('[type=file]'))
            .filter((node) => Number.parseFloat(getComputedStyle(node).fontSize) < least)
            .map((node) => node.getAttribute('name')),
        PHONE_LETTERS,
      );
      assert.deepEqual(small, [], 'small letters');
      await page.locator('[data-example]').first().click();
      await reaches(page, 'done');
      await page.evaluate(() => scrollTo(0, 0));
      const first = page.locator('.outputs [data-output]').first().locator('[data-value]').first();
      const value = await first.boundingBox();
      assert.ok(value && value.y + Math.min(value.height, 24) <= PHONE.height, `at ${value?.y}`);
      assert.deepEqual(await cut(page), [], 'cut off');
      await touch.send('Emulation.setTouchEmulationEnabled', { enabled: false });
      await page.setViewportSize(WIDE);
      await page.mouse.move(0, 0);
      await page.evaluate(() => /** @type {any} */ (document.activeElement)?.blur());
      const before = await places(page);
      const copy = page.locator('.result [data-product]').filter({ hasText: 'Copy' });
      if (await copy.count()) await copy.click();
      assert.deepEqual(await places(page), before, 'what Copy says moves nothing');
      await page
        .locator('.toolbar, .panes, .lines-pane')
        .locator('input, textarea, select')
        .first()
        .press('Control+Enter');
      await reaches(page, 'done');
      if (await copy.count())
        assert.deepEqual(await places(page), before, 'a result that comes moves nothing');
      await close();
    });
});

describe('a slow network', () => {
  const rows = /** @type {const} */ ([
    ['contrast-checker', PHONE, 'done'],
    ['gradient-generator', PHONE, 'done'],
    ['color-picker', DESKTOP, 'done'],
    // Its field opens with several lines, which are numbered.
    ['timezone-converter', DESKTOP, 'done'],
  ]);
  for (const [slug, viewport, state] of rows.filter(([slug]) => isWanted(slug)))
    test(`${slug}, ${viewport.width} px: what arrives late moves nothing that is read`, async () => {
      const { page, close } = await browser.open({ viewport, serviceWorkers: 'block' });
      await page.route('**/assets/**', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 250));
        await route.continue();
      });
      await page.addInitScript(observe);
      await page.goto(`${server.web}/tools/${slug}`);
      await reaches(page, state);
      await page.waitForTimeout(500);
      const shift = await page.evaluate(() => /** @type {any} */ (globalThis).figures.shift);
      assert.ok(shift < SHIFT_MOST, `${shift}`);
      await close();
    });
});

describe('long texts', () => {
  const LONG = `[\n${'"a line that is long enough to be wrapped on a phone",\n'.repeat(60)}0]`;
  const cases = {
    'json-formatter': '.result',
    'data-converter': '.result',
    'regex-tester': '.result',
    'text-diff-checker': '.result',
  };
  for (const [slug, seen] of Object.entries(cases).filter(([slug]) => isWanted(slug)))
    test(`${slug}: what follows the text stays on the screen`, async () => {
      const { page, close } = await browser.open({ viewport: DESKTOP, serviceWorkers: 'block' });
      await page.goto(`${server.web}/tools/${slug}`);
      await reaches(page, 'ready', 'done');
      for (const area of await page.locator('#tool-place textarea:visible').all())
        await area.fill(LONG);
      await page.evaluate(() => scrollTo(0, 0));
      const box = await page.locator(seen).boundingBox();
      const end = box && box.y + BEGINNING;
      assert.ok(end && end <= DESKTOP.height, `it ends at ${end}`);
      await close();
    });
});

describe('on a phone and beside it', () => {
  for (const path of ['/offline', '/jsn-formatter'])
    test(`${path}: the sentence beside the title has room for words`, async () => {
      const { page, close } = await browser.open({ viewport: PHONE, serviceWorkers: 'block' });
      await page.goto(server.web + path);
      const box = await page.locator('.head .lead').boundingBox();
      assert.ok(box && box.width > 250 && box.height < 120, JSON.stringify(box));
      await close();
    });

  test('the button of a page that is not found follows its sentence', async () => {
    const viewport = { width: 1920, height: 1000 };
    const { page, close } = await browser.open({ viewport, serviceWorkers: 'block' });
    await page.goto(`${server.web}/nothing`);
    const button = await page.locator('.head').getByText('Search tools').boundingBox();
    const end = await page.locator('.head .lead').evaluate((lead) => {
      const text = document.createRange();
      text.selectNodeContents(lead);
      return text.getBoundingClientRect().right;
    });
    assert.ok(button && button.x - end < 60, `from ${end} to ${button?.x}`);
    await close();
  });

  if (isWanted('lorem-ipsum-generator'))
    test('the icons stand beside the button that generates, on a phone', async () => {
      const { page, close } = await browser.open({ viewport: PHONE, serviceWorkers: 'block' });
      await page.goto(`${server.web}/tools/lorem-ipsum-generator`);
      await reaches(page, 'done');
      const [run, icons] = await Promise.all(
        ['.toolbar > .run', '.toolbar > .buttons'].map((part) => page.locator(part).boundingBox()),
      );
      assert.ok(run && icons && Math.abs(run.y - icons.y) < 8, JSON.stringify([run, icons]));
      await close();
    });

  if (isWanted('jwt-decoder'))
    test('the parts of a token are in one row of tabs on a phone', async () => {
      const { page, close } = await browser.open({ viewport: PHONE, serviceWorkers: 'block' });
      await page.goto(`${server.web}/tools/jwt-decoder`);
      await page.locator('[data-example]').first().click();
      await reaches(page, 'done');
      const tabs = await page.locator('.tabs').first().boundingBox();
      const heights = await page
        .locator('.tabs > button')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
      assert.ok(tabs && tabs.height < 1.5 * Math.min(...heights), JSON.stringify([tabs, heights]));
      assert.equal(await page.locator('.toolbar .field:visible').count(), 0);
      await close();
    });

  if (isWanted('regex-tester'))
    test('the result of a pattern comes before its cases, for the keyboard too', async () => {
      const { page, close } = await browser.open({ viewport: DESKTOP, serviceWorkers: 'block' });
      await page.goto(`${server.web}/tools/regex-tester`);
      await reaches(page, 'ready', 'done');
      const isBefore = await page.evaluate(() => {
        const [result, cases] = ['.result', '[name=cases]'].map((part) =>
          document.querySelector(part),
        );
        return result && cases && result.compareDocumentPosition(cases) === 4;
      });
      assert.equal(isBefore, true);
      await close();
    });

  test('the question of a link in a mail stands in one column', async () => {
    const { page, close } = await browser.open({ viewport: DESKTOP, serviceWorkers: 'block' });
    await page.goto(`${server.web}/docs`);
    // Such a page has the style sheets of the documentation; its own address needs a token.
    await page.evaluate(() => {
      const [div, main] = [document.createElement('div'), document.createElement('main')];
      div.className = 'notice';
      main.append(document.createElement('h1'), document.createElement('p'));
      for (const node of main.children) node.append('A question?');
      div.append(main);
      document.body.replaceChildren(div);
    });
    const [title, text] = await Promise.all(
      ['h1', 'p'].map((tag) => page.locator(`.notice ${tag}`).boundingBox()),
    );
    assert.ok(title && text && text.x === title.x && text.y > title.y + title.height - 1);
    await close();
  });

  for (const slug of ['html-formatter', 'gradient-generator'].filter(isWanted))
    test(`${slug}: the popover with options stays on the page`, async () => {
      for (const viewport of [PHONE, DESKTOP]) {
        const { page, close } = await browser.open({ viewport, serviceWorkers: 'block' });
        await page.goto(`${server.web}/tools/${slug}`);
        await reaches(page, 'ready', 'done');
        await page.locator('.more > summary').click();
        await until(async () => {
          const box = await page.locator('.fields-more').boundingBox();
          return box && box.x >= 0 && box.x + box.width <= viewport.width;
        }, `the popover at ${viewport.width} px`);
        await close();
      }
    });
});

describe('a picture and what it was', () => {
  for (const viewport of isWanted('image-converter') ? [PHONE, DESKTOP] : [])
    test(`fill the pane and most of a window of ${viewport.width} px, and move nothing`, async () => {
      const { page, close } = await browser.open({ viewport, serviceWorkers: 'block' });
      await page.addInitScript(observe);
      await page.goto(`${server.web}/tools/image-converter`);
      await page.locator('[data-example]').first().click();
      await page.locator('.compared .before img').waitFor();
      await reaches(page, 'done');
      const [both, result] = await Promise.all(
        ['.compared', '.result'].map((part) => page.locator(part).boundingBox()),
      );
      assert.ok(both && result && both.width >= result.width - 4, JSON.stringify([both, result]));
      assert.ok(both.height > viewport.height * 0.6, `${both.height} px high`);
      const pictures = await page.locator('.compared img').all();
      const [after, before] = await Promise.all(pictures.map((one) => one.boundingBox()));
      assert.deepEqual(before, after, 'one lies on the other');
      const isWhole = after && (after.width >= both.width - 4 || after.height >= both.height - 4);
      assert.ok(isWhole, JSON.stringify([after, both]));
      await page.evaluate(() => {
        Object.assign(/** @type {any} */ (globalThis).figures, {
          shift: 0,
          since: performance.now(),
        });
      });
      await page.locator('[name=quality][type=number]').fill('70');
      await page.locator('.compared .said', { hasText: 'quality 70' }).waitFor();
      const shift = await page.evaluate(() => /** @type {any} */ (globalThis).figures.shift);
      assert.ok(shift < SHIFT_MOST, `${shift}`);
      await close();
    });
});

test('on a phone a token is read right below it', async () => {
  const { page, close } = await browser.open({
    ...{ viewport: PHONE, hasTouch: true, isMobile: true, serviceWorkers: 'block' },
  });
  await page.goto(`${server.web}/tools/jwt-decoder`);
  await page.locator('[data-example]').first().click();
  await reaches(page, 'done');
  const box = await page.locator('[data-output=payload] pre').boundingBox();
  assert.ok(box && box.y < PHONE.height / 2 + BEGINNING, JSON.stringify(box));
  await close();
});

test('lines of a difference begin below each other, changed or not', async () => {
  const { page, close } = await browser.open({ viewport: DESKTOP, serviceWorkers: 'block' });
  await page.goto(`${server.web}/tools/text-diff-checker`);
  await page.locator('[name=left]').fill('same\nold');
  await page.locator('[name=right]').fill('same\nnew');
  await reaches(page, 'done');
  const begins = await page.evaluate(() =>
    Array.from(document.querySelectorAll('.diff-text'), (cell) => {
      const range = new Range();
      const text = cell.lastChild?.firstChild ?? cell.lastChild;
      range.selectNodeContents(/** @type {Node} */ (text));
      return Math.round(range.getBoundingClientRect().x - cell.getBoundingClientRect().x);
    }),
  );
  assert.equal(begins.length, 4);
  assert.equal(new Set(begins).size, 1, begins.join());
  await close();
});

describe('the rail with all tools', () => {
  for (const path of ['/tools/hex-encoder', '/tools/json-formatter', '/offline', '/nothing'])
    test(`stands beside ${path} in a wide window`, async () => {
      const { page, close } = await browser.open({ viewport: WIDE, serviceWorkers: 'block' });
      await page.goto(server.web + path);
      const rail = page.getByRole('navigation', { name: 'All tools' });
      await rail.waitFor();
      assert.equal(await rail.getByRole('link').count(), catalog().length);
      const [beside, main] = [await rail.boundingBox(), await page.locator('main').boundingBox()];
      assert.ok(beside && main && main.x >= beside.x + beside.width, `main begins at ${main?.x}`);
      assert.ok(main.x + main.width <= WIDE.width, `main ends at ${main.x + main.width}`);
      await page.setViewportSize(DESKTOP);
      assert.equal(await rail.isVisible(), false);
      await close();
    });

  for (const path of ['/', '/docs'])
    test(`is not on ${path}, which has a list of its own`, async () => {
      const { page, close } = await browser.open({ viewport: WIDE, serviceWorkers: 'block' });
      await page.goto(server.web + path);
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(300);
      assert.equal(await page.getByRole('navigation', { name: 'All tools' }).count(), 0);
      await close();
    });
});

test('the head does not jump between tools and documents', async () => {
  for (const width of [1280, 1600, 1920, 390]) {
    const { page, close } = await browser.open({
      viewport: { width, height: 900 },
      serviceWorkers: 'block',
    });
    const heads = [];
    for (const path of ['/tools/json-formatter', '/docs', '/docs/mcp']) {
      await page.goto(server.web + path);
      const h1 = page.locator('h1');
      const [box, head] = [
        await h1.boundingBox(),
        await page.locator('.head > :first-child').boundingBox(),
      ];
      const font = await h1.evaluate((node) => getComputedStyle(node).fontSize);
      heads.push({ x: head?.x, middle: Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2), font });
    }
    const [tool, ...documents] = heads;
    for (const one of documents) assert.deepEqual(one, tool, `${width} px`);
    await close();
  }
});
