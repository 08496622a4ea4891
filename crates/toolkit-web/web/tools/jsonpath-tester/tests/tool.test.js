import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdsExactly } from '../../../lib/json/numbers.js';
import { runTool, seeded, suite } from '../../../tests/run.mjs';
import { outermost } from '../query.js';
import jsonpath from '../tool.js';

test('compliance suite: values and normalised paths of all expressions', async (t) => {
  const cases = suite(t, 'jsonpath_cts');
  if (!cases) return;
  let right = 0;
  for (const { id, input, document, expect } of cases) {
    const text = JSON.stringify(document ?? null);
    const { outputs, refusal } = await runTool(jsonpath, { expression: input, text, show: 'both' });
    if (expect === 'reject') assert.equal(refusal?.field, 'expression', id);
    else {
      assert.equal(refusal, undefined, `${id}: ${refusal?.sentence}`);
      const rows = outputs.matches.rows;
      const found = {
        values: rows.map((/** @type {any} */ row) => JSON.parse(row[1])),
        paths: rows.map((/** @type {any} */ row) => row[0]),
      };
      const values = expect.one_of_values ?? [expect.values];
      const paths = expect.one_of_paths ?? (expect.paths ? [[expect.paths].flat()] : [found.paths]);
      assert.ok(
        values.some((/** @type {any} */ one) => equal(one, found.values)),
        `${id}: ${JSON.stringify(found)}`,
      );
      assert.ok(
        paths.some((/** @type {any} */ one) => equal(one, found.paths)),
        `${id}: ${JSON.stringify(found)}`,
      );
    }
    right += 1;
  }
  assert.equal(right, 703);
});

/** @param {unknown} a @param {unknown} b */
function equal(a, b) {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}

test('matches are marked in the document, only the outermost', async () => {
  const text = ' {"a": [1, {"a": "x"}], "b": 2}';
  const { outputs } = await runTool(jsonpath, { expression: '$..a', text });
  assert.deepEqual(outputs.document.marks, [[7, 22]]);
  assert.equal(text.slice(7, 22), '[1, {"a": "x"}]');
  assert.equal(outputs.headline.text, '2 matches');
  assert.deepEqual(
    outermost([
      { start: 5, end: 6 },
      { start: 0, end: 3 },
      { start: 1, end: 2 },
    ]),
    [
      [0, 3],
      [5, 6],
    ],
  );
});

test('digits are kept, and rounding by a filter is reported', async () => {
  const text = '[{"n": 9007199254740993}, {"n": 1.10}]';
  const { outputs, warnings } = await runTool(jsonpath, { expression: '$[*].n', text });
  assert.equal(outputs.values.text, '[\n  9007199254740993,\n  1.10\n]\n');
  assert.deepEqual(warnings, [
    '9007199254740993 is a number that JavaScript cannot hold exactly: filters compare rounded values.',
  ]);
  for (const raw of ['1.10', '1E3', '-0', '0.1', '1e-7', '123456789012345', '5e-324'])
    assert.ok(holdsExactly(raw), raw);
  for (const raw of ['1e400', '9007199254740993', '0.10000000000000000001', '1e-400'])
    assert.ok(!holdsExactly(raw), raw);
});

test('10,000 matches are shown; one more is left out with a warning', async () => {
  const run = (/** @type {number} */ count) =>
    runTool(jsonpath, { expression: '$[*]', text: `[${Array(count).fill(1)}]`, show: 'paths' });
  const full = await run(10_000);
  assert.equal(full.outputs.paths.items.length, 10_000);
  assert.deepEqual(full.warnings, []);
  const cut = await run(10_001);
  assert.equal(cut.outputs.paths.items.length, 10_000);
  assert.deepEqual(cut.warnings, ['More than 10,000 matches: the first 10,000 are shown.']);
});

