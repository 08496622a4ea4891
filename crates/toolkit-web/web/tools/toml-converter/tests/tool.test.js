import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Refusal } from '../../../kit/tool.js';
import { JsonNumber, parseJson, plain, writeJson } from '../../../lib/json/json.js';
import { parseToml, TomlTime } from '../../../lib/toml/toml.js';
import { writeToml } from '../../../lib/toml/writer.js';
import { parseYaml } from '../../../lib/yaml/read.js';
import { writeYaml } from '../../../lib/yaml/write.js';
import { runTool, seeded, suite, suites } from '../../../tests/run.mjs';
import toml from '../tool.js';

/** @param {any} value @returns {any} */
function tagged(value) {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, item]) => [name, tagged(item)]));
  if (Array.isArray(value)) return value.map(tagged);
  if (value instanceof TomlTime) return { time: moment(value.text) };
  if (value instanceof JsonNumber) return { float: Number(value.text) };
  if (typeof value === 'string') return { string: value };
  if (typeof value === 'boolean') return { bool: String(value) };
  return Number.isInteger(value) || typeof value === 'bigint'
    ? { integer: String(value) }
    : { float: value };
}

/** The suite's tags in the same form. @param {any} value @returns {any} */
function expected(value) {
  if (Array.isArray(value)) return value.map(expected);
  if (
    typeof value.type !== 'string' ||
    typeof value.value !== 'string' ||
    Object.keys(value).length !== 2
  ) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, expected(item)]));
  }
  if (value.type === 'float') return { float: Number(value.value.replace('inf', 'Infinity')) };
  return /date|time/.test(value.type)
    ? { time: moment(value.value) }
    : { [value.type]: value.value };
}

/** A time in one spelling. @param {string} text */
function moment(text) {
  const [, date = '', time = '', zone = ''] =
    /^([0-9]+-[0-9]+-[0-9]+)?[tT ]?([0-9:.]*)(.*)$/.exec(text) ?? [];
  const seconds = time.length === 5 ? `${time}:00` : time;
  return `${date} ${seconds.replace(/(\.[0-9]*?)0+$/, '$1').replace(/\.$/, '')} ${zone.toUpperCase()}`;
}

test('toml-test 1.1: all documents, valid ones also round-trip', async (t) => {
  const cases = suite(t, 'toml_test_1_1');
  if (!cases) return;
  const count = { valid: 0, invalid: 0, encoded: 0 };
  for (const { id, input, input_b64, expect } of cases) {
    const text = input ?? new Uint8Array(Buffer.from(input_b64, 'base64'));
    if (expect === 'reject') {
      const { refusal, warnings } = await runTool(toml, { text });
      // A file in another encoding is read, and told about.
      if (refusal) count.invalid += 1;
      else {
        assert.match(warnings.join('\n'), /^"file" was read as (?:Windows-1252|UTF-16)/, id);
        count.encoded += 1;
      }
      continue;
    }
    const string = typeof text === 'string' ? text : new TextDecoder().decode(text);
    const { value } = parseToml(string.replace(/^\uFEFF/, ''));
    assert.deepEqual(tagged(value), expected(expect.tagged), id);
    const again = parseToml(writeToml(value)).value;
    assert.deepEqual(tagged(again), tagged(value), id);
    count.valid += 1;
  }
  assert.deepEqual(count, { valid: 220, invalid: 485, encoded: 7 });
});

test('the YAML suite: accepted, refused, and the same values', (t) => {
  const path = `${suites}/yaml_suite.json`;
  if (!existsSync(path))
    return t.skip('needs the public suite yaml_suite.json: set TOOLKIT_SUITES');
  const count = { values: 0, refused: 0, names: 0 };
  for (const { id, input, expect, json_docs } of JSON.parse(readFileSync(path, 'utf8'))) {
    try {
      const { values } = parseYaml(input);
      assert.notEqual(expect, 'reject', id);
      if (!json_docs) continue;
      assert.deepEqual(values.map(plain), json_docs, id);
      assert.deepEqual(parseYaml(writeYaml(values, { indent: 2 })).values, values, id);
      count.values += 1;
    } catch (error) {
      assert.ok(error instanceof Refusal, String(error));
      if (expect === 'reject') count.refused += 1;
      else count.names += /as a name|repeats the key/.test(error.message) ? 1 : 0;
      assert.ok(expect !== 'accept' || !json_docs, `${id}: ${error.message}`);
    }
  }
  assert.deepEqual(count, COUNTS);
});
const COUNTS = { values: 279, refused: 94, names: 16 };

