import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseJson, writeJson } from '../../../lib/json/json.js';
import { runTool, seeded, suites } from '../../../tests/run.mjs';
import converter from '../tool.js';
import { singular, typeName } from '../types.js';

/** @param {string} text @param {any} [values] */
const types = async (text, values) =>
  (await runTool(converter, { text, ...values })).outputs.types?.text;

/** @param {number} seed */
function randomDocuments(seed) {
  const next = seeded(seed);
  const names = [
    'a',
    'B c',
    '1',
    'class',
    'Array',
    'users',
    'é',
    '日本',
    '',
    'q\'"',
    'data',
    'x-y',
    '__proto__',
  ];
  /** @param {number} depth @returns {any} */
  const random = (depth) => {
    const kind = next(depth > 4 ? 4 : 6);
    if (kind < 4) return [null, next(100), `t${next(3)}`, next(2) === 1][kind];
    const items = Array.from({ length: next(4) }, () => random(depth + 1));
    return kind === 4
      ? items
      : new Map(items.map((item) => [/** @type {string} */ (names[next(names.length)]), item]));
  };
  return Array.from({ length: 60 }, () => writeJson(random(0)));
}

/** The compiler: from the libraries' folder, or from a package installed next to the sources. */
const compiler = [process.env.TOOLKIT_WEB_BUILT, new URL('../../..', import.meta.url).pathname]
  .map((folder) => folder && join(folder, 'node_modules/.bin/tsc'))
  .find((path) => path && existsSync(path));

test('the output compiles under tsc --strict, and the sample satisfies it', async (t) => {
  if (!compiler) return t.skip('needs the TypeScript compiler: set TOOLKIT_WEB_BUILT');
  const documents = randomDocuments(2);
  const path = `${suites}/json_parsing.json`;
  if (existsSync(path)) {
    const cases = JSON.parse(readFileSync(path, 'utf8'));
    documents.push(
      ...cases
        .filter((/** @type {any} */ one) => one.expect === 'accept' && one.input)
        .map((/** @type {any} */ one) => one.input),
    );
  }
  const folder = mkdtempSync(join(tmpdir(), 'toolkit-types-'));
  const styles = [{}, { style: 'type', readonly: true }, { literals: 10, empty: 'any' }];
  for (const [i, text] of documents.entries()) {
    const output = await types(text, styles[i % styles.length]);
    const sample = writeJson(parseJson(text)).replaceAll('"__proto__":', '["__proto__"]:');
    writeFileSync(join(folder, `t${i}.ts`), `${output}\nexport const sample: Root = ${sample};\n`);
  }
  const options = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    types: [],
    skipLibCheck: true,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
  );
  const result = spawnSync(compiler, ['-p', folder], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  assert.equal(result.stdout, '');
  assert.equal(result.status, 0, result.stderr);
});

test('unions, optional members and equal shapes', async () => {
  assert.equal(
    await types('[{"from":{"x":1},"to":{"x":2}},{"from":null}]', { root: 'Moves' }),
    'export type Moves = Move[];\n\nexport interface Move {\n  from: From | null;\n  to?: From;\n}\n\nexport interface From {\n  x: number;\n}\n',
  );
  assert.equal(
    await types('[[1,"a"],[true,null]]'),
    'export type Root = (string | number | boolean | null)[][];\n',
  );
  assert.equal(await types('{}'), 'export type Root = Record<string, never>;\n');
  assert.equal(await types('5'), 'export type Root = number;\n');
  assert.equal(
    await types('[]', { readonly: true, empty: 'any' }),
    'export type Root = readonly any[];\n',
  );
  assert.equal(
    await types('[{"a":1},{"b":"x"}]', { samples: 'list', export: false }),
    'interface Root {\n  a?: number;\n  b?: string;\n}\n',
  );
});

test('names and keys are always valid', async () => {
  const output = await types(
    '{"a-b":1,"2nd":2,"class":3,"array":{"Root":{"y":1}},"date":{"z":[{"w":1}]}}',
  );
  assert.match(
    output,
    /^ {2}"a-b": number;\n {2}"2nd": number;\n {2}class: number;\n {2}array: ArrayValue;\n {2}date: DateValue;$/m,
  );
  assert.match(output, /interface Root2 \{/);
  for (const [name, wanted] of [
    ['user_name', 'UserName'],
    ['HTTPServer', 'HTTPServer'],
    ['2nd', 'Item2Nd'],
    ['-', 'Item'],
    ['日本', '日本'],
  ]) {
    assert.equal(typeName(/** @type {string} */ (name)), wanted);
  }
  for (const [name, wanted] of [
    ['users', 'user'],
    ['cities', 'city'],
    ['boxes', 'box'],
    ['address', 'address_item'],
    ['data', 'data_item'],
    ['status', 'status_item'],
  ]) {
    assert.equal(singular(/** @type {string} */ (name)), wanted);
  }
});

test('rounded integers get a comment, literals are bounded', async () => {
  assert.match(
    await types('{"id":12345678901234567890,"x":1.0}'),
    /beyond 2\^53.*\n {2}id: number;\n {2}x: number;\n/,
  );
  const list = '["a","b","a"]';
  assert.equal(await types(list, { literals: 2 }), 'export type Root = ("a" | "b")[];\n');
  assert.equal(await types(list, { literals: 1 }), 'export type Root = string[];\n');
  assert.equal(
    await types('["a","b"]', { literals: 9 }),
    'export type Root = string[];\n',
    'nothing occurs again',
  );
});

const refusals = /** @type {[any, string, RegExp][]} */ ([
  [{ text: '{"a":}' }, 'text', /Line 1, column 6: .*has "}" where a value belongs/],
  [{ text: '\n{"a" 1}', samples: 'lines' }, 'text', /Line 2, column 6: .*where ":" belongs/],
  [{ text: '{}', samples: 'list' }, 'text', /is not a list/],
  [{ text: '{}', root: '1x' }, 'root', /is not an identifier/],
  [{ text: '{}', root: 'class' }, 'root', /which TypeScript uses itself/],
  [{ text: '{}', literals: 101 }, 'literals', /from 0 to 100/],
  [{ text: '['.repeat(513) }, 'text', /deeper than 512 levels/],
]);
for (const [values, field, sentence] of refusals) {
  test(`refuses ${JSON.stringify(values).slice(0, 50)}`, async () => {
    const { refusal } = await runTool(converter, values);
    assert.equal(refusal?.field, field);
    assert.match(refusal?.sentence ?? '', sentence);
  });
}

test('depth 512 is accepted', async () => {
  assert.match(
    await types('['.repeat(512) + ']'.repeat(512)),
    /^export type Root = unknown(?:\[\]){512};\n$/,
  );
});

test('bad lines of JSON lines are left out, and the first five told', async () => {
  const { outputs, warnings } = await runTool(converter, {
    text: `{"a":1}\n${'oops\n'.repeat(7)}{"a":null}`,
    samples: 'lines',
  });
  assert.equal(outputs.types.text, 'export interface Root {\n  a: number | null;\n}\n');
  assert.match(warnings[0] ?? '', /^Line 2 was left out: it /);
  assert.deepEqual(warnings.slice(5), ['2 more were left out.']);
});
