//! Vectors: Unicode SpecialCasing; tables of acronyms and digits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool, seeded, suite } from '../../../tests/run.mjs';
import tool from '../tool.js';
import { capitalized, splitWords, titleCharacter } from '../words.js';

/** @param {string} text @param {Record<string, string | boolean>} [values] */
const run = async (text, values = {}) => (await runTool(tool, { text, ...values })).outputs;

test('SpecialCasing: lower, upper and title case', async (context) => {
  /** @type {{ id: string, input: string, expect: Record<'lower' | 'title' | 'upper', string>, conditions: string[] }[]} */
  const cases = suite(context, 'special_casing_unicode15') ?? [];
  let count = 0;
  for (const { id, input, expect, conditions } of cases) {
    const locale = conditions.find((one) => /^(tr|az|lt)$/.test(one)) ?? 'en';
    // Conditions on neighbouring letters are tested by the words below.
    if (conditions.some((one) => !/^(tr|az|lt)$/.test(one))) continue;
    const { lower, upper } = await run(input, { locale });
    assert.deepEqual([lower, upper], [expect.lower, expect.upper], id);
    const title = titleCharacter(input, locale);
    assert.equal(title.normalize('NFC'), expect.title.normalize('NFC'), id);
    count++;
  }
  // The other nine have conditions on neighbouring letters.
  if (cases.length > 0) assert.deepEqual([count, cases.length], [110, 119]);
});

test('conditions by words: final sigma, Lithuanian dots, Turkish and Dutch', async () => {
  for (const [
    locale,
    source,
    output,
    wanted,
  ] of /** @type {[string, string, string, string][]} */ ([
    ['en', 'ΟΔΥΣΣΕΥΣ', 'lower', 'οδυσσευς'],
    ['en', 'ΣΑΣ Σ', 'lower', 'σας σ'],
    ['lt', 'Ì', 'lower', 'i̇̀'.normalize()],
    ['lt', 'i̇̀', 'upper', 'Ì'],
    ['tr', 'DIŞ İÇ', 'lower', 'dış iç'],
    ['az', 'isim', 'upper', 'İSİM'],
    ['el', 'άνθρωπος', 'upper', 'ΑΝΘΡΩΠΟΣ'],
    ['nl', 'ijsselmeer', 'title', 'IJsselmeer'],
    ['en', 'straße', 'upper', 'STRASSE'],
    ['en', 'ǆungla ﬁn', 'title', 'ǅungla Fin'],
  ]))
    assert.equal(
      (await run(source, { locale }))[output].normalize(),
      wanted,
      `${locale} ${source}`,
    );
});

test('names are split at acronyms and digits', () => {
  for (const [source = '', ...words] of [
    ['XMLHttpRequest', 'XML', 'Http', 'Request'],
    ['getHTTPSURL', 'get', 'HTTPSURL'],
    ['fooBar2Baz', 'foo', 'Bar2', 'Baz'],
    ['utf8Decode', 'utf8', 'Decode'],
    ['2ndPlace', '2nd', 'Place'],
    ['SHA256Sum', 'SHA256', 'Sum'],
    ['snake_case__twice', 'snake', 'case', 'twice'],
    ['  --kebab-case--', 'kebab', 'case'],
    ['path/to.file', 'path', 'to', 'file'],
    ["don't", 'dont'],
    ['ÉcoleÉtat', 'École', 'État'],
    ['e\u0301coleE\u0301tat', 'e\u0301cole', 'E\u0301tat'],
    ['日本語Text', '日本語', 'Text'],
    ['', ...[]],
    ['—!?', ...[]],
  ])
    assert.deepEqual(splitWords(source), words, source);
  assert.deepEqual(splitWords('version2beta10', { digits: true }), ['version', '2', 'beta', '10']);
});

test('lines keep their ends', async () => {
  const outputs = await run('fooBar\r\nbazQux\n\nX');
  assert.equal(outputs.snake, 'foo_bar\r\nbaz_qux\n\nx');
  assert.equal(outputs.title, 'Foo Bar\r\nBaz Qux\n\nX');
});

test('title case: minor words are in lower case only inside a title, and only in English', async () => {
  assert.equal(
    (await run('the lord of the rings: the return of the king')).title,
    'The Lord of the Rings: The Return of the King',
  );
  assert.equal((await run('what to look at')).title, 'What to Look At');
  assert.equal((await run('over the top', { locale: 'nl' })).title, 'Over The Top');
  assert.equal(capitalized('"quoted', 'en'), '"Quoted');
});

test('each case of names is stable, and snake case converts to all others (seeded)', async () => {
  const next = seeded(5);
  const letters = [...'abcxyzäéñß'];
  for (let round = 0; round < 300; round++) {
    const words = Array.from({ length: 1 + next(5) }, () =>
      Array.from({ length: 2 + next(6) }, () => letters[next(9)]).join(''),
    );
    const source = words.join(' ');
    const outputs = await run(source);
    for (const name of ['snake', 'kebab', 'dot', 'constant', 'train'])
      assert.equal((await run(outputs[name]))[name], outputs[name], name);
    assert.equal((await run(outputs.snake)).camel, outputs.camel);
    const twice = (await run((await run(source)).inverse)).inverse;
    assert.equal(twice, source.replaceAll('ß', 'ss'));
  }
});

test('limits: 1 MiB', async () => {
  const source = 'fooBar '.repeat(149_797).slice(0, 1 << 20);
  assert.equal((await runTool(tool, { text: source })).refusal, undefined);
  assert.match(
    (await runTool(tool, { text: `${source}x` })).refusal?.offence ?? '',
    /1048577 bytes/,
  );
});

test('a capital letter after a number belongs to it, unless a word begins there', async () => {
  for (const [text, snake] of [
    ['BeginMode3D', 'begin_mode3d'],
    ['load3DModel', 'load3d_model'],
    ['enable 24H format', 'enable_24h_format'],
    ['utf8BOM', 'utf8_bom'],
    ['mp3Player', 'mp3_player'],
  ])
    assert.equal((await runTool(tool, { text })).outputs.snake, snake);
});

test('ordinals, decades and hours are no capitals, and an apostrophe stays in prose', async () => {
  const of = async (/** @type {string} */ text) => (await runTool(tool, { text })).outputs;
  assert.equal((await of('21st century, 2ND item')).title, '21st Century, 2nd Item');
  assert.equal((await of('the 80s at 10am')).title, 'The 80s at 10am');
  assert.equal((await of('4th of july')).sentence, '4th of july');
  assert.equal((await of('4TH_OF_JULY')).camel, '4thOfJuly');
  assert.equal((await of("don't")).title, "Don't");
  assert.equal((await of("don't")).sentence, "Don't");
  assert.equal((await of("don't")).camel, 'dont');
});