/** @param {any} values */
async function convert(values) {
  const { outputs, warnings, refusal } = await runTool(toml, values);
  return refusal ? refusal.sentence : [outputs.output.text, ...warnings].join('');
}

test('YAML is the core schema, and strings that other parsers would change are quoted', async () => {
  const yaml =
    'a: no\nb: 12:30:00\nc: 0b101\nd: 1_000\ne: 2001-12-14\nf: 0o17\ng: +12\nh: 1.50\ni: .5\nj: 12345678901234567890\n';
  assert.equal(
    await convert({ text: yaml, from: 'yaml', indent: 0 }),
    '{"a":"no","b":"12:30:00","c":"0b101","d":"1_000","e":"2001-12-14","f":15,"g":12,"h":1.50,"i":0.5,"j":12345678901234567890}\n',
  );
  const json = '{"a":"no","b":"007","c":"12:30:00","d":1.0,"e":"y","f":"1_000","g":"~"}';
  const written = await convert({ text: json, from: 'json', to: 'yaml' });
  assert.equal(written, 'a: "no"\nb: "007"\nc: "12:30:00"\nd: 1.0\ne: "y"\nf: "1_000"\ng: "~"\n');
});

test('tags of YAML are applied, reported as lost, or refused', async () => {
  const text = async (/** @type {string} */ value) =>
    convert({ text: `a: ${value}\n`, from: 'yaml', indent: 0 });
  assert.equal(
    await text('!!binary R0lG'),
    '{"a":"R0lG"}\nThe tag "!!binary" is lost: its bytes stay text in Base64.',
  );
  assert.equal(
    await text('!<tag:yaml.org,2002:binary> R0lG'),
    '{"a":"R0lG"}\nThe tag "!!binary" is lost: its bytes stay text in Base64.',
  );
  assert.equal(
    await text('!!set {x}'),
    '{"a":{"x":null}}\nThe tag "!!set" is lost: its members became names with the value null.',
  );
  for (const name of ['!!timestamp', '!!toString', '!constructor'])
    assert.equal(await text(`${name} x`), `{"a":"x"}\nThe tag "${name}" is lost.`);
  assert.equal(
    await text('[!!str 12, !!int "3", !!bool "true", !!null ""]'),
    '{"a":["12",3,true,null]}\n',
  );
  assert.equal(await text('[!!float 3, !!float "-7", !!float 1.50]'), '{"a":[3.0,-7.0,1.50]}\n');
  for (const name of ['!!int', '!!float', '!!bool', '!!null'])
    assert.match(
      await text(`${name} x`),
      new RegExp(`^Line 1, column ${5 + name.length}: .*has "x", which ${name} cannot be`),
    );
});

test('losses are reported', async () => {
  assert.equal(
    await convert({ text: 'a = 1 # one\n# two\n', indent: 0 }),
    '{"a":1}\n2 comments are lost.',
  );
  assert.equal(
    await convert({ text: 'a: 007 # x\n1: !t b\n', from: 'yaml', indent: 0 }),
    '{"a":"007","1":"b"}\nComments are lost."007" stays text, since numbers have no leading zero.The name 1 is not a text in YAML; it became "1".The tag "!t" is lost.',
  );
  assert.equal(
    await convert({ text: 'a: 1\n--- b\n', from: 'yaml', indent: 0 }),
    '[{"a":1},"b"]\n2 documents became one list.',
  );
  assert.equal(await convert({ text: 'a: 1\n--- b\n', from: 'yaml', to: 'yaml' }), 'a: 1\n--- b\n');
  assert.equal(
    await convert({ text: '{"a":null,"b":{"c":null,"d":1}}', from: 'json', to: 'toml' }),
    '[b]\nd = 1\nTOML has no null: $.a and 1 more were left out.',
  );
  assert.match(
    await convert({ text: '{"a":1,"a":2}', from: 'json', to: 'toml' }),
    /Line 1, column 8: .*"a" twice in one object/,
  );
});

