//! Vectors: CommonMark 0.31.2, the extensions of the GFM specification; attacks remain text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool, seeded, suite } from '../../../tests/run.mjs';
import {
  contentsOf,
  toHtml,
  withAnchors,
  withBlockAnchors,
  withoutFrontMatter,
} from '../markdown.js';
import tool from '../tool.js';

test('CommonMark 0.31.2: all examples', (context) => {
  /** @type {{ id: string, input: string, expect: string }[]} */
  const cases = suite(context, 'commonmark_spec_0_31_2') ?? [];
  for (const { id, input, expect } of cases)
    assert.equal(toHtml(input, { github: false, raw: true, protocols: true }), expect, id);
  if (cases.length > 0) assert.equal(cases.length, 652);
});

/** Normalises equivalent notations of HTML. @param {string} html */
const plain = (html) =>
  html
    .replace(/ \/>/g, '>')
    .replace(/(checked|disabled)=""/g, '$1')
    .replace(/checked disabled|disabled checked/g, 'checked disabled')
    .replace(/\s+/g, ' ')
    .replace(/> </g, '><')
    .trim();

test('GFM: the extensions', (context) => {
  /** @type {{ id: string, input: string, expect: string, note?: string, extensions: string[] }[]} */
  const cases = suite(context, 'gfm_extensions') ?? [];
  let noted = 0;
  for (const { id, input, expect, note } of cases) {
    const found = toHtml(input, { github: true, raw: true, protocols: true });
    if (note !== undefined && plain(found) !== plain(expect)) noted++;
    else assert.equal(plain(found), plain(expect), id);
  }
  if (cases.length > 0)
    assert.deepEqual([cases.length, noted], [52, 5], 'five of those that bear a note differ');
});

test('anchors and contents as on GitHub', () => {
  const { html, headings } = withAnchors(
    '<h1>A &amp; <em>B</em>!</h1>\n<h3>Ünï_c-d</h3><h2>A  B</h2><h2>A  B</h2>',
  );
  assert.deepEqual(
    headings.map(({ anchor }) => anchor),
    ['a--b', 'ünï_c-d', 'a--b-1', 'a--b-2'],
  );
  assert.match(html, /^<h1 id="a--b">A &amp; <em>B<\/em>!<\/h1>/);
  assert.equal(contentsOf(headings.slice(0, 2)), '- [A & B!](#a--b)\n    - [Ünï_c-d](#ünï_c-d)');
});

test('blocks of the preview carry their position in the text', async () => {
  const { html, anchors } = withBlockAnchors(
    '<h1 id="own">1234</h1>\n<ul>\n<li>1<br />2</li>\n</ul>\n<hr />\n<!-- x -->\n<p>34</p>',
  );
  assert.deepEqual(anchors, [
    ['own', 0],
    ['block-1', 0.5],
    ['block-2', 0.75],
    ['block-3', 0.75],
  ]);
  assert.match(html, /^<h1 id="own">1234<\/h1>\n<ul id="block-1">\n<li>1<br \/>/);
  assert.match(html, /<hr id="block-2" \/>[\s\S]*<p id="block-3">34<\/p>$/);
  const { outputs } = await runTool(tool, { markdown: 'a\n\nb', anchors: false });
  assert.equal(outputs.html.text, '<p>a</p>\n<p>b</p>');
  assert.match(outputs.preview.html, /id="block-1"/);
});

test('front matter is left out, a rule at the beginning is not', async () => {
  for (const [source, wanted] of [
    ['---\ntitle: x\n---\n# A', '# A'],
    ['---\r\ntitle: x\r\n...\r\nA', 'A'],
    ['---\nA rule above\n\n---\n', '---\nA rule above\n\n---\n'],
    ['text\n---\ntitle: x\n---', 'text\n---\ntitle: x\n---'],
  ])
    assert.equal(withoutFrontMatter(String(source)), wanted);
  const { warnings } = await runTool(tool, { markdown: '---\na: 1\n---\nb' });
  assert.match(String(warnings), /front matter/);
});

