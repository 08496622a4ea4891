import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unzipSync } from '../../../libraries/fflate.js';
import { runTool, suite } from '../../../tests/run.mjs';
import svgTool from '../tool.js';

const XMLNS = 'xmlns="http://www.w3.org/2000/svg"';

/** @param {string} text @param {any} [values] */
async function optimized(text, values) {
  const { outputs, refusal } = await runTool(svgTool, { text, ...values });
  assert.equal(refusal, undefined, refusal?.sentence ?? '');
  return outputs.svg.text;
}

test('hostile files: no code is left', async () => {
  const cases = [
    '<script>x</script>',
    '<a onclick="x"/>',
    '<a href="javascript:x"/>',
    '<a xlink:href="JaVa&#x9;Script:x" xmlns:xlink="http://www.w3.org/1999/xlink"/>',
    '<foreignObject><iframe src="x"/></foreignObject>',
    '<set attributeName="href" to="javascript:x"/>',
    '<use href="data:image/svg+xml,x"/>',
    '<g><g onfocus="x"><rect width="1" height="1" ONLOAD="x"/></g></g>',
    '<animate attributeName="href" values="#a;javascript:x"/>',
    '<svg:script xmlns:svg="http://www.w3.org/2000/svg">x</svg:script>',
  ];
  for (const inner of cases) {
    for (const level of ['safe', 'strong']) {
      const small = await optimized(`<svg ${XMLNS}>${inner}<path d="M0 0h9v9z"/></svg>`, { level });
      assert.doesNotMatch(small, /script|\son\w+=|iframe|data:image\/svg/i, inner);
    }
  }
});

test('viewBox, title, description and ids are kept on request', async () => {
  const text = `<svg ${XMLNS} width="9" height="9" viewBox="0 0 9 9"><title>T</title><desc>D</desc><path id="long-name" d="M0 0h9v9z"/></svg>`;
  assert.match(await optimized(text), /viewBox.*<title>T<\/title><desc>D<\/desc>/);
  assert.match(await optimized(text, { keep_ids: true }), /id="long-name"/);
  assert.doesNotMatch(
    await optimized(text, { keep_title: false, keep_viewbox: false, keep_description: false }),
    /title|viewBox|long-name/,
  );
  assert.doesNotMatch(await optimized(text, { remove_size: true }), /width|height/);
});

test('nested rules and media ranges are kept', async () => {
  const css = '.a{fill:red;&amp;:hover{fill:blue}}@media (width >= 10px){.b{fill:green}}';
  const small = await optimized(
    `<svg ${XMLNS}><style>${css}</style><path class="a b" d="M0 0h9v9z"/></svg>`,
    { level: 'strong' },
  );
  assert.match(small, /&amp;:hover|&:hover/);
  assert.match(small, />= ?10px|&gt;= ?10px/);
});

test('an icon on which nothing depends loses its groups and zeros at the safe level too', async () => {
  const icon =
    '<svg xmlns="http://www.w3.org/2000/svg" width="64.000px" viewBox="0 0 64 64"><g><g><circle r="30.000" fill="#0a53c4"/></g><rect width="0" height="4"/></g></svg>';
  const { svg } = (await runTool(svgTool, { text: icon })).outputs;
  assert.equal(
    svg.text,
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" viewBox="0 0 64 64"><circle r="30" fill="#0a53c4"/></svg>',
  );
});

test('the safe level keeps nearly closed circles, and numbers that a selector matches', async () => {
  const arc = await optimized(`<svg ${XMLNS}><path d="M300 125A50 50 0 1 0 299.9999 125"/></svg>`);
  assert.match(arc, /-?\.0001|299\.9999/);
  const styled = `<svg ${XMLNS}><style>[width="0.50"]{fill:red}</style><rect width="0.50" height="9"/></svg>`;
  assert.match(await optimized(styled), /<rect width="0\.50"/);
});

test('entities and external references are reported', async () => {
  const { outputs, warnings } = await runTool(svgTool, {
    text: `<!DOCTYPE svg [<!ENTITY c "#f00">]><svg ${XMLNS}><image href="https://example.org/a.png"/><path fill="&c;" d="M0 0h9v9z"/></svg>`,
  });
  assert.match(outputs.svg.text, /fill="red"|fill="#f00"/);
  assert.deepEqual(warnings, [
    'The document declares entities. They were replaced by their texts.',
    'It refers to https://example.org/a.png, which browsers fetch if the SVG is inlined in a page.',
  ]);
});

test('several files are returned as a ZIP archive', async () => {
  const bytes = new TextEncoder().encode(`<svg ${XMLNS}><path d="M 0 0 h 9 v 9 z"/></svg>`);
  const file = { name: 'a.svg', type: 'image/svg+xml', size: bytes.length, bytes };
  const { outputs } = await runTool(svgTool, { files: [file, file] });
  const archive = unzipSync(outputs.archive.data);
  assert.deepEqual(Object.keys(archive), ['a.svg', '2-a.svg']);
  assert.equal(
    new TextDecoder().decode(archive['a.svg']),
    `<svg ${XMLNS}><path d="M0 0h9v9z"/></svg>`,
  );
  assert.equal(outputs.files.rows.length, 2);
});

