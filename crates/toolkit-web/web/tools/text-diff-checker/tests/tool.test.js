//! `patch(1)` turns the first text into the second; options; limits.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { diff } from '../../../lib/diff/diff.js';
import { unifiedPatch } from '../../../lib/diff/patch.js';
import { fixedContext, inLinearTime, runTool, seeded } from '../../../tests/run.mjs';
import tool from '../tool.js';

/** @param {string} left @param {string} right @param {Record<string, any>} [values] */
const run = (left, right, values = {}) => runTool(tool, { left, right, ...values });
/** @param {any} result */
const counts = ({ outputs }) =>
  outputs.summary.pairs.map((/** @type {any} */ [, count]) => count).slice(0, 4);

/** A text and a changed one. @param {(below: number) => number} next @returns {[string, string]} */
function pair(next) {
  const end = ['\n', '\r\n'][next(2)];
  const line = () => Array.from({ length: next(4) }, () => 'ab \\+-@'[next(7)]).join('') + end;
  const first = Array.from({ length: next(60) }, line);
  const second = first.flatMap((one) =>
    next(8) === 0 ? ([[], [line()], [one, line()], [line(), line()]][next(4)] ?? []) : [one],
  );
  const cut = (/** @type {string} */ text) => (next(3) === 0 ? text.replace(/\r?\n$/, '') : text);
  return [cut(first.join('')), cut(second.join(''))];
}

