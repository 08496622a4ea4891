//! Binary encoder: RFC 3629 §7, round trips, and what is refused.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import tool from '../tools/binary-encoder.js';
import { runTool, seeded } from './run.mjs';

/** @typedef {import('../kit/types.d.ts').RawValues<typeof tool.fields>} Raw */

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

  test('every unit, base and separator comes back', async () => {
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

  test('groups of four that stand apart are joined', async () => {
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

  test('bytes that are not UTF-8 are shown as such', async () => {
    const { outputs, warnings } = await runTool(tool, { text: '11111111', mode: 'decode' });
    assert.equal(outputs.text, 'ff');
    assert.equal(warnings.length, 1);
  });

  test('groups without separator need leading zeros', async () => {
    const { refusal } = await runTool(tool, { text: 'a', separator: 'none', pad: false });
    assert.equal(refusal?.field, 'separator');
  });
});
