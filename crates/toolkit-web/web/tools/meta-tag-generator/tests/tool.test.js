//! Meta tag generator: hostile values round-trip, Open Graph's four required properties, parsing,
//! refusals.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runAction, runTool } from '../../../tests/run.mjs';
import { readTags } from '../tags.js';
import tool from '../tool.js';

/** @typedef {import('../../../kit/types.d.ts').RawValues<typeof tool.fields>} Raw */

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
    test(`round-trips exactly: ${value}`, async () => {
      /** @type {Raw} */
      const values = {
        ...FULL,
        title: value,
        description: value,
        alt: value,
        site: value,
        handle: value,
        author: value,
        type: 'article',
        section: value,
        json_ld: 'Article',
      };
      const { outputs, refusal } = await runTool(tool, values);
      assert.equal(refusal, undefined);
      const read = await readTags(outputs.html.text);
      for (const name of /** @type {const} */ ([
        'title',
        'description',
        'alt',
        'site',
        'handle',
        'author',
        'section',
        'canonical',
        'image',
        'width',
        'height',
      ]))
        assert.equal(read[name], values[name], name);
      const [, json = ''] = /ld\+json">([\s\S]*?)<\/script>/.exec(outputs.html.text) ?? [];
      assert.equal(JSON.parse(json).headline, value);
      assert.equal(JSON.parse(json).author.name, value);
      assert.equal((outputs.html.text.match(/<script/g) ?? []).length, 1);
    });

  test("Open Graph's four required properties are written, or reported as missing", async () => {
    const { outputs, warnings } = await runTool(tool, { title: 'x', alt: 'y', ...FULL });
    for (const name of ['og:title', 'og:type', 'og:url', 'og:image'])
      assert.ok(outputs.html.text.includes(`"${name}"`), name);
    assert.deepEqual(warnings, []);
    const bare = await runTool(tool, { title: 'x' });
    assert.deepEqual(bare.warnings, ['Open Graph requires og:url and og:image too.']);
  });

  test('a generated head fills the form again', async () => {
    /** @type {Raw} */
    const values = {
      title: 'A & B',
      description: 'c',
      ...FULL,
      alt: 'd',
      site: 'e',
      locale: 'en_GB',
      type: 'article',
      published: '2026-11-22',
      modified: '2026-11-22T18:30:00+01:00',
      author: 'Anna',
      section: 'Tools',
      tags: 'web, meta',
      card: 'summary',
      handle: '@f',
      robots: 'noindex',
      json_ld: 'Article',
      theme: '#112233',
      icon: '/favicon.ico',
      touch_icon: '/touch.png',
      alternates: [{ lang: 'de', url: 'https://example.org/de' }],
    };
    const { outputs } = await runTool(tool, values);
    const filled = await runAction(tool, 'Fill in the form', { head: outputs.html.text });
    assert.deepEqual(filled.values, values);
  });

  test('article tags are written only for articles', async () => {
    const values = { title: 'x', ...FULL, published: '2026-11-22', tags: 'a, b,' };
    const html = async (/** @type {Raw} */ more) =>
      (await runTool(tool, { ...values, ...more })).outputs.html.text;
    assert.equal((await html({ type: 'article' })).match(/article:tag/g)?.length, 2);
    assert.match(await html({ type: 'article' }), /published_time" content="2026-11-22"/);
    assert.doesNotMatch(await html({ type: 'website' }), /article/);
  });

  test('unusual locales and accounts are reported', async () => {
    /** @type {Raw} */
    const fine = { title: 'x', alt: 'y', ...FULL, locale: 'zh_Hant_TW', handle: '@a_1' };
    assert.deepEqual((await runTool(tool, fine)).warnings, []);
    const { warnings } = await runTool(tool, { ...fine, locale: 'english', handle: 'a b' });
    assert.match(String(warnings), /as en_GB; it is "english".*it is "a b"/);
  });

  test('unknown choices of a pasted head are left out with a warning', async () => {
    const head = '<TITLE>x</TITLE><META Property="og:type" Content="music.song">';
    const { values, warnings } = await runAction(tool, 'Fill in the form', { head });
    assert.deepEqual(values, { title: 'x' });
    assert.equal(warnings.length, 1);
    const none = await runAction(tool, 'Fill in the form', { head: '<p>nothing</p>' });
    assert.equal(none.refusal?.field, 'head');
    const foreign = '<meta name="constructor" content="x"><link rel="valueOf" href="/">';
    const other = await runAction(tool, 'Fill in the form', { head: foreign });
    assert.equal(other.refusal?.field, 'head');
  });

  test('the preview escapes', async () => {
    const { outputs } = await runTool(tool, { title: '<b>'.repeat(30) });
    assert.ok(!outputs.preview.html.includes('<b>'));
  });

  test('warns of a title and a description that search results cut, and of no others', async () => {
    const values = { ...FULL, alt: 'y', title: 'é'.repeat(60), description: 'x'.repeat(160) };
    assert.deepEqual((await runTool(tool, values)).warnings, []);
    const longer = { title: '😀'.repeat(61), description: 'x'.repeat(161) };
    assert.deepEqual((await runTool(tool, { ...values, ...longer })).warnings, [
      'Search results cut a title after about 60 characters; it has 61.',
      'Search results cut a description after about 160 characters; it has 161.',
    ]);
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
    [{ title: 'x', alternates: [{ lang: '', url: 'https://example.org/' }] }, 'alternates'],
    [{ title: 'x', alternates: [{ lang: 'de', url: '' }] }, 'alternates'],
    [{ title: 'x', alternates: [{ lang: 'd e', url: 'https://example.org/' }] }, 'alternates'],
    [{ title: 'x', type: 'article', published: 'yesterday' }, 'published'],
    [{ title: 'x', type: 'article', modified: '2026-02-30T1' }, 'modified'],
    [{ title: 'a\0b' }, 'title'],
    [{ title: 'x', width: 0 }, 'width'],
  ]))
    test(`refuses ${JSON.stringify(values)}`, async () => {
      assert.equal((await runTool(tool, values)).refusal?.field, field);
    });
});
