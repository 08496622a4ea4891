//! Cases of the JSON formatter that its examples do not state.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool } from '../../../tests/run.mjs';
import { loadFile } from '../../../tests/tools.mjs';

const tool = await loadFile('json-formatter');
const LINES = '{"time":"2026-01-02","n":1.0}\n\n[1, 2]\r\n{"n": 3}\n';

test('JSON Lines are laid out one by one, digits stay, and the tree counts them from 1', async () => {
  const { outputs, refusal } = await runTool(tool, { text: LINES });
  assert.equal(refusal, undefined);
  assert.equal(
    outputs.result.text,
    '{\n  "time": "2026-01-02",\n  "n": 1.0\n}\n[\n  1,\n  2\n]\n{\n  "n": 3\n}',
  );
  assert.deepEqual(
    outputs.tree.data.nodes.map(([name = '']) => name),
    ['1', '2', '3'],
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
