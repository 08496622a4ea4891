import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { parsers } from '../../../libraries/prettier-babel.js';
import { runTool, suite } from '../../../tests/run.mjs';
import javascript from '../tool.js';

/** @param {any} values */
async function output(values) {
  const { outputs, refusal } = await runTool(javascript, values);
  assert.equal(refusal, undefined, refusal?.sentence ?? '');
  return outputs.output?.text ?? '';
}

const POSITION =
  /^(?:loc|start|end|range|extra|comments|.*Comments|tokens|errors|raw|interpreter|__contentEnd)$/;

/** A syntax tree without positions, brackets and empty statements. @param {any} node @returns {any} */
function bare(node) {
  if (Array.isArray(node)) return node.filter((item) => item?.type !== 'EmptyStatement').map(bare);
  if (typeof node === 'string') return node.replaceAll('\r\n', '\n');
  if (!node || typeof node !== 'object') return typeof node === 'bigint' ? String(node) : node;
  if (node.type === 'LogicalExpression')
    return { type: node.type, operator: node.operator, terms: terms(node, node.operator) };
  const entries = Object.entries(node).filter(([name]) => !POSITION.test(name));
  return Object.fromEntries(entries.map(([name, item]) => [name, bare(item)]));
}

/** Terms of a chain: `a && (b && c)` is `a && b && c`. @param {any} node @param {string} operator @returns {any[]} */
function terms(node, operator) {
  if (node.type !== 'LogicalExpression' || node.operator !== operator) return [bare(node)];
  return [...terms(node.left, operator), ...terms(node.right, operator)];
}

/** @param {string} text */
const tree = (text) =>
  JSON.stringify(
    bare(
      parsers.babel.parse(text, /** @type {any} */ ({ filepath: 'x.js', originalText: text }))
        .program,
    ),
  );

test('test262-parser-tests: the pass set keeps its syntax tree, and formatting is idempotent', async (t) => {
  const cases = suite(t, 'js_parser_tests');
  if (!cases) return;
  const passing = cases.filter((/** @type {any} */ one) => one.expect === 'accept');
  assert.equal(passing.length, 1983);
  for (const { id, input } of passing) {
    const once = await output({ text: input, property_quotes: 'preserve' });
    assert.equal(tree(once), tree(input), `${id}: ${once}`);
    assert.equal(await output({ text: once, property_quotes: 'preserve' }), once, id);
  }
});

test('test262-parser-tests: nearly all invalid programs are refused', async (t) => {
  const cases = suite(t, 'js_parser_tests');
  if (!cases) return;
  const wrong = cases.filter((/** @type {any} */ one) => one.expect === 'reject');
  let refused = 0;
  for (const { input } of wrong)
    refused += (await runTool(javascript, { text: input })).refusal ? 1 : 0;
  assert.ok(wrong.length >= 1384 && refused >= 1320, `${refused} of ${wrong.length}`);
});

/** Programs that end in a call of `show`, with the values shown. */
const PROGRAMS = [
  'function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } show(fib(15));',
  'let sum = 0; for (let i = 0, step = 2; i < 10; i += step) { if (i === 4) continue; sum += i; } show(sum);',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the program
  'class A { #x = 1; static y = 2; get x() { return this.#x; } z() { return `${this.x}${A.y}`; } } show(new A().z());',
  "const { a, ...rest } = { a: 1, b: 2, 'c-d': 3 }; show(JSON.stringify(rest), a ?? 5, rest?.b);",
  'try { null.x; } catch { show("caught"); } finally { show("end"); }',
  'label: for (const a of [1, 2, 3]) { for (const b of "xy") { if (a === 2) continue label; show(a + b); } }',
  'function* g() { yield* [1, 2]; return 3; } show([...g()].join(), ((...n) => n.length)(1, 2));',
  'var unused = 1; function never() {} if (false) { show("no"); } show(typeof undefinedName, 0.1 + 0.2, -0 === 0);',
  'switch (3) { case 1: show(1); default: show("d"); case 2: show(2); break; } show(/a\\/[b/]+/g.test("a/b/"));',
  'show([3, 1, 2].sort((x, y) => x - y).map((n, i, all) => n * all.length + i).join("-"), "\\u{1F389}\\n\\\\");',
  'let i = 5; const f = () => i--; while (f() > 2) show(i); do { i++ } while (i < 3); show(i, void 0, !0);',
  'const o = { get v() { return 1; }, set v(x) { show("set", x); }, ["k" + 1]: 2, async m() {} }; o.v = 3; show(o.v, o.k1);',
];

/** @param {string} code */
function effect(code) {
  /** @type {unknown[]} */
  const shown = [];
  vm.runInNewContext(
    code,
    { show: (/** @type {unknown[]} */ ...items) => shown.push(items), console: { log() {} } },
    { timeout: 1000 },
  );
  return JSON.stringify(shown);
}

test('minified programs behave the same, and minifying is idempotent', async () => {
  for (const text of PROGRAMS) {
    for (const options of [
      {},
      { compress: false },
      { mangle: false },
      { module: true },
      { drop_console: true, keep_licenses: false },
    ]) {
      const small = await output({ text, mode: 'minify', ...options });
      assert.ok(small.length <= text.length, small);
      assert.equal(effect(small), effect(text), small);
      assert.equal(effect(await output({ text: small, mode: 'minify', ...options })), effect(text));
    }
    assert.equal(effect(await output({ text })), effect(text));
  }
});