test('order, digits and sorting', async () => {
  assert.equal(
    await convert({ text: '500 = 1\n404 = 2\n__proto__ = 1.50\n', indent: 0 }),
    '{"500":1,"404":2,"__proto__":1.50}\n',
  );
  assert.equal(
    await convert({ text: 'b = 1\na = { d = 1, c = 2 }\n', indent: 0, sort_keys: true }),
    '{"a":{"c":2,"d":1},"b":1}\n',
  );
  assert.equal(
    await convert({ text: 'd = 1979-05-27 07:32:00.123456Z\n', to: 'toml' }),
    'd = 1979-05-27 07:32:00.123456Z\n',
  );
});

const refusals = /** @type {[string, string, string, RegExp][]} */ ([
  [
    'toml',
    'json',
    'a = 2023-02-29',
    /Line 1, column 5: .*has the date "2023-02-29", which does not exist/,
  ],
  [
    'toml',
    'json',
    'a = 1\nb = = 2',
    /Line 2, column 5: .*has "=" where a value belongs\. The line is: b = = 2/,
  ],
  ['toml', 'json', 'a = 9223372036854775808', /does not fit into 64 bits/],
  ['toml', 'json', 'a = "x', /Line 1, column 5: .*quote is never closed/],
  ['toml', 'json', 'a = 1\na = 2', /Line 2, column 1: .*defines "a" a second time/],
  ['toml', 'json', 'a = [1', /Line 1, column 7: .*expected comma or end of structure/],
  ['toml', 'json', 'a = [', /Line 1, column 5: .*has a "\[" that is never closed/],
  ['toml', 'json', 'a = ', /Line 1, column 5: .*ends where a value belongs/],
  [
    'toml',
    'json',
    'a = hello',
    /has "hello" where a value belongs; a text needs quotes, unlike in INI/,
  ],
  ['toml', 'json', 'a = inf', /cannot become JSON: \$\.a is Infinity/],
  ['json', 'toml', '{"a":[{"b":[null]}]}', /cannot become TOML: \$\.a\[0\]\.b\[0\] is null/],
  ['json', 'toml', '{"a":12345678901234567890}', /\$\.a is an integer of more than 64 bits/],
  ['json', 'toml', '[1]', /has a list at the top, but a TOML document is a table/],
  ['json', 'yaml', '{"a":1,}', /Line 1, column 7: .*comma after the last item/],
  ['yaml', 'json', 'a: 1\na: 2', /Line 2, column 1: .*repeats the key `a`/],
  [
    'yaml',
    'json',
    'x: 1\na: *x',
    /Line 2, column 4: .*has the alias "\*x", but no anchor of this name before it/,
  ],
  ['yaml', 'json', '? [1]\n: 2', /has a list or a mapping as a name/],
  ['yaml', 'json', 'a: .nan', /cannot become JSON: \$\.a is NaN/],
  ['yaml', 'toml', '- 1', /has a list at the top/],
]);
for (const [from, to, text, sentence] of refusals) {
  test(`refuses ${from} ${JSON.stringify(text)}`, async () => {
    assert.match(await convert({ text, from, to }), sentence);
  });
}

