//! Parts of the shell: marks in a text that is edited, and a library that is missing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moved } from '../kit/lines.js';
import { tool } from '../kit/tool.js';
import { execute } from '../kit/worker.js';

test('marks stay where the text around them is edited', () => {
  const ranges = /** @type {const} */ ([
    [0, 2, 'a'],
    [3, 5, 'a'],
    [6, 8, 'a'],
  ]);
  assert.deepEqual(moved(ranges, 'ab cd ef', 'ab cxd ef'), [
    [0, 2, 'a'],
    [7, 9, 'a'],
  ]);
  assert.deepEqual(moved(ranges, 'ab cd ef', 'ab cd ef!'), ranges);
  assert.deepEqual(moved(ranges, 'ab cd ef', ''), []);
  assert.deepEqual(
    moved(
      [
        [0, 1, 'a'],
        [1, 2, 'a'],
      ],
      'aa',
      'aaa',
    ),
    [
      [0, 1, 'a'],
      [1, 2, 'a'],
    ],
  );
});

test('a library that cannot be loaded is not called a bug of the page', async () => {
  const lacking = tool({
    fields: {},
    run: () => ({}),
    examples: [],
  });
  const messages = [
    'Failed to fetch dynamically imported module: http://localhost/x.js',
    'error loading dynamically imported module: http://localhost/x.js',
    'Importing a module script failed.',
  ];
  for (const message of messages) {
    const failing = { ...lacking, run: () => Promise.reject(new TypeError(message)) };
    const answer = await execute(failing, {}, undefined, () => {});
    assert.deepEqual(answer, { failure: 'partMissing' }, message);
  }
});
