//! JSON to TypeScript: the other languages. Their output is given to Pydantic, Zod, jsonschema, rustfmt and a
//! grammar of Go, with samples that must be accepted. Programs that are not installed are reported as skipped.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { require, runTool } from '../../../tests/run.mjs';
import converter from '../tool.js';

const SAMPLES = [
  '{"id": 1, "tags": [], "owner": {"name": "Ada"}, "members": [{"name": "Bob"}, {"name": "Eve", "age": null}]}',
  '[{"from": {"x": 1}, "to": {"x": 2.5}}, {"from": null}]',
  '{"class": 1, "type": "a", "self": true, "json": 1, "int": 2, "model_x": 1, "copy": "c", "None": 1, "str": "x"}',
  '{"a-b": 1, "a_b": 2, "aB": 3, "2nd": "x", "": true, "日本": 1, "é": 1.5, "-": 1, "__proto__": {"a": 1}}',
  '{"q\'\\"\\\\": "x", "a`b": 1, "a,b": 2, "\\u2028\\n": "y", "$x}": [null, 1]}',
  '{"big": 12345678901234567890, "exact": 9007199254740993, "float": 1.0, "mixed": [1, "a", {"b": 2}], "empty": {}}',
  '{"Value": {"a": 1}, "Option": {"b": 1}, "Root": {"c": [[{"d": 1}]]}, "items": [{"e": 1}, {"e": 2, "f": [{"g": null}]}]}',
  '5',
  'null',
  '[]',
  '[[1, 2], [3.5]]',
  '"text"',
];

/** @typedef {'go' | 'python' | 'rust' | 'schema' | 'zod'} Language */

/** @param {Language} language @param {string} text */
async function written(language, text) {
  const { outputs, refusal } = await runTool(converter, { text, language });
  assert.equal(refusal, undefined, String(refusal?.sentence));
  return outputs.types.text;
}

/** Gives a program what it needs on standard input. @param {import('node:test').TestContext} t @param {string[]} program @param {unknown} input */
function accepts(t, [name = '', ...options], input) {
  const { error, status, stderr, stdout } = spawnSync(name, options, {
    encoding: 'utf8',
    input: typeof input === 'string' ? input : JSON.stringify(input),
  });
  if (error || /ModuleNotFoundError/.test(stderr)) return t.skip(`${name} lacks what is needed`);
  assert.equal(status, 0, `${stderr}${stdout}\n${input}`);
}

test('Pydantic accepts the samples, and refuses others', async (t) => {
  const all = await Promise.all(SAMPLES.map(async (text) => [await written('python', text), text]));
  const program = `
import json, sys
from pydantic import TypeAdapter, ValidationError
for number, (code, sample) in enumerate(json.load(sys.stdin)):
    names = {"__name__": "sample"}
    sys.modules["sample"] = type(sys)("sample")
    exec(code, names)
    read = TypeAdapter(names["Root"])
    value = read.validate_json(sample)
    assert json.loads(read.dump_json(value, by_alias=True, exclude_unset=True)) == json.loads(sample), code
    if "class Root" in code:
        try: read.validate_json('[{}]')
        except ValidationError: continue
        raise SystemExit("accepts a list: " + code)
`;
  accepts(t, ['python3', '-c', program], all);
});

test('a JSON Schema is one, and describes its sample', async (t) => {
  const all = await Promise.all(SAMPLES.map(async (text) => [await written('schema', text), text]));
  const program = `
import json, sys
from jsonschema import Draft202012Validator as Validator
for schema, sample in json.load(sys.stdin):
    Validator.check_schema(json.loads(schema))
    Validator(json.loads(schema)).validate(json.loads(sample))
    if '"required"' in schema: assert not Validator(json.loads(schema)).is_valid("x"), schema
`;
  accepts(t, ['python3', '-c', program], all);
});

test('Zod parses the samples', async () => {
  const { z } = require(require.resolve('zod'));
  for (const sample of SAMPLES) {
    const code = (await written('zod', sample))
      .replace(/^import .*\n/, '')
      .replaceAll(/^export type .*\n/gm, '')
      .replaceAll('export const', 'const');
    const root = new Function('z', `${code}\nreturn Root;`)(z);
    const value = JSON.parse(sample);
    if (!sample.includes('__proto__')) assert.deepEqual(root.parse(value), value);
    if (!/= z\.unknown/.test(code)) assert.equal(root.safeParse(() => {}).success, false, code);
  }
});

test('Rust is as rustfmt writes it', async (t) => {
  for (const text of SAMPLES)
    accepts(t, ['rustfmt', '--check', '--edition', '2021'], await written('rust', text));
});

test('Go: tags, pointers for what may be missing, columns as gofmt has them', async () => {
  assert.equal(
    await written('go', SAMPLES[0] ?? ''),
    `package main

type Root struct {
	Id      int64    \`json:"id"\`
	Tags    []any    \`json:"tags"\`
	Owner   Owner    \`json:"owner"\`
	Members []Member \`json:"members"\`
}

type Member struct {
	Name string \`json:"name"\`
	Age  any    \`json:"age,omitempty"\`
}

type Owner struct {
	Name string \`json:"name"\`
}
`,
  );
  const { outputs, warnings } = await runTool(converter, {
    text: SAMPLES[4] ?? '',
    language: 'go',
  });
  assert.equal(warnings.length, 4);
  assert.match(outputs.types.text, /\tX +\[\]\*int64 +`json:"\$x\}"`/);
});

test('Go: its grammar reads it', async () => {
  const { Language, Parser } = require(require.resolve('web-tree-sitter'));
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(
    await Language.load(readFileSync(require.resolve('tree-sitter-wasms/out/tree-sitter-go.wasm'))),
  );
  for (const text of SAMPLES) {
    const code = await written('go', text);
    assert.equal(parser.parse(code).rootNode.hasError, false, code);
  }
});

test('a name that is none of a type is refused', async () => {
  for (const [root, language, wanted] of /** @type {[string, Language, RegExp][]} */ ([
    ['root', 'go', /is not an identifier.*capital letter/s],
    ['String', 'rust', /is "String", which Rust \(serde\) uses itself/],
    ['A$', 'zod', /is not an identifier/],
  ])) {
    const { refusal } = await runTool(converter, { text: '{}', root, language });
    assert.match(String(refusal?.sentence), wanted);
    assert.equal(refusal?.field, 'root');
  }
});
