//! Pages in Chromium of tools that the service has too: they answer by themselves, and show the call for
//! programs. `node tests/served.mjs [URL [LOG]]`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { becomes, outputs, reaches, select, until } from './chromium.mjs';
import { useBrowser, useServer } from './fixtures.mjs';
import { looksGood } from './looks.mjs';

/** @typedef {import('playwright-core').Page} Page */

const server = useServer();
const browser = useBrowser();

/** @param {string} slug @param {Parameters<typeof browser.open>[0]} [options] */
async function visit(slug, options) {
  const opened = await browser.open(options);
  const { page, asked } = opened;
  await page.goto(`${server.web}/tools/${slug}`);
  await reaches(page, 'ready', 'done');
  /** What was asked of the service, which is nothing. */
  const calls = () => asked.filter((url) => url.includes('/api/'));
  return { ...opened, calls, text: page.locator('[name=text]') };
}

/** @param {Page} page @param {string} name @param {string | RegExp} wanted */
const shows = (page, name, wanted) =>
  until(async () => {
    const value = (await outputs(page))[name] ?? '';
    return typeof wanted === 'string' ? value === wanted : wanted.test(value);
  }, `${name}: ${wanted}`);

/** What a screen reader is told last. @param {Page} page */
const announced = (page) => page.locator('[role=status].unseen');

/** The texts in fields that each of some highlights marks, in their order on the page. @param {Page} page @param {...string} names */
const marked = (page, ...names) =>
  page.evaluate(
    (names) =>
      names.map((name) =>
        [.../** @type {any} */ (CSS.highlights.get(name) ?? [])]
          .sort((a, b) =>
            a.startContainer === b.startContainer
              ? a.startOffset - b.startOffset
              : 3 - a.startContainer.compareDocumentPosition(b.startContainer),
          )
          .map(({ startContainer, startOffset, endOffset }) =>
            startContainer.data.slice(startOffset, endOffset),
          ),
      ),
    names,
  );

