//! Vectors: the break tests of UAX #29; Thai, Japanese, emoji.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool, seeded, suite } from '../../../tests/run.mjs';
import { countText } from '../counts.js';
import tool from '../tool.js';

/** @param {string} text @param {Record<string, any>} [values] */
async function counts(text, values = {}) {
  const { outputs } = await runTool(tool, { text, ...values });
  return Object.fromEntries(outputs.counts?.pairs ?? []);
}

/** The Unicode version of this Node. */
const unicode = Number.parseInt(String(process.versions.unicode), 10) >= 18 ? 18 : 17;
for (const [kind, count] of /** @type {const} */ ([
  ['grapheme', unicode === 18 ? 853 : 766],
  ['word', 1944],
  ['sentence', 512],
]))
  test(`UAX #29: ${kind}s of the Unicode break test: ${count} of ${count}`, (context) => {
    /** @type {{ id: string, input: string, expect: string[] }[] | undefined} */
    const cases = suite(context, `${kind}_break_unicode${unicode}`);
    if (!cases) return;
    assert.equal(cases.length, count);
    for (const { id, input, expect } of cases) {
      const found = countText(input, 'en');
      const readable = expect.filter((one) => /[\p{L}\p{N}]/u.test(one)).length;
      const [counted, wanted] = {
        grapheme: [found.characters, expect.length],
        word: [found.words, readable],
        sentence: [found.sentences, readable],
      }[kind];
      assert.equal(counted, wanted, `${id} ${JSON.stringify(input)}`);
    }
  });

test('long and ASCII lines have the counts of the segmenter (seeded)', () => {
  const next = seeded(6);
  const pieces = [
    'a',
    'Bc',
    '1',
    '23',
    "'",
    '.',
    ',',
    ':',
    ';',
    '_',
    ' ',
    '  ',
    '-',
    'é',
    '\u0301',
    '👍🏽',
    'ไทย',
    '日本',
    '"',
    '\u200d',
  ];
  const words = new Intl.Segmenter('en', { granularity: 'word' });
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (let round = 0; round < 400; round++) {
    const ascii = round % 2 ? 13 : pieces.length;
    const text = Array.from({ length: round % 8 ? 30 : 1500 }, () => pieces[next(ascii)]).join('');
    const found = countText(text, 'en');
    assert.equal(
      found.words,
      [...words.segment(text)].filter(({ segment }) => /[\p{L}\p{N}]/u.test(segment)).length,
      text,
    );
    assert.equal(found.characters, [...graphemes.segment(text)].length);
  }
});

test('lines, paragraphs and sizes', async () => {
  for (const [text, lines, paragraphs] of /** @type {[string, number, number][]} */ ([
    ['a', 1, 1],
    ['a\n', 2, 1],
    ['a\r\nb\rc\nd', 4, 1],
    ['a\n\nb', 3, 2],
    ['\n\na\n \nb\n\n', 7, 2],
    ['a\u2028b', 2, 1],
  ])) {
    const found = await counts(text);
    assert.deepEqual([found.Lines, found.Paragraphs], [lines, paragraphs], JSON.stringify(text));
  }
  const text = 'é𝄞\r\n日';
  const found = await counts(text);
  assert.equal(found['Bytes in UTF-8'], new TextEncoder().encode(text).length);
  assert.deepEqual([found.Characters, found['Code points'], found['UTF-16 units']], [4, 5, 6]);
});

test('the selection is counted too', async () => {
  const { outputs } = await runTool(tool, /** @type {any} */ ({ text: 'one two three' }));
  assert.equal(outputs.selection, null);
});

test('frequent words, with and without stop words', async () => {
  const text = 'The fox and the dog and the Fox';
  const some = (await runTool(tool, { text })).outputs.frequent.rows;
  assert.deepEqual(some, [
    ['fox', 2, '25.0 %'],
    ['dog', 1, '12.5 %'],
  ]);
  const all = (await runTool(tool, { text, all: true })).outputs.frequent.rows;
  assert.deepEqual(all[0], ['the', 3, '37.5 %']);
});

test('limits, lone surrogates and refusals', async () => {
  const { outputs } = await runTool(tool, { text: 'a'.repeat(281), limit: 281 });
  assert.deepEqual(outputs.limits.rows[0], ['X post', 280, 281, -1]);
  assert.deepEqual(outputs.limits.rows.at(-1), ['Yours', 281, 281, 0]);
  const lone = await runTool(tool, { text: 'a\ud800' });
  assert.match(String(lone.warnings), /^1 lone surrogates/);
  assert.equal(Object.fromEntries(lone.outputs.counts.pairs)['Code points'], 2);
  for (const [values, field] of /** @type {[any, string][]} */ ([
    [{ language: 'not a language' }, 'language'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 1.5 }, 'limit'],
    [{ limit: 10_000_001 }, 'limit'],
  ]))
    assert.equal((await runTool(tool, { text: 'a', ...values })).refusal?.field, field);
});

test('limits count as their services do', async () => {
  const used = async (/** @type {string} */ text) =>
    Object.fromEntries(
      (await runTool(tool, { text })).outputs.limits.rows.map((/** @type {any} */ row) => [
        row[0],
        `${row[2]} of ${row[1]}`,
      ]),
    );
  const japanese = await used('日本語のテキスト');
  assert.equal(japanese['X post'], '16 of 280');
  assert.equal(japanese['SMS of one part'], '8 of 70');
  assert.equal(
    (await used('https://www.example.com/a/very/long/path/of/pages'))['X post'],
    '23 of 280',
  );
  assert.equal((await used('Read https://example.com, 👩‍👩‍👧‍👦 ü'))['X post'], '34 of 280');
  const special = await used('€ {x} ü');
  assert.equal(special['SMS of one part'], '10 of 160');
  assert.equal(special['X post'], '8 of 280');
  // As twitter-text 3.1.0 counts them: a domain is a link too where its top-level domain exists.
  for (const [text = '', length] of /** @type {[string, number][]} */ ([
    ['see example.com', 27],
    ['www.example.de, b.org/x?y=1#z', 48],
    ['example.de/a', 23],
    ['Node.js and lib.node.js', 23],
    ['ann@example.com', 15],
    ['a.tv b.io main.rs', 71],
    ['end.of', 6],
    ['see example.photography now', 31],
    ['a.museum, a.xn--p1ai/x', 48],
    ['пример.рф', 9],
    ['https://пример.рф/x', 23],
    ['example.онлайн', 23],
    ['http://foo.notatld', 18],
    ['foo.com.notatld', 31],
    ['index.html, v1.0.app', 35],
    ['one.com,two.org;three.net', 71],
    ['x.com?y=1', 27],
    ['x.com:80/y', 23],
    ['a_b.com -a.com a--b.com', 38],
    ['foo.photographyx', 16],
    ['読むexample.com', 27],
  ]))
    assert.equal((await used(text))['X post'], `${length} of 280`, text);
});
