//! Where the fields of a form stand, and what the tools say first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placed } from '../kit/form.js';
import { choice, initial, line, number, shown, text, toggle } from '../kit/tool.js';
import { runTool } from './run.mjs';
import { loadFile, SLUGS } from './tools.mjs';

/** The main field and four options. */
const MOST = 5;

test('the main fields lead, four options stand beside them, and the rest folds', () => {
  const flag = () => toggle('Flag');
  const fields = { mode: choice('Mode', { a: 'A', b: 'B' }), text: text('Text') };
  const options = { one: flag(), two: flag(), three: flag(), four: flag() };
  assert.deepEqual(placed({ ...fields, ...options }), {
    main: ['mode', 'text'],
    options: ['one', 'two', 'three'],
    folded: ['four'],
  });
  assert.deepEqual(placed({ ...fields, ...options }, 'two').folded, ['two', 'three', 'four']);
  assert.deepEqual(placed({ first: text('First'), second: text('Second'), one: flag() }), {
    main: ['first', 'second'],
    options: ['one'],
    folded: [],
  });
});

test('a field that is not shown on opening takes no place, and stands where it was declared', () => {
  const fields = {
    text: text('Text'),
    kind: choice('Kind', { plain: 'Plain', long: 'Long' }),
    length: number('Length', { when: { kind: 'long' } }),
    one: toggle('One'),
    two: toggle('Two'),
    three: toggle('Three'),
    four: toggle('Four'),
  };
  assert.deepEqual(placed(fields).options, ['kind', 'length', 'one', 'two', 'three']);
});

test('a generator has options only', () => {
  const fields = { kind: choice('Kind', { a: 'A' }), count: number('Count'), seed: line('Seed') };
  assert.deepEqual(placed(fields).main, []);
});

for (const slug of SLUGS)
  test(`${slug}: few fields on opening; what it folds and answers exists`, async () => {
    const tool = await loadFile(slug);
    const { main, options, folded } = placed(tool.fields, tool.more);
    assert.deepEqual([...main, ...options, ...folded], Object.keys(tool.fields));
    const raw = Object.fromEntries(
      Object.entries(tool.fields).map(([field, one]) => [field, initial(one)]),
    );
    const open = [...main, ...options].filter((field) => shown(tool.fields[field], raw));
    assert.ok(open.length <= MOST, open.join());
    const made = new Set();
    for (const { values } of tool.examples) {
      const { outputs } = await runTool(tool, values);
      for (const output of Object.keys(outputs)) made.add(output);
      const { headline } = outputs;
      if (headline) assert.match(headline.text, /^\S.*[^.\s]$/u, 'a headline is no sentence');
    }
    for (const output of [tool.answer ?? [], tool.folded ?? []].flat())
      assert.ok(made.has(output), `${output} is an output of an example`);
  });
