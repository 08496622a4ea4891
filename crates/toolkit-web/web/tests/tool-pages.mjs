//! Helpers for tests of single tools in Chromium: visits, pixels, downloads.
import { readFile } from 'node:fs/promises';
import { describe } from 'node:test';
import { reaches } from './chromium.mjs';
import { isWanted, useBrowser, useServer } from './fixtures.mjs';
import { loadFile } from './tools.mjs';

/** @typedef {import('playwright-core').Page} Page */

const server = useServer();
const browser = useBrowser();

/** The address of the pages. */
export const web = () => server.web;
/** A page that records the browser's messages and requests. */
export const openPage = () => browser.open();

/** Tests of one tool; skipped when others are selected. @param {string} slug @param {(load: () => Promise<any>) => void} tests */
export const of = (slug, tests) => {
  if (isWanted(slug)) describe(slug, () => tests(() => loadFile(slug)));
};

/** Opens the page of a tool. @param {string} slug @param {string} [hash] @param {import('playwright-core').BrowserContextOptions} [options] */
export async function visit(slug, hash = '', options = {}) {
  const opened = await browser.open(options);
  await opened.page.goto(`${server.web}/tools/${slug}${hash}`);
  await reaches(opened.page, 'ready', 'done', 'refused');
  return opened;
}

/** A blank page without a policy. @template T @param {(page: Page) => Promise<T>} act */
export async function onBlankPage(act) {
  const page = await browser.newPage();
  try {
    return await act(page);
  } finally {
    await page.close();
  }
}

/**
 * Colors of points in a picture, as hex digits.
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

/** The largest difference of a byte between two colors. @param {string} a @param {string} b */
export const distance = (a, b) =>
  Math.max(
    ...Buffer.from(a, 'hex').map((byte, at) => Math.abs(byte - (Buffer.from(b, 'hex')[at] ?? 0))),
  );

/** The file that the Download button of an output saves, or the product's. @param {Page} page @param {string} output */
export async function saved(page, output) {
  const own = page.locator(`[data-output=${output}]`).getByRole('button', { name: 'Download' });
  const button = (await own.first().isVisible()) ? own.first() : page.locator('[data-product]');
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}
