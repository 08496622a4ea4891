//! What tools give, judged by Chromium: documents, pictures, colours. `node tests/tools.mjs [URL [LOG]]`;
//! TOOLKIT_PAGES names slugs to test alone, separated by commas.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AXE, launch, open, outputs, reaches, serve, until } from './chromium.mjs';
import { runTool, seeded, suite } from './run.mjs';

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

/** Tests of one tool; they are left out when others are named. @param {string} slug @param {(load: () => Promise<any>) => void} tests */
const of = (slug, tests) => {
  const load = async () => (await import(`../tools/${slug}.js`)).default;
  if (!only || only.includes(slug)) describe(slug, () => tests(load));
};

/** Opens the page of a tool. @param {string} slug @param {string} [hash] @param {import('playwright-core').BrowserContextOptions} [options] */
async function visit(slug, hash = '', options = {}) {
  const opened = await open(browser, options);
  await opened.page.goto(`${server.web}/tools/${slug}${hash}`);
  await reaches(opened.page, 'ready', 'done', 'refused');
  return opened;
}

/** A page of no tool, without a policy. @template T @param {(page: Page) => Promise<T>} act */
async function onBlankPage(act) {
  const page = await browser.newPage();
  try {
    return await act(page);
  } finally {
    await page.close();
  }
}

of('html-formatter', (load) => {
  /** The tree of a document as text, without white space. */
  const SHAPE = `globalThis.shape = (source) => {
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return node.data.replace(/[ \\t\\r\\n\\f]+/g, '');
      if (node.nodeType === Node.COMMENT_NODE) return '<!--' + node.data + '-->';
      if (node.nodeType === Node.DOCUMENT_TYPE_NODE) return '<!' + [node.name, node.publicId, node.systemId] + '>';
      const attributes = [...(node.attributes ?? [])].map(({ name, value }) => name + '=' + JSON.stringify(value));
      const inside = node instanceof HTMLTemplateElement ? node.content : node;
      return '<' + [node.nodeName, node.namespaceURI, ...attributes.sort()].join(' ') + '>' + [...inside.childNodes].map(walk).join('') + '</>';
    };
    return walk(new DOMParser().parseFromString(source, 'text/html'));
  };`;

  for (const mode of ['format', 'minify'])
    test(`${mode}: html5lib tree construction inputs stay the same document`, async (t) => {
      const cases = suite(t, 'html_tree_construction');
      if (!cases) return;
      const tool = await load();
      /** @type {[string, string][]} */
      const pairs = [];
      for (const { input } of cases) {
        const values = { text: input, mode, embedded: false, comments: false };
        const { outputs } = await runTool(tool, values);
        if (outputs.output) pairs.push([input, outputs.output.text]);
      }
      assert.equal(pairs.length, 1755);
      const changed = await onBlankPage(async (page) => {
        await page.evaluate(SHAPE);
        return page.evaluate((pairs) => {
          const { shape } = /** @type {any} */ (globalThis);
          return pairs.filter(([before, after]) => shape(before) !== shape(after));
        }, pairs);
      });
      assert.deepEqual(changed, []);
    });
});

of('svg-optimizer', (load) => {
  /** The share of pixels that differ between two SVGs, or -1 when the first cannot be drawn. */
  const COMPARE = `globalThis.compare = async (before, after) => {
    const pixels = async (svg) => {
      const image = new Image(480, 360);
      image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
      await image.decode();
      const context = new OffscreenCanvas(480, 360).getContext('2d');
      context.drawImage(image, 0, 0, 480, 360);
      URL.revokeObjectURL(image.src);
      return new Uint32Array(context.getImageData(0, 0, 480, 360).data.buffer);
    };
    const one = await pixels(before).catch(() => undefined);
    if (!one) return -1;
    const two = await pixels(after);
    return one.reduce((sum, pixel, at) => sum + (pixel === two[at] ? 0 : 1), 0) / one.length;
  };`;

  test('W3C SVG 1.1 sample: at the safe level at most 1 % of the pixels differ', async (t) => {
    const cases = suite(t, 'svg_w3c_sample');
    if (!cases) return;
    const tool = await load();
    const worse = await onBlankPage(async (page) => {
      await page.evaluate(COMPARE);
      const worse = [];
      let drawn = 0;
      for (const { id, input } of cases) {
        const { outputs, refusal } = await runTool(tool, { text: input });
        if (refusal) continue;
        const share = await page.evaluate(
          ([before, after]) => /** @type {any} */ (globalThis).compare(before, after),
          [input, outputs.svg.text],
        );
        if (share >= 0) drawn += 1;
        if (share > 0.01) worse.push(`${id}: ${(100 * share).toFixed(1)} %`);
      }
      t.diagnostic(`${drawn} of ${cases.length} drawn`);
      return worse;
    });
    assert.deepEqual(worse, []);
  });
});
