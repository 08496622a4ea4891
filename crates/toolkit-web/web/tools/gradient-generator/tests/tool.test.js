import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { runAction, runTool, seeded } from '../../../tests/run.mjs';
import gradient from '../tool.js';

/** Pixels of the PNG of a run. @param {any} outputs */
function pixels(outputs) {
  const png = Buffer.from(outputs.picture.data);
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  const width = png.readUInt32BE(16);
  const length = png.readUInt32BE(33);
  const rows = inflateSync(png.subarray(41, 41 + length));
  return (/** @type {number} */ x, /** @type {number} */ y) => [
    ...rows.subarray(y * (width * 4 + 1) + 1 + x * 4, y * (width * 4 + 1) + 5 + x * 4),
  ];
}

/** @param {number[]} found @param {number[]} wanted @param {number} [within] */
const near = (found, wanted, within = 3) =>
  assert.ok(
    found.every((v, i) => Math.abs(v - (wanted[i] ?? 0)) <= within),
    `${found} is not ${wanted}`,
  );

const two = [
  { color: 'red', at: 0 },
  { color: 'blue', at: 100 },
];

test('pixels at the stops, of each kind', async () => {
  const size = { width: 201, height: 101 };
  const linear = pixels((await runTool(gradient, { stops: two, angle: 90, ...size })).outputs);
  near(linear(0, 50), [255, 0, 0, 255]);
  near(linear(100, 50), [128, 0, 128, 255]);
  near(linear(200, 50), [0, 0, 255, 255]);
  const radial = pixels((await runTool(gradient, { kind: 'radial', stops: two, ...size })).outputs);
  near(radial(100, 50), [255, 0, 0, 255]);
  near(radial(0, 0), [0, 0, 255, 255]);
  const conic = pixels(
    (await runTool(gradient, { kind: 'conic', stops: two, angle: 0, ...size })).outputs,
  );
  near(conic(100, 100), [128, 0, 128, 255]);
  near(conic(200, 50), [191, 0, 64, 255]);
});

test('mixing: Oklab, hues, alpha and repetition', async () => {
  const size = { width: 100, height: 1, angle: 90 };
  const oklab = pixels((await runTool(gradient, { stops: two, space: 'oklab', ...size })).outputs);
  near(oklab(50, 0), [140, 83, 162, 255], 6);
  const clear = pixels(
    (
      await runTool(gradient, {
        stops: [
          { color: 'transparent', at: 0 },
          { color: 'red', at: 100 },
        ],
        ...size,
      })
    ).outputs,
  );
  near(clear(50, 0), [255, 0, 0, 128]);
  const again = pixels(
    (
      await runTool(gradient, {
        stops: [
          { color: 'red', at: 0 },
          { color: 'blue', at: 50 },
        ],
        repeating: true,
        ...size,
      })
    ).outputs,
  );
  assert.deepEqual(again(10, 0), again(60, 0));
});

