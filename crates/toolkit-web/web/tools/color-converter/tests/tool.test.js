import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COLOR_NAMES } from '../../../data/color-names.js';
import { Refusal } from '../../../kit/tool.js';
import { parseCss as parseColor } from '../../../lib/color/css.js';
import { parseColor as parseAny, plainColor } from '../../../lib/color/parse.js';
import { convertColor, fits, inSrgb, SPACES } from '../../../lib/color/spaces.js';
import { bytesOf, writeColor, writeHex } from '../../../lib/color/write.js';
import { runTool, seeded, suite } from '../../../tests/run.mjs';
import converter from '../tool.js';

/** @param {number | null} a @param {number | null} b @param {number} within @param {boolean} [isHue] */
function near(a, b, within, isHue = false) {
  if (a === null || b === null) return a === b;
  const far = isHue ? Math.abs(a - b) % 360 : Math.abs(a - b);
  return Math.min(far, isHue ? Math.abs(360 - far) : far) <= within;
}

/** @param {any} color @param {string} text @param {string} input */
function sameColor(color, text, input) {
  const wanted = parseColor(text);
  // Written as rgb(), as hex or as a name: compared as sRGB shows it.
  const isLegacy = /^(?:rgb|#|[a-z]+$)/i.test(text);
  // The suite takes `none` for 0 in a color that is made from another one; it looks the same.
  const isShown = isLegacy || input.includes('from');
  const shown = isLegacy ? inSrgb(color) : color;
  const actual = convertColor(shown, wanted.space);
  const within =
    { hsl: 0.02, lab: 0.02, lch: 0.02 }[/** @type {string} */ (wanted.space)] ??
    (isLegacy ? 0.1 : 0.0003);
  const plain = (/** @type {number | null | undefined} */ v) => v ?? (isShown ? 0 : null);
  const coords = wanted.coords.every((v, i) =>
    near(
      plain(actual.coords[i]),
      plain(v),
      Math.max(within, Math.abs(v ?? 0) * 1e-4),
      SPACES[wanted.space].letters[i] === 'h',
    ),
  );
  return coords && near(plain(actual.alpha), plain(wanted.alpha), 0.003);
}

/** @param {any} color @param {string} text @param {boolean} isMapped */
function sameBytes(color, text, isMapped) {
  const [r, g, b, a = 1] = text.match(/[0-9.]+/g)?.map(Number) ?? [];
  const bytes = bytesOf(isMapped ? inSrgb(color) : color);
  return (
    [r, g, b].every((v, i) => Math.abs((bytes[i] ?? 0) - (v ?? 0)) <= (isMapped ? 26 : 1)) &&
    near(color.alpha ?? 0, a, 0.003)
  );
}

test('WPT css-color: all colors, valid and invalid', (t) => {
  const cases = suite(t, 'css_colors_wpt');
  if (!cases) return;
  const wrong = [];
  for (const { id, input, expect, outside } of cases) {
    let right = false;
    try {
      const color = parseColor(input);
      const isMapped = Boolean(outside) || /lab|lch/.test(input);
      right =
        expect !== 'reject' &&
        (expect.same_as
          ? sameColor(color, expect.same_as, input)
          : sameBytes(color, expect.srgb, isMapped));
    } catch (error) {
      assert.ok(error instanceof Refusal, `${id}: ${error}`);
      right = expect === 'reject';
    }
    if (!right) wrong.push(`${id} ${input}`);
  }
  assert.equal(cases.length, 6783);
  assert.deepEqual(
    wrong.map((one) => one.slice(0, one.indexOf(' '))),
    DIFFERENT.map((id) => `css-color-computed-${id}`),
    wrong.join('\n'),
  );
});
/**
 * Cases where the suite's values reflect its implementation, not the standard: it loses the hue that
 * stands beside a missing chroma, rounds to a tenth of a degree, and maps four colors into sRGB by ray
 * tracing, where CSS Color 4 has its binary search.
 */
const DIFFERENT = [
  'color-mix-function-0057',
  'color-mix-function-0179',
  'color-mix-function-0248',
  'color-mix-function-0254',
  'color-mix-function-0261',
  'lab-0014',
  'relative-color-0005',
  'relative-color-0083',
  'relative-color-0145',
];

test('conversions of colorjs.io, in the spaces of CSS', (t) => {
  const cases = suite(t, 'color_conversions_colorjs');
  if (!cases) return;
  let compared = 0;
  for (const { id, input, to, expect } of cases) {
    const space = { p3: 'display-p3', prophoto: 'prophoto-rgb' }[/** @type {string} */ (to)] ?? to;
    if (!Object.hasOwn(SPACES, space)) continue;
    let color;
    try {
      color = parseColor(input);
    } catch {
      continue;
    }
    const { coords } = convertColor(color, space);
    compared += 1;
    for (const [i, wanted] of expect.coords.entries()) {
      if (typeof wanted === 'number')
        assert.ok(
          near(coords[i] ?? 0, wanted, Math.max(expect.epsilon ?? 0, 1e-4)),
          `${id}: ${coords}`,
        );
    }
  }
  t.diagnostic(`${compared} compared`);
  assert.equal(compared, 42);
});

test('148 names', (t) => {
  assert.equal(COLOR_NAMES.size, 148);
  const cases = suite(t, 'css_named_colors');
  if (cases) assert.equal(cases.length, 148);
  for (const { input, expect } of cases ?? [])
    assert.equal(writeHex(parseColor(input.toUpperCase())), expect.hex);
});

test('names and hex are read as the parser reads them, and nothing else is', async () => {
  for (const name of COLOR_NAMES.keys())
    assert.deepEqual(plainColor(name.toUpperCase()), parseColor(name));
  for (const hex of ['#fff', '#1234', '#12abEF', '#12345678'])
    assert.deepEqual(plainColor(hex), parseColor(hex));
  for (const other of ['', '#12', '#12345', '#ggg', 'blac\u212a', 'toString', 'rgb(1 2 3)'])
    assert.equal(plainColor(other), undefined, other);
  assert.deepEqual(await parseAny(' rgb(1 2 3) '), parseColor('rgb(1 2 3)'));
  await assert.rejects(parseAny('blac\u212a'), Refusal);
});

test('every notation parses back to the same color', () => {
  const next = seeded(8);
  for (let round = 0; round < 400; round += 1) {
    const hex = `#${Array.from({ length: 3 }, () => next(256).toString(16).padStart(2, '0')).join('')}${next(3) ? '' : '80'}`;
    const color = parseColor(hex);
    for (const space of /** @type {any[]} */ (Object.keys(SPACES))) {
      if (space === 'display-p3-linear') continue;
      assert.equal(
        writeHex(parseColor(writeColor(color, space))),
        hex,
        `${hex} ${writeColor(color, space)}`,
      );
    }
  }
});

test('colors outside sRGB are mapped into it, with their lightness', () => {
  const next = seeded(2);
  for (let round = 0; round < 200; round += 1) {
    const color = parseColor(`oklch(${next(101)}% ${next(40) / 100} ${next(360)})`);
    const mapped = inSrgb(color);
    assert.ok(fits(mapped, 'srgb'));
    const [before, after] = [color, mapped].map((one) => convertColor(one, 'oklch').coords[0] ?? 0);
    assert.ok(Math.abs((before ?? 0) - (after ?? 0)) < 0.03, `${color.coords}`);
  }
});

test('bytes are rounded, and halves up', async () => {
  for (const [color, hex] of /** @type {[string, string][]} */ ([
    ['hsl(0 0% 50%)', '#808080'],
    ['hsl(30 100% 50%)', '#ff8000'],
    ['rgb(90% 90% 90%)', '#e6e6e6'],
    ['rgb(50%, 50%, 50%)', '#808080'],
    ['hwb(0 50% 50%)', '#808080'],
    ['rgb(0 0 0 / 50%)', '#00000080'],
    ['color(srgb 0.1 0.3 0.7)', '#1a4db3'],
  ]))
    assert.equal(writeHex(parseColor(color)), hex, color);
});

test('colors as people paste them are taken, with a warning', async () => {
  for (const [color, hex, read] of /** @type {[string, string, string][]} */ ([
    ['ff0000', '#ff0000', '#ff0000'],
    ['0ea5e9', '#0ea5e9', '#0ea5e9'],
    ['FFF', '#ffffff', '#FFF'],
    ['123456', '#123456', '#123456'],
    ['14, 165, 233', '#0ea5e9', 'rgb(14, 165, 233)'],
    ['14 165 233', '#0ea5e9', 'rgb(14, 165, 233)'],
    ['0xef4444', '#ef4444', '#ef4444'],
    ['0xffef4444', '#ef4444', '#ef4444'],
    ['0x80ef4444', '#ef444480', '#ef444480'],
    ['Color(0xFFEF4444)', '#ef4444', '#EF4444'],
    ['0.9373, 0.2667, 0.2667', '#ef4444', 'color(srgb 0.9373 0.2667 0.2667)'],
    ['0% 71.5% 71.5% 6.3%', '#ef4444', 'color(srgb 0.937 0.267 0.267)'],
    ['cmyk(0%, 100%, 100%, 0%)', '#ff0000', 'color(srgb 1 0 0)'],
    ['hsv(0, 100%, 50%)', '#800000', 'hsl(0 100% 25%)'],
    ['222.2 47.4% 11.2%', '#0f172a', 'hsl(222.2 47.4% 11.2%)'],
    ['14, 165, 233, 0.5', '#0ea5e980', 'rgb(14, 165, 233, 0.5)'],
    ['(14, 165, 233)', '#0ea5e9', 'rgb(14, 165, 233)'],
  ])) {
    const { outputs, warnings, refusal } = await runTool(converter, { color, steps: 0 });
    assert.equal(refusal, undefined, refusal?.sentence ?? '');
    assert.equal(outputs.notations.pairs[0][1], hex, color);
    assert.deepEqual(warnings, [`"${color}" is not a color of CSS; it was read as ${read}.`]);
  }
  assert.deepEqual((await runTool(converter, { color: ' #f00 ' })).warnings, []);
});

const refusals = /** @type {[string, number, RegExp][]} */ ([
  ['#12', 0, /Character 1: .*has 2 hexadecimal digits; a color has 3, 4, 6 or 8/],
  ['#12x', 3, /has "x", which is not a hexadecimal digit/],
  ['reddish', 0, /"reddish", which is not the name of a color/],
  ['currentcolor', 0, /depends on the page/],
  ['rgb(1 2)', 7, /has "\)" where a number belongs|a number/],
  ['rgb(1, 2, 30%)', 10, /mixes numbers and percentages/],
  ['hsl(10 20% 30%', 14, /ends too early: "\)" is missing/],
  ['lab(50% 20deg 0)', 8, /has an angle where a number or a percentage belongs/],
  ['color(cmyk 1 0 0)', 6, /has the unknown color space "cmyk"/],
  ['foo(1 2 3)', 0, /has the unknown function "foo\(\)"/],
  ['red blue', 4, /goes on with "blue" after the end/],
  ['rgb(1px 2 3)', 4, /has the unknown unit "px"/],
  ['r\\x gb(1 2 3)', 4, /has the unknown function "gb\(\)"/],
  ['red|', 3, /has "\|", which no color has/],
]);
for (const [text, offset, sentence] of refusals) {
  test(`refuses ${text}`, async () => {
    const { refusal } = await runTool(converter, { color: text });
    assert.equal(refusal?.field, 'color');
    assert.match(refusal?.sentence ?? '', sentence);
    assert.equal(refusal?.offset, offset);
  });
}

test('limits: 20 steps, not 21', async () => {
  assert.equal(
    (await runTool(converter, { color: 'red', steps: 20 })).outputs.shades.swatches.length,
    41,
  );
  assert.match(
    (await runTool(converter, { color: 'red', steps: 21 })).refusal?.sentence ?? '',
    /from 0 to 20/,
  );
});

test('a hue is rounded first, and never 360', async () => {
  for (let red = 1; red < 256; red++)
    for (const [green, blue] of [
      [0, 0],
      [Math.floor(red / 3), Math.floor(red / 3)],
    ]) {
      const color = `rgb(${red} ${green} ${blue})`;
      const { outputs } = await runTool(converter, { color, steps: 0 });
      for (const [name, text] of outputs.notations.pairs.slice(0, 8))
        assert.doesNotMatch(text, /[( ]360[ /)]/, `${name} of ${color}`);
    }
});

test('every notation that is printed is read as the same color', async () => {
  for (const color of ['#ef4444', '#cf0000', '#000', '#fff', '#12345680', '#ff0000']) {
    const { outputs } = await runTool(converter, { color, steps: 0 });
    const hex = outputs.notations.pairs[0][1];
    const isOpaque = hex.length === 7;
    for (const [name, text] of [...outputs.notations.pairs, ...outputs.other.pairs]) {
      if (name === 'Name' || (!isOpaque && /^CMYK|^Numbers/.test(name))) continue;
      const again = await runTool(converter, { color: text, steps: 0 });
      // CMYK is printed with one decimal.
      if (!name.startsWith('CMYK'))
        assert.equal(again.outputs.notations?.pairs[0][1], hex, `${name}: ${text}`);
      else assert.equal(again.refusal, undefined, text);
    }
  }
});

test('a declaration, a variable or an attribute around a color is left out', async () => {
  for (const color of [
    '#ef4444;',
    'color: #ef4444',
    'background: #ef4444 !important;',
    '--red: #ef4444;',
    '$red: #ef4444',
    'fill="#ef4444"',
    "'#ef4444',",
  ])
    assert.equal(
      (await runTool(converter, { color, steps: 0 })).outputs.notations.pairs[0][1],
      '#ef4444',
      color,
    );
});
