//! Checks of every rendered page: axe, and no horizontal scrolling, at two widths in both themes.
import assert from 'node:assert/strict';
import { AXE } from './chromium.mjs';

/** @typedef {import('playwright-core').Page} Page */

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules whose outcome depends on colors; a theme changes nothing else. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];
const WIDTHS = [1280, 390];
/** WCAG 2.2, 1.4.10 Reflow. */
const NARROWEST = 320;

/** Violations found by axe. @param {Page} page @param {object} rules */
async function findings(page, rules) {
  await page.evaluate(() => scrollTo(0, 0));
  const { violations } = await page.evaluate(
    // Without `preload` it fetches no style sheets, which the policy of the page would refuse.
    (runOnly) => /** @type {any} */ (globalThis).axe.run(document, { runOnly, preload: false }),
    rules,
  );
  return violations.map(
    (/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`,
  );
}

/** @param {Page} page */
const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Checks the page in light and dark, on a phone and on a desktop. `prepare` redraws what depends on
 * the width.
 * @param {Page} page @param {() => Promise<unknown>} [prepare]
 */
export async function looksGood(page, prepare = async () => {}) {
  await page.evaluate(AXE);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await prepare();
    await page.emulateMedia({ colorScheme: 'light' });
    const all = { type: 'tag', values: TAGS };
    assert.deepEqual(await findings(page, all), [], `axe, light, ${width} px`);
    await page.emulateMedia({ colorScheme: 'dark' });
    const colors = { type: 'rule', values: OF_COLORS };
    assert.deepEqual(await findings(page, colors), [], `axe, dark, ${width} px`);
    assert.ok((await overflow(page)) <= 0, `no sideways scrolling at ${width} px`);
  }
  await page.setViewportSize({ width: NARROWEST, height: 900 });
  assert.ok((await overflow(page)) <= 0, `no sideways scrolling at ${NARROWEST} px`);
}
