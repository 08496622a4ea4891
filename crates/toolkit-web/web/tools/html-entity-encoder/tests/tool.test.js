//! Vectors: WHATWG entities.json, html5lib's tokenizer tests for entities.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool, seeded, suite } from '../../../tests/run.mjs';
import tool from '../tool.js';

/** @param {string} text @param {'text' | 'attribute' | 'xml'} [context] */
const decode = async (text, context = 'text') => runTool(tool, { text, mode: 'decode', context });

test('WHATWG entities.json: all names decode, and encode again', async (context) => {
  /** @type {{ id: string, input: string, expect: string }[] | undefined} */
  const cases = suite(context, 'html_entities_whatwg');
  for (const { input, expect } of cases ?? []) {
    assert.equal((await decode(input)).outputs.text, expect, input);
    const encoded = (await runTool(tool, { text: expect, extent: 'all' })).outputs.entities;
    assert.equal((await decode(encoded)).outputs.text, expect, encoded);
  }
  if (cases) assert.equal(cases.length, 2231);
});

test("html5lib's tokenizer tests of entities: text and attribute values", async (context) => {
  /** @type {{ id: string, input: string, expect: [string, any, any][], errors?: unknown[] }[] | undefined} */
  const cases = suite(context, 'html_tokenizer_entities');
  let count = 0;
  let told = 0;
  for (const { id, input, expect, ...rest } of cases ?? []) {
    const attribute = /^<h a=(["'])(.*)\1>$/s.exec(input);
    const isText = expect.every(([kind]) => kind === 'Character');
    if (/RCDATA|RAWTEXT|PLAINTEXT|CDATA/.test(JSON.stringify(rest))) continue;
    if (isText && !/[\r\0<]/.test(input)) {
      const wanted = expect.map(([, characters]) => characters).join('');
      const { outputs, warnings } = await decode(input);
      assert.equal(outputs.text, wanted, `${id} ${input}`);
      assert.equal(warnings.length > 0, Boolean(rest.errors?.length), `${id} ${input}`);
      if (warnings.length > 0) told++;
    } else if (attribute && expect.length === 1 && expect[0]) {
      const { outputs } = await decode(String(attribute[2]), 'attribute');
      assert.equal(outputs.text ?? '', expect[0][2].a, `${id} ${input}`);
    } else continue;
    count++;
  }
  // The other three are not a text or an attribute value alone.
  if (cases) assert.deepEqual([cases.length, count, told], [4626, 4623, 283]);
});

test('bad numbers are mapped as in the standard, and reported with their positions', async () => {
  for (const [source = '', wanted, sentence = ''] of [
    ['&#0;', '\uFFFD', 'is the null character, which becomes U+FFFD'],
    ['&#x110000;', '\uFFFD', 'is beyond U+10FFFF, and becomes U+FFFD'],
    ['&#99999999999999999999;', '\uFFFD', 'is beyond U+10FFFF, and becomes U+FFFD'],
    ['&#xD800;', '\uFFFD', 'is a surrogate, and becomes U+FFFD'],
    ['&#x99;', '™', 'is a C1 control, read as Windows-1252'],
    ['&#xFDD0;', '\uFDD0', 'is a noncharacter'],
    ['&#x7F;', '\x7F', 'is a control character'],
    ['&#65', 'A', 'has no semicolon'],
    ['&#;', '&#;', 'has no digits'],
    ['&#x;', '&#x;', 'has no digits'],
    ['&notit;', '¬it;', 'has no semicolon'],
    ['&unknown;', '&unknown;', 'is not a name that HTML knows'],
  ]) {
    const { outputs, warnings } = await decode(`𝄞 ${source}`);
    assert.equal(outputs.text, `𝄞 ${wanted}`);
    assert.equal(warnings.length, 1, source);
    assert.match(warnings[0] ?? '', /^"&[^"]*" at character 3 /);
    assert.ok(warnings[0]?.includes(sentence), sentence);
  }
});

test('an ampersand that begins no reference is kept, without a warning', async () => {
  for (const source of ['a & b', '&', '&&amp', 'AT&T', '?a=1&b=2', '& #65;']) {
    const { outputs, warnings } = await decode(source);
    assert.equal(outputs.text, source.replace('&amp', '&'));
    assert.equal(warnings.length, source.includes('amp') ? 1 : 0, source);
  }
});

test('XML: five names and numbers, everything else is refused with its position', async () => {
  assert.equal((await decode('&lt;&#65;&#x42;&amp;&quot;&apos;', 'xml')).outputs.text, '<AB&"\'');
  for (const [source = '', sentence = ''] of [
    ['&euro;', 'is not one of the five names of XML'],
    ['&lt', 'has no semicolon'],
    ['a & b', 'has no semicolon'],
    ['&#;', 'has no digits'],
    ['&#X41;', 'has no digits'],
    ['&#0;', 'is not a character that XML allows'],
    ['&#xD800;', 'is not a character that XML allows'],
    ['&#xFFFE;', 'is not a character that XML allows'],
    ['&#x110000;', 'is not a character that XML allows'],
  ]) {
    const { refusal } = await decode(`𝄞${source}`, 'xml');
    assert.ok(refusal?.offence.endsWith(sentence), `${source}: ${refusal?.offence}`);
    assert.equal(refusal?.offset, source.startsWith('&') ? 1 : 3);
  }
});

test('encodes the chosen characters, and round-trips (seeded)', async () => {
  const next = seeded(3);
  for (let round = 0; round < 300; round++) {
    const source = Array.from({ length: 20 }, () =>
      String.fromCodePoint(
        /** @type {number} */ (
          [next(128), next(0x250), 0x1d100 + next(99), 0x2190 + next(900)][next(4)]
        ),
      ),
    ).join('');
    for (const extent of /** @type {const} */ (['needed', 'ascii', 'all']))
      for (const form of /** @type {const} */ (['names', 'decimal', 'hex'])) {
        const { entities } = (await runTool(tool, { text: source, extent, form })).outputs;
        assert.equal((await decode(entities)).outputs.text, source);
        if (extent === 'all') assert.match(entities, /^[A-Za-z0-9&#;\0\x80-\x9f]*$/);
        if (extent !== 'needed') assert.match(entities, /^[\0-\x9f]*$/);
        assert.doesNotMatch(entities, /[<>"']/);
      }
  }
});

test('characters that no reference represents are kept, with a warning', async () => {
  for (const text of ['a\x80', 'a\0', 'a\ud800'])
    for (const extent of /** @type {const} */ (['ascii', 'all'])) {
      const { outputs, warnings } = await runTool(tool, { text, extent, form: 'decimal' });
      assert.equal(outputs.entities, text);
      assert.match(String(warnings), /^NUL, C1 controls and halves of surrogate pairs stay/);
    }
});

test('all but letters and digits: white space too', async () => {
  const encode = async (/** @type {'names' | 'hex'} */ form) =>
    (await runTool(tool, { text: 'a 1\té\n', extent: 'all', form })).outputs.entities;
  assert.equal(await encode('names'), 'a&#x20;1&Tab;&eacute;&NewLine;');
  assert.equal(await encode('hex'), 'a&#x20;1&#x9;&#xE9;&#xA;');
});

test('limits: 1,000 rows and 20 warnings are shown, 10 MiB are accepted', async () => {
  const thousand = await decode('&lt;'.repeat(1000));
  assert.deepEqual([thousand.outputs.found.rows.length, thousand.warnings.length], [1000, 0]);
  const more = await decode('&lt;'.repeat(1001));
  assert.deepEqual(more.warnings, ['The table shows the first 1000 references.']);
  assert.equal((await decode('&lt'.repeat(21))).warnings.length, 21);
  const large = '&amp;'.repeat(2 << 20).slice(0, 10 << 20);
  assert.equal((await decode(large)).outputs.text.length, 2 << 20);
  assert.equal((await decode(`${large}x`)).refusal?.field, 'text');
});