test('types and JSX', async () => {
  const ts =
    'enum E { A = 1, B }\nclass C<T> { constructor(private readonly x: T) {} get(): T { return this.x!; } }\nshow(E.B, new C<number>(7).get() as number satisfies number);';
  assert.equal(effect(await output({ text: ts, language: 'ts', mode: 'minify' })), '[[2,7]]');
  assert.match(
    await output({ text: ts, language: 'ts' }),
    /constructor\(private readonly x: T\) \{\}/,
  );
  const jsx = await runTool(javascript, {
    text: 'export const a = <b c={1}>{d}</b>;',
    language: 'jsx',
    mode: 'minify',
    module: true,
  });
  assert.match(jsx.outputs.output.text, /react\/jsx-runtime/);
  assert.deepEqual(jsx.warnings, ['JSX was compiled to react/jsx-runtime calls.']);
  assert.equal(
    await output({ text: 'const a=<b c="d">e</b>', language: 'tsx' }),
    'const a = <b c="d">e</b>;\n',
  );
  assert.equal(
    await output({ text: '@dec class A { @log x = 1 }' }),
    '@dec\nclass A {\n  @log x = 1;\n}\n',
  );
});

test('options', async () => {
  const text = 'const a = [x => ({"b": 1, c: "d"}), function () {}];';
  const values = {
    text,
    semicolons: false,
    quotes: 'single',
    arrow_brackets: 'avoid',
    bracket_spacing: false,
    property_quotes: 'consistent',
    width: 30,
    indent: 'tab',
    trailing_commas: 'none',
  };
  assert.equal(
    await output(values),
    "const a = [\n\tx => ({b: 1, c: 'd'}),\n\tfunction () {}\n]\n",
  );
  assert.equal(
    await output({ text: '/*! a */ /* b */ x()', mode: 'minify', keep_licenses: false }),
    'x();',
  );
  assert.match(
    await output({ text: '/*! a */ /* b */ x()', mode: 'minify' }),
    /^\/\*! a \*\/\s*x\(\);$/,
  );
  const { outputs } = await runTool(javascript, {
    text: 'const long = 1; show(long);'.repeat(1),
    mode: 'minify',
  });
  assert.match(outputs.headline.text, /^\d+ bytes → \d+ bytes, .* smaller$/);
});

const refusals = /** @type {[any, string, RegExp][]} */ ([
  [
    { text: 'let a = ;' },
    'text',
    /Line 1, column 9: .*is not JavaScript: unexpected token\. The line is: let a = ;/,
  ],
  [{ text: 'let a;\nlet a;' }, 'text', /Line 2, column 5: .*has already been declared/],
  [
    { text: 'a\nb {', mode: 'minify' },
    'text',
    /Line 2, column 3: .*is not JavaScript: unexpected token.*/,
  ],
  [{ text: 'let a: number = 1' }, 'text', /is not JavaScript/],
  [{ text: 'let a: = 1', language: 'ts' }, 'text', /Line 1, column 8: .*is not TypeScript: .*/],
  [{ text: 'let a: = 1', language: 'ts', mode: 'minify' }, 'text', /is not TypeScript/],
  [{ text: '<a>', language: 'jsx' }, 'text', /is not JavaScript with JSX/],
  [{ text: 'a', width: 19 }, 'width', /from 20 to 400/],
  [{ text: `"${'x'.repeat((2 << 20) - 1)}"` }, 'text', /at most 2 MiB, not/],
]);
for (const [values, field, sentence] of refusals) {
  test(`refuses ${JSON.stringify(values).slice(0, 60)}`, async () => {
    const { refusal } = await runTool(javascript, values);
    assert.equal(refusal?.field, field);
    assert.match(refusal?.sentence ?? '', sentence);
  });
}

test('2 MiB are accepted', async () => {
  const text = `"${'x'.repeat((2 << 20) - 2)}"`;
  assert.equal(text.length, 2 << 20);
  assert.equal((await output({ text })).length, text.length + 2);
});

test('a script without effect is not minified to nothing without a word', async () => {
  const { outputs, warnings } = await runTool(javascript, { text: 'x=>({y:1})', mode: 'minify' });
  assert.equal(outputs.output.text, '');
  assert.deepEqual(warnings, ['The result is empty, because the script has no effect.']);
});

test('minified, what a property that is read may do stays', async () => {
  const head = 'const seen=[];const e={get w(){seen.push("w")},a:[{get v(){seen.push("v")}}]};';
  for (const read of [
    'e.w;',
    'e?.w;',
    'e?.["w"];',
    'e.a[0]?.v;',
    'void e?.w;',
    'e&&e.w;',
    '(()=>{const x=e?.w})();',
    'if(e?.w);',
  ]) {
    const text = `${head}${read}globalThis.result=seen.join();`;
    const sandbox = vm.createContext({});
    vm.runInContext(await output({ text, mode: 'minify' }), sandbox);
    assert.match(vm.runInContext('result', sandbox), /^[wv]$/, read);
  }
});

test('a script with await at its top level is read as a module', async () => {
  const text = 'const a = await 1;\nconsole.log(a);';
  const { outputs, warnings } = await runTool(javascript, { text, mode: 'minify' });
  assert.match(outputs.output.text, /await 1/);
  assert.match(warnings.join(), /^Read as a module/);
  assert.match(
    (await runTool(javascript, { text: 'a = ;', mode: 'minify' })).refusal?.offence ?? '',
    /is not JavaScript/,
  );
});

test('decorators are refused by name', async () => {
  for (const language of /** @type {const} */ (['ts', 'js'])) {
    const text = '@Component({}) class A {}\nlet b = 1;';
    const { refusal } = await runTool(javascript, { text, language, mode: 'minify' });
    assert.match(
      refusal?.sentence ?? '',
      /Line 1, column 1: .*decorators, which the minifier does not support/,
    );
  }
});
