//! Text of files in other encodings, on every field that takes a file.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decode, decodedWarning, ENCODINGS } from '../kit/decode.js';
import { text, tool } from '../kit/tool.js';
import { fixedContext, runTool } from './run.mjs';
import { loadFile, SLUGS } from './tools.mjs';

const encode = (/** @type {string} */ string) => new TextEncoder().encode(string);
const latin = (/** @type {string} */ string) =>
  Uint8Array.from(string, (character) => character.charCodeAt(0));
const wide = (/** @type {string} */ string, /** @type {boolean} */ isLittle) =>
  Uint8Array.from(
    [...string].flatMap((character) => {
      const unit = character.charCodeAt(0);
      return isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255];
    }),
  );
const file = (/** @type {Uint8Array} */ bytes, type = '', name = 'a.txt') => ({
  ...{ name, type, bytes },
  size: bytes.length,
});
const warningOf = (/** @type {Uint8Array} */ bytes) => {
  const decoded = decode(bytes);
  return decoded && decodedWarning('a.txt', bytes, decoded);
};

test('a file is read by its byte order mark, its declaration, as UTF-8, or as Windows-1252', () => {
  /** @type {[Uint8Array, string, string][]} */
  const files = [
    [wide('\uFEFFGrüße', true), 'Grüße', 'utf-16le'],
    [wide('\uFEFFGrüße', false), 'Grüße', 'utf-16be'],
    [wide('a;b\r\n1;ü\r\n', true), 'a;b\r\n1;ü\r\n', 'utf-16le'],
    [wide('{"a": 1}', false), '{"a": 1}', 'utf-16be'],
    [encode('\uFEFFGrüße'), '\uFEFFGrüße', 'utf-8'],
    [encode('Grüße €'), 'Grüße €', 'utf-8'],
    [latin('Gr\xfc\xdfe'), 'Grüße', 'windows-1252'],
    [latin("<?xml version='1.0' encoding='ISO-8859-2'?><a>\xb1</a>"), 'ą', 'iso-8859-2'],
    [latin('<!doctype html><head><meta charset=windows-1251>\xcf'), 'П', 'windows-1251'],
    [
      latin('<p><meta http-equiv=x content="text/html; charset=shift_jis">\x83e\x83X'),
      'テス',
      'shift_jis',
    ],
    [latin('@charset "koi8-r";\n/* \xf4 */'), 'Т', 'koi8-r'],
    [encode('<?xml version="1.0" encoding="UTF-16"?><a>é</a>'), 'é', 'utf-8'],
    [encode('<meta charset=nonsense>é'), 'é', 'utf-8'],
    [encode('Markdown that tells of `<meta charset=latin1>`: é'), 'é', 'utf-8'],
  ];
  for (const [bytes, wanted, encoding] of files) {
    const decoded = decode(bytes);
    assert.ok(decoded?.text.includes(wanted), `${decoded?.text} has ${wanted}`);
    assert.equal(decoded?.encoding, encoding);
  }
});

test('bytes that are no text are refused, with the first of them', async () => {
  const one = tool({
    fields: { text: text('Text', { accepts: 'file' }) },
    run: ({ text }) => ({ text: text.string }),
    examples: [],
  });
  const { refusal } = await runTool(one, { text: file(latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')) });
  assert.match(refusal?.sentence ?? '', /^Text must be text\. The first bytes are 89 50 4e 47/);
  assert.equal(decode(Uint8Array.of(0xfc, 0x1f, 0x8b, 8)), undefined);
  assert.equal(decode(new Uint8Array())?.text, '');
});

test('a guess and a declaration are told; plain UTF-8 is not', () => {
  const guess = warningOf(latin('Gr\xfc\xdfe')) ?? '';
  assert.match(guess, /^"a\.txt" was read as Windows-1252 \(Western\): its byte 0xfc at offset 2/);
  assert.match(guess, /choose its encoding below its name\.$/);
  assert.match(warningOf(wide('\uFEFFa', true)) ?? '', /UTF-16 \(little.*byte order mark/);
  assert.match(warningOf(wide('abcd', true)) ?? '', /every second byte is zero/);
  assert.match(warningOf(latin('<meta charset=latin1>\xe9')) ?? '', /as it declares\.$/);
  assert.equal(warningOf(latin('<meta charset=latin1>e')), undefined);
  assert.equal(warningOf(encode('é')), undefined);
});

test('the encoding chosen for a file goes first, and must fit', async () => {
  for (const label of Object.keys(ENCODINGS)) new TextDecoder(label);
  const type = 'text/plain;charset=windows-1251';
  assert.equal(decode(latin('\xcf\xf0\xe8'), type)?.text, 'При');
  assert.equal(decode(encode('é'), 'text/csv;charset=windows-1252')?.text, 'Ã©');
  assert.equal(decode(latin('\xfc'), 'text/plain;charset=utf-8'), undefined);
  const context = { ...fixedContext(), fields: /** @type {string[]} */ ([]) };
  context.decoded = (field) => context.fields.push(field);
  const sorter = await loadFile('line-sorter');
  await runTool(sorter, { text: file(latin('\xcf'), type) }, context);
  assert.deepEqual(context.fields, ['text']);
});

const SAMPLES = {
  'UTF-16 with a mark': wide('\uFEFFa,b\n', true),
  'UTF-16 the other way round': wide('\uFEFFa,b\n', false),
  'UTF-8 with a mark': encode('\uFEFFa,b\n'),
  'Windows-1252': latin('a,\xe9\n'),
};
for (const slug of SLUGS)
  describe(slug, async () => {
    const one = await loadFile(slug);
    for (const [field, { kind, accepts }] of Object.entries(one.fields)) {
      if (kind !== 'text' || accepts !== 'file') continue;
      for (const [encoding, bytes] of Object.entries(SAMPLES))
        test(`${field} reads a file in ${encoding}`, async () => {
          const { refusal } = await runTool(one, { [field]: file(bytes) });
          assert.doesNotMatch(refusal?.sentence ?? '', /must be text|not text|UTF-8|binary/);
        });
    }
  });
