import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apca, contrastRatio, nearestPassing, writeRatio } from '../../../lib/color/contrast.js';
import { parseCss as parseColor } from '../../../lib/color/css.js';
import { runTool, seeded } from '../../../tests/run.mjs';
import checker from '../tool.js';

/** @param {string} a @param {string} b */
const ratio = (a, b) => contrastRatio(parseColor(a), parseColor(b));

test('ratios from the definition', () => {
  assert.equal(writeRatio(ratio('black', 'white')), '21:1');
  assert.equal(writeRatio(ratio('#777', 'white')), '4.47:1');
  assert.equal(writeRatio(ratio('#767676', 'white')), '4.54:1');
  assert.equal(writeRatio(ratio('red', 'red')), '1:1');
  assert.equal(writeRatio(ratio('#949494', '#fff')), '3.03:1');
});

test('a ratio is truncated, not rounded', () => {
  assert.equal(writeRatio(4.499), '4.49:1');
  assert.equal(writeRatio(4.5), '4.5:1');
  assert.equal(writeRatio(6.9999), '6.99:1');
});

test('the nearest color passes, and is unchanged if it passed before', async () => {
  const next = seeded(12);
  const random = () =>
    `#${next(1 << 24)
      .toString(16)
      .padStart(6, '0')}`;
  for (let round = 0; round < 150; round += 1) {
    const [text, ground] = [random(), random()];
    const found = nearestPassing(parseColor(text), parseColor(ground), 4.5);
    assert.ok(found && ratio(found, ground) >= 4.5, `${text} on ${ground}: ${found}`);
  }
  const { outputs } = await runTool(checker, { text: 'black', ground: 'white' });
  assert.deepEqual(outputs.nearest.pairs[0], ['Text for 4.5:1', '#000000 already passes']);
  const grey = await runTool(checker, { text: 'white', ground: '#777' });
  assert.deepEqual(grey.outputs.nearest.pairs[2], [
    'Text for 7:1',
    'no lightness of this hue reaches it',
  ]);
});

test('translucent colors are composited over the background', async () => {
  const { outputs } = await runTool(checker, {
    text: 'rgb(255 255 255 / 50%)',
    ground: 'rgb(0 0 0 / 50%)',
    behind: 'white',
  });
  assert.deepEqual(outputs.compared.pairs, [
    ['Text as compared', '#bfbfbf'],
    ['Background as compared', '#808080'],
  ]);
  const opaque = await runTool(checker, { text: '#777', ground: 'WHITE' });
  assert.equal(opaque.outputs.compared, null);
});

test('the sample shows the colors and nothing else', async () => {
  const { outputs } = await runTool(checker, { text: 'red', ground: 'blue' });
  assert.match(outputs.sample.data, /^<svg .*fill="#ff0000".*<rect [^>]*fill="#0000ff"/);
});

test('100 more pairs, not 101', async () => {
  const more = Array.from({ length: 101 }, () => ({ text: 'navy', ground: 'gold' }));
  const { outputs } = await runTool(checker, { more: more.slice(1) });
  assert.equal(outputs.more.rows.length, 100);
  assert.equal((await runTool(checker, { more })).refusal?.field, 'more');
});

const refusals = /** @type {[any, string, RegExp][]} */ ([
  [{ text: 'redd', ground: 'white' }, 'text', /is not the name of a color/],
  [{ text: 'red', ground: '#12345' }, 'ground', /has 5 hexadecimal digits/],
  [{ text: 'red', ground: '#0008' }, 'behind', /is needed, because the background is translucent/],
  [{ text: 'red', ground: '#0008', behind: '#fff8' }, 'behind', /is translucent itself/],
  [
    { more: [{ text: 'red', ground: 'x' }] },
    'more',
    /^Row 1: The background has "x", which is not the name/,
  ],
]);
for (const [values, field, sentence] of refusals) {
  test(`refuses ${JSON.stringify(values)}`, async () => {
    const { refusal } = await runTool(checker, values);
    assert.equal(refusal?.field, field);
    assert.match(refusal?.sentence ?? '', sentence);
  });
}

test("APCA: the test values of apca-w3's documentation", async () => {
  for (const [text, ground, wanted] of /** @type {[string, string, number][]} */ ([
    ['#888', '#fff', 63.056469930209424],
    ['#fff', '#888', -68.54146436644962],
    ['#000', '#aaa', 58.146262578561334],
    ['#aaa', '#000', -56.24113336839742],
    ['#123', '#def', 91.66830811481631],
    ['#def', '#123', -93.06770049484275],
    ['#777', '#777', 0],
  ]))
    assert.ok(Math.abs(apca(parseColor(text), parseColor(ground)) - wanted) < 1e-9, text);
  const { outputs } = await runTool(checker, { text: '#123', ground: '#def' });
  assert.deepEqual(outputs.contrast.pairs.at(-1), [
    'APCA, a draft',
    'Lc 91.7: enough for columns of text',
  ]);
});

test('of several wrong rows the first is named, however long its color takes to read', async () => {
  const more = [
    { text: 'oklch(wrong 0 0)', ground: '#fff' },
    { text: '#000', ground: '#0008' },
  ];
  const { refusal } = await runTool(checker, { text: '', ground: '', more });
  assert.match(refusal?.sentence ?? '', /^Row 1: /);
});

test('a wrong row is named by its place in the form, blank rows before it or not', async () => {
  const more = [
    { text: '', ground: '' },
    { text: 'navy', ground: 'gold' },
    { text: 'redd', ground: 'gold' },
  ];
  const { refusal } = await runTool(checker, { more });
  assert.match(refusal?.sentence ?? '', /^Row 3: The text has "redd"/);
});
