import assert from 'node:assert/strict';
import { test } from 'node:test';
import picker from '../tools/color-picker.js';
import { runTool, seeded } from './run.mjs';

test('output of the sliders restores the same sliders', async () => {
  const next = seeded(14);
  for (let round = 0; round < 100; round += 1) {
    const hsl = [next(360), 20 + next(81), 15 + next(71)];
    const { outputs } = await runTool(picker, {
      color: `hsl(${hsl[0]} ${hsl[1]}% ${hsl[2]}%)`,
      steps: 0,
    });
    assert.deepEqual(outputs.picker.data.hsl, hsl);
  }
});

test('colors outside sRGB are shown mapped, and transparency is reported', async () => {
  const wide = await runTool(picker, { color: 'color(display-p3 0 1 0)', steps: 1 });
  assert.equal(wide.outputs.picker.data.hex, '#00fb29');
  assert.equal(wide.outputs.shades.swatches.length, 3);
  const clear = await runTool(picker, { color: '#ff000080' });
  assert.deepEqual(clear.warnings, ['The sliders keep the color without its transparency.']);
});

test('20 steps, not 21', async () => {
  const { outputs } = await runTool(picker, { color: 'red', steps: 20 });
  assert.equal(outputs.shades.swatches.length, 41);
  assert.equal((await runTool(picker, { color: 'red', steps: 21 })).refusal?.field, 'steps');
});

for (const [color, sentence] of /** @type {[string, RegExp][]} */ ([
  ['#12', /has 2 hexadecimal digits/],
  ['blau', /is not the name of a color/],
  ['hsl(1 2%)', /belongs/],
])) {
  test(`refuses ${color}`, async () => {
    const { refusal } = await runTool(picker, { color });
    assert.equal(refusal?.field, 'color');
    assert.match(refusal?.sentence ?? '', sentence);
  });
}
