//! Where the fields of a form stand, and what the tools say first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placed } from '../kit/form.js';
import { choice, date, group, line, number, secret, text, toggle } from '../kit/tool.js';
import { runTool } from './run.mjs';
import { loadFile, SLUGS } from './tools.mjs';

const flag = () => toggle('Flag');

test('what is worked on fills a pane, and every option is in the toolbar, however many', () => {
  const fields = { mode: choice('Mode', { a: 'A', b: 'B' }), text: text('Text') };
  const options = Object.fromEntries([...'abcdefgh'].map((name) => [name, flag()]));
  assert.deepEqual(placed({ ...fields, ...options }), {
    toolbar: ['mode', ...Object.keys(options)],
    lines: [],
    panes: ['text'],
    folded: [],
  });
  assert.deepEqual(placed({ ...fields, ...options }, 'c').folded, ['c', 'd', 'e', 'f', 'g', 'h']);
});

test('lines that are worked on stand over the panes, and so do secrets', () => {
  const fields = {
    pattern: line('Pattern'),
    text: text('Text'),
    flags: line('Flags', { max: 10, code: true }),
    key: secret('Key'),
  };
  const { lines, panes, toolbar } = placed(fields);
  assert.deepEqual([lines, panes, toolbar], [['pattern', 'key'], ['text'], ['flags']]);
});

test('a form of lines says where its options begin', () => {
  const fields = {
    start: date('Date'),
    days: number('Days'),
    weekend: choice('Weekend', { a: 'A' }),
  };
  assert.deepEqual(placed(fields).lines, ['start']);
  assert.deepEqual(placed(fields, undefined, 'weekend').lines, ['start', 'days']);
});

test('a generator has a toolbar only', () => {
  const fields = { kind: choice('Kind', { a: 'A' }), count: number('Count'), seed: line('Seed') };
  const { toolbar, lines, panes } = placed(fields);
  assert.deepEqual([toolbar, lines, panes], [['kind', 'count', 'seed'], [], []]);
});

test('fields of a group carry its name', () => {
  const { a } = group('Letters', { a: flag() });
  assert.equal(a.group, 'Letters');
  assert.equal(a.label, 'Flag');
});

for (const slug of SLUGS)
  test(`${slug}: no group is cut; what it folds and answers exists`, async () => {
    const tool = await loadFile(slug);
    const places = placed(tool.fields, tool.more, tool.options);
    assert.deepEqual(Object.values(places).flat().sort(), Object.keys(tool.fields).sort());
    for (const name of [tool.more ?? [], tool.options ?? []].flat())
      assert.ok(Object.hasOwn(tool.fields, name), name);
    for (const group of new Set(Object.values(tool.fields).map((field) => field.group))) {
      const holds = (/** @type {string[]} */ names) =>
        names.some((name) => tool.fields[name].group === group);
      if (group) assert.equal(Object.values(places).filter(holds).length, 1, group);
    }
    const made = new Set();
    for (const { values } of tool.examples) {
      const { outputs } = await runTool(tool, values);
      for (const output of Object.keys(outputs)) made.add(output);
      const { headline } = outputs;
      if (headline) assert.match(headline.text, /^\S.*[^.\s]$/u, 'a headline is no sentence');
    }
    for (const output of [tool.answer ?? [], tool.folded ?? [], tool.tabs ?? []].flat())
      assert.ok(made.has(output), `${output} is an output of an example`);
  });
