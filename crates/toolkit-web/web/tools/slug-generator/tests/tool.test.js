//! Titles in thirty languages; a slug of a slug is itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool, seeded } from '../../../tests/run.mjs';
import tool from '../tool.js';

/** @param {string} text @param {Record<string, any>} [values] */
const slug = async (text, values = {}) => (await runTool(tool, { text, ...values })).outputs.slugs;

test('thirty languages', async () => {
  for (const [language, title, wanted] of /** @type {[string, string, string][]} */ ([
    ['', "The quick brown fox's tale", 'the-quick-brown-foxs-tale'],
    ['de', 'Fußgänger über Brücken', 'fussgaenger-ueber-bruecken'],
    ['fr', "L'élève à Noël", 'l-eleve-a-noel'],
    ['es', 'El niño comió piñas', 'el-nino-comio-pinas'],
    ['pt', 'São João é avó', 'sao-joao-e-avo'],
    ['it', 'Perché così', 'perche-cosi'],
    ['nl', 'Ideeën één', 'ideeen-een'],
    ['sv', 'Räksmörgås', 'raksmorgas'],
    ['da', 'Rødgrød på æble', 'roedgroed-paa-aeble'],
    ['nb', 'Blåbærsyltetøy', 'blaabaersyltetoey'],
    ['fi', 'Hyvää yötä', 'hyvaa-yota'],
    ['is', 'Þjóð ðaga', 'thjod-daga'],
    ['et', 'Õhtu tänaval', 'ohtu-tanaval'],
    ['lv', 'Ķīļķīgs žņāļš', 'kilkigs-znals'],
    ['lt', 'Ąžuolas ėjo', 'azuolas-ejo'],
    ['pl', 'Zażółć gęślą jaźń', 'zazolc-gesla-jazn'],
    ['cs', 'Příliš žluťoučký kůň', 'prilis-zlutoucky-kun'],
    ['sk', 'Päť ľudí ŕba', 'pat-ludi-rba'],
    ['sl', 'Čebela šiva', 'cebela-siva'],
    ['hr', 'Đak žvače', 'dak-zvace'],
    ['hu', 'Árvíztűrő tükörfúrógép', 'arvizturo-tukorfurogep'],
    ['ro', 'Mâță și țară', 'mata-si-tara'],
    ['tr', 'Işık ve İğne', 'isik-ve-igne'],
    ['sq', 'Çmimi është', 'cmimi-eshte'],
    ['el', 'Καλημέρα κόσμε', 'kalimera-kosme'],
    ['ru', 'Съешь ещё булок', 'syesh-eschyo-bulok'],
    ['uk', 'Київ і Львів', 'kyiv-i-lviv'],
    ['bg', 'Здравей свят', 'zdravey-svyat'],
    ['sr', 'Њива и џеп', 'njiva-i-dzep'],
    ['vi', 'Đường phố Hà Nội', 'duong-pho-ha-noi'],
    ['ka', 'გამარჯობა', 'gamarjoba'],
    ['hy', 'Բարեւ', 'barev'],
  ])) {
    const found = await slug(title, { language });
    assert.match(found, /^[a-z\d]+(-[a-z\d]+)*$/, language);
    assert.equal(found, wanted, language);
    assert.equal(await slug(found, { language }), found, language);
  }
});

test('options', async () => {
  for (const [title, values, wanted] of /** @type {[string, Record<string, any>, string][]} */ ([
    ['Foo Bar', { separator: '_' }, 'foo_bar'],
    ['Foo Bar', { separator: '' }, 'foobar'],
    ['Foo-Bar_baz', { separator: '.' }, 'foo.bar.baz'],
    ['Foo BAR', { lower: false }, 'Foo-BAR'],
    ['fooBar XMLFile', { words: true }, 'foo-bar-xml-file'],
    ['fooBar', {}, 'foobar'],
    ['one two three', { longest: 8 }, 'one-two'],
    ['one two three', { longest: 7 }, 'one-two'],
    ['one two three', { longest: 6 }, 'one'],
    ['unbreakable', { longest: 5 }, 'unbre'],
    ['The war and the peace', { stops: true }, 'war-peace'],
    ['to be', { stops: true }, 'to-be'],
    ['big red dog', { others: 'RED big' }, 'dog'],
    [
      'C++ & C#',
      {
        replacements: [
          { from: 'C++', to: 'cpp' },
          { from: 'C#', to: 'csharp' },
        ],
      },
      'cpp-and-csharp',
    ],
    ['Ñandú Éa', { unicode: true, lower: false }, 'Ñandú-Éa'],
    ['a\na\na', { repeats: false }, 'a\na\na'],
    ['a\na-2\na', {}, 'a\na-2\na-3'],
    ['a\r\n\r\nb', {}, 'a\n\nb'],
  ]))
    assert.equal(await slug(title, values), wanted, `${title} ${JSON.stringify(values)}`);
});

