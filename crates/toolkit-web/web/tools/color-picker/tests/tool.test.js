import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hexOfHsva, hsvaOf } from '../../../kit/color-field.js';
import { runTool, seeded } from '../../../tests/run.mjs';
import picker from '../tool.js';

test('the color field writes what it reads, of all colors', () => {
  const next = seeded(14);
  for (let round = 0; round < 5000; round += 1) {
    const [color, alpha] = [next(1 << 24), next(255)].map((one) => one.toString(16));
    const hex = `#${color?.padStart(6, '0')}${round % 2 ? alpha?.padStart(2, '0') : ''}`;
    assert.equal(hexOfHsva(hsvaOf(hex)), hex);
  }
  assert.deepEqual(hsvaOf('#00ff00'), { h: 120, s: 1, v: 1, a: 1 });
  assert.deepEqual(hsvaOf('#808080').s, 0);
  assert.equal(hexOfHsva({ h: 360, s: 1, v: 1, a: 1 }), '#ff0000');
  assert.equal(hexOfHsva({ h: 240, s: 0.5, v: 1, a: 0.5 }), '#8080ff80');
});

test('colors outside sRGB are shown mapped, and transparency is kept', async () => {
  const wide = await runTool(picker, { color: 'color(display-p3 0 1 0)', steps: 1 });
  assert.equal(wide.outputs.headline.text, '#00fb29');
  assert.equal(wide.outputs.shades.swatches.length, 3);
  const clear = await runTool(picker, { color: '#ff000080' });
  assert.equal(clear.outputs.headline.color, '#ff000080');
  assert.deepEqual(clear.warnings, []);
});

test('harmonies have the lightness of the color, and turned hues', async () => {
  const { outputs } = await runTool(picker, { color: 'oklch(0.7 0.1 30)' });
  assert.deepEqual(
    outputs.harmonies.swatches.map((/** @type {any} */ { label }) => label),
    ['complement', 'analogous', 'analogous', 'triad', 'triad'],
  );
  const [complement] = outputs.harmonies.swatches;
  const { outputs: turned } = await runTool(picker, { color: complement.color });
  const [, lightness, , hue] =
    /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(turned.notations.pairs[3][1]) ?? [];
  assert.ok(Math.abs(Number(lightness) - 0.7) < 0.005 && Math.abs(Number(hue) - 210) < 2);
});

test('the palette has eleven steps from light to dark, the color in the middle, for CSS and Tailwind', async () => {
  const { outputs } = await runTool(picker, { color: '#0ea5e9', name: 'Main blue' });
  const lines = outputs.css.split('\n');
  assert.equal(lines.length, 13);
  assert.equal(lines[6], '  --main-blue-500: #0ea5e9;');
  assert.match(lines[1], /^ {2}--main-blue-50: #[\da-f]{6};$/);
  assert.match(outputs.tailwind, /^@theme \{\n {2}--color-main-blue-50: #/);
  const light = lines
    .slice(1, -1)
    .map((/** @type {string} */ line) => Number.parseInt(line.slice(-3, -1), 16));
  assert.ok(Number(light[0]) > Number(light[10]), 'light first');
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

test('colors as Chromium shows them when it emulates a color blindness', async () => {
  const kinds = ['protanopia', 'deuteranopia', 'tritanopia', 'achromatopsia'];
  for (const [color, ...wanted] of [
    ['#ff0000', '#6d5f00', '#a39000', '#ff0010', '#7f7f7f'],
    ['#00ff00', '#ffe500', '#efd63a', '#00f7d9', '#dcdcdc'],
    ['#336699', '#50689b', '#425f98', '#007278', '#636363'],
    ['#ffcc00', '#e6ca00', '#f2d81f', '#ffb9ae', '#d2d2d2'],
    ['#ffffff', '#ffffff', '#ffffff', '#ffffff', '#ffffff'],
  ]) {
    const { swatches } = (await runTool(picker, { color })).outputs.seen;
    for (const [at, one] of swatches.entries()) {
      assert.ok(one.label.startsWith(kinds[at]));
      const bytes = (/** @type {string} */ hex) => Buffer.from(hex.slice(1), 'hex');
      const apart = bytes(one.color).map((byte, i) =>
        Math.abs(byte - (bytes(wanted[at] ?? '')[i] ?? 0)),
      );
      assert.ok(Math.max(...apart) <= 1, `${color} ${one.label}: ${one.color}`);
    }
  }
});
