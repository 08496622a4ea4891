//! Meta tag generator: hostile values come back, Open Graph's required four, reading, refusals.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readTags } from '../lib/meta-tags.js';
import tool from '../tools/meta-tag-generator.js';
import { runAction, runTool } from './run.mjs';

/** @typedef {import('../kit/types.d.ts').RawValues<typeof tool.fields>} Raw */

const HOSTILE = [
  '"><script>alert(1)</script>',
  "' onerror='x",
  '</title><img src=x onerror=y>',
  '&amp; &lt; &#60; &copy',
  'a\tb  c',
  '<!-- --> ]]> \u2028 😀 é',
  '</script><b>',
];
const FULL = {
  canonical: 'https://example.org/?a=1&b=%22',
  image: 'https://example.org/a.png?x="&y',
  width: 1200,
  height: 630,
};

describe('meta tag generator', () => {
  for (const value of HOSTILE)
    test(`comes back exactly: ${value}`, async () => {
      /** @type {Raw} */
      const values = {
        ...FULL,
        title: value,
        description: value,
        alt: value,
        site: value,
        handle: value,
        jsonLd: 'Article',
      };
      const { outputs, refusal } = await runTool(tool, values);
      assert.equal(refusal, undefined);
      const read = readTags(outputs.html.text);
      for (const name of /** @type {const} */ ([
        'title',
        'description',
        'alt',
        'site',
        'handle',
        'canonical',
        'image',
        'width',
        'height',
      ]))
        assert.equal(read[name], values[name], name);
      const [, json = ''] = /ld\+json">([\s\S]*?)<\/script>/.exec(outputs.html.text) ?? [];
      assert.equal(JSON.parse(json).headline, value);
      assert.equal((outputs.html.text.match(/<script/g) ?? []).length, 1);
    });

  test("Open Graph's required four are there, or missing ones are told", async () => {
    const { outputs, warnings } = await runTool(tool, { title: 'x', alt: 'y', ...FULL });
    for (const name of ['og:title', 'og:type', 'og:url', 'og:image'])
      assert.ok(outputs.html.text.includes(`"${name}"`), name);
    assert.deepEqual(warnings, []);
    const bare = await runTool(tool, { title: 'x' });
    assert.deepEqual(bare.warnings, ['Open Graph requires og:url and og:image too.']);
  });

  test('a written head fills the form again', async () => {
    /** @type {Raw} */
    const values = {
      title: 'A & B',
      description: 'c',
      ...FULL,
      alt: 'd',
      site: 'e',
      locale: 'en_GB',
      type: 'article',
      card: 'summary',
      handle: '@f',
      robots: 'noindex',
      jsonLd: 'Article',
      theme: '#112233',
      icon: '/favicon.ico',
      touchIcon: '/touch.png',
      alternates: [{ lang: 'de', url: 'https://example.org/de' }],
    };
    const { outputs } = await runTool(tool, values);
    const filled = await runAction(tool, 'Fill the form from it', { head: outputs.html.text });
    assert.deepEqual(filled.values, values);
  });

  test('unknown choices of a pasted head are left out, and told', async () => {
    const head = '<TITLE>x</TITLE><META Property="og:type" Content="music.song">';
    const { values, warnings } = await runAction(tool, 'Fill the form from it', { head });
    assert.deepEqual(values, { title: 'x' });
    assert.equal(warnings.length, 1);
    const none = await runAction(tool, 'Fill the form from it', { head: '<p>nothing</p>' });
    assert.equal(none.refusal?.field, 'head');
  });

  test('the preview escapes, and lengths are hinted', async () => {
    const { outputs } = await runTool(tool, { title: '<b>'.repeat(30) });
    assert.ok(!outputs.preview.html.includes('<b>'));
    assert.match(
      outputs.hints.pairs[0][1],
      /^90 characters; search results cut it after about 60$/,
    );
  });

  for (const [values, field] of /** @type {[Raw, string][]} */ ([
    [{ description: 'x' }, 'title'],
    [{ title: ' ', description: 'x' }, 'title'],
    [{ title: 'x', canonical: '/page' }, 'canonical'],
    [{ title: 'x', canonical: 'javascript:alert(1)' }, 'canonical'],
    [{ title: 'x', image: 'card.png' }, 'image'],
    [{ title: 'x', image: 'data:image/png;base64,AA' }, 'image'],
    [{ title: 'x', icon: 'ftp://example.org/i' }, 'icon'],
    [{ title: 'x', alternates: [{ lang: 'de', url: '/de' }] }, 'alternates'],
    [{ title: 'a\0b' }, 'title'],
    [{ title: 'x', width: 0 }, 'width'],
  ]))
    test(`refuses ${JSON.stringify(values)}`, async () => {
      assert.equal((await runTool(tool, values)).refusal?.field, field);
    });
});
