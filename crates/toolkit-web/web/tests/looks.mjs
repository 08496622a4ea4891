//! Checks of every rendered page: axe, on a phone and with the rail, in both themes; no horizontal
//! scrolling at any width.
import assert from 'node:assert/strict';
import { AXE } from './chromium.mjs';

/** @typedef {import('playwright-core').Page} Page */

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules whose outcome depends on colors; a theme changes nothing else. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];
/** All rules once as on a phone in dark and once with the rail in light; then what its dark theme changes. */
const LOOKS = /** @type {[width: number, theme: 'light' | 'dark', rules: object][]} */ ([
  [390, 'dark', { type: 'tag', values: TAGS }],
  [1920, 'light', { type: 'tag', values: TAGS }],
  [1920, 'dark', { type: 'rule', values: OF_COLORS }],
]);
/** The first is that of WCAG 2.2, 1.4.10 Reflow. */
const WIDTHS = [320, 390, 1280, 1920];

/** Violations found by axe. @param {Page} page @param {object} rules @param {object | string} context */
async function findings(page, rules, context) {
  await page.evaluate(() => scrollTo(0, 0));
  const { violations } = await page.evaluate(
    // Without `preload` it fetches no style sheets, which the policy of the page would refuse.
    ([runOnly, context]) =>
      /** @type {any} */ (globalThis).axe.run(context, {
        runOnly,
        preload: false,
        resultTypes: ['violations'],
      }),
    [rules, context],
  );
  return violations.map(
    (/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`,
  );
}

/** @param {Page} page */
const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Checks the page. `prepare` redraws what depends on the width.
 * @param {Page} page @param {() => Promise<unknown>} [prepare]
 */
export async function looksGood(page, prepare = async () => {}) {
  await page.evaluate(AXE);
  let last = 0;
  // The rail is the same beside all tools: other pages check it, and their third look is for the dark one.
  const isTool = (await page.locator('[data-page=tool]').count()) > 0;
  const context = isTool ? { exclude: ['.rail'] } : 'html';
  for (const [width, theme, rules] of LOOKS.slice(0, isTool ? 2 : 3)) {
    if (width !== last) {
      await page.setViewportSize({ width, height: 900 });
      await prepare();
      // On every page but home and the documents it is drawn as soon as the window is wide.
      if (
        width > 1440 &&
        (await page.locator('[data-page]:not([data-page=home], [data-page=docs])').count())
      )
        await page.locator('.rail').waitFor();
    }
    last = width;
    await page.emulateMedia({ colorScheme: theme });
    assert.deepEqual(await findings(page, rules, context), [], `axe, ${theme}, ${width} px`);
  }
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    assert.ok((await overflow(page)) <= 0, `no sideways scrolling at ${width} px`);
  }
}