test('files in UTF-8 and UTF-16 are accepted, others are refused by name', async () => {
  const svg = `<svg ${XMLNS}><title>ü</title><path d="M0 0h9v9z"/></svg>`;
  const file = (/** @type {Uint8Array} */ bytes) => ({
    name: 'a.svg',
    type: 'image/svg+xml',
    size: bytes.length,
    bytes,
  });
  const utf16 = Uint8Array.from(Buffer.from(`\ufeff${svg}`, 'utf16le'));
  for (const bytes of [new TextEncoder().encode(svg), utf16, utf16.slice().map(swapped)]) {
    const { outputs, refusal } = await runTool(svgTool, { files: [file(bytes)] });
    assert.equal(refusal, undefined, refusal?.sentence ?? '');
    assert.match(
      new TextDecoder().decode(unzipSync(outputs.archive.data)['a.svg']),
      /<title>ü<\/title>/,
    );
  }
  const guessed = await runTool(svgTool, {
    files: [file(Uint8Array.from(Buffer.from(svg, 'latin1')))],
  });
  assert.match(guessed.warnings.join(), /^"a\.svg" was read as Windows-1252/);
  const { refusal } = await runTool(svgTool, { files: [file(Uint8Array.of(0x89, 0x50, 1))] });
  assert.deepEqual([refusal?.field, refusal?.offence], ['files', '"a.svg" is not text']);
});
/** Swaps the order of two bytes. @param {number} _ @param {number} at @param {Uint8Array} bytes */
const swapped = (_, at, bytes) => bytes[at ^ 1] ?? 0;

test('limits: 50 files, digits from 0 to 8', async () => {
  const bytes = new TextEncoder().encode(`<svg ${XMLNS}/>`);
  const files = (/** @type {number} */ count) =>
    Array.from({ length: count }, (_, at) => ({
      name: `${at}.svg`,
      type: '',
      size: bytes.length,
      bytes,
    }));
  assert.equal((await runTool(svgTool, { files: files(50) })).outputs.files.rows.length, 50);
  assert.match((await runTool(svgTool, { files: files(51) })).refusal?.sentence ?? '', /50/);
  const text = `<svg ${XMLNS}><path d="M0 0l1.123456789 2"/></svg>`;
  assert.match(await optimized(text, { precision: 8 }), /1\.12345679/);
  assert.match(await optimized(text, { precision: 0 }), /d="m0 0 1 2"/);
});

test('W3C SVG 1.1 sample: all become smaller, and a second run changes little', async (t) => {
  const cases = suite(t, 'svg_w3c_sample');
  if (!cases) return;
  assert.equal(cases.length, 158);
  const refused = [];
  for (const { id, input } of cases) {
    const { outputs, refusal } = await runTool(svgTool, { text: input });
    if (refusal) refused.push(`${id}: ${refusal.sentence}`);
    else assert.ok(outputs.svg.text.length <= input.length || input.includes('<!ENTITY'), id);
  }
  assert.ok(refused.length <= 2, refused.join('\n'));
});

const refusals = /** @type {[any, RegExp][]} */ ([
  [{ text: 'hello' }, /has no <svg> element/],
  [{ text: '<html/>' }, /has no <svg> element/],
  [{ text: `<svg ${XMLNS}>\n<g></svg>` }, /^Line 2, column 9: .*is not well-formed XML: .*/],
  [{ text: `<svg ${XMLNS} a=b/>` }, /is not well-formed XML/],
  [{ text: `<svg ${XMLNS}/>`, precision: 9 }, /from 0 to 8/],
]);
for (const [values, sentence] of refusals) {
  test(`refuses ${JSON.stringify(values)}`, async () => {
    assert.match((await runTool(svgTool, values)).refusal?.sentence ?? '', sentence);
  });
}

test('strong keeps the shapes that are animated', async () => {
  const source =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g><rect x="1" y="2" width="3" height="3"><animate attributeName="x" from="0" to="6" dur="1s"/></rect></g></svg>';
  const { outputs } = await runTool(svgTool, { text: source, level: 'strong' });
  assert.match(JSON.stringify(outputs), /<rect .*<animate [^>]*attributeName=/);
});

test('what an animation or a style moves keeps its transform and shape', async () => {
  const moved = {
    animate:
      '<path transform="translate(4 4)" d="M0 0h8v8H0z"><animate attributeName="d" values="M0 0h8v8H0z;M0 0h2v2H0z" dur="1s"/></path>',
    rotate:
      '<g transform="translate(4 4)"><path d="M0 0h8v8H0z"/><animateTransform attributeName="transform" type="rotate" values="0;360" dur="1s"/></g>',
    keyframes:
      '<style>@keyframes s{to{transform:rotate(1turn)}}.a{animation:s 1s infinite}</style><g class="a" transform="translate(4 4)"><path d="M0 0h4v4H0z"/></g>',
    hover:
      '<style>.a:hover{rotate:9deg}</style><path class="a" transform="translate(4 4)" d="M0 0h4v4H0z"/>',
    inline: '<path style="transition:transform 1s" transform="translate(4 4)" d="M0 0h4v4H0z"/>',
    origin: '<path transform-origin="2 2" transform="translate(4 4)" d="M0 0h4v4H0z"/>',
    radius:
      '<ellipse rx="4" ry="4" transform="translate(4 4)"><animate attributeName="rx" values="4;2" dur="1s"/></ellipse>',
    invisible:
      '<rect width="4" height="4" transform="translate(4 4)" stroke="red" stroke-opacity="0"><animate attributeName="stroke-opacity" values="0;1" dur="1s"/></rect>',
  };
  for (const [name, inner] of Object.entries(moved))
    for (const level of ['safe', 'strong']) {
      const small = await optimized(`<svg ${XMLNS} viewBox="0 0 9 9">${inner}</svg>`, { level });
      assert.match(small, /translate\(4/, `${name}, ${level}`);
      assert.match(
        small,
        name === 'radius' ? /<ellipse/ : name === 'invisible' ? /stroke="red"/ : /./,
      );
    }
  const still = `<svg ${XMLNS} viewBox="0 0 9 9"><style>.a{fill:red}</style><path class="a" transform="translate(4 4)" d="M0 0h4v4H0z"/></svg>`;
  assert.doesNotMatch(await optimized(still, { level: 'strong' }), /translate/);
});