test('without raw HTML no tag, handler or script address of the text becomes HTML', async () => {
  const attacks = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[a](javascript:alert(1))',
    '![a](javascript:alert(1))',
    '<javascript:alert(1)>',
    '[a](data:text/html;base64,PHNjcmlwdD4=)',
    '[a](JaVaScRiPt:alert(1))',
    '[a]( &#x6A;avascript:alert(1))',
    '<a href="javascript:x">b</a>',
    '[a][b]\n\n[b]: javascript:alert(1)',
    '<svg/onload=alert(1)>',
    '`<script>`',
    '[a](vbscript:x)',
    '<iframe src=//evil.example>',
    '# <img onerror=x src=y>',
    '| <b onclick=x> |\n|---|\n| <i> |',
    '[^1]\n\n[^1]: <script>',
  ];
  for (const markdown of attacks)
    for (const flavor of /** @type {const} */ (['github', 'common'])) {
      const html = (await runTool(tool, { markdown, flavor })).outputs.html.text;
      assert.doesNotMatch(html, /<(?:script|svg|iframe|b|i)\b/i, markdown);
      assert.doesNotMatch(
        html,
        /<[^>]*\s(?:on\w+\s*=|(?:href|src)="\s*(?:javascript|vbscript|data):)/i,
        markdown,
      );
    }
});

test('a complete document, and no input is refused', async () => {
  const { outputs } = await runTool(tool, { markdown: '# A < B', whole: true });
  assert.match(
    outputs.html.text,
    /^<!doctype html>\n<html lang="en">[\s\S]*<title>A &#60; B<\/title>/,
  );
  const next = seeded(21);
  const letters = [...'#*_`[]()<>!|-+~^:\\ \n\tax1&;é𝄞\ud800'];
  for (let round = 0; round < 300; round++) {
    const markdown = Array.from({ length: next(80) }, () => letters[next(letters.length)]).join('');
    assert.equal(
      (await runTool(tool, { markdown, raw: next(2) === 1 })).refusal,
      undefined,
      JSON.stringify(markdown),
    );
  }
});

test('limits: live up to 1 MiB, accepted up to 10 MiB', async () => {
  const live = /** @type {(raw: any) => boolean} */ (tool.live);
  assert.equal(live({ markdown: 'a'.repeat(1 << 20) }), true);
  assert.equal(live({ markdown: 'a'.repeat((1 << 20) + 1) }), false);
  assert.equal(live({ markdown: new File(['a'.repeat((1 << 20) + 1)], 'a.md') }), false);
  const { refusal } = await runTool(tool, { markdown: 'a'.repeat((10 << 20) + 1) });
  assert.equal(refusal?.field, 'markdown');
});

test('the HTML to copy is the document: images, media and images in data addresses stay', async () => {
  const html = async (/** @type {string} */ markdown, /** @type {any} */ values = {}) =>
    (await runTool(tool, { markdown, ...values })).outputs.html.text;
  const media =
    '<video src="a.mp4"></video>\n<img src="https://example.com/a.png" style="width:1em">';
  assert.equal(await html(media, { raw: true }), `<p>${media}</p>`);
  assert.equal(tool.finish, undefined);
  assert.equal(
    await html('![dot](data:image/gif;base64,R0lGODlhAQABAAAAACw=)'),
    '<p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="dot" /></p>',
  );
  assert.equal(
    await html(
      '[a](javascript:x) ![b](javascript:x) [c](data:image/gif;base64,R0lG) [d](mailto:e@f)',
    ),
    '<p><a href="">a</a> <img src="" alt="b" /> <a href="">c</a> <a href="mailto:e@f">d</a></p>',
  );
});

test('the alerts of GitHub have their titles', async () => {
  const html = async (/** @type {string} */ markdown) =>
    (await runTool(tool, { markdown })).outputs.html.text;
  for (const [markdown, title] of /** @type {[string, string][]} */ ([
    ['> [!NOTE]\n> Useful', 'Note'],
    ['> [!warning]\n>\n> Useful', 'Warning'],
    ['> [!TIP]  \n> Useful', 'Tip'],
  ])) {
    const found = await html(markdown);
    assert.match(
      found,
      new RegExp(`class="markdown-alert-title"><strong>${title}</strong></p>\n<p>Useful</p>`, 'i'),
    );
    assert.doesNotMatch(found, /\[!/);
  }
  assert.match(await html('> [!OTHER]\n> x'), /\[!OTHER\]/);
  assert.match(await html('[!NOTE]'), /\[!NOTE\]/);
});
