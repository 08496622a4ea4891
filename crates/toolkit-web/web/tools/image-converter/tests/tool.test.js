import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writePng } from '../../../lib/image/png.js';
import { runTool } from '../../../tests/run.mjs';
import { fitImage, imageFacts } from '../facts.js';
import converter from '../tool.js';

/** @param {string} name @param {Uint8Array} bytes */
const file = (name, bytes) => ({ name, type: '', size: bytes.length, bytes });
/** @param {string} latin */
const bytesOf = (latin) => Uint8Array.from(latin, (mark) => mark.charCodeAt(0));

test('sizes: fitted, cropped, stretched, and from one side', () => {
  const source = { width: 400, height: 200 };
  const whole = { x: 0, y: 0, width: 400, height: 200 };
  assert.deepEqual(fitImage(source, { width: null, height: null, fit: 'inside' }), {
    width: 400,
    height: 200,
    part: whole,
  });
  assert.deepEqual(fitImage(source, { width: 100, height: null, fit: 'inside' }), {
    width: 100,
    height: 50,
    part: whole,
  });
  assert.deepEqual(fitImage(source, { width: null, height: 100, fit: 'cover' }), {
    width: 200,
    height: 100,
    part: whole,
  });
  assert.deepEqual(fitImage(source, { width: 100, height: 100, fit: 'inside' }), {
    width: 100,
    height: 50,
    part: whole,
  });
  assert.deepEqual(fitImage(source, { width: 100, height: 100, fit: 'cover' }), {
    width: 100,
    height: 100,
    part: { x: 100, y: 0, width: 200, height: 200 },
  });
  assert.deepEqual(fitImage(source, { width: 10, height: 90, fit: 'stretch' }), {
    width: 10,
    height: 90,
    part: whole,
  });
  assert.equal(
    fitImage({ width: 1000, height: 1 }, { width: 10, height: null, fit: 'inside' }).height,
    1,
  );
});

test('animation and metadata are found', async () => {
  const png = await writePng(1, 1, new Uint8Array(4));
  assert.deepEqual(imageFacts(png), { isAnimated: false, metadata: [], isDeep: false });
  const chunk = bytesOf('\0\0\0\x04eXIfMM\0*\0\0\0\0\0\0\0\0acTL\0\0\0\0');
  const marked = new Uint8Array([...png.subarray(0, 33), ...chunk, ...png.subarray(33)]);
  assert.deepEqual(imageFacts(marked), { isAnimated: true, metadata: ['EXIF'], isDeep: false });
  assert.equal(imageFacts(png.with(24, 16)).isDeep, true);
  const jpeg = bytesOf('\xff\xd8\xff\xe1\0\x08Exif\0\0\xff\xfe\0\x04hi\xff\xda');
  assert.deepEqual(imageFacts(jpeg).metadata, ['EXIF', 'comment']);
  const frame = '\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0';
  assert.equal(imageFacts(bytesOf(`GIF89a\x01\0\x01\0\0\0\0${frame}\x3b`)).isAnimated, false);
  assert.equal(
    imageFacts(bytesOf(`GIF89a\x01\0\x01\0\0\0\0!\xf9\x04\0\0\0\0\0${frame}${frame}\x3b`))
      .isAnimated,
    true,
  );
  const webp = bytesOf('RIFF\0\0\0\0WEBPVP8X\x02\0\0\0\0\0ANIM\0\0\0\0XMP \0\0\0\0');
  assert.deepEqual(imageFacts(webp), { isAnimated: true, metadata: ['XMP'] });
  for (let cut = 0; cut < marked.length; cut += 1) imageFacts(marked.subarray(0, cut));
});

test('a JPEG is bared of what tells of a person; its color profile stays', () => {
  const part = (/** @type {string} */ marker, /** @type {string} */ content) =>
    `\xff${marker}\0${String.fromCharCode(content.length + 2)}${content}`;
  const exif = (/** @type {string[]} */ ...tags) =>
    part(
      '\xe1',
      `Exif\0\0MM\0*\0\0\0\x08\0${String.fromCharCode(tags.length)}${tags.join('')}\0\0\0\0`,
    );
  const [turned, upright] = ['\x06', '\x01'].map((n) => `\x01\x12\0\x03\0\0\0\x01\0${n}\0\0`);
  const software = '\x01\x31\0\x02\0\0\0\x02ab\0\0';
  const gps = '\x88\x25\0\x04\0\0\0\x01\0\0\0\0';
  const icc = part('\xe2', 'ICC_PROFILE\0');
  const scan = `${part('\xda', 'abc')}\xff\0x\xff\xd0${part('\xc4', '\xff\xd9')}${part('\xda', 'abc')}y`;
  const jpeg = (/** @type {string} */ head) => bytesOf(`\xff\xd8${head}${scan}\xff\xd9more`);
  const bare = (/** @type {string} */ head) =>
    Buffer.concat(imageFacts(jpeg(head)).bare ?? []).toString('latin1');
  const others = `${part('\xe2', 'MPF')}${part('\xed', 'iptc')}${part('\xfe', 'hi')}`;
  assert.equal(bare(exif(`${upright}`, gps) + others + icc), `\xff\xd8${icc}${scan}\xff\xd9`);
  assert.equal(bare(exif(gps, `${turned}`)), '', 'it would be turned');
  assert.equal(bare('broken'), '');
  assert.deepEqual(imageFacts(jpeg(exif(`${turned}`, software))).metadata, [
    'EXIF without camera data',
  ]);
  assert.deepEqual(imageFacts(jpeg(exif(`${turned}`, gps))).metadata, ['EXIF']);
});

test('losses are reported', async () => {
  const png = await writePng(3, 2, new Uint8Array(24));
  const marked = new Uint8Array([
    ...png.subarray(0, 33),
    ...bytesOf('\0\0\0\0tEXt\0\0\0\0'),
    ...png.subarray(33),
  ]);
  assert.deepEqual(imageFacts(marked).metadata, ['text']);
});

const refusals = /** @type {[any, string, RegExp][]} */ ([
  [{ files: [file('a.txt', bytesOf('hello'))] }, 'files', /^"a\.txt" is not an image/],
  [
    { files: [file('a.svg', bytesOf('<svg><image href="data:image/svg+xml,a"/></svg>'))] },
    'files',
    /^"a\.svg" repeats more elements/,
  ],
  [{ files: Array(51).fill(file('a', bytesOf('x'))) }, 'files', /at most 50 entries, not 51/],
  [{ to: 'jpeg', quality: 0 }, 'quality', /from 1 to 100/],
  [{ width: 16385 }, 'width', /from 1 to 16384/],
]);
for (const [values, field, sentence] of refusals) {
  test(`refuses ${JSON.stringify(values).slice(0, 60)}`, async () => {
    const { refusal } = await runTool(converter, values);
    assert.equal(refusal?.field, field);
    assert.match(refusal?.sentence ?? '', sentence);
  });
}

test('50 megapixels are accepted, more are not', async () => {
  const png = await writePng(1, 1, new Uint8Array(4));
  const sized = (/** @type {number} */ width, /** @type {number} */ height) => {
    const copy = Uint8Array.from(png);
    new DataView(copy.buffer).setUint32(16, width);
    new DataView(copy.buffer).setUint32(20, height);
    return copy;
  };
  assert.equal(
    (await runTool(converter, { files: [file('a.png', sized(10_000, 5_000))] })).refusal,
    undefined,
  );
  assert.match(
    (await runTool(converter, { files: [file('a.png', sized(10_000, 5_001))] })).refusal
      ?.sentence ?? '',
    /50 megapixels/,
  );
});