test('CSS: fallback, positions, and values equal to the default are left out', async () => {
  const css = async (/** @type {any} */ values) =>
    (await runTool(gradient, { stops: two, width: 2, height: 2, ...values })).outputs.css.text;
  assert.equal(await css({}), 'background: linear-gradient(red 0%, blue 100%);\n');
  assert.equal(
    await css({ kind: 'radial', shape: 'circle', x: 20, y: 30.5, repeating: true }),
    'background: repeating-radial-gradient(circle at 20% 30.5%, red 0%, blue 100%);\n',
  );
  const modern = await css({ space: 'oklch', hue: 'longer', angle: 45 });
  assert.match(
    modern,
    /^background: linear-gradient\(45deg, #ff0000 0%, #[0-9a-f]{6} 12\.5%.*\nbackground: linear-gradient\(45deg in oklch longer hue, red 0%, blue 100%\);\n$/,
  );
});

test('the output parses back to the same form', async () => {
  const next = seeded(13);
  const colors = [
    'red',
    '#0088ff80',
    'rgb(1 2 3 / 50%)',
    'oklch(0.7 0.1 200)',
    'color(display-p3 1 0 0)',
  ];
  for (let round = 0; round < 60; round += 1) {
    const kind = /** @type {const} */ (['linear', 'radial', 'conic'])[next(3)] ?? 'linear';
    const stops = Array.from({ length: 2 + next(3) }, (_, i) => ({
      color: colors[next(5)] ?? 'red',
      at: i * 10 + next(10),
    }));
    const place = kind === 'linear' ? {} : { x: next(101), y: next(101) };
    const values = {
      kind,
      stops,
      repeating: next(2) === 1,
      space: /** @type {const} */ (['default', 'oklab', 'oklch'])[next(3)] ?? 'default',
      ...place,
      ...(kind !== 'radial' && { angle: next(360) }),
      width: 2,
      height: 2,
    };
    const css = (await runTool(gradient, values)).outputs.css.text.trim().split('\n').at(-1);
    const { values: read } = await runAction(gradient, 'Import CSS', { css });
    const again = (await runTool(gradient, { ...read, width: 2, height: 2 })).outputs.css.text
      .trim()
      .split('\n')
      .at(-1);
    assert.equal(again, css);
  }
});

test('the page draws the stops itself, and has the color at each percent', async () => {
  const { outputs } = await runTool(gradient, {
    stops: two,
    kind: 'radial',
    x: 20,
    space: 'oklab',
  });
  const { preview, bar, stops, samples } = outputs.gradient.data;
  assert.equal(preview, 'radial-gradient(at 20% 50% in oklab, ');
  assert.equal(bar, 'linear-gradient(90deg in oklab, ');
  assert.deepEqual(stops, two);
  assert.equal(samples.length, 101);
  assert.deepEqual([samples[0], samples[100]], ['#ff0000', '#0000ff']);
  const plain = (await runTool(gradient, { stops: two })).outputs.gradient.data;
  assert.equal(plain.preview, 'linear-gradient(');
});

test('CSS from elsewhere', async () => {
  const read = async (/** @type {string} */ css) =>
    (await runAction(gradient, 'Import CSS', { css })).values;
  const corner = await read(
    'background-image: linear-gradient(45deg, red, rgb(0, 128, 0) 30%, blue 50% 60%, navy);',
  );
  assert.equal(corner.angle, 45);
  assert.deepEqual(corner.stops, [
    { color: 'red', at: 0 },
    { color: 'rgb(0, 128, 0)', at: 30 },
    { color: 'blue', at: 50 },
    { color: 'blue', at: 60 },
    { color: 'navy', at: 100 },
  ]);
  const refused = async (/** @type {string} */ css) =>
    (await runAction(gradient, 'Import CSS', { css })).refusal?.sentence;
  for (const side of ['to top left', 'to left top'])
    assert.match(
      (await refused(`linear-gradient(${side}, red, blue)`)) ?? '',
      /whose angle depends on the size of the box\. Write `315deg`, its angle in a square\./,
    );
  const layers = 'background: linear-gradient(red, blue), radial-gradient(red, navy); color: red';
  assert.match((await refused(layers)) ?? '', /has several gradients in one value/);
  const twice = 'background: linear-gradient(red, blue); background: linear-gradient(red, navy);';
  assert.equal(await refused(twice), undefined);
  const conic = await read('conic-gradient(from 0.25turn at top left, red, blue 180deg)');
  assert.deepEqual([conic.angle, conic.x, conic.y, conic.stops[1].at], [90, 0, 0, 50]);
});

test('CSS that is handed over is shown; layers that are left out are told', async () => {
  const css =
    'background: -webkit-linear-gradient(left, red, blue);\nbackground: linear-gradient(90deg, red, blue), url(x.png);';
  const { outputs, warnings } = await runTool(gradient, { css, width: 2, height: 2 });
  assert.match(outputs.css.text, /^background: linear-gradient\(90deg, red 0%, blue 100%\);$/m);
  assert.match(String(warnings), /`url\(\)` was left out/);
  const own = await runTool(gradient, { css, stops: two.toReversed(), width: 2, height: 2 });
  assert.match(own.outputs.css.text, /blue 100%, red/);
  assert.equal((await runTool(gradient, { css: 'red' })).refusal?.field, 'css');
});

test('limits: 50 stops, pictures of 2,000 pixels a side', async () => {
  const stops = Array.from({ length: 51 }, (_, at) => ({ color: 'red', at: at * 2 }));
  const size = { width: 2, height: 2 };
  const { outputs } = await runTool(gradient, { stops: stops.slice(1), ...size });
  assert.equal(outputs.css.text.match(/red/g)?.length, 50);
  assert.equal((await runTool(gradient, { stops, ...size })).refusal?.field, 'stops');
  const wide = (await runTool(gradient, { stops: two, width: 2000, height: 1 })).outputs;
  assert.deepEqual(pixels(wide)(1999, 0), pixels(wide)(0, 0));
  for (const at of [-1000, 1000])
    assert.equal(
      (await runTool(gradient, { stops: [...two, { color: 'red', at }], ...size })).refusal,
      undefined,
    );
});

const refusals = /** @type {[any, string, RegExp][]} */ ([
  [{ stops: [{ color: 'red', at: 0 }] }, 'stops', /^Stops must have two colors at least/],
  [
    {
      stops: [
        { color: 'red', at: 0 },
        { color: 'bleu', at: 1 },
      ],
    },
    'stops',
    /^Row 2: The color has "bleu", which is not the name of a color/,
  ],
  [{ stops: [{}, { color: 'red' }, { color: 'bleu' }] }, 'stops', /^Row 3: The color has "bleu"/],
  [{ width: 2001 }, 'width', /from 1 to 2000/],
  [{ angle: 361 }, 'angle', /from 0 to 360/],
]);
for (const [values, field, sentence] of refusals) {
  test(`refuses ${JSON.stringify(values)}`, async () => {
    const { refusal } = await runTool(gradient, values);
    assert.equal(refusal?.field, field);
    assert.match(refusal?.sentence ?? '', sentence);
  });
}
for (const [css, sentence] of /** @type {[string, RegExp][]} */ ([
  ['red', /has no gradient/],
  ['linear-gradient(red, blue', /bracket that is never closed/],
  ['linear-gradient(red)', /fewer than two stops/],
  ['linear-gradient(red 10px, blue)', /has the stop "red 10px", which this form cannot show/],
  ['linear-gradient(red, 30%, blue)', /has the stop "30%", which this form cannot show/],
  [
    'radial-gradient(circle closest-side, red, blue)',
    /has "closest-side", which this form cannot show/,
  ],
  ['linear-gradient(red, bleu)', /^Stop "bleu": The color has "bleu", which is not the name/],
])) {
  test(`does not read ${css}`, async () => {
    const { refusal } = await runAction(gradient, 'Import CSS', { css });
    assert.equal(refusal?.field, 'css');
    assert.match(refusal?.sentence ?? '', sentence);
  });
}
