//! What the tests of single tools in Chromium share: a server and a browser for each file, visits,
//! pixels, downloads. TOOLKIT_PAGES names slugs to test alone, separated by commas.
import { readFile } from 'node:fs/promises';
import { after, before, describe } from 'node:test';
import { launch, open, reaches, serve } from './chromium.mjs';

/** @typedef {import('playwright-core').Page} Page */

const only = process.env.TOOLKIT_PAGES?.split(',');
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

/** The address of the pages. */
export const web = () => server.web;
/** A page that notes what the browser says and asks for. */
export const openPage = () => open(browser);

/** Tests of one tool; they are left out when others are named. @param {string} slug @param {(load: () => Promise<any>) => void} tests */
export const of = (slug, tests) => {
  const load = async () => (await import(`../tools/${slug}.js`)).default;
  if (!only || only.includes(slug)) describe(slug, () => tests(load));
};

/** Opens the page of a tool. @param {string} slug @param {string} [hash] @param {import('playwright-core').BrowserContextOptions} [options] */
export async function visit(slug, hash = '', options = {}) {
  const opened = await open(browser, options);
  await opened.page.goto(`${server.web}/tools/${slug}${hash}`);
  await reaches(opened.page, 'ready', 'done', 'refused');
  return opened;
}

/** A page of no tool, without a policy. @template T @param {(page: Page) => Promise<T>} act */
export async function onBlankPage(act) {
  const page = await browser.newPage();
  try {
    return await act(page);
  } finally {
    await page.close();
  }
}

/**
 * Colours of points of a picture, as hex digits.
 * @param {Page} page @param {Uint8Array} bytes @param {string} type @param {[x: number, y: number][]} points
 * @returns {Promise<{ width: number, height: number, colors: string[] }>}
 */
export const colorsAt = (page, bytes, type, points) =>
  page.evaluate(
    async ({ base64, type, points }) => {
      const binary = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([binary], { type }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
      context.drawImage(bitmap, 0, 0);
      const colors = points.map(([x, y]) => {
        const at = (/** @type {number} */ share, /** @type {number} */ size) =>
          Math.min(size - 1, Math.floor(share * size));
        const { data } = context.getImageData(at(x, bitmap.width), at(y, bitmap.height), 1, 1);
        return [...data].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      });
      return { width: bitmap.width, height: bitmap.height, colors };
    },
    { base64: Buffer.from(bytes).toString('base64'), type, points },
  );

/** The largest difference of a byte between two colours. @param {string} a @param {string} b */
export const distance = (a, b) =>
  Math.max(
    ...Buffer.from(a, 'hex').map((byte, at) => Math.abs(byte - (Buffer.from(b, 'hex')[at] ?? 0))),
  );

/** What the Download button of an output saves. @param {Page} page @param {string} output */
export async function saved(page, output) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator(`[data-output=${output}]`).getByRole('button', { name: 'Download' }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}
