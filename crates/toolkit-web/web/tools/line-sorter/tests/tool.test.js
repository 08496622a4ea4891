//! `sort(1)` and `uniq(1)` under `LC_ALL=C`, and tables of our own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { inLinearTime, runTool, seeded } from '../../../tests/run.mjs';
import tool from '../tool.js';

/** @param {string} text @param {Record<string, any>} [values] */
const sort = async (text, values = {}) => (await runTool(tool, { text, ...values })).outputs.lines;

/** @param {import('node:test').TestContext} context @param {string} command @param {string[]} options @param {string} input */
function reference(context, command, options, input) {
  try {
    return execFileSync(command, options, {
      input,
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      maxBuffer: 1 << 28,
    });
  } catch {
    context.skip(`needs ${command}`);
    return undefined;
  }
}

/** @param {(below: number) => number} next @param {number} count */
function randomLines(next, count) {
  const letters = [...'abAB01 -.é\u{ffff}ß日𝄞\u{e000}😀'];
  return Array.from({ length: count }, () =>
    Array.from({ length: next(4) }, () => letters[next(letters.length)]).join(''),
  );
}

test('matches sort(1) and uniq(1) (seeded)', async (context) => {
  const next = seeded(4);
  for (let round = 0; round < 30; round++) {
    const input = `${randomLines(next, 1 + next(400)).join('\n')}\n`;
    const numbers = `${Array.from({ length: 200 }, () => `${next(2000) - 1000}.${next(10)} x${next(9)}`).join('\n')}\n`;
    for (const [
      options,
      text,
      values,
    ] of /** @type {[string[], string, Record<string, any>][]} */ ([
      [[], input, {}],
      [['-r'], input, { descending: true }],
      [['-u'], input, { unique: 'first' }],
      [['-s', '-n'], numbers, { order: 'number' }],
      [['-s', '-n', '-r'], numbers, { order: 'number', descending: true }],
      [['-s', '-k2,2'], numbers, { by: 'column', column: 2 }],
    ])) {
      const wanted = reference(context, 'sort', options, text);
      if (wanted === undefined) return;
      assert.equal(await sort(text, values), wanted, options.join(' '));
    }
    const ordered = await sort(input);
    const once = reference(context, 'uniq', [], ordered);
    assert.equal(await sort(ordered, { order: 'none', unique: 'first' }), once);
    const counted = (reference(context, 'uniq', ['-c'], ordered) ?? '').replace(/^ +/gm, '');
    assert.equal(await sort(ordered, { order: 'none', unique: 'first', counts: true }), counted);
    assert.equal(
      await sort(ordered, { order: 'none', unique: 'repeated' }),
      reference(context, 'uniq', ['-d'], ordered),
    );
    assert.equal(
      await sort(ordered, { order: 'none', unique: 'single' }),
      reference(context, 'uniq', ['-u'], ordered),
    );
  }
});

test('orders and options', async () => {
  for (const [text, values, wanted] of /** @type {[string, Record<string, any>, string][]} */ ([
    ['zebra\nähre\napfel', { order: 'locale', language: 'de' }, 'ähre\napfel\nzebra'],
    ['zebra\nähre\napfel', { order: 'locale', language: 'sv' }, 'apfel\nzebra\nähre'],
    ['b\nA\na\nB', { case: true }, 'A\na\nb\nB'],
    ['ccc\na\n𝄞𝄞', { order: 'length' }, 'a\n𝄞𝄞\nccc'],
    [
      '10.0.0.9\n9.0.0.1 x\nnone\n10.0.0.10\n::1\n2001:db8::1',
      { order: 'address' },
      '9.0.0.1 x\n10.0.0.9\n10.0.0.10\n::1\n2001:db8::1\nnone',
    ],
    ['x\n-3\n1e2\n+7\n.5', { order: 'number' }, '-3\n.5\n+7\n1e2\nx'],
    ['k=2 b\nk=1 c\nnone', { by: 'pattern', pattern: 'k=(\\d)' }, 'none\nk=1 c\nk=2 b'],
    ['a\nb\nc', { order: 'none', reverse: true }, 'c\nb\na'],
    ['a\nb\na\nc', { order: 'none', unique: 'last' }, 'b\na\nc'],
    ['A\na', { unique: 'first', case: true }, 'A'],
    [' b \n\n a\n', { trim: true, blank: true }, 'a\nb\n'],
    ['h\nb\na', { header: 1 }, 'h\na\nb'],
    ['b\na', { numbers: true, prefix: '"', suffix: '",' }, '1. "a",\n2. "b",'],
    ['b\r\na\r\n', {}, 'a\r\nb\r\n'],
    ['b\ra', {}, 'a\rb'],
    ['b;a', { split: 'semicolon', join: 'line' }, 'a\nb'],
    ['b\na', { join: 'comma' }, 'a, b'],
  ]))
    assert.equal(await sort(text, values), wanted, JSON.stringify([text, values]));
});