describe('regex-tester', () => {
  test('marks what is seen of a long text, wherever it is scrolled', async () => {
    const { page, text, close } = await visit('regex-tester');
    await page.locator('[name=pattern]').fill('[0-9]+');
    await text.fill(Array.from({ length: 1000 }, (_, at) => `line ${at}`).join('\n'));
    const seen = async () => {
      const [all = []] = await marked(page, 'match-0');
      return [all[0], all.at(-1), all.length < 100];
    };
    /** @param {number} top */
    const scroll = (top) => text.evaluate((area, top) => area.scrollTo(0, top), top);
    await scroll(0);
    await becomes(async () => (await seen())[0], '0');
    await scroll(1e6);
    await becomes(async () => (await seen()).slice(1), ['998', true]);
    await text.press('Control+End');
    await page.keyboard.type('\nline 1000');
    await becomes(async () => (await seen()).slice(1), ['1000', true]);
    const lines = await page.locator('.field-text .lines').first().locator('> div').count();
    assert.equal(lines, 1001);
    await close();
  });

  test('marks the matches in the text, and has flags as buttons', async () => {
    const { page, text, calls, close } = await visit('regex-tester');
    await page.locator('[name=pattern]').fill('(?<a>[a-z])1');
    await text.fill('x1 A1\ny1');
    await becomes(
      () => marked(page, 'match-0', 'match-1', 'tone-1'),
      [['1'], ['1'], ['(?<a>[a-z])', 'x', 'y']],
    );
    const words = page.locator('[data-output=explained] mark.tone-1');
    await becomes(() => words.allTextContents(), ['(?<a>…)']);
    const groups = page.locator('[data-output=matches] td mark.tone-1');
    await becomes(() => groups.allTextContents(), ['x', 'y']);
    assert.match((await outputs(page)).explained ?? '', /Group 1, a/);
    const ignore = page.getByRole('button', { name: 'i: Ignore case' });
    await ignore.focus();
    await page.keyboard.press('Enter');
    await shows(page, 'headline', '3 matches');
    assert.equal(await ignore.getAttribute('aria-pressed'), 'true');
    assert.equal(await page.locator('[name=flags]').inputValue(), 'gi');
    await page.locator('summary', { hasText: 'Cheat sheet' }).click();
    await page.locator('.cheats dd').first().waitFor();
    await looksGood(page);
    await text.evaluate((node) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['z1 z1'], 'x.log', { type: 'text/plain' }));
      const init = { dataTransfer, bubbles: true, cancelable: true };
      node.dispatchEvent(new DragEvent('drop', init));
    });
    await until(async () => (await text.inputValue()) === 'z1 z1', 'the text of the file');
    await shows(page, 'headline', '2 matches');
    const buffer = Buffer.from('1\n'.repeat(500_000));
    await page.setInputFiles('[data-file=text]', { name: 'a.log', mimeType: 'text/plain', buffer });
    await page.locator('[name=pattern]').fill('\\d');
    await shows(page, 'headline', '500,000 matches');
    await page.locator('[name=pattern]').fill('(?x)a');
    const refusal = page.locator('[data-refusal][data-field=pattern]');
    await refusal.filter({ hasText: 'the service (REST, MCP) reads it' }).waitFor();
    await page.locator('[name=pattern]').fill('\\A\\d');
    await shows(page, 'service', /\\AThe letter A|\\Athe letter A/);
    assert.deepEqual(calls(), []);
    await close();
  });

  test('the text is as tall as the window, with a narrow rail beside it; a long pattern scrolls with its colors', async () => {
    const { page, text, close } = await visit('regex-tester');
    const pattern = page.locator('[name=pattern]');
    await text.fill('x1');
    await pattern.fill('(x)1');
    await shows(page, 'headline', '1 match');
    const box = async (/** @type {string} */ of) => {
      const found = await page.locator(of).boundingBox();
      return found ?? assert.fail(of);
    };
    const pane = '.panes > .pane:has([name=text])';
    const [window, rail] = [await box(pane), await box('.result')];
    assert.ok(rail.x > window.x + window.width && rail.width < 450, `${rail.x}, ${rail.width}`);
    assert.ok(
      window.y + window.height > 840 && window.y + window.height <= 900,
      `${window.height}`,
    );
    assert.ok((await box('.pane:has([name=cases])')).x === rail.x, 'cases are in the rail');
    await page.setViewportSize({ width: 1000, height: 900 });
    await until(async () => (await box('.result')).width > 450, 'two halves in a smaller window');
    await pattern.fill(`${'a'.repeat(400)}|(x)1`);
    await pattern.press('End');
    await becomes(() => marked(page, 'tone-1'), [['(x)', 'x']]);
    const places = () =>
      pattern.evaluate((node) => {
        const copy = node.previousElementSibling;
        return [node.scrollLeft > 0, Math.abs(node.scrollLeft - (copy?.scrollLeft ?? 0)) <= 1];
      });
    await becomes(places, [true, true]);
    await close();
  });

  test('matches stand one by one with their groups below, in the width there is; flags stand once', async () => {
    const { page, text, close } = await visit('regex-tester');
    await page.locator('[name=pattern]').fill('(?<date>\\S+) (?<level>[A-Z]+) (\\w+) (?<rest>.*)');
    await text.fill(
      `2026-11-28 ERROR disk ${'no space left on the device '.repeat(9)}\n`.repeat(3),
    );
    await shows(page, 'headline', '3 matches');
    for (const width of [390, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const found = await page.locator('[data-output=matches] .scroll').evaluate((box) => ({
        over: box.scrollWidth - box.clientWidth,
        lines: [...box.querySelectorAll('tbody tr:first-child > td:not(.number)')].map(
          (cell) => cell.getBoundingClientRect().y,
        ),
      }));
      assert.ok(found.over <= 0, `${found.over} px are out of sight at ${width} px`);
      assert.deepEqual(
        [...new Set(found.lines)].sort((a, b) => a - b),
        found.lines,
        'each group has its line',
      );
    }
    assert.ok(((await page.locator('.lined:has([name=flags])').boundingBox())?.width ?? 0) <= 1);
    await close();
  });

  test('a pattern that runs away is ended, and the page answers again', async () => {
    const { page, text, close } = await visit('regex-tester');
    await text.fill(`${'a'.repeat(40)}!`);
    await page.locator('[name=pattern]').fill('(a+)+$');
    await page.locator('.status:visible').filter({ hasText: 'stopped after 5 seconds' }).waitFor();
    await page.locator('[name=pattern]').fill('a+');
    await shows(page, 'headline', '1 match');
    await close();
  });
});

test('jwt-decoder colors the parts of a token where it was pasted', async () => {
  const { page, close } = await visit('jwt-decoder');
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln';
  await page.locator('[name=token]').fill(`Bearer ${token}`);
  const parts = () => marked(page, 'tone-1', 'tone-2', 'tone-3');
  await becomes(
    parts,
    token.split('.').map((part) => [part]),
  );
  await looksGood(page);
  await page.locator('[name=token]').fill('');
  await becomes(parts, [[], [], []]);
  await close();
});