const refusals = /** @type {[string, string, string, number | undefined, RegExp][]} */ ([
  ['$.a[', '{}', 'expression', 4, /Character 5: .*unclosed bracketed selection/],
  ['a', '{}', 'expression', 0, /expected '\$', found 'a'/],
  ['$[?foo(@)]', '{}', 'expression', 3, /no such function 'foo'/],
  ['$[01]', '{}', 'expression', 2, /leading zero/],
  ['$["é🎉"', '{}', 'expression', undefined, /is not JSONPath/],
  ['$[1:2:3:4]', '{}', 'expression', 7, /expected ",", found ":"/],
  ['$', '{"a":1,}', 'text', undefined, /Line 1, column 7: .*comma after the last item/],
  ['$', `${'['.repeat(513)}${']'.repeat(513)}`, 'text', undefined, /deeper than 512/],
]);
for (const [expression, text, field, offset, sentence] of refusals) {
  test(`refuses ${expression} on ${text.slice(0, 20)}`, async () => {
    const { refusal } = await runTool(jsonpath, { expression, text });
    assert.equal(refusal?.field, field);
    assert.match(refusal?.sentence ?? '', sentence);
    if (offset !== undefined) assert.equal(refusal?.offset, offset);
  });
}

test('each path leads back to its value, in random documents', async () => {
  const next = seeded(5);
  /** @param {number} depth @returns {any} */
  const random = (depth) => {
    if (depth > 3 || next(3) === 0) return next(100);
    const items = Array.from({ length: next(4) }, () => random(depth + 1));
    return next(2)
      ? items
      : Object.fromEntries(
          items.map((item, i) => [["a'b", 'é"', '\n', '1', '\\'][(i + next(3)) % 5], item]),
        );
  };
  for (let round = 0; round < 60; round += 1) {
    const text = JSON.stringify({ k: random(0) });
    const all = await runTool(jsonpath, { expression: '$..*', text, show: 'both' });
    for (const [path, value] of all.outputs.matches.rows.slice(0, 10)) {
      const one = await runTool(jsonpath, { expression: path, text, show: 'both' });
      assert.deepEqual(one.outputs.matches.rows, [[path, value]]);
    }
  }
});

test('length() counts Unicode scalar values, not UTF-16 units', async () => {
  const { outputs } = await runTool(jsonpath, {
    text: '["Ü😀", "abc", [1, 2], {"a": 1, "b": 2}]',
    expression: '$[?length(@) == 2]',
  });
  assert.equal(outputs.headline.text, '3 matches');
});

test('notations of other libraries are told how RFC 9535 writes them', async () => {
  const text = '{"store":{"book":[{"title":"a","price":1}]},"a-b":{"c-d":1}}';
  const told = async (/** @type {string} */ expression) => {
    const { refusal, warnings } = await runTool(jsonpath, { expression, text });
    return `${refusal?.sentence ?? ''} ${warnings.join(' ')}`;
  };
  for (const [expression, way] of /** @type {[string, RegExp][]} */ ([
    ['$.a-b', /\$\['a-b'\]/],
    ['$..c-d', /\$\.\.\['c-d'\]/],
    ['$.store.book.length', /length\(@\.name\)/],
    ['$.store.book.length()', /length\(@\.name\)/],
    ['$.store.book[(@.x-1)]', /\[-1\] is the last item/],
    ['$.store.book[?(@.title =~ /a/)]', /match\(@\.name, "pattern"\)/],
    ['$[store]', /\['store'\]/],
    ['store.book', /write \$\.store\.book/],
    ['@.store', /write \$\.store\./],
    ['/store/book', /JSON Pointer/],
    ['$.store.book.0', /\[0\]/],
    ['$.store.book[?@.price = 1]', /compares by ==/],
    ['$.store.book[?@.price == 1 and @.title == "a"]', /&& for and/],
    ['$.store.book[?@.title in ["a"]]', /no operator "in"/],
    ['$.store.book.sum()', /no sum\(\) after a path/],
  ]))
    assert.match(await told(expression), way, expression);
  assert.equal(await told("$['a-b'].x"), ' ');
  assert.equal(await told('$.store.book[?@.title == "x.length and a-b"]'), ' ');
});

test('the braces of kubectl are left out in the advice, which is accepted', async () => {
  const text = '{"items": [{"metadata": {"name": "a"}}]}';
  for (const expression of [
    '{.items[*].metadata.name}',
    '{$.items[*].metadata.name}',
    '{range .items[*]}{.metadata.name}{"\\n"}{end}',
  ]) {
    const { refusal } = await runTool(jsonpath, { expression, text });
    const [, written = ''] = /write (\$.*)\.$/.exec(refusal?.sentence ?? '') ?? [];
    const { outputs } = await runTool(jsonpath, { expression: written, text });
    assert.deepEqual(JSON.parse(outputs.values.text), ['a'], String(refusal?.sentence));
  }
});
