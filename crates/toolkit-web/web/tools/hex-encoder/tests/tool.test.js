//! Hex encoder: RFC 4648 §10, all bytes in all formats, xxd, refusals.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { runTool, seeded } from '../../../tests/run.mjs';
import tool from '../tool.js';

const ALL = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const FORMATS = /** @type {const} */ (['plain', 'spaced', 'colon', 'prefix', 'escape', 'c', 'xxd']);

/** @param {any} output */
const textOf = (output) => output?.text ?? output;

/** @param {string} text @param {import('../../../kit/types.d.ts').RawValues<typeof tool.fields>} [others] */
const decode = (text, others) => runTool(tool, { text, mode: 'decode', ...others });

describe('hex encoder', () => {
  const rfc4648 = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'];
  const digits = ['', '66', '666f', '666f6f', '666f6f62', '666f6f6261', '666f6f626172'];
  for (const [at, text] of rfc4648.entries())
    test(`RFC 4648 §10: "${text}"`, async () => {
      assert.equal((await runTool(tool, { text })).outputs.hex ?? '', digits[at]);
      assert.equal((await decode(digits[at] ?? '')).outputs.text ?? '', text);
    });

  for (const format of FORMATS)
    for (const upper of [false, true])
      for (const perLine of [null, 1, 7, 16, 256])
        test(`all 256 bytes as ${format}, ${perLine} per line, upper case ${upper}`, async () => {
          const { outputs } = await runTool(tool, { text: ALL, format, upper, per_line: perLine });
          const back = await decode(textOf(outputs.hex), { charset: 'latin1' });
          assert.deepEqual(back.outputs.file.data, ALL);
          assert.deepEqual(back.warnings, []);
        });

  test('random bytes round-trip', async () => {
    const random = seeded(7);
    for (let round = 0; round < 60; round++) {
      const bytes = Uint8Array.from({ length: random(70) + 1 }, () => random(256));
      const format = FORMATS[random(FORMATS.length)] ?? 'plain';
      const { outputs } = await runTool(tool, { text: bytes, format, per_line: random(20) + 1 });
      assert.deepEqual((await decode(textOf(outputs.hex))).outputs.file.data, bytes);
    }
  });

  for (const [flags, format, perLine] of /** @type {const} */ ([
    [[], 'xxd', null],
    [['-c', '5'], 'xxd', 5],
    [['-c', '256'], 'xxd', 256],
    [['-u'], 'xxd', null],
    [['-p', '-c', '30'], 'plain', 30],
  ]))
    test(`matches xxd ${flags.join(' ')}`, async (t) => {
      const xxd = spawnSync('xxd', [...flags], { input: ALL });
      if (xxd.error) return t.skip('needs xxd');
      const upper = flags.includes(/** @type {never} */ ('-u'));
      const { outputs } = await runTool(tool, { text: ALL, format, per_line: perLine, upper });
      assert.equal(outputs.hex.trimEnd(), xxd.stdout.toString().trimEnd());
      const reversed = spawnSync('xxd', ['-r', ...flags], { input: outputs.hex });
      assert.deepEqual(new Uint8Array(reversed.stdout), ALL);
    });

  test('the same array as xxd -i', async (t) => {
    const xxd = spawnSync('xxd', ['-i', '-n', 'file'], { input: ALL });
    if (xxd.error || xxd.status !== 0) return t.skip('needs an xxd with -n');
    const { outputs } = await runTool(tool, { text: ALL, format: 'c' });
    assert.equal(textOf(outputs.hex), xxd.stdout.toString());
  });

  const CANONICAL =
    '00000000  48 65 7c 6c 6f 20 77 6f  72 6c 64 0a 00 01 02 03  |He|lo world.....|\n' +
    '00000010  ff                                                |.|\n00000011\n';
  test('a dump of hexdump -C, and other separators', async (t) => {
    assert.equal((await decode(CANONICAL)).outputs.base64, 'SGV8bG8gd29ybGQKAAECA/8=');
    assert.equal((await decode(CANONICAL.replaceAll('\n', '\r\n'))).outputs.file.data.length, 17);
    for (const text of ['4f:6b', '4f-6b', '%4f%6B', '4F, 6b;', '4f_6b', '0x4f0x6b', '4f\t6b\n'])
      assert.equal((await decode(text)).outputs.text, 'Ok', text);
    const cut = await decode('00000000  41 41  |AA|\n*\n00000020\n');
    assert.equal(cut.outputs.text, 'AA');
    assert.match(String(cut.warnings), /leaves out repeated lines/);
    const wrong = await decode(CANONICAL.replace('7c', '7x'));
    assert.deepEqual([wrong.refusal?.line, wrong.refusal?.column], [1, 18]);
    const command = spawnSync('hexdump', ['-C'], { input: ALL });
    if (command.error) return t.diagnostic('hexdump is not installed');
    assert.deepEqual((await decode(String(command.stdout))).outputs.file.data, ALL);
  });

  test('text encodings', async () => {
    const hex = async (/** @type {any} */ charset) =>
      (await runTool(tool, { text: 'é€😀'.slice(0, charset === 'latin1' ? 1 : 9), charset }))
        .outputs.hex;
    assert.equal(await hex('utf8'), 'c3a9e282acf09f9880');
    assert.equal(await hex('utf16le'), 'e900ac203dd800de');
    assert.equal(await hex('utf16be'), '00e920acd83dde00');
    assert.equal(await hex('latin1'), 'e9');
    const back = await decode('00e920acd83dde00', { charset: 'utf16be' });
    assert.equal(back.outputs.text, 'é€😀');
  });

  test('bytes that are not text are reported', async () => {
    const { outputs, warnings } = await decode('fffe00');
    assert.equal(outputs.text, 'ff fe 00');
    assert.deepEqual(warnings, [
      'The bytes are not UTF-8 text; they are shown as hexadecimal digits.',
    ]);
    assert.equal(outputs.base64, '//4A');
  });

  test('a dump whose offsets jump is reported', async () => {
    const { outputs, warnings } = await decode('00000000: 4142  AB\n00000010: 43  C\n');
    assert.equal(outputs.text, 'ABC');
    assert.equal(warnings.length, 1);
  });

  for (const [text, line, column, offence] of /** @type {const} */ ([
    ['4g', 1, 2, '"g" is not a hexadecimal digit'],
    ['41 42\n43 zz', 2, 4, '"z" is not a hexadecimal digit'],
    ['414', 1, 1, 'has an odd number of digits (3) in a group'],
    ['41\n4 2', 2, 1, 'has an odd number of digits (1) in a group'],
    ['0x', 1, 3, 'has a prefix without digits'],
    ['\\x41\\n', 1, 5, '"\\" is not a hexadecimal digit'],
    ['41 😀', 1, 4, '"😀" is not a hexadecimal digit'],
    ['00000000: 41zz  A', 1, 13, '"z" is not a hexadecimal digit'],
    ['char a[] = { 0x41, q };', 1, 20, '"q" is not a hexadecimal digit'],
  ]))
    test(`refuses ${JSON.stringify(text)}`, async () => {
      const { refusal } = await decode(text);
      assert.equal(refusal?.field, 'text');
      assert.deepEqual([refusal?.line, refusal?.column, refusal?.offence], [line, column, offence]);
    });

  test('refuses characters that Latin-1 lacks, and lone surrogates in UTF-8', async () => {
    const latin = await runTool(tool, { text: 'a€', charset: 'latin1' });
    assert.equal(latin.refusal?.offset, 1);
    const lone = await runTool(tool, { text: 'ab\ud800' });
    assert.equal(lone.refusal?.offset, 2);
  });

  test('limits: 32 MiB, 1 to 256 bytes per line', async () => {
    const bytes = new Uint8Array(32 * 2 ** 20 + 1);
    const { outputs } = await runTool(tool, { text: bytes.subarray(1) });
    assert.equal(outputs.hex.length, 64 * 2 ** 20);
    assert.match(
      String((await runTool(tool, { text: bytes })).refusal?.sentence),
      /at most 32 MiB, not/,
    );
    for (const perLine of [0, 257])
      assert.equal(
        (await runTool(tool, { text: 'a', per_line: perLine })).refusal?.field,
        'per_line',
      );
  });
});