describe('cron-explainer', () => {
  test('names the field at the cursor, and offers five fields for six', async () => {
    const { page, calls, close } = await visit('cron-explainer');
    const expression = page.locator('[name=expression]');
    const help = page.locator('#field-expression-help');
    await expression.fill('0 30 9 ? * MON-FRI');
    await page.getByRole('button', { name: 'Use 30 9 * * MON-FRI' }).click();
    await shows(page, 'headline', 'At 09:30, Monday through Friday');
    await expression.press('Home');
    await becomes(() => marked(page, 'match-0'), [['30']]);
    assert.match((await help.textContent()) ?? '', /^Minute: 0-59; /);
    await expression.press('End');
    assert.match(
      (await help.textContent()) ?? '',
      /^Day of week: 0-7 \(0 and 7 are Sunday\) or SUN-SAT/,
    );
    await page.getByRole('button', { name: 'Hour', exact: true }).click();
    const selected = () => page.evaluate(() => getSelection()?.toString());
    await becomes(selected, '9');
    await becomes(() => marked(page, 'match-0'), [['9']]);
    const size = await expression.evaluate((node) => getComputedStyle(node).fontSize);
    assert.equal(size, '28px');
    const hours = await page.locator('.week .number').allInnerTexts();
    assert.deepEqual(hours.slice(0, 3), ['00', '01', '02']);
    await page.locator('[name=zone]').fill('Asia/Tokyo');
    await shows(page, 'runs', /09:30.*00:30/);
    await page.getByRole('button', { name: 'Every quarter' }).click();
    await shows(page, 'headline', /^At 00:00, on day 1/);
    assert.deepEqual(calls(), []);
    await looksGood(page);
    await close();
  });

  test('a warning shows code as code, and a screen reader is told no backticks', async () => {
    const { page, close } = await visit('cron-explainer');
    await page.locator('[name=expression]').fill('0 9 ? * 1');
    const warning = page.locator('[data-warnings] li');
    await warning.filter({ hasText: '? ' }).waitFor();
    assert.ok((await warning.locator('code').count()) > 0);
    await announced(page).filter({ hasText: 'Warning: ' }).waitFor();
    await page.locator('[name=expression]').fill('0 9 * * 1x');
    await page.locator('[data-refusal] code').first().waitFor();
    await announced(page).filter({ hasText: 'has 1x in its day of week field' }).waitFor();
    assert.doesNotMatch((await announced(page).textContent()) ?? '', /`/);
    await looksGood(page);
    await close();
  });
});

test('cidr-calculator splits, moves to the next block, and turns ranges into blocks', async () => {
  const { page, calls, close } = await visit('cidr-calculator');
  const cidr = page.locator('[name=cidr]');
  await cidr.fill('10.0.0.77/255.255.255.192');
  await page.locator('[name=split]').fill('27');
  await page.locator('.more > summary').click();
  await page.locator('[name=inside]').fill('10.0.0.100');
  await page.keyboard.press('Escape');
  await shows(page, 'parts', /10.0.0.96\/27/);
  await shows(page, 'result', /Contains 10.0.0.100Yes: at 36/);
  await page.getByRole('button', { name: 'Next ›' }).click();
  await shows(page, 'headline', '10.0.0.128/26: 64 addresses');
  await looksGood(page);
  await cidr.fill('10.0.0.1 - 10.0.0.4');
  await shows(page, 'headline', '3 blocks: 4 addresses');
  assert.equal(await page.locator('.calls').isVisible(), false);
  await page.locator('[name=split]').fill('8');
  await cidr.fill('10.0.0.0/24');
  await reaches(page, 'refused');
  const refusal = page.locator('[data-refusal][data-field=split]');
  assert.match(await refusal.innerText(), /^Parts must be from 24 to 32 for this block\.$/);
  assert.deepEqual(calls(), []);
  await close();
});

describe('data-converter', () => {
  test('finds the format, swaps, and has TOML and .env', async () => {
    const { page, text, calls, close } = await visit('data-converter');
    await text.fill('a: 1\nb: x\n');
    await select(page, 'to_format', { label: 'JSON' });
    await shows(page, 'headline', 'YAML to JSON');
    const call = page.locator('.calls code').first();
    assert.match(await call.innerText(), /curl -s .*data-converter\/run/);
    assert.match(await call.innerText(), /"from_format":"yaml"/);
    await page.getByRole('button', { name: 'Swap' }).click();
    await shows(page, 'result', 'a: 1\nb: x\n');
    await select(page, 'to_format', { label: 'TOML' });
    await shows(page, 'result', 'a = 1\nb = "x"\n');
    await select(page, 'to_format', { label: '.env' });
    await shows(page, 'result', 'a=1\nb=x\n');
    assert.equal(await page.locator('.calls').isVisible(), false);
    assert.deepEqual(calls(), []);
    await looksGood(page);
    await close();
  });

  test('converts a file of a megabyte while the page stays quick', async () => {
    const { page, calls, close } = await visit('data-converter');
    const item =
      '- id: 7\n  name: "User"\n  tags: [a, b]\n  nested:\n    on: no\n    ratio: 1.50\n';
    const buffer = Buffer.from(item.repeat(Math.ceil((1 << 20) / item.length)));
    await select(page, 'to_format', 'json');
    await page.setInputFiles('[data-file=text]', { name: 'a.yaml', mimeType: 'text/yaml', buffer });
    await shows(page, 'headline', 'YAML to JSON');
    assert.match((await outputs(page)).result ?? '', /"ratio": 1\.50/);
    const broken = { name: 'a.yaml', mimeType: 'text/yaml', buffer: Buffer.from('a: "x\nb: 1\n') };
    await page.setInputFiles('[data-file=text]', broken);
    const refusal = page.locator('[data-refusal][data-field=text]');
    await refusal.filter({ hasText: 'Line 1, column 4: ' }).waitFor();
    assert.deepEqual(calls(), []);
    await close();
  });

  test('an emptied field leaves neither result nor refusal, and the same input works again', async () => {
    const { page, text, close } = await visit('data-converter#to_format=json');
    await text.fill('"ab"');
    await shows(page, 'result', '"ab"');
    await text.fill('');
    await becomes(() => outputs(page), {});
    await text.fill('"a');
    await reaches(page, 'refused');
    await text.fill('');
    await becomes(() => page.locator('[data-refusal]').count(), 0);
    assert.equal(await text.getAttribute('aria-invalid'), null);
    await text.fill('[]');
    await shows(page, 'result', '[]');
    await page.getByRole('button', { name: 'Reset' }).click();
    await reaches(page, 'ready');
    await select(page, 'to_format', 'json');
    await text.fill('[]');
    await shows(page, 'result', '[]');
    await close();
  });
});

test('the call to copy matches the form', async () => {
  for (const slug of ['url-encoder', 'data-converter']) {
    const { page, text, calls, close } = await visit(slug);
    await text.fill('"a b"');
    await reaches(page, 'done');
    const call = page.locator('.calls code').first();
    assert.match(await call.innerText(), /"text":"\\"a b\\""/);
    await page.locator('[data-example]').nth(1).click();
    await reaches(page, 'done');
    assert.match(await call.innerText(), /"(?:mode|scope|from_format)":"/);
    assert.deepEqual(calls(), []);
    await close();
  }
});

test('links and options of the pages that asked the server still work', async () => {
  const { page, close } = await visit('regex-tester');
  for (const [slug, hash, name, wanted] of /** @type {const} */ ([
    ['regex-tester', 'pattern=a(b)&text=ab&flags=gi&replacement=%241', 'replaced', 'b'],
    ['regex-tester', 'pattern=a%20b&text=ab&flags=gx', 'headline', '1 match'],
    ['cron-explainer', 'expression=0%209%20*%20*%201&count=2', 'headline', 'At 09:00, on Monday'],
    ['cidr-calculator', 'cidr=10.0.0.0/30&split=31', 'headline', '10.0.0.0/30: 4 addresses'],
    [
      'data-converter',
      'text=a%3A%201&from_format=yaml&to_format=json&action=minify',
      'result',
      '{"a":1}',
    ],
  ])) {
    await page.goto(`${server.web}/tools/${slug}#${hash}`);
    await page.reload();
    await shows(page, name, wanted);
  }
  await close();
});

test('a part of the page that cannot be loaded is reported', async () => {
  const { page, close } = await browser.open({ serviceWorkers: 'block' });
  await page.route(/assets\/.*\/tools\/cidr-calculator/, (route) => route.abort());
  await page.goto(`${server.web}/tools/cidr-calculator`);
  await page.getByText('The tool could not be loaded. Reload the page.').waitFor();
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

test('a page of a build without libraries says what it lacks', async () => {
  const opened = await browser.open({ serviceWorkers: 'block' });
  const { page } = opened;
  // As a build without Node has it.
  await page.route('**/libraries/**', (route) => route.abort());
  await page.route('**/tools/toml-converter', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('<html ', '<html data-unbuilt ');
    await route.fulfill({ response, body });
  });
  await page.goto(`${server.web}/tools/toml-converter`);
  await reaches(page, 'ready');
  await page.locator('[data-example]').first().click();
  await page
    .getByText('needs a library that is not in this build of the service')
    .first()
    .waitFor();
  await opened.close();
});
