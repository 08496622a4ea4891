//! Vectors: WPT's data-urls and base64; MIME Sniffing §6.1 signatures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../../../kit/tool.js';
import { toBase64 } from '../../../lib/bytes.js';
import { decodeBase64, parseDataUrl } from '../../../lib/data-url.js';
import { imageSize, imageType } from '../../../lib/image/type.js';
import { runTool, seeded, suite } from '../../../tests/run.mjs';
import tool from '../tool.js';

/** @param {string} text */
const latin1 = (text) => Uint8Array.from(text, (one) => one.charCodeAt(0));
/** @param {Uint8Array} bytes @param {string} [type] */
const image = (bytes, type = '') => ({ name: 'a', type, size: bytes.length, bytes });

test('WPT data-urls: type and bytes', (context) => {
  /** @type {{ id: string, input: string, expect: any }[]} */
  const cases = suite(context, 'data_urls_wpt') ?? [];
  for (const { id, input, expect } of cases) {
    if (expect === 'reject') assert.throws(() => parseDataUrl(input), Refusal, `${id} ${input}`);
    else {
      const { type, bytes } = parseDataUrl(input);
      const mime = expect.mime.replace(/;.*/s, '');
      assert.deepEqual([type, toBase64(bytes)], [mime, expect.body_b64], `${id} ${input}`);
    }
  }
  if (cases.length > 0) assert.equal(cases.length, 78);
});

test('WPT base64: forgiving decoding', (context) => {
  /** @type {{ id: string, input: string, expect: any }[]} */
  const cases = suite(context, 'base64_forgiving_wpt') ?? [];
  for (const { id, input, expect } of cases) {
    if (expect === 'reject')
      assert.throws(() => decodeBase64(input), Refusal, `${id} ${JSON.stringify(input)}`);
    else
      assert.equal(
        toBase64(decodeBase64(input)),
        expect.bytes_b64,
        `${id} ${JSON.stringify(input)}`,
      );
  }
  if (cases.length > 0) assert.equal(cases.length, 80);
});

test('types by signature, and dimensions', () => {
  for (const [head, ending, size] of /** @type {[string, string | undefined, any][]} */ ([
    [`\0\0\x01\0\x02\0\x10\x10${'\0'.repeat(30)}`, 'ico', { width: 256, height: 256 }],
    ['\0\0\x02\0\x01\0\x20\x20', 'cur', { width: 32, height: 32 }],
    [`BM${'\0'.repeat(16)}\x05\0\0\0\xfd\xff\xff\xff`, 'bmp', { width: 5, height: 3 }],
    ['GIF87a\x02\x01\x03\0', 'gif', { width: 258, height: 3 }],
    ['GIF89a\x01\0\x01\0', 'gif', { width: 1, height: 1 }],
    ['RIFF....WEBPVP8X....\0\0\0\0\x63\0\0\x31\0\0', 'webp', { width: 100, height: 50 }],
    ['RIFF....WEBPVP8L....\x2f\x63\x40\x0c\0', 'webp', { width: 100, height: 50 }],
    ['RIFF....WEBPVP8 ....\0\0\0\x9d\x01\x2a\x64\0\x32\0', 'webp', { width: 100, height: 50 }],
    ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\0\x02', 'png', { width: 256, height: 2 }],
    ['\xff\xd8\xff\xe0\0\x04..\xff\xc2\0\x11\x08\0\x20\0\x40', 'jpg', { width: 64, height: 32 }],
    ['\0\0\0\x1cftypavif....ispe\0\0\0\0\0\0\0\x09\0\0\0\x08', 'avif', { width: 9, height: 8 }],
    ['\0\0\0\x1cftypheic', 'heic', undefined],
    ['II*\0', 'tif', undefined],
    ['\xff\x0a', 'jxl', undefined],
    [
      '<?xml version="1.0"?><!-- x --><svg width="10px" height=\'20\'>',
      'svg',
      { width: 10, height: 20 },
    ],
    ['<svg viewBox="0 0 24 12">', 'svg', { width: 24, height: 12 }],
    ['<svg>', 'svg', undefined],
    ['\x89PNG\r\n\x1a\n', 'png', undefined],
    ['GIF88a', undefined, undefined],
    ['%PDF-1.7', undefined, undefined],
    ['', undefined, undefined],
  ])) {
    const bytes = latin1(head);
    assert.deepEqual(
      [imageType(bytes)?.ending, imageSize(bytes)],
      [ending, size],
      JSON.stringify(head),
    );
  }
});

