//! Binary encoder: RFC 3629 §7, round trips and refusals.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { notUtf8At } from '../../../lib/utf8.js';
import { runTool, seeded } from '../../../tests/run.mjs';
import tool from '../tool.js';

/** @typedef {import('../../../kit/types.d.ts').RawValues<typeof tool.fields>} Raw */

const UNITS = /** @type {const} */ (['byte', 'utf16', 'codepoint']);
const BASES = /** @type {const} */ (['2', '8', '10']);
const SEPARATORS = /** @type {const} */ (['space', 'comma', 'line', 'none']);

/** @param {number[]} bytes */
const binary = (bytes) => bytes.map((byte) => byte.toString(2).padStart(8, '0')).join(' ');

describe('binary encoder', () => {
  for (const [text, bytes] of /** @type {[string, number[]][]} */ ([
    ['A\u2262\u0391.', [0x41, 0xe2, 0x89, 0xa2, 0xce, 0x91, 0x2e]],
    ['\ud55c\uad6d\uc5b4', [0xed, 0x95, 0x9c, 0xea, 0xb5, 0xad, 0xec, 0x96, 0xb4]],
    ['\u65e5\u672c\u8a9e', [0xe6, 0x97, 0xa5, 0xe6, 0x9c, 0xac, 0xe8, 0xaa, 0x9e]],
    ['\u{233b4}', [0xf0, 0xa3, 0x8e, 0xb4]],
  ]))
    test(`RFC 3629 §7: ${text}`, async () => {
      assert.equal((await runTool(tool, { text })).outputs.digits, binary(bytes));
      const back = await runTool(tool, { text: binary(bytes), mode: 'decode' });
      assert.equal(back.outputs.text, text);
    });

  test('every unit, base and separator round-trips', async () => {
    const random = seeded(3);
    for (const unit of UNITS)
      for (const base of BASES)
        for (const separator of SEPARATORS)
          for (const pad of [true, false])
            for (const prefix of [true, false]) {
              const quads = base === '2' && random(2) === 1;
              if (separator === 'none' && (!pad || unit === 'codepoint')) continue;
              const text = String.fromCodePoint(
                ...Array.from({ length: 9 }, () => 1 + random(0xd7ff)),
                0x1f600,
              );
              /** @type {Raw} */
              const layout = {
                unit,
                base,
                separator,
                pad: base === '2' && unit !== 'codepoint' ? true : pad,
                prefix,
                quads,
              };
              const { outputs } = await runTool(tool, { text, ...layout });
              const back = await runTool(tool, {
                text: outputs.digits,
                mode: 'decode',
                unit,
                base,
              });
              assert.equal(
                back.outputs?.text,
                text,
                JSON.stringify({ ...layout, digits: outputs.digits }),
              );
            }
  });

  test('separate groups of four are joined', async () => {
    const { outputs } = await runTool(tool, { text: '0100 1111 0100 1011', mode: 'decode' });
    assert.equal(outputs.text, 'OK');
  });

  for (const [text, others, offset, offence] of /** @type {[string, Raw, number, string][]} */ ([
    ['01000111 01200000', {}, 11, '"2" is not a digit of base 2'],
    ['0100011', {}, 0, 'has a group of 7 digits'],
    ['01000111 010', {}, 9, 'has a group of 3 digits'],
    ['101 8', { base: '8' }, 4, '"8" is not a digit of base 8'],
    ['65 256', { base: '10' }, 3, 'The number 256 is larger than a byte'],
    [
      '65 1114112',
      { base: '10', unit: 'codepoint' },
      3,
      'The number 1114112 is larger than a code point',
    ],
    ['😀', {}, 0, '"😀" is not a digit of base 2'],
  ]))
    test(`refuses ${text}`, async () => {
      const { refusal } = await runTool(tool, { text, mode: 'decode', ...others });
      assert.deepEqual(
        [refusal?.field, refusal?.offset, refusal?.offence],
        ['text', offset, offence],
      );
    });

  test('bytes that are not UTF-8 are reported', async () => {
    const { outputs, warnings } = await runTool(tool, { text: '11111111', mode: 'decode' });
    assert.equal(outputs.text, 'ff');
    assert.equal(warnings.length, 1);
  });

  for (const [text, at] of /** @type {[string, number][]} */ ([
    ['72 195', 3],
    ['72 105 128 72', 7],
    ['237 160 128', 0],
    ['224 159 191', 0],
    ['192 128', 0],
    ['240 143 191 191', 0],
    ['65 244 144 128 128', 3],
    ['195, 188, 255', 10],
  ]))
    test(`RFC 3629 §4: where ${text} becomes invalid`, async () => {
      const { outputs, warnings } = await runTool(tool, { text, mode: 'decode', base: '10' });
      const numbers = text.split(/,? /).map(Number);
      assert.equal(
        outputs.text,
        Buffer.from(numbers)
          .toString('hex')
          .replace(/..(?!$)/g, '$& '),
      );
      assert.deepEqual(warnings, [
        `The bytes are not UTF-8 text from character ${at + 1} on; they are shown as hexadecimal digits.`,
      ]);
    });

  test('agrees with the decoder of the platform on UTF-8 (seeded)', () => {
    const random = seeded(5);
    const likely = [0x41, 0x80, 0xbf, 0xc2, 0xdf, 0xe0, 0xa0, 0xed, 0x9f, 0xf0, 0x90, 0xf4, 0x8f];
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let valid = 0;
    for (let round = 0; round < 20_000; round++) {
      const bytes = Uint8Array.from({ length: 1 + random(5) }, () => likely[random(13)] ?? 0);
      const at = notUtf8At(bytes);
      assert.doesNotThrow(() => decoder.decode(bytes.subarray(0, at < 0 ? bytes.length : at)));
      if (at < 0) valid++;
      else assert.throws(() => decoder.decode(bytes));
    }
    assert.ok(valid > 500, String(valid));
  });

  test('lone surrogates are refused, in units and in code points', async () => {
    const decode = (/** @type {string} */ text, /** @type {'utf16' | 'codepoint'} */ unit) =>
      runTool(tool, { text, mode: 'decode', base: '10', unit });
    assert.equal((await decode('55357 56832', 'utf16')).outputs.text, '😀');
    assert.equal((await decode('128512', 'codepoint')).outputs.text, '😀');
    for (const [text, unit, offset] of /** @type {const} */ ([
      ['65 55357', 'utf16', 3],
      ['56832', 'utf16', 0],
      ['65 55357 65', 'utf16', 3],
      ['55296', 'codepoint', 0],
    ])) {
      const { refusal } = await decode(text, unit);
      assert.match(refusal?.offence ?? '', /is half of a surrogate pair$/);
      assert.equal(refusal?.offset, offset);
    }
  });

  test('limits: 4 MiB, and one byte more', async () => {
    const bytes = new Uint8Array(2 ** 22 + 1);
    const { outputs } = await runTool(tool, { text: bytes.subarray(1), base: '10', pad: false });
    assert.equal(outputs.digits.length, 2 ** 23 - 1);
    assert.match(
      String((await runTool(tool, { text: bytes })).refusal?.sentence),
      /at most 4 MiB, not/,
    );
    const digits = '0'.repeat(2 ** 22);
    const back = await runTool(tool, { text: digits, mode: 'decode' });
    assert.equal(back.outputs.file.data.length, 2 ** 19);
    assert.equal(
      (await runTool(tool, { text: `${digits}0`, mode: 'decode' })).refusal?.field,
      'text',
    );
  });

  test('groups without separator need leading zeros', async () => {
    const { refusal } = await runTool(tool, { text: 'a', separator: 'none', pad: false });
    assert.equal(refusal?.field, 'separator');
  });
});

