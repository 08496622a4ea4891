// Screenshots of the pages. Usage: node screenshots.mjs ADDRESS DOCS [FOLDER]
// Without FOLDER the two of the README are written to DOCS; with it many pages, at two widths and
// in both themes, to FOLDER.

import { createRequire } from 'node:module';
import { join } from 'node:path';

const { CHROMIUM, TOOLKIT_WEB_BUILT = '' } = process.env;
const require = createRequire(join(TOOLKIT_WEB_BUILT, 'package.json'));
const { chromium } = require('playwright-core');
const [address = '', docs = '', folder] = process.argv.slice(2);

const PAGES = {
  home: '/',
  'hex-encoder': '/tools/hex-encoder',
  'json-formatter': '/tools/json-formatter',
  'hash-generator': '/tools/hash-generator',
  'regex-tester': '/tools/regex-tester',
  'toml-converter': '/tools/toml-converter',
  'not-found': '/tools/jsn-formatter',
  offline: '/offline',
  rest: '/docs',
  mcp: '/docs/mcp',
};

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--force-color-profile=srgb'],
});

/** @param {string} path @param {{ width: number, height: number, theme: string, file: string }} options */
async function picture(path, { width, height, theme, file }) {
  const page = await browser.newPage({
    viewport: { width, height },
    deviceScaleFactor: 1,
    colorScheme: /** @type {'light' | 'dark'} */ (theme),
  });
  for (let tries = 0; ; tries++) {
    const opened = await page.goto(address + path).catch(() => undefined);
    if (opened) break;
    if (tries === 100) throw new Error(`${address} does not answer`);
    await page.waitForTimeout(50);
  }
  const tool = page.locator('main[data-page=tool]');
  if (await tool.count()) {
    await page.waitForFunction(() => document.querySelector('main')?.dataset.state !== 'loading');
    const example = page.locator('[data-example]').first();
    if (await example.count()) {
      await example.click();
      await page.waitForFunction(
        () => ['done', 'refused'].includes(document.querySelector('main')?.dataset.state ?? ''),
        undefined,
        { timeout: 5000 },
      );
    }
    await page.evaluate(() => scrollTo(0, 0));
    await page.mouse.move(0, 0);
  }
  await page.waitForTimeout(200);
  await page.screenshot({ path: file });
  await page.close();
}

if (folder) {
  for (const [name, path] of Object.entries(PAGES))
    for (const [width, height] of [
      [1280, 900],
      [390, 844],
    ])
      for (const theme of ['light', 'dark'])
        await picture(path, {
          width: width ?? 0,
          height: height ?? 0,
          theme,
          file: join(folder, `${name}-${width}-${theme}.png`),
        }).catch((error) => console.error(`${name} ${width} ${theme}: ${error.message}`));
} else {
  const size = { width: 1280, height: 800, theme: 'light' };
  await picture('/', { ...size, file: join(docs, 'home.png') });
  await picture('/tools/hex-encoder', { ...size, file: join(docs, 'tool.png') });
}
await browser.close();
