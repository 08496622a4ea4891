//! Base32 encoder: RFC 4648 §10, Crockford's check symbols, base32(1), tolerance and refusals.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { ALPHABETS, checkSymbol, fromNumber, toNumber } from '../../../lib/base32.js';
import { runTool, seeded } from '../../../tests/run.mjs';
import tool from '../tool.js';

/** @typedef {import('../../../kit/types.d.ts').RawValues<typeof tool.fields>} Raw */

/** @param {string} text @param {Raw} [others] */
const decode = (text, others) => runTool(tool, { text, mode: 'decode', ...others });

describe('base32 encoder', () => {
  for (const [text, standard, hex] of /** @type {const} */ ([
    ['f', 'MY======', 'CO======'],
    ['fo', 'MZXQ====', 'CPNG===='],
    ['foo', 'MZXW6===', 'CPNMU==='],
    ['foob', 'MZXW6YQ=', 'CPNMUOG='],
    ['fooba', 'MZXW6YTB', 'CPNMUOJ1'],
    ['foobar', 'MZXW6YTBOI======', 'CPNMUOJ1E8======'],
  ]))
    test(`RFC 4648 §10: ${text}`, async () => {
      assert.equal((await runTool(tool, { text })).outputs.base32, standard);
      assert.equal((await runTool(tool, { text, alphabet: 'hex' })).outputs.base32, hex);
      for (const [symbols, alphabet] of /** @type {const} */ ([
        [standard, 'standard'],
        [hex, 'hex'],
      ])) {
        const back = await decode(symbols, { alphabet });
        assert.equal(back.outputs.text, text);
        assert.deepEqual(back.warnings, []);
      }
    });

  test('Crockford: numbers and check symbols', async () => {
    assert.equal(fromNumber(1234n), '16J');
    assert.equal(checkSymbol('16J'), 'D');
    assert.equal(toNumber('16J'), 1234n);
    for (const [number, symbol] of /** @type {const} */ ([
      [32n, '*'],
      [33n, '~'],
      [34n, '$'],
      [35n, '='],
      [36n, 'U'],
      [37n, '0'],
    ])) {
      assert.equal(checkSymbol(fromNumber(number)), symbol);
      /** @type {Raw} */
      const options = { alphabet: 'crockford', number: true, check: true };
      const { outputs } = await runTool(tool, { text: String(number), ...options });
      assert.equal(outputs.base32.at(-1), symbol);
      assert.equal((await decode(outputs.base32, options)).outputs.number, String(number));
    }
  });

  test('random bytes round-trip in every alphabet', async () => {
    const random = seeded(5);
    for (const alphabet of /** @type {(keyof typeof ALPHABETS)[]} */ (Object.keys(ALPHABETS)))
      for (let length = 1; length < 40; length++) {
        const bytes = Uint8Array.from({ length }, () => random(256));
        const check = alphabet === 'crockford' && random(2) === 1;
        const { outputs } = await runTool(tool, { text: bytes, alphabet, check, wrap: null });
        const back = await decode(outputs.base32, { alphabet, check });
        assert.deepEqual(back.outputs.file?.data, bytes, `${alphabet} ${outputs.base32}`);
      }
  });

  test('matches base32(1)', async (t) => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const command = spawnSync('base32', ['-w', '76'], { input: bytes });
    if (command.error) return t.skip('needs base32');
    const { outputs } = await runTool(tool, { text: bytes, wrap: 76 });
    assert.equal(outputs.base32, command.stdout.toString().trimEnd());
  });

  test('base32(1) and basenc(1) read what it writes, and it reads what they write', async (t) => {
    const random = seeded(6);
    for (const [program, args, alphabet] of /** @type {const} */ ([
      ['base32', [], 'standard'],
      ['basenc', ['--base32hex'], 'hex'],
    ]))
      for (let length = 1; length <= 20; length++) {
        const bytes = Uint8Array.from({ length }, () => random(256));
        const command = spawnSync(program, args, { input: bytes });
        if (command.error) return t.skip(`needs ${program}`);
        const { outputs } = await runTool(tool, { text: bytes, alphabet });
        assert.equal(outputs.base32, String(command.stdout).trimEnd());
        const back = spawnSync(program, [...args, '-d'], { input: outputs.base32 });
        assert.deepEqual(new Uint8Array(back.stdout), bytes);
        const { file } = (await decode(String(command.stdout), { alphabet })).outputs;
        assert.deepEqual(file.data, bytes);
      }
  });

  test('limits: 32 MiB, 1,000 symbols in a line, 10,000 digits', async () => {
    const bytes = new Uint8Array(2 ** 25 + 1);
    const { outputs } = await runTool(tool, { text: bytes.subarray(1), pad: false });
    assert.equal(outputs.base32.length, Math.ceil((2 ** 25 * 8) / 5));
    assert.match(
      String((await runTool(tool, { text: bytes })).refusal?.sentence),
      /at most 32 MiB, not/,
    );
    assert.equal((await runTool(tool, { text: 'a', wrap: 1000 })).refusal, undefined);
    for (const wrap of [0, 1001])
      assert.equal((await runTool(tool, { text: 'a', wrap })).refusal?.field, 'wrap');
    /** @type {Raw} */
    const options = { alphabet: 'crockford', number: true, check: true };
    const digits = '9'.repeat(10_000);
    const written = (await runTool(tool, { text: digits, ...options })).outputs.base32;
    assert.equal((await decode(written, options)).outputs.number, digits);
    assert.equal((await runTool(tool, { text: `${digits}9`, ...options })).refusal?.field, 'text');
    assert.deepEqual((await decode(' \n')).outputs, {});
  });

  test('z-base-32 in lower case, wrapping, no padding', async () => {
    assert.equal(
      (await runTool(tool, { text: 'foo', alphabet: 'zbase32' })).outputs.base32,
      'c3zs6',
    );
    const { outputs } = await runTool(tool, { text: 'foobar', pad: false, lower: true, wrap: 4 });
    assert.equal(outputs.base32, 'mzxw\n6ytb\noi');
  });

  for (const [text, others, warnings] of /** @type {[string, Raw, string[]][]} */ ([
    ['mzxw6===', {}, ['Lowercase letters were read as uppercase.']],
    ['MZXW 6===', {}, ['White space was left out.']],
    ['MZXW6', {}, ['Missing padding was tolerated.']],
    ['CSQ-PY', { alphabet: 'crockford' }, ['Hyphens were left out.']],
    ['O000', { alphabet: 'crockford' }, ['"O" was taken as "0".']],
    ['I000', { alphabet: 'crockford' }, ['"I" was taken as "1".']],
    ['L000', { alphabet: 'crockford' }, ['"L" was taken as "1".']],
    ['C3ZS6', { alphabet: 'zbase32' }, ['Uppercase letters were read as lowercase.']],
  ]))
    test(`tolerates ${text}`, async () => {
      const result = await decode(text, others);
      assert.equal(result.refusal, undefined, String(result.refusal?.sentence));
      assert.deepEqual(result.warnings, warnings);
    });

  for (const [text, others, offset, offence] of /** @type {[string, Raw, number, RegExp][]} */ ([
    ['MZ1W', {}, 2, /"1" is not a symbol/],
    ['MZ😀', {}, 2, /"😀" is not a symbol/],
    ['16😀', { alphabet: 'crockford', check: true }, 2, /"😀" is not a symbol/],
    ['UUUU', { alphabet: 'crockford' }, 0, /"U" is not a symbol/],
    ['M', {}, 0, /has 1 symbol,/],
    ['MZX', {}, 2, /has 3 symbols/],
    ['MZXW6Y', {}, 5, /has 6 symbols/],
    ['MZ', {}, 1, /bits past the last byte/],
    ['MZXW6YR=', {}, 6, /bits past the last byte/],
    [
      '16JE',
      { alphabet: 'crockford', check: true, number: true },
      3,
      /check symbol is "E" where "D"/,
    ],
    ['MY=====', {}, 2, /ends in 5 "=" where 6/],
    ['c3zs6===', { alphabet: 'zbase32' }, 5, /padding, which this alphabet/],
  ]))
    test(`refuses ${text}`, async () => {
      const { refusal } = await decode(text, others);
      assert.equal(refusal?.field, 'text');
      assert.match(String(refusal?.offence), offence);
      assert.equal(refusal?.offset, offset);
    });

  test('refuses a text that is not a number', async () => {
    const { refusal } = await runTool(tool, { text: '12x', alphabet: 'crockford', number: true });
    assert.equal(refusal?.offence, 'is not a whole number');
  });
});
