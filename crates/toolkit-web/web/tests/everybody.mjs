//! Ten pages as some people set their browsers: forced colours, right-to-left text, zoom, wide text spacing, no motion.
//! `node tests/everybody.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AXE, becomes, reaches, until } from './chromium.mjs';
import { isWanted, useBrowser, useServer } from './fixtures.mjs';

/** @typedef {import('playwright-core').Page} Page */

const server = useServer();
const browser = useBrowser();
const PAGES = [
  'json-formatter',
  'regex-tester',
  'jwt-decoder',
  'text-diff-checker',
  'password-generator',
  'color-picker',
  'url-parser',
  'cron-explainer',
  'csv-converter',
  'hex-encoder',
].filter(isWanted);
const HEBREW = 'שלום עולם 12\nthird שלום';
/** WCAG 2.2, 1.4.12. */
const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }`;
/** The widths that 200 and 400 % of zoom leave of 1,280 px. */
const ZOOMED = [640, 320];

/** A page with the result of its first example. @param {string} slug @param {import('playwright-core').BrowserContextOptions} [options] */
async function shown(slug, options) {
  const opened = await browser.open({ serviceWorkers: 'block', ...options });
  await opened.page.goto(`${server.web}/tools/${slug}`);
  await reaches(opened.page, 'ready', 'done');
  await opened.page.locator('[data-example]').first().click();
  await reaches(opened.page, 'done');
  return opened;
}

/** @param {Page} page */
const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Buttons, tabs and labels whose words do not fit into them. @param {Page} page */
const clipped = (page) =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll('#tool-place :is(button, summary, label, h3, th)'))
      .filter((node) => node.checkVisibility() && !node.closest('.unseen, .scroll, .lead'))
      .filter((node) => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0)
      .map((node) => `${node.tagName}: ${node.textContent?.slice(0, 40)}`),
  );

describe('forced colours', () => {
  for (const slug of PAGES)
    test(`${slug}: axe finds nothing, and what is chosen differs from the rest`, async () => {
      const { page, close } = await shown(slug, { forcedColors: 'active' });
      await page.evaluate(AXE);
      const found = await page.evaluate(async () => {
        const { violations } = await /** @type {any} */ (globalThis).axe.run(document, {
          preload: false,
        });
        return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0]?.html}`);
      });
      assert.deepEqual(found, []);
      const same = await page.evaluate(() => {
        const pairs = [
          ['.segments label:has(:checked)', '.segments label:not(:has(:checked))'],
          ['[aria-pressed="true"]:not(.star)', '[aria-pressed="false"]:not(.star)'],
          ['[role="tab"][aria-selected="true"]', '[role="tab"][aria-selected="false"]'],
          ['.bar a[aria-current]', '.bar li a:not([aria-current])'],
        ];
        const look = (/** @type {Element} */ node) => {
          const { outline, textDecorationLine, backgroundColor } = getComputedStyle(node);
          return [outline, textDecorationLine, backgroundColor].join();
        };
        return pairs
          .map((pair) => pair.map((one) => document.querySelector(one)))
          .filter(([one, other]) => one && other && look(one) === look(other))
          .map(([one]) => one?.outerHTML.slice(0, 120));
      });
      assert.deepEqual(same, []);
      await close();
    });

  test('the colours of code are left out, and matches of a pattern are underlined', async () => {
    const { page, close } = await shown('json-formatter', { forcedColors: 'active' });
    const colored = () =>
      page.evaluate(() => [.../** @type {any} */ (CSS).highlights.keys()].length);
    assert.equal(await colored(), 0);
    await page.goto(`${server.web}/tools/regex-tester#pattern=o&text=foo`);
    await reaches(page, 'done');
    const line = () =>
      page.evaluate(
        () =>
          getComputedStyle(
            document.querySelector('.lines') ?? document.body,
            '::highlight(match-0)',
          ).textDecorationLine,
      );
    await becomes(line, 'underline');
    const styles = await page.evaluate(() =>
      ['tone-1', 'tone-2', 'tone-3'].map((name) => {
        const copy = document.querySelector('.lines') ?? document.body;
        return getComputedStyle(copy, `::highlight(${name})`).textDecorationStyle;
      }),
    );
    assert.equal(new Set(styles).size, 3, styles.join());
    const sizes = await page
      .locator('[name=pattern]')
      .evaluate((field) =>
        [field, field.previousElementSibling ?? field].map(
          (node) => getComputedStyle(node).fontSize,
        ),
      );
    assert.equal(new Set(sizes).size, 1, sizes.join());
    await close();
  });
});

