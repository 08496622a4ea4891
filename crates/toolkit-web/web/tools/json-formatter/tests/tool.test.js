//! Cases of the JSON formatter that its examples do not state.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathAt } from '../../../lib/json/paths.js';
import { runTool } from '../../../tests/run.mjs';
import { loadFile } from '../../../tests/tools.mjs';

const tool = await loadFile('json-formatter');
const LINES = '{"time":"2026-01-02","n":1.0}\n\n[1, 2]\r\n{"n": 3}\n';

test('JSON Lines are laid out one by one, and digits stay', async () => {
  const { outputs, refusal } = await runTool(tool, { text: LINES });
  assert.equal(refusal, undefined);
  assert.equal(
    outputs.result.text,
    '{\n  "time": "2026-01-02",\n  "n": 1.0\n}\n[\n  1,\n  2\n]\n{\n  "n": 3\n}',
  );
});

test('what jq prints is read as well, and minifying it makes JSON Lines', async () => {
  const { outputs } = await runTool(tool, {
    text: '{\n  "a": 1\n}\n{\n  "a": 2\n}\n',
    action: 'minify',
  });
  assert.equal(outputs.result.text, '{"a":1}\n{"a":2}');
});

test('a fault in one line of many is found at its line and column', async () => {
  const { refusal } = await runTool(tool, { text: '{"a":1}\n{"a":2}\n{"a":}\n{"a":4}' });
  assert.equal(refusal?.line, 3);
  assert.equal(refusal?.column, 6);
});

test('two values in one line are no JSON Lines', async () => {
  assert.ok((await runTool(tool, { text: '{"a":1} {"a":2}' })).refusal);
  assert.equal((await runTool(tool, { text: '{"a":1}\n{"a":2} {"a":3}' })).refusal?.line, 2);
});

test('validating says that it is JSON Lines, and one text with a brace too many stays refused', async () => {
  const { outputs } = await runTool(tool, { text: '{"a":1}\n{"a":2}', action: 'validate' });
  assert.equal(outputs.headline.text, 'These are 2 JSON texts (JSON Lines), not one');
  assert.ok((await runTool(tool, { text: '{"a":1}\n}' })).refusal);
});

test('the path at the cursor is of the value or name there, in broken text too', () => {
  const at = (/** @type {string} */ text) => pathAt(text.replace('|', ''), text.indexOf('|'));
  for (const [text, wanted] of /** @type {[string, string][]} */ ([
    ['|{"a":1}', '$'],
    ['{"a|":1}', '$.a'],
    ['{"a":|1}', '$.a'],
    ['{"a":[1,{"b c":|2}]}', "$.a[1]['b c']"],
    ['{"a":[1,2],"d":"x,]}|"}', '$.d'],
    ['{"a":[1,2]|,"d":1}', '$.a'],
    ['{"a":{"b":[[],[0,|', '$.a.b[1][1]'],
    ['{"a": oops, "b": |', '$.b'],
    ['{"a":1}}|}', '$'],
  ]))
    assert.equal(at(text), wanted, text);
});

test('names and values are found, with their paths', async () => {
  const found = async (/** @type {string} */ text, /** @type {string} */ find) =>
    (await runTool(tool, { text, find })).outputs.found?.rows;
  const text = '{"Name":"Anna","list":[{"name":"Bob"},"anna"],"n":1.10}';
  assert.deepEqual(await found(text, 'name'), [
    ['$.Name', '"Anna"'],
    ['$.list[0].name', '"Bob"'],
  ]);
  assert.deepEqual(await found(text, 'ANNA'), [
    ['$.Name', '"Anna"'],
    ['$.list[1]', '"anna"'],
  ]);
  assert.deepEqual(await found(text, '1.1'), [['$.n', '1.10']]);
  assert.equal(await found(text, 'nothing'), undefined);
  assert.deepEqual(await found('{"a":1}\n{"a":2}', 'a'), [
    ['line 1: $.a', '1'],
    ['line 2: $.a', '2'],
  ]);
});

test('JSON within a string is read, with its quotes and without', async () => {
  const bare = await runTool(tool, { text: '{\\"a\\": [\\"x\\"]}', action: 'minify' });
  assert.equal(bare.outputs.result.text, '{"a":["x"]}');
  assert.match(bare.warnings.join(), /backslashes/);
  assert.equal((await runTool(tool, { text: '"{not json"' })).outputs.inner, undefined);
  assert.ok((await runTool(tool, { text: '{\\"a\\": 1', action: 'validate' })).refusal);
});

test('a text is checked against a schema, and a schema that cannot be used is refused', async () => {
  const check = async (/** @type {string} */ text, /** @type {any} */ schema) => {
    const { outputs, refusal } = await runTool(tool, { text, schema: JSON.stringify(schema) });
    return (
      refusal?.sentence ?? [
        outputs.headline.text,
        ...(outputs.problems?.rows ?? []).map((/** @type {string[]} */ row) => row[0]),
      ]
    );
  };
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: { id: { type: 'integer', minimum: 1 } },
    properties: {
      ids: { type: 'array', items: { $ref: '#/definitions/id' } },
      'a/b c': { maxLength: 2 },
    },
    additionalProperties: false,
  };
  assert.deepEqual(await check('{"ids":[1,2]}', schema), ['Fits the schema']);
  assert.deepEqual(await check('{"ids":[1,0,"x"],"a/b c":"long"}', schema), [
    '3 places do not fit the schema',
    ...['$.ids[1]', '$.ids[2]', "$['a/b c']"],
  ]);
  assert.equal((await check('{"other":1}', schema))[0], '1 place does not fit the schema');
  assert.deepEqual(await check('{"ids":[1]}\n{"ids":[0]}', schema), [
    '1 place does not fit the schema',
    'line 2: $.ids[0]',
  ]);
  assert.deepEqual(await check('[1]', true), ['Fits the schema']);
  assert.match(
    String(await check('1', { $ref: 'https://example.com/other.json' })),
    /JSON Schema cannot be used: /,
  );
  assert.match(String(await check('1', 7)), /is not a JSON Schema/);
  assert.match(String(await check('[1]', { $ref: '#' })), /refers to itself|cannot be used/);
  assert.match(
    String((await runTool(tool, { text: '1', schema: '{"a":' })).refusal?.sentence),
    /JSON Schema ends too early/,
  );
});

test('a dict as Python prints it is read, and a key of its words stays', async () => {
  const text = "{'name': 'Anna', 'ok': True, 'no': [False, None], 'True': 'None'}";
  const { outputs, warnings } = await runTool(tool, { text, action: 'minify' });
  assert.equal(outputs.result.text, '{"name":"Anna","ok":true,"no":[false,null],"True":"None"}');
  assert.match(warnings.join(), /words of Python/);
  const strict = await runTool(tool, { text, strict: true });
  assert.match(strict.refusal?.sentence ?? '', /single quotes/);
});

test('a name that stands twice is told, also behind an escape, and both are kept', async () => {
  const values = { text: '{"a": 1, "\\u0061": 2}', indent: '0' };
  const { outputs, warnings } = await runTool(tool, values);
  assert.equal(outputs.result.text, '{"a":1,"\\u0061":2}');
  assert.deepEqual(warnings, [
    'The name `a` at line 1, column 10 is already used at line 1, column 2: both are kept.',
  ]);
});