test('a slug of a slug is itself (seeded)', async () => {
  const next = seeded(2);
  const letters = [...'abcXYZ 019-_.,!äßéøñčжщяλφअ日本한𝄞☃'];
  for (let round = 0; round < 500; round++) {
    const title = Array.from({ length: 1 + next(20) }, () => letters[next(letters.length)]).join(
      '',
    );
    const values = {
      unicode: next(2) === 1,
      longest: next(2) ? 1 + next(20) : null,
      words: next(2) === 1,
      lower: true,
    };
    const first = await slug(title, values);
    if (first) assert.equal(await slug(first, values), first, JSON.stringify([title, values]));
  }
});

test('refusals and limits: lines, length', async () => {
  assert.equal((await slug('a\n'.repeat(9_999))).split('\n').at(-2), 'a-9999');
  const { refusal } = await runTool(tool, { text: 'a\n'.repeat(10_000) });
  assert.match(refusal?.sentence ?? '', /^Titles must be at most 10000 lines, not 10001\./);
  for (const longest of [0, 1001, 1.5])
    assert.equal((await runTool(tool, { text: 'a', longest })).refusal?.field, 'longest');
  assert.equal((await runTool(tool, { text: 'a', longest: 1000 })).refusal, undefined);
});

test('Cyrillic letters beyond Russian, and the beginnings of Ukrainian words (KMU 55)', async () => {
  for (const [language, title, wanted] of /** @type {[string, string, string][]} */ ([
    ['sr', 'Јован Ђорђевић', 'jovan-djordjevic'],
    ['mk', 'Ѓорѓи, Ќе и Ѕвезда', 'gjorgji-kje-i-dzvezda'],
    ['kk', 'Қазақстан әліпбиі ғұң өүһ', 'qazaqstan-alipbii-gun-ouh'],
    ['uk', 'Їжак Єва Йосип Юлія Ярослав', 'yizhak-yeva-yosyp-yuliia-yaroslav'],
    ['uk', 'Згорани, мої згадки', 'zghorany-moi-zghadky'],
  ]))
    assert.equal(await slug(title, { language: /** @type {any} */ (language) }), wanted, title);
});

test('letters without a Latin form are left out with a warning', async () => {
  const { outputs, warnings } = await runTool(tool, { text: 'Tokyo 東京 day\nOk' });
  assert.equal(outputs.slugs, 'tokyo-day\nok');
  assert.deepEqual(warnings, [
    'Left out, because they cannot be converted to Latin letters: 東 京.',
  ]);
  assert.deepEqual((await runTool(tool, { text: '東京', unicode: true })).warnings, []);
});

test('signs of money and shares become words, by language', async () => {
  const slug = async (/** @type {string} */ text, /** @type {any} */ language = '') =>
    (await runTool(tool, { text, language })).outputs.slugs;
  assert.equal(
    await slug('100% pure for 5€, £3, $2'),
    '100-percent-pure-for-5-euro-pound-3-dollar-2',
  );
  assert.equal(await slug('20% Rabatt', 'de'), '20-prozent-rabatt');
  const { outputs, warnings } = await runTool(tool, {
    text: '5€ 🎉',
    replacements: [{ from: '€', to: 'eur' }],
  });
  assert.equal(outputs.slugs, '5-eur');
  assert.match(warnings.join(), /Left out.*🎉/);
});

test('a line of which nothing is left is told, and what to do', async () => {
  const { outputs, warnings } = await runTool(tool, { text: '日本語\n!!!' });
  assert.equal(outputs.slugs, '\n');
  assert.deepEqual(warnings, [
    'Line 1 has no slug: its script cannot be converted to Latin letters, so turn on "Keep Unicode letters".',
    'Line 2 has no slug: it has neither letters nor digits.',
  ]);
});