test('a shuffle keeps all lines, and each order occurs', async () => {
  const { lines } = (await runTool(tool, { text: '1\n2\n3\n4\n5\n6\n7\n8', order: 'shuffle' }))
    .outputs;
  assert.notEqual(lines, '1\n2\n3\n4\n5\n6\n7\n8');
  assert.equal(await sort(lines), '1\n2\n3\n4\n5\n6\n7\n8');
});

test('refusals: pattern with offset, language, bounds', async () => {
  for (const [pattern, offset] of /** @type {[string, number][]} */ ([
    ['(a)(b', 3],
    ['a**', 2],
    ['[a', 0],
    ['a)', 1],
    ['é\\', 1],
    ['x{2,1}', 1],
  ])) {
    const { refusal } = await runTool(tool, { text: 'a', by: 'pattern', pattern });
    assert.deepEqual([refusal?.field, refusal?.offset], ['pattern', offset], pattern);
    assert.match(refusal?.hint ?? '', /[a-z]{4}.*\.$/, pattern);
  }
  assert.equal(
    (await runTool(tool, { text: 'a', order: 'locale', language: '!' })).refusal?.field,
    'language',
  );
  for (const values of [
    { by: 'column', column: 0 },
    { by: 'column', column: 1001 },
  ])
    assert.equal(
      (await runTool(tool, { text: 'a', .../** @type {any} */ (values) })).refusal?.field,
      'column',
    );
  assert.equal((await runTool(tool, { text: 'a', header: 1001 })).refusal?.field, 'header');
  assert.match(
    String((await runTool(tool, { text: 'a\r\nb\n\nc' })).warnings),
    /mixed\. All become LF/,
  );
});

test('a million lines are sorted in a time that grows with their number', async () => {
  const next = seeded(9);
  const text = Array.from({ length: 1_000_000 }, () => next(2 ** 31).toString(36)).join('\n');
  const lines = await inLinearTime(() => sort(text));
  assert.equal(lines.length, text.length);
});

test('numbers are read as spreadsheets write them, and what is left open is said', async () => {
  const cases = /** @type {[text: string, sorted: string, warnings: string[]][]} */ ([
    ['1,000\n999', '999\n1,000', ['`1,000` was read as 1000, with a thousands comma.']],
    ['3\n1,000\n0,5', '0,5\n1,000\n3', ['`1,000` was read as 1, with a decimal comma.']],
    ['1.234,5\n1.000\n20', '20\n1.000\n1.234,5', []],
    ['1,234.5\n7,001,000\n20.25', '20.25\n1,234.5\n7,001,000', []],
    ['$1,000.50\n€20\n-$5\n(7)', '(7)\n-$5\n€20\n$1,000.50', []],
    ["1'200\n1\u00a0000\n999", "999\n1\u00a0000\n1'200", []],
    ['5e3\n100\na', '100\n5e3\na', []],
    ['v1.2 of 2,5\nv1.1', 'v1.1\nv1.2 of 2,5', []],
  ]);
  for (const [text, sorted, warned] of cases) {
    const { outputs, warnings } = await runTool(tool, { text, order: 'number' });
    assert.equal(outputs.lines, sorted);
    assert.deepEqual(warnings, warned);
  }
});