test('patch(1) turns the first text into the second: 1,000 pairs, also with CR LF and without a final newline', (context) => {
  const next = seeded(31);
  const folder = mkdtempSync(join(tmpdir(), 'diff-'));
  try {
    for (let round = 0; round < 1000; round++) {
      const [left, right] = pair(next);
      const patch = unifiedPatch(left, right, { names: ['a', 'b'], context: next(5) });
      if (left === right) {
        assert.equal(patch, '');
        continue;
      }
      const file = join(folder, 'a');
      writeFileSync(file, left);
      try {
        execFileSync('patch', ['--binary', '--silent', '--posix', file], { input: patch });
      } catch (error) {
        if (/** @type {any} */ (error).code === 'ENOENT') return context.skip('needs patch');
        assert.fail(`patch refuses ${JSON.stringify({ left, right, patch })}`);
      }
      let found = '';
      try {
        found = readFileSync(file, 'utf8');
      } catch {
        // An empty result is a removed file.
      }
      assert.equal(found, right, JSON.stringify({ left, patch }));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('blocks turn one into the other, and equal ones are equal (seeded)', () => {
  const next = seeded(13);
  for (let round = 0; round < 1000; round++) {
    const of = () => Array.from({ length: next(40) }, () => 'abcdefghij'[next(2 + next(8))] ?? '');
    const [a, b] = [of(), of()];
    let [x, y] = [0, 0];
    for (const block of diff(a, b)) {
      assert.deepEqual([block.a[0], block.b[0]], [x, y]);
      if (block.same) assert.deepEqual(a.slice(...block.a), b.slice(...block.b));
      [x, y] = [block.a[1], block.b[1]];
    }
    assert.deepEqual([x, y], [a.length, b.length]);
  }
});

test('options', async () => {
  for (const [left, right, values, wanted] of /** @type {[string, string, any, number[]][]} */ ([
    ['a\nb', 'a\nB', {}, [1, 0, 0, 1]],
    ['a\nb', 'a\nB', { case: true }, [0, 0, 0, 2]],
    ['a  b ', 'a b', {}, [1, 0, 0, 0]],
    ['a b ', ' a b', { space: 'ends' }, [0, 0, 0, 1]],
    ['a  b ', 'a b', { space: 'amount' }, [0, 0, 0, 1]],
    ['ab', 'a b', { space: 'all' }, [0, 0, 0, 1]],
    ['a\n\n\nb', 'a\nb', { blank: true }, [0, 0, 0, 2]],
    ['a\r\nb\r\n', 'a\nb\n', {}, [0, 0, 0, 2]],
    ['a\r\nb\r\n', 'a\nb\n', { ends: false }, [2, 0, 0, 0]],
    ['', 'a', {}, [0, 1, 0, 0]],
    ['a', '', {}, [0, 0, 1, 0]],
    ['{"a":1,"b":{"d":1,"c":2}}', '{"b":{"c":2,"d":1},"a":1}', { json: true }, [0, 0, 0, 7]],
  ]))
    assert.deepEqual(
      counts(await run(left, right, values)),
      wanted,
      JSON.stringify([left, right, values]),
    );
});

test('words and characters are marked inside lines', async () => {
  const row = async (/** @type {any} */ values) =>
    (await run('the red fox', 'the rod fox', values)).outputs.differences.data.rows[0];
  assert.deepEqual((await row({ by: 'word' })).left.pieces, [
    ['the ', false],
    ['red', true],
    [' fox', false],
  ]);
  assert.deepEqual((await row({ by: 'character' })).right.pieces, [
    ['the r', false],
    ['o', true],
    ['d fox', false],
  ]);
  assert.deepEqual((await row({ by: 'line' })).left.pieces, [['the red fox', false]]);
});

test('equal lines far from changes are left out and counted', async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const { outputs } = await run(lines.join('\n'), lines.with(15, 'new').join('\n'), { context: 2 });
  const { rows } = outputs.differences.data;
  assert.deepEqual([rows[0], rows.length, rows.at(-1)], [13, 7, 12]);
});

test('a change in each of many records leaves the rest of the lines the same', async () => {
  const records = (/** @type {number} */ price) =>
    JSON.stringify(
      Array.from({ length: 600 }, (_, at) => ({
        name: `n${at % 7}`,
        price: (at % 5) + price,
        ok: true,
        kind: 'a',
      })),
      null,
      2,
    );
  const result = await run(records(0), records(0.5));
  assert.deepEqual(counts(result), [600, 0, 0, 3002]);
  assert.deepEqual(result.warnings, []);
});

test('JSON is normalized without rounding numbers', async () => {
  const same = async (/** @type {string} */ left, /** @type {string} */ right) =>
    (await run(left, right, { json: true })).outputs.differences === 'The texts are the same.';
  assert.ok(!(await same('{"id":9007199254740992}', '{"id":9007199254740993}')));
  assert.ok(!(await same('[0.1]', '[0.1000000000000000001]')));
  assert.ok(await same('[1.0, 1e2, -0, "\\u00fc"]', '[1, 100, 0, "ü"]'));
  const twice = await run('{"a":1,"a":2}', '{"a":2}', { json: true });
  assert.match(twice.warnings.join(), /The name "a" occurs again at line 1, column 8/);
});

test('when the time is over, the rest is one change, and a warning says so', () => {
  const next = seeded(5);
  const of = () => Array.from({ length: 30_000 }, () => 'ab'[next(2)] ?? '');
  let stopped = 0;
  const [left, right] = [of(), of()];
  const blocks = diff(left, right, { milliseconds: 20, onTimeout: () => stopped++ });
  assert.equal(stopped, 1);
  assert.ok(blocks.some(({ same }) => !same));
  assert.equal(blocks.at(-1)?.b[1], right.length);
});

test('refusals: binary files, JSON with a position, bounds', async () => {
  const file = (/** @type {number[]} */ bytes) => ({
    name: 'x',
    type: '',
    size: bytes.length,
    bytes: Uint8Array.from(bytes),
  });
  const binary = await runTool(tool, { left: file([65, 0, 66]), right: 'a' });
  assert.deepEqual([binary.refusal?.field, binary.refusal?.offence], ['left', 'is a binary file']);
  assert.match(
    (await runTool(tool, { left: 'a', right: file([0xff, 0x02]) })).refusal?.offence ?? '',
    /must be text/,
  );
  for (const context of [-1, 100_001, 0.5])
    assert.equal((await run('a', 'b', { context })).refusal?.field, 'context');
  assert.equal((await run('', '')).refusal, undefined);
});

test('large and entirely different texts stay fast; over 1 MiB lines are compared whole, with a warning', async () => {
  const next = seeded(17);
  const text = () => Array.from({ length: 120_000 }, () => next(2 ** 31).toString(36)).join('\n');
  const [left, right] = [text(), text()];
  const { warnings, outputs } = await inLinearTime(() => run(left, right));
  assert.deepEqual(warnings, ['The first 4000 rows are shown. The patch has all of them.']);
  assert.equal(outputs.differences.data.rows.length, 4000);
  const over = await run(`${'a\n'.repeat(1 << 19)}x`, 'a\n'.repeat(1 << 19));
  assert.deepEqual(over.warnings, ['Texts over 1 MiB are compared by line.']);
  assert.deepEqual((await run(`${'a\n'.repeat((1 << 19) - 1)}x`, 'a\n')).warnings, [
    'The first 4000 rows are shown. The patch has all of them.',
  ]);
});

test('after 5 seconds lines are compared whole, with a warning', async () => {
  const text = (/** @type {string} */ word) =>
    Array.from({ length: 10 }, (_, line) => `the ${word} fox ${line}`).join('\n');
  const context = fixedContext();
  let seconds = 0;
  const slow = { ...context, now: () => new Date(1000 * seconds++) };
  const { outputs, warnings } = await runTool(
    tool,
    { left: text('red'), right: text('dun') },
    slow,
  );
  assert.deepEqual(warnings, [
    'After 5 seconds, the rest was compared by line. Differences within those lines are not marked.',
  ]);
  const { rows } = outputs.differences.data;
  assert.deepEqual(
    rows.map((/** @type {any} */ { left }) => left.pieces.length),
    [3, 3, 3, 3, 3, 1, 1, 1, 1, 1],
  );
  assert.match(outputs.patch.text, /^\+the dun fox 9$/m);
});

test('two JSON texts are compared by structure, whatever their layout', async () => {
  const changes = async (/** @type {any} */ one, /** @type {any} */ two) =>
    (await run(JSON.stringify(one), JSON.stringify(two, null, 4))).outputs.structure?.rows.map(
      (/** @type {any[]} */ row) => row.filter((cell) => cell !== undefined).join(' '),
    );
  assert.equal(await changes({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 }), undefined);
  assert.deepEqual(
    await changes(
      { a: 1, list: [{ id: 1 }, { id: 2, on: true }, { id: 3 }], 'x y': null },
      { a: '1', list: [{ id: 0 }, { id: 1 }, { id: 2, on: false }, { id: 3 }], 'x y': { z: [] } },
    ),
    [
      '$.a changed 1 "1"',
      '$.list[0] added {"id":0}',
      '$.list[1].on changed true false',
      '$[\'x y\'] changed null {"z":[]}',
    ],
  );
});

test('the answer to two JSON texts says how many of their values differ', async () => {
  const told = async (/** @type {any} */ one, /** @type {any} */ two) =>
    (await run(JSON.stringify(one), JSON.stringify(two))).outputs.headline.text;
  assert.equal(await told({ a: 1, b: 2 }, { b: 2, a: 1 }), 'Same');
  assert.equal(await told({ a: 1 }, { a: 2 }), '1 value differs');
  assert.equal(await told({ a: [1, 2, 3] }, { a: [1, 4, 3], b: {} }), '1 value differs, 1 added');
  assert.equal(
    await told({ a: 1, b: 1, c: 1, d: 1 }, { a: 2, b: 2, c: 2, e: 1 }),
    '3 values differ, 1 added, 1 removed',
  );
  assert.equal(await told([1, 2], [1]), '1 value removed');
  const zeros = Array.from({ length: 1200 }, () => 0);
  assert.equal(
    await told({ ...zeros }, { ...zeros.map(() => 1) }),
    '1,000 values differ, and more',
  );
});

test('a text that is not JSON is compared by its lines, and a broken one is named', async () => {
  const broken = await run('{}', '{\n  "a": 1,\n}');
  assert.equal(broken.outputs.structure, undefined);
  assert.match(
    broken.warnings.join(),
    /Line 2.*: the second text is not JSON: .* Lines are compared\./,
  );
  assert.deepEqual((await run('{a}', '{b}')).warnings, []);
  assert.equal((await run('{"a":1}', '{"a":2}', { json: false })).outputs.structure, undefined);
});

test('the character is named that makes lines differ which look the same', async () => {
  const warned = async (/** @type {string} */ left, /** @type {string} */ right) =>
    (await runTool(tool, { left, right })).warnings;
  assert.deepEqual(await warned('x\na b', 'x\na\u00a0b'), [
    'Line 2 looks the same in both: character 2 is U+0020 in the first text and U+00A0 in the second.',
  ]);
  assert.match(String(await warned('paypal', 'p\u0430ypal')), /U\+0061 .* U\+0430/);
  assert.match(String(await warned('ab', 'a\u200bb')), /U\+0062 .* U\+200B/);
  assert.match(String(await warned('ab', 'ab\u200b')), /character 3 is nothing .* U\+200B/);
  assert.deepEqual(await warned('a', 'b'), []);
});