for (const colorScheme of /** @type {const} */ (['light', 'dark']))
  test(`what is marked can be read, ${colorScheme}`, async () => {
    const { page, close } = await shown('regex-tester', { colorScheme });
    const ratios = await page.evaluate(() => {
      const context = new OffscreenCanvas(1, 1).getContext('2d');
      const luminance = (/** @type {string} */ color) => {
        if (!context) return 0;
        context.fillStyle = color;
        context.fillRect(0, 0, 1, 1);
        const [r = 0, g = 0, b = 0] = Array.from(context.getImageData(0, 0, 1, 1).data, (value) =>
          value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const copy = document.querySelector('.lines') ?? document.body;
      const text = luminance(getComputedStyle(document.body).color);
      return ['match-0', 'match-1', ...[1, 2, 3, 4, 5, 6].map((n) => `tone-${n}`)].map((name) => {
        const ground = luminance(getComputedStyle(copy, `::highlight(${name})`).backgroundColor);
        return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
      });
    });
    assert.equal(ratios.length, 8);
    assert.ok(Math.min(...ratios) >= 4.5, ratios.map((one) => one.toFixed(2)).join());
    await close();
  });

describe('right-to-left text', () => {
  test('marks of a pattern lie where the text is', async () => {
    const { page, close } = await shown('regex-tester');
    await page.locator('[name=pattern]').fill('ש\\S+');
    await page.locator('[name=text]').fill(HEBREW);
    await reaches(page, 'done');
    const sides = () =>
      page.evaluate(() => {
        const area = /** @type {HTMLElement} */ (document.querySelector('[name=text]'));
        const { left, right } = area.getBoundingClientRect();
        const copy = document.querySelectorAll('.text-control .lines > div');
        const lines = Array.from(copy, ({ firstChild }) => {
          const range = new Range();
          range.selectNodeContents(/** @type {Node} */ (firstChild));
          const box = range.getBoundingClientRect();
          return right - box.right < box.left - left ? 'right' : 'left';
        });
        return [getComputedStyle(area).direction, ...lines];
      });
    await becomes(sides, ['rtl', 'right', 'left']);
    await close();
  });

  test('lines of a difference have their own direction', async () => {
    const { page, close } = await shown('text-diff-checker');
    await page.locator('[name=left]').fill(HEBREW);
    await page.locator('[name=right]').fill(`${HEBREW}!`);
    await reaches(page, 'done');
    const directions = () =>
      page.evaluate(() =>
        Array.from(
          document.querySelectorAll('.diff-text'),
          (cell) => getComputedStyle(cell).direction,
        ).slice(0, 2),
      );
    await becomes(directions, ['rtl', 'rtl']);
    await close();
  });
});

describe('zoom and spacing', () => {
  for (const slug of PAGES)
    test(`${slug}: nothing is cut at 200 and 400 %, or with wide spacing`, async () => {
      const { page, close } = await shown(slug);
      for (const width of ZOOMED) {
        await page.setViewportSize({ width, height: Math.round(width * 0.8) });
        assert.ok((await overflow(page)) <= 0, `no sideways scrolling at ${width} px`);
        assert.deepEqual(await clipped(page), [], `${width} px`);
      }
      await page.setViewportSize({ width: 1280, height: 900 });
      // The policy of the page allows no style element.
      await page.evaluate((text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        document.adoptedStyleSheets.push(sheet);
      }, SPACING);
      assert.ok((await overflow(page)) <= 0, 'no sideways scrolling with wide spacing');
      assert.deepEqual(await clipped(page), [], 'wide spacing');
      await close();
    });
});

test('nothing fades where less motion is asked for', async () => {
  const fade = async (/** @type {'reduce' | 'no-preference'} */ reducedMotion) => {
    const { page, close } = await shown('color-picker', { reducedMotion });
    const icon = page.locator('.pairs .icon').first();
    const duration = await icon.evaluate((node) => getComputedStyle(node).transitionDuration);
    await close();
    return duration;
  };
  assert.deepEqual([await fade('no-preference'), await fade('reduce')], ['0.12s', '0s']);
});

describe('a screen reader', () => {
  test('hears the answer of a run, and its warnings', async () => {
    const { page, close } = await browser.open();
    await page.goto(`${server.web}/tools/csv-converter#text=${encodeURIComponent('a,b\n1,2,3')}`);
    await reaches(page, 'done');
    const told = page.locator('body > [role=status]');
    await told
      .filter({ hasText: /^1 row, 3 columns\. Warning: Line 2 has more fields than the first row/ })
      .waitFor({ state: 'attached' });
    await close();
  });

  test('tells buttons apart, hears each heading once, and the name of a row', async () => {
    const { page, close } = await browser.open();
    await page.goto(
      `${server.web}/tools/csv-converter#text=${encodeURIComponent('a,b\nAda,1815')}`,
    );
    await reaches(page, 'done');
    const buttons = page.locator('[data-output] .pane-tools button:visible');
    const names = await buttons.evaluateAll((all) => all.map((one) => one.ariaLabel));
    assert.equal(new Set(names).size, names.length, names.join());
    assert.ok(names.includes('Copy table') && names.includes('Download table'), names.join());
    await page.getByRole('rowheader', { name: 'Ada' }).waitFor({ state: 'attached' });
    assert.equal(await page.getByRole('group', { name: 'Table' }).count(), 0);
    await close();
  });
});

describe('a touch screen', () => {
  test('what lies below a field has its letters and lines', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    for (const [slug, name] of [
      ['regex-tester', 'text'],
      ['regex-tester', 'pattern'],
      ['json-formatter', 'text'],
      ['jwt-decoder', 'token'],
    ]) {
      const { page, close } = await shown(slug ?? '', phone);
      const area = page.locator(`[name=${name}]`);
      if (slug === 'json-formatter') await area.fill('[\n1\n]');
      await page.locator(`.lined:has(> [name=${name}]) > .lines > div`).first().waitFor();
      const fonts = await area.evaluate((area) =>
        [area, area.parentElement?.querySelector('.lines') ?? area].map((node) => {
          const { fontFamily, fontSize, lineHeight } = getComputedStyle(node);
          return `${fontFamily} ${fontSize} ${area.matches('textarea') && lineHeight}`;
        }),
      );
      assert.equal(fonts[1], fonts[0], `${slug}, ${name}`);
      await close();
    }
  });
});

test('marks and numbers of a long text are drawn for the lines in sight', async () => {
  const { page, close } = await shown('regex-tester');
  await page.locator('[name=pattern]').fill('ERROR');
  const log = Array.from(
    { length: 9000 },
    (_, at) => `${at + 1} ${at % 2 ? 'ERROR' : 'fine'} of a day`,
  );
  // Typing it in would take Chromium long.
  await page.locator('[name=text]').evaluate((node, value) => {
    Object.assign(node, { value });
    node.dispatchEvent(new Event('input', { bubbles: true }));
  }, log.join('\n'));
  await page.getByText('4,500 matches').first().waitFor();
  const marked = () =>
    page.evaluate(() =>
      [.../** @type {any} */ (CSS).highlights.get('match-0')].map(
        (range) => range.startContainer.data,
      ),
    );
  await until(async () => (await marked()).includes('2 ERROR of a day'), 'the first lines');
  const area = page.locator('[name=text]');
  await area.evaluate((node) => node.scrollTo(0, node.scrollHeight / 2));
  await until(
    async () => (await marked()).some((line) => /^45\d\d ERROR/.test(line)),
    'lines in the middle',
  );
  assert.ok((await page.locator('.text-control .lines > div').count()) < 400, 'few are drawn');
  const off = await page.evaluate(() => {
    const [area, lines] = ['[name=text]', '.text-control .lines'].map((one) =>
      document.querySelector(one),
    );
    const line = [...(lines?.children ?? [])].find(({ textContent }) =>
      textContent?.startsWith('4500 '),
    );
    const { top = 0 } = area?.getBoundingClientRect() ?? {};
    const height = Number.parseFloat(getComputedStyle(/** @type {Element} */ (area)).lineHeight);
    const wanted = top - (area?.scrollTop ?? 0) + 4499 * height;
    return Math.abs((line?.getBoundingClientRect().top ?? 0) - wanted);
  });
  assert.ok(off < 8, `a line is ${off} px off`);
  await close();
});

test('on paper a result is whole, and the form is left out', async () => {
  const { page, close } = await shown('text-diff-checker');
  const lines = (/** @type {string} */ word) =>
    Array.from({ length: 120 }, (_, at) => `${word} ${at}`).join('\n');
  await page.locator('[name=left]').fill(lines('a'));
  await page.locator('[name=right]').fill(lines('b'));
  await page.getByText('b 119').first().waitFor();
  await page.emulateMedia({ media: 'print' });
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('.outputs *')]
      .filter((node) => node.checkVisibility() && !node.closest('.unseen'))
      .filter(
        (node) =>
          node.scrollHeight > node.clientHeight + 4 &&
          getComputedStyle(node).overflowY !== 'visible',
      )
      .map((node) => node.className),
  );
  assert.deepEqual(cut, []);
  for (const part of ['textarea', '.calls', '.bar', '.product'])
    assert.equal(await page.locator(`${part}:visible`).count(), 0, part);
  await close();
});