test('outputs of an image', async () => {
  const bytes = latin1('GIF89a\x01\0\x01\0');
  const { outputs, warnings } = await runTool(tool, {
    image: image(bytes, 'image/png'),
    alt: 'a "dot" & [more]',
  });
  assert.equal(outputs.dataUrl, 'data:image/gif;base64,R0lGODlhAQABAA==');
  assert.equal(outputs.base64, 'R0lGODlhAQABAA==');
  assert.equal(outputs.css, `background-image: url("${outputs.dataUrl}");`);
  assert.equal(
    outputs.html,
    `<img src="${outputs.dataUrl}" alt="a &#34;dot&#34; &#38; [more]" width="1" height="1">`,
  );
  assert.equal(outputs.markdown, `![a "dot" & \\[more\\]](${outputs.dataUrl})`);
  assert.deepEqual(warnings, [
    'The file is called image/png, but its bytes are GIF; image/gif is used.',
  ]);
  for (const source of [
    outputs.dataUrl,
    outputs.base64,
    outputs.css,
    outputs.html,
    outputs.markdown,
    ` ${outputs.base64}\n`,
  ]) {
    const back = await runTool(tool, { mode: 'decode', text: source });
    assert.deepEqual([...back.outputs.picture.data], [...bytes], source);
    assert.equal(back.outputs.picture.file, 'image.gif');
  }
});

test('refusals name the type, or the position', async () => {
  for (const [head, offence] of /** @type {[string, RegExp][]} */ ([
    ['%PDF-1.7', /is a PDF document, not an image/],
    ['PK\x03\x04', /is a ZIP archive/],
    ['\0\0\0\x1cftypisom', /is an MPEG-4 video/],
    ['<!doctype html>', /is an HTML document/],
    ['hello', /is text, not an image/],
    ['\x01\x02', /of a type that is not known/],
    ['', /is an empty file/],
  ]))
    assert.match(
      (await runTool(tool, { image: image(latin1(head)) })).refusal?.offence ?? '',
      offence,
      head,
    );
  for (const [source, offence, offset] of /** @type {[string, RegExp, number | undefined][]} */ ([
    ['R0lG*DlhAQ', /"\*" is not a character of Base64/, 4],
    ['data:image/png;base64,R0lG=ODl', /"=" before its end/, 26],
    ['R0lGO', /5 characters of Base64/, 5],
    ['data:image/png', /no comma/, 14],
    ['data:,hello', /holds text, not an image/, undefined],
    ['src="data:image/gif;base64,R0l-"', /"-" is not a character/, 30],
    ['data:image/png;base64,', /holds nothing/, undefined],
    ['https://a.example/b.png', /is an address, and nothing is fetched here/, undefined],
  ])) {
    const { refusal } = await runTool(tool, { mode: 'decode', text: source });
    assert.match(refusal?.offence ?? '', offence, source);
    assert.equal(refusal?.offset, offset, source);
  }
});

test('limits: a warning over 32 KiB, 20 MiB an image', async () => {
  const of = (/** @type {number} */ size) => {
    const bytes = new Uint8Array(size);
    bytes.set(latin1('GIF89a\x01\0\x01\0'));
    return runTool(tool, { image: image(bytes) });
  };
  assert.deepEqual((await of(32768)).warnings, []);
  assert.match(String((await of(32769)).warnings), /larger than 32 KiB/);
  assert.equal((await of(20 << 20)).refusal, undefined);
  assert.match((await of((20 << 20) + 1)).refusal?.sentence ?? '', /at most 20 MiB, not/);
});

test('Base64 both ways (seeded)', () => {
  const next = seeded(8);
  for (let size = 0; size < 200; size++) {
    const bytes = Uint8Array.from({ length: size }, () => next(256));
    assert.equal(toBase64(bytes), Buffer.from(bytes).toString('base64'));
    assert.deepEqual([...decodeBase64(toBase64(bytes))], [...bytes]);
    assert.deepEqual([...decodeBase64(toBase64(bytes).replace(/=/g, ''))], [...bytes]);
  }
});