test('depth: the limit is accepted, one more is not; aliases cannot multiply', async () => {
  const list = (/** @type {number} */ depth) => `a = ${'['.repeat(depth)}${']'.repeat(depth)}`;
  assert.equal((await runTool(toml, { text: list(512) })).refusal, undefined);
  assert.match(await convert({ text: list(513) }), /nests deeper than 512 levels/);
  assert.match(
    await convert({ text: `a${'.a'.repeat(9999)} = 1` }),
    /nests deeper than 512 levels/,
  );
  assert.match(
    await convert({ text: '['.repeat(200_000), from: 'yaml' }),
    /nests deeper than 512 levels/,
  );
  const lines = Array.from(
    { length: 12 },
    (_, i) =>
      `a${i}: &a${i} [${Array(9)
        .fill(i ? `*a${i - 1}` : 'x')
        .join(',')}]`,
  );
  assert.match(
    await convert({ text: lines.join('\n'), from: 'yaml' }),
    /aliases that make more than 250,000 values/,
  );
  const many = `a: &a x\nb: [${Array(5000).fill('*a').join(',')}]\n`;
  assert.equal((await runTool(toml, { text: many, from: 'yaml' })).refusal, undefined);
});

test('random values survive JSON, TOML, YAML and back', async () => {
  const next = seeded(11);
  const texts = [
    '',
    'no',
    '1_0',
    'a\nb\n',
    '  x',
    '"',
    '"""\n"',
    '\\',
    'é🎉',
    "'''",
    '- a',
    '# b',
    'a: b',
    '\u0001',
    'x'.repeat(30),
    'line\n""""\nmore and more text\n"',
  ];
  /** @param {number} depth @returns {any} */
  const random = (depth) => {
    const kind = next(depth > 3 ? 4 : 6);
    if (kind === 0) return next(2000) - 1000;
    if (kind === 1) return next(2) === 1;
    if (kind < 4) return texts[next(texts.length)];
    const items = Array.from({ length: next(4) }, () => random(depth + 1));
    return kind === 4
      ? items
      : new Map(items.map((item) => [/** @type {string} */ (texts[next(texts.length)]), item]));
  };
  for (let round = 0; round < 200; round += 1) {
    const value = new Map([
      ['k', random(0)],
      ['10', random(0)],
      ['2', random(0)],
    ]);
    const text = writeJson(value);
    for (const format of ['toml', 'yaml']) {
      const there = await runTool(toml, { text, from: 'json', to: /** @type {any} */ (format) });
      const back = await runTool(toml, {
        text: there.outputs.output.text,
        from: /** @type {any} */ (format),
        to: 'json',
      });
      // TOML puts tables after plain values, so only the contents are compared there.
      if (format === 'yaml') assert.equal(back.outputs.output?.text, `${text}\n`);
      else
        assert.deepEqual(
          plain(parseJson(back.outputs.output?.text)),
          plain(value),
          there.outputs.output.text,
        );
    }
  }
});

test('TOML errors have positions', () => {
  assert.throws(
    () => parseToml('a = 1\n[a'),
    (error) => error instanceof Refusal && error.position.at === 7,
  );
});

test('errors of YAML and TOML name the line, the cause and the cure', async () => {
  for (const [text, from, sentence] of /** @type {const} */ ([
    [
      'a: 1\n b: 2',
      'yaml',
      /^Line 2, column 2: .*indented more than the one above\. Align the two/,
    ],
    ['a: b: c', 'yaml', /^Line 1, column 4: .*a mapping cannot begin here\. Quote a text with/],
    ['a: 1\nb', 'yaml', /^Line 2, column 1: .*expected `key: value`\. Add `: ` after the key/],
    ['a:\n\tb: 1', 'yaml', /^Line 2, .*a tab indents\. Use spaces\./],
    ['a: @b', 'yaml', /^Line 1, column 4: .*`@` cannot begin a text\. Quote the text\./],
    ['a: "x" y', 'yaml', /^Line 1, column 8: .*a text goes on after its closing quote\. Write a/],
    ['a = 1\na = 2', 'toml', /^Line 2, column 1: .*defines "a" a second time/],
    ['a=1\na=2', 'toml', /^Line 2, column 1: .*defines "a" a second time/],
  ])) {
    const { refusal } = await runTool(toml, { text, from, to: 'json' });
    assert.match(refusal?.sentence ?? '', sentence);
  }
});