test('numbers in other bases, as the language itself writes them', async () => {
  const next = seeded(36);
  /** @param {Raw} values */
  const run = (values) => runTool(tool, { mode: 'number', ...values });
  for (let round = 0; round < 500; round += 1) {
    const [from, to] = [2 + next(35), 2 + next(35)];
    const value = next(1 << 30) * (next(1 << 20) + 1) * (round % 2 ? 1 : -1);
    const { outputs } = await run({ text: value.toString(from), from, to });
    assert.equal(outputs.number, value.toString(to), `${value} from ${from} to ${to}`);
    assert.deepEqual(outputs.bases.pairs.slice(0, 2), [
      ['Binary', value.toString(2)],
      ['Octal', value.toString(8)],
    ]);
  }
  for (const [text, from, number] of /** @type {[string, number, string][]} */ ([
    ['0xff', 10, '255'],
    ['0b1010_0001', 10, '161'],
    ['-0o17', 10, '-15'],
    ['0b1', 16, '177'],
    ['1,234 567', 10, '1234567'],
    ['zz', 36, '1295'],
  ]))
    assert.equal((await run({ text, from, to: 10 })).outputs.number, number, text);
  for (const [text, from, wanted] of /** @type {[string, number, RegExp][]} */ ([
    ['12a', 10, /Character 3: .*has "a", which is not a digit of base 10.*Digits are 0 to 9\./],
    ['19', 8, /has "9".*Digits are 0 to 7\./],
    ['1g', 16, /has "g".*Digits are 0 to 9 and a to f\./],
    ['-', 10, /has no digit/],
    ['1.5', 10, /has "\."/],
  ])) {
    const { refusal } = await run({ text, from });
    assert.match(String(refusal?.sentence), wanted);
    assert.equal(refusal?.field, 'text');
  }
});
