//! Pictures and colors in Chromium: the pixels of the tools' outputs. `node tests/pictures.mjs
//! [URL [LOG]]`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE, becomes, outputs, reaches, select, until } from './chromium.mjs';
import { runTool, seeded, suite } from './run.mjs';
import { colorsAt, distance, of, onBlankPage, openPage, saved, visit, web } from './tool-pages.mjs';

/** @typedef {import('playwright-core').Page} Page */

of('svg-optimizer', (load) => {
  /** The share of pixels that differ between two SVGs, or -1 when the first cannot be drawn. */
  const COMPARE = `globalThis.compare = async (before, after) => {
    const pixels = async (svg) => {
      const image = new Image(480, 360);
      image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
      await image.decode();
      const context = new OffscreenCanvas(480, 360).getContext('2d');
      context.drawImage(image, 0, 0, 480, 360);
      URL.revokeObjectURL(image.src);
      return new Uint32Array(context.getImageData(0, 0, 480, 360).data.buffer);
    };
    const one = await pixels(before).catch(() => undefined);
    if (!one) return -1;
    const two = await pixels(after);
    return one.reduce((sum, pixel, at) => sum + (pixel === two[at] ? 0 : 1), 0) / one.length;
  };`;

  test('W3C SVG 1.1 sample: at the safe level at most 1 % of the pixels differ', async (t) => {
    const cases = suite(t, 'svg_w3c_sample');
    if (!cases) return;
    const tool = await load();
    const worse = await onBlankPage(async (page) => {
      await page.evaluate(COMPARE);
      const worse = [];
      let drawn = 0;
      for (const { id, input } of cases) {
        const { outputs, refusal } = await runTool(tool, { text: input });
        if (refusal) continue;
        const share = await page.evaluate(
          ([before, after]) => /** @type {any} */ (globalThis).compare(before, after),
          [input, outputs.svg.text],
        );
        if (share >= 0) drawn += 1;
        if (share > 0.01) worse.push(`${id}: ${(100 * share).toFixed(1)} %`);
      }
      assert.ok(drawn >= 155, `${drawn} of ${cases.length} drawn`);
      return worse;
    });
    assert.deepEqual(worse, []);
  });

  const moved = (/** @type {string} */ content, attributes = '') =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="120" height="120" viewBox="0 0 24 24" ${attributes}>${content}</svg>`;
  const square = (/** @type {string} */ attributes, content = '') =>
    `<path ${attributes} d="M0 0h8v6H0z" fill="#c00">${content}</path>`;
  const turn = 'type="rotate" from="0" to="360" dur="1s" repeatCount="indefinite"';
  const spin = '@keyframes spin{to{transform:rotate(360deg)}}';
  /** What moves, in each of the ways to move it. @type {Record<string, string>} */
  const ANIMATED = {
    'animateTransform in a shape': moved(
      square(
        'transform="translate(8 9)"',
        `<animateTransform attributeName="transform" ${turn} additive="sum"/>`,
      ),
    ),
    'animateTransform in a group': moved(
      `<g transform="translate(12 12)">${square('transform="translate(-4 -3)"')}<animateTransform attributeName="transform" ${turn} additive="sum"/></g>`,
    ),
    'animateTransform by a reference': moved(
      `${square('id="a" transform="translate(8 9)"')}<animateTransform xlink:href="#a" attributeName="transform" ${turn}/>`,
    ),
    animateMotion: moved(
      square(
        'transform="rotate(20)"',
        '<animateMotion path="M2 2L12 14z" dur="1s" repeatCount="indefinite"/>',
      ),
    ),
    'a path that changes': moved(
      square(
        'transform="translate(4 4)"',
        '<animate attributeName="d" values="M0 0h8v6H0z;M4 4h12v9H4z;M0 0h8v6H0z" dur="1s" repeatCount="indefinite"/>',
      ),
    ),
    'sizes and opacity': moved(
      '<ellipse cx="9" cy="9" rx="4" ry="4"><animate attributeName="rx" values="4;9;4" dur="1s" repeatCount="indefinite"/></ellipse><rect x="4" y="16" width="0" height="4"><animate attributeName="width" from="0" to="16" dur="1s" repeatCount="indefinite"/></rect><g opacity="0"><circle cx="18" cy="18" r="4"/><animate attributeName="opacity" from="0" to="1" dur="1s" repeatCount="indefinite"/></g>',
    ),
    'set after a while': moved(
      square('', '<set attributeName="fill" to="#00c" begin="0.4s" dur="9s"/>') +
        '<rect display="none" x="12" y="12" width="9" height="9"><set attributeName="display" to="inline" begin="0.4s" dur="9s"/></rect>',
    ),
    'keyframes by a class': moved(
      `<style>${spin}.a{animation:spin 1s linear infinite;transform-origin:12px 12px}</style>${square('class="a" transform="translate(3 4)"')}`,
    ),
    'keyframes around the own middle': moved(
      `<style>${spin}path{animation:spin 1s linear infinite;transform-box:fill-box;transform-origin:center}</style><g transform="translate(6 7)">${square('')}</g>`,
    ),
    'keyframes by an attribute': moved(
      `<style>${spin}</style>${square('style="animation:spin 1s linear infinite;transform-origin:8px 8px"')}`,
    ),
    'a drawn line': moved(
      '<style>@keyframes draw{from{stroke-dashoffset:40}to{stroke-dashoffset:0}}path{stroke-dasharray:40;animation:draw 1s linear infinite}</style><path d="M2 2L20 4 6 20z" fill="none" stroke="#00c" stroke-width="2"/>',
    ),
    'sizes by keyframes': moved(
      '<style>@keyframes grow{from{r:2px;cx:4px}to{r:9px;cx:14px}}circle{animation:grow 1s linear infinite}</style><circle cx="4" cy="12" r="2"/>',
    ),
  };

  /** Pictures of an SVG at several times, as data. @param {Page} page @param {string} svg */
  async function frames(page, svg) {
    await page.setContent(svg);
    const found = [];
    for (const seconds of [0, 0.25, 0.5, 0.8]) {
      await page.evaluate((seconds) => {
        const root = /** @type {SVGSVGElement} */ (document.querySelector('svg'));
        root.pauseAnimations();
        root.setCurrentTime(seconds);
        for (const one of document.getAnimations()) {
          one.pause();
          one.currentTime = 1000 * seconds;
        }
      }, seconds);
      found.push((await page.locator('svg').screenshot()).toString('base64'));
    }
    return found;
  }

  test('what moves is the same at several times, at both levels', async () => {
    const tool = await load();
    const other = await onBlankPage(async (page) => {
      const other = [];
      for (const [name, text] of Object.entries(ANIMATED)) {
        const before = await frames(page, text);
        assert.ok(new Set(before).size > 1, `${name} does not move`);
        for (const level of ['safe', 'strong']) {
          const { outputs } = await runTool(tool, { text, level });
          const after = await frames(page, outputs.svg.text);
          if (after.join() !== before.join()) other.push(`${name}, ${level}: ${outputs.svg.text}`);
        }
      }
      return other;
    });
    assert.deepEqual(other, []);
  });
});

of('image-converter', () => {
  const CORNERS = /** @type {[number, number][]} */ ([
    [0.1, 0.1],
    [0.9, 0.1],
    [0.1, 0.9],
    [0.9, 0.9],
  ]);
  /** A picture of 64 by 32 pixels: red, green / blue, white. @param {string} type */
  const picture = (type) =>
    onBlankPage((page) =>
      page.evaluate(async (type) => {
        const canvas = new OffscreenCanvas(64, 32);
        const context = canvas.getContext('2d');
        for (const [at, color] of ['#f00', '#0f0', '#00f', '#fff'].entries()) {
          if (!context) continue;
          context.fillStyle = color;
          context.fillRect(32 * (at % 2), 16 * Math.floor(at / 2), 32, 16);
        }
        const blob = await canvas.convertToBlob({ type, quality: 1 });
        return Array.from(new Uint8Array(await blob.arrayBuffer()));
      }, type),
    );
  /** The JPEG with an EXIF segment that states its orientation. @param {number[]} jpeg @param {number} orientation */
  const turned = (jpeg, orientation) => {
    const tiff = [
      0x4d,
      0x4d,
      0,
      42,
      0,
      0,
      0,
      8,
      0,
      1,
      1,
      0x12,
      0,
      3,
      0,
      0,
      0,
      1,
      0,
      orientation,
      0,
      0,
    ];
    const exif = [...Buffer.from('Exif\0\0'), ...tiff, 0, 0, 0, 0];
    return Buffer.from([
      ...jpeg.slice(0, 2),
      0xff,
      0xe1,
      0,
      exif.length + 2,
      ...exif,
      ...jpeg.slice(2),
    ]);
  };
  /** @param {Page} page @param {{ name: string, mimeType: string, buffer: Buffer }[]} chosen */
  const give = (page, chosen) => page.locator('input[type=file]').first().setInputFiles(chosen);

  test('the eight EXIF orientations are turned upright', async () => {
    const jpeg = await picture('image/jpeg');
    const { page, close } = await visit('image-converter', '', { acceptDownloads: true });
    const chosen = Array.from({ length: 8 }, (_, at) => ({
      name: `${at + 1}.jpg`,
      mimeType: 'image/jpeg',
      buffer: turned(jpeg, at + 1),
    }));
    await give(page, chosen);
    await reaches(page, 'done');
    // It is no warning.
    assert.equal(await page.locator('[data-warnings] li').count(), 0);
    const below = page.locator('[data-output=headline] .soft');
    assert.equal(await below.innerText(), 'Metadata was removed: EXIF without camera data.');
    const { unzipSync } = await import('../libraries/fflate.js');
    const archive = unzipSync((await saved(page, 'archive')).bytes);
    const [r, g, b, w] = ['red', 'green', 'blue', 'white'];
    const name = (/** @type {string} */ color) =>
      Object.entries({
        red: 'ff0000ff',
        green: '00ff00ff',
        blue: '0000ffff',
        white: 'ffffffff',
      }).find(([, hex]) => distance(hex, color) < 24)?.[0] ?? color;
    await onBlankPage(async (blank) => {
      for (const [at, wanted] of [
        [r, g, b, w],
        [g, r, w, b],
        [w, b, g, r],
        [b, w, r, g],
        [r, b, g, w],
        [b, r, w, g],
        [w, g, b, r],
        [g, w, r, b],
      ].entries()) {
        const bytes = archive[`${at + 1}.png`] ?? new Uint8Array();
        const found = await colorsAt(blank, bytes, 'image/png', CORNERS);
        assert.deepEqual([found.width, found.height], at < 4 ? [64, 32] : [32, 64]);
        assert.deepEqual(found.colors.map(name), wanted, `orientation ${at + 1}`);
      }
    });
    await close();
  });

  test('a JPEG that gets no smaller is kept without its metadata', async () => {
    const jpeg = await onBlankPage((page) =>
      page.evaluate(async () => {
        const canvas = new OffscreenCanvas(160, 80);
        const context = canvas.getContext('2d');
        for (let x = 0; x < 160; x += 1)
          for (let y = 0; y < 80; y += 1) {
            if (!context) continue;
            context.fillStyle = `rgb(${(x * 7919 + y * y * 31) % 256} ${x} ${3 * y})`;
            context.fillRect(x, y, 1, 1);
          }
        const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.25 });
        return Array.from(new Uint8Array(await blob.arrayBuffer()));
      }),
    );
    const { page, close } = await visit('image-converter', '', { acceptDownloads: true });
    const comment = [0xff, 0xfe, 0, 8, ...Buffer.from('Berlin')];
    const buffer = turned([...jpeg.slice(0, 2), ...comment, ...jpeg.slice(2)], 1);
    await give(page, [{ name: 'a.jpg', mimeType: 'image/jpeg', buffer }]);
    await reaches(page, 'done');
    const { name, bytes } = await saved(page, 'picture');
    assert.equal(name, 'a.jpg');
    assert.deepEqual([...bytes], jpeg);
    assert.match((await outputs(page)).results ?? '', /160 × 80/);
    await close();
  });

  test('50 files are returned as a ZIP archive; each has the signature of its type', async () => {
    const buffer = Buffer.from(await picture('image/png'));
    const { page, close } = await visit('image-converter', '', { acceptDownloads: true });
    const { unzipSync } = await import('../libraries/fflate.js');
    await give(
      page,
      Array.from({ length: 50 }, (_, at) => ({ name: `${at}.png`, mimeType: 'image/png', buffer })),
    );
    await reaches(page, 'done');
    for (const [to, ending, signature] of [
      ['png', 'png', '89504e470d0a1a0a'],
      ['jpeg', 'jpg', 'ffd8ff'],
      ['webp', 'webp', '52494646'],
    ]) {
      await select(page, 'to', String(to));
      await until(
        async () => (await outputs(page)).results?.includes(`49.${ending}`),
        `49.${ending}`,
      );
      await reaches(page, 'done');
      const archive = Object.entries(unzipSync((await saved(page, 'archive')).bytes));
      assert.equal(archive.length, 50);
      for (const [name, bytes] of archive) {
        assert.ok(name.endsWith(`.${ending}`), name);
        assert.ok(Buffer.from(bytes).toString('hex').startsWith(String(signature)), name);
      }
    }
    await close();
  });

  test('AVIF only where the browser can encode it', async () => {
    const buffer = Buffer.from(await picture('image/png'));
    const { page, close } = await visit('image-converter');
    const encodes = await page.evaluate(async () => {
      const blob = await new OffscreenCanvas(1, 1)
        .convertToBlob({ type: 'image/avif' })
        .catch(() => undefined);
      return blob?.type === 'image/avif';
    });
    await select(page, 'to', 'avif');
    await give(page, [{ name: 'a.png', mimeType: 'image/png', buffer }]);
    const results = page.locator('[data-output=results]');
    const refusal = page.locator('[data-refusal][data-field=to]');
    if (encodes) await results.filter({ hasText: 'a.avif' }).waitFor();
    else await refusal.filter({ hasText: 'this browser does not encode it' }).waitFor();
    await close();
  });

  test('sizes by fit, and bytes by quality, in each type', async () => {
    const noise = await onBlankPage((page) =>
      page.evaluate(async () => {
        const canvas = new OffscreenCanvas(300, 200);
        const context = canvas.getContext('2d');
        const data = new ImageData(300, 200);
        for (let at = 0; at < data.data.length; at++)
          data.data[at] = at % 4 === 3 ? 255 : (at * 7919 + ((at * at) % 251)) % 256;
        context?.putImageData(data, 0, 0);
        return Array.from(new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer()));
      }),
    );
    const { page, close } = await visit('image-converter', '', { acceptDownloads: true });
    await give(page, [{ name: 'n.png', mimeType: 'image/png', buffer: Buffer.from(noise) }]);
    await reaches(page, 'done');
    await unfold(page);
    for (const name of ['width', 'height']) await page.locator(`[name=${name}]`).fill('100');
    await onBlankPage(async (blank) => {
      for (const [to, fit, width, height] of /** @type {const} */ ([
        ['png', 'inside', 100, 67],
        ['png', 'cover', 100, 100],
        ['jpeg', 'stretch', 100, 100],
        ['webp', 'inside', 100, 67],
      ])) {
        await select(page, 'to', to);
        await select(page, 'fit', fit);
        const ending = to === 'jpeg' ? 'jpg' : to;
        await until(
          async () => (await outputs(page)).results?.includes(`n.${ending}${width} × ${height}`),
          `${to} ${fit}`,
        );
        await reaches(page, 'done');
        const { bytes } = await saved(page, 'picture');
        const found = await colorsAt(blank, bytes, `image/${to}`, []);
        assert.deepEqual([found.width, found.height], [width, height], `${to} ${fit}`);
      }
    });
    // What is set there hides nothing: the button is within reach.
    await page.locator('[data-product]').click({ trial: true, timeout: 5000 });
    for (const name of ['width', 'height']) await page.locator(`[name=${name}]`).fill('');
    await select(page, 'to', 'jpeg');
    await page.locator('[name=target]').fill('20');
    await until(async () => (await outputs(page)).results?.includes('n.jpg300 × 200'), '20 KiB');
    await reaches(page, 'done');
    const { bytes } = await saved(page, 'picture');
    assert.ok(bytes.length <= 20 * 1024 && bytes.length > 10 * 1024, String(bytes.length));
    const warning = page.locator('[data-warnings] li');
    assert.equal(await warning.filter({ hasText: 'no quality makes it' }).count(), 0);
    await unfold(page);
    await page.locator('[name=target]').fill('1');
    await warning.filter({ hasText: 'n.png: no quality makes it as small as 1 KiB' }).waitFor();
    await close();
  });

  test('transparency is kept, or filled with the background in JPEG; a damaged file is reported', async () => {
    const { writePng } = await import('../lib/image/png.js');
    const png = Buffer.from(await writePng(8, 8, new Uint8Array(8 * 8 * 4)));
    const { page, close } = await visit('image-converter', '', { acceptDownloads: true });
    await give(page, [{ name: 'a.png', mimeType: 'image/png', buffer: png }]);
    await reaches(page, 'done');
    await onBlankPage(async (blank) => {
      const { bytes } = await saved(page, 'picture');
      assert.deepEqual((await colorsAt(blank, bytes, 'image/png', [[0.5, 0.5]])).colors, [
        '00000000',
      ]);
      await select(page, 'to', 'jpeg');
      await unfold(page);
      await page.locator('[name=ground]').last().fill('#ff0000');
      await until(async () => (await outputs(page)).results?.includes('a.jpg'), 'a.jpg');
      await reaches(page, 'done');
      const jpeg = await saved(page, 'picture');
      const { colors } = await colorsAt(blank, jpeg.bytes, 'image/jpeg', [[0.5, 0.5]]);
      assert.ok(distance(colors[0] ?? '', 'ff0000ff') < 8, String(colors[0]));
    });
    await give(page, [{ name: 'cut.png', mimeType: 'image/png', buffer: png.subarray(0, 45) }]);
    await page.locator('[data-refusal]').filter({ hasText: 'cut.png' }).waitFor();
    await close();
  });
});

of('qr-code-generator', () => {
  test('a contact may be filled in by the browser, and nothing else may', async () => {
    const { page, close } = await visit('qr-code-generator');
    const named = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('#tool-place .lines-pane input')]
          .filter((input) => input.checkVisibility())
          .map((input) => [input.getAttribute('name'), input.getAttribute('autocomplete')]),
      );
    await select(page, 'kind', 'vcard');
    await becomes(named, [
      ['name', 'name'],
      ['organization', 'organization'],
      ['role', 'organization-title'],
      ['email', 'email'],
      ['url', 'url'],
      ['address', 'street-address'],
      ['number', 'tel'],
    ]);
    // As a browser fills in: values and events, without keys.
    await page.evaluate(() => {
      for (const [name, value] of [
        ['name', 'Ada Lovelace'],
        ['email', 'ada@example.org'],
      ]) {
        const input = /** @type {HTMLInputElement} */ (document.querySelector(`[name=${name}]`));
        input.value = value ?? '';
        input.dispatchEvent(new Event('input', { bubbles: true }));
        input.dispatchEvent(new Event('change', { bubbles: true }));
      }
    });
    await until(
      async () => /FN:Ada Lovelace/.test((await outputs(page)).content ?? ''),
      'the card',
    );
    assert.match((await outputs(page)).content ?? '', /EMAIL:ada@example\.org/);
    await select(page, 'kind', 'wifi');
    await until(
      async () => (await named()).every(([, fills]) => fills === 'off'),
      'no network may be filled in',
    );
    await close();
  });

  test('its own PNG is decoded, and other pictures are refused', async () => {
    const { page, close } = await visit('qr-code-generator', '', { acceptDownloads: true });
    await page.locator('[name=text]').fill('Grüße, 100 % – 日本');
    await until(async () => (await outputs(page)).content === 'Grüße, 100 % – 日本', 'the content');
    await reaches(page, 'done');
    const { bytes } = await saved(page, 'png');
    await page.locator('[name=text]').fill('another');
    const give = (/** @type {Buffer} */ buffer) =>
      page
        .locator('[name=image]')
        .setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer });
    const read = page.getByRole('button', { name: 'Read the image' });
    await page.locator('details.more > summary').click();
    await give(Buffer.from(bytes));
    await read.click();
    await until(
      async () => (await page.locator('[name=text]').inputValue()) === 'Grüße, 100 % – 日本',
      'read',
    );
    const { writePng } = await import('../lib/image/png.js');
    await give(Buffer.from(await writePng(40, 40, new Uint8Array(40 * 40 * 4).fill(255))));
    await read.click();
    await page.getByText('shows no QR code that can be read').first().waitFor();
    await give(Buffer.from('x'));
    await read.click();
    await page.getByText('is not an image that this browser can read').first().waitFor();
    await close();
  });
});

of('qr-code-generator', () => {
  test('a logo is drawn in the middle, and the code is still read', async () => {
    const { writePng } = await import('../lib/image/png.js');
    const { page, close } = await visit('qr-code-generator', '', { acceptDownloads: true });
    const red = new Uint8Array(8 * 8 * 4).map((_, at) => ((at % 4) % 3 === 0 ? 255 : 0));
    const buffer = Buffer.from(await writePng(8, 8, red));
    await page.locator('[name=text]').fill('Grüße');
    await page
      .locator('[name=logo]')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
    await page
      .locator('[data-warnings] li')
      .filter({ hasText: 'The error correction is high' })
      .waitFor();
    await reaches(page, 'done');
    const { bytes } = await saved(page, 'png');
    const { bytes: svg } = await saved(page, 'code');
    assert.match(svg.toString(), /<image [^>]*href="data:image\/png;base64,/);
    await onBlankPage(async (blank) => {
      const { colors } = await colorsAt(blank, bytes, 'image/png', [[0.5, 0.5]]);
      assert.deepEqual(colors, ['ff0000ff']);
    });
    await page
      .locator('[name=logo]')
      .setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('x') });
    await page.getByText('is not an image that this browser can read').first().waitFor();
    await close();
  });
});

of('color-picker', () => {
  test('a pixel of an image, with the pointer and with the keys', async () => {
    const { writePng } = await import('../lib/image/png.js');
    const row = ['ff0000ff', '00ff00ff', '123456ff', '0000ffff'];
    const line = Buffer.from(row.join(''), 'hex');
    const buffer = Buffer.from(await writePng(4, 2, new Uint8Array([...line, ...line])));
    const { page, close } = await visit('color-picker');
    await page
      .locator('[data-output=picker] input[type=file]')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
    const canvas = page.locator('[data-output=picker] canvas');
    const status = page.locator('[data-output=picker] [role=status]');
    // Its size does not change any more once the image is drawn, and the sentence comes after that.
    await status.filter({ hasText: 'Press a pixel of the image' }).waitFor();
    const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
    const color = () => page.locator('input[type=text][name=color]').inputValue();
    for (const [at, hex] of row.entries()) {
      await canvas.click({ position: { x: (width * (at + 0.5)) / 4, y: height / 2 } });
      await until(async () => (await color()) === `#${hex.slice(0, 6)}`, hex);
    }
    await canvas.focus();
    await page.keyboard.press('ArrowLeft');
    await status.filter({ hasText: /Column 3.*#123456/ }).waitFor();
    await page.keyboard.press('Enter');
    await until(async () => (await color()) === '#123456', 'the key picks');
    await page
      .locator('[data-output=picker] input[type=file]')
      .setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: Buffer.from('x') });
    await status.filter({ hasText: 'b.png is not an image' }).waitFor();
    await close();
  });

  test('the picker next to a color shows any notation, and nothing for invalid text', async () => {
    const { page, close } = await visit('contrast-checker');
    const [text, pick] = ['[name=text]', '.pair:has([name=text]) .pick'].map((one) =>
      page.locator(one).first(),
    );
    const sample = () =>
      pick?.evaluate((node) =>
        node.firstElementChild?.getAttribute('style')?.slice('--color: '.length, -1),
      );
    const isUnset = () => pick?.evaluate((node) => node.classList.contains('unset'));
    for (const [written, shown] of /** @type {const} */ ([
      ['white', '#ffffff'],
      ['#777', '#777777'],
      ['hsl(120 100% 50%)', '#00ff00'],
      ['rgb(255 0 0 / 50%)', '#ff000080'],
      ['0ea5e9', '#0ea5e9'],
      ['oklch(1 0 0)', '#ffffff'],
    ])) {
      await text?.fill(written);
      await becomes(sample, shown, written);
      await becomes(isUnset, false, written);
    }
    for (const written of ['', 'whit', 'transparent']) {
      await text?.fill(written);
      await becomes(isUnset, true, written);
    }
    await close();
  });

  test('the color field: by keys, by the pointer, and of a typed color', async () => {
    const { page, close } = await visit('color-picker', '#color=%23ff0000');
    const color = page.locator('input[name=color]');
    const plane = page.getByRole('slider', { name: 'Saturation and brightness' });
    const [hue, alpha] = ['Hue', 'Opacity'].map((name) => page.getByRole('slider', { name }));
    const said = (/** @type {string} */ wanted) =>
      becomes(() => plane.getAttribute('aria-valuetext'), wanted);
    await said('saturation 100 %, brightness 100 %');
    await color.focus();
    await page.keyboard.press('Tab');
    for (const key of ['Shift+ArrowLeft', 'ArrowLeft', 'PageDown', 'ArrowDown'])
      await page.keyboard.press(key);
    await said('saturation 89 %, brightness 89 %');
    await becomes(() => color.inputValue(), '#e31919');
    await page.keyboard.press('Home');
    await becomes(() => color.inputValue(), '#e3e3e3');
    await page.keyboard.press('End');
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    assert.equal(await hue?.inputValue(), '360');
    await hue?.fill('120');
    await becomes(() => color.inputValue(), '#00e300');
    await alpha?.fill('50');
    await becomes(() => color.inputValue(), '#00e30080');
    await becomes(async () => (await outputs(page)).headline, '#00e30080');
    const {
      x = 0,
      y = 0,
      width = 0,
      height = 0,
    } = (await page.locator('.color-plane').boundingBox()) ?? {};
    await page.mouse.move(x + width / 4, y + height / 4);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await said('saturation 50 %, brightness 50 %');
    await color.fill('gray');
    await said('saturation 0 %, brightness 50 %');
    assert.equal(await hue?.inputValue(), '120', 'a gray keeps the hue');
    await close();
  });

  test('a swatch opens the color field, and Escape returns to it', async () => {
    const { page, close } = await visit('contrast-checker', '#text=%23777777&ground=white');
    const pick = page.getByRole('button', { name: 'Pick: Text color' });
    await pick.focus();
    await page.keyboard.press('Enter');
    const field = page.getByRole('dialog', { name: 'Text color' });
    const plane = field.getByRole('slider', { name: 'Saturation and brightness' });
    await until(() => plane.evaluate((node) => node === document.activeElement), 'the focus');
    await page.keyboard.press('Shift+ArrowDown');
    await becomes(() => page.locator('[name=text]').inputValue(), '#5e5e5e');
    await until(async () => (await outputs(page)).headline?.startsWith('6.'), 'the contrast');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'hidden' });
    await until(() => pick.evaluate((node) => node === document.activeElement), 'the focus');
    await close();
  });

  test('the eye dropper: a color, cancelled, failed, missing', async () => {
    for (const [script, wanted] of /** @type {[string, RegExp][]} */ ([
      ["open: async () => ({ sRGBHex: '#aabbcc' })", /#aabbcc was picked/],
      ["open: async () => { throw new DOMException('x', 'AbortError'); }", /was cancelled/],
      [
        "open: async () => { throw new DOMException('Not now.', 'InvalidStateError'); }",
        /did not open its eye dropper: Not now\./,
      ],
    ])) {
      const { context, page, close } = await openPage();
      await context.addInitScript(
        `globalThis.EyeDropper = class { constructor() { Object.assign(this, { ${script} }); } };`,
      );
      await page.goto(`${web()}/tools/color-picker`);
      await page.getByRole('button', { name: 'Pick from the screen' }).click();
      await until(
        async () => wanted.test(await page.locator('.color-field [role=status]').innerText()),
        String(wanted),
      );
      await close();
    }
    const { context, page, close } = await openPage();
    await context.addInitScript('delete globalThis.EyeDropper;');
    await page.goto(`${web()}/tools/color-picker`);
    await page.getByText('This browser has no eye dropper').waitFor();
    await close();
  });
});

of('gradient-generator', () => {
  test('stops are added, dragged, moved by keys, colored and removed', async () => {
    const { page, close } = await visit('gradient-generator');
    await reaches(page, 'done');
    const css = async () => (await outputs(page)).css;
    const bar = page.locator('.gradient-bar');
    const stop = (/** @type {number} */ number) =>
      page.getByRole('slider', { name: `Stop ${number}`, exact: true });
    const { x = 0, y = 0, width = 0, height = 0 } = (await bar.boundingBox()) ?? {};
    const at = (/** @type {number} */ percent) => x + (width * percent) / 100;
    // As slowly as a person: what opens with a press has been loaded by then.
    await page.mouse.click(at(50), y + height / 2, { delay: 200 });
    await becomes(css, 'background: linear-gradient(#0ea5e9 0%, #5b7df0 50%, #a855f7 100%);\n');
    await page.mouse.move(at(50), y + height / 2);
    await page.mouse.down();
    await page.mouse.move(at(60), y + height / 2, { steps: 3 });
    await page.mouse.move(at(75), y + height / 2, { steps: 3 });
    await page.mouse.up();
    await becomes(css, 'background: linear-gradient(#0ea5e9 0%, #5b7df0 75%, #a855f7 100%);\n');
    assert.equal(await page.locator('[popover]:popover-open').count(), 0, 'a drag opens nothing');
    await stop(2).focus();
    for (const key of ['Shift+ArrowLeft', 'ArrowRight']) await page.keyboard.press(key);
    await becomes(() => stop(2).getAttribute('aria-valuetext'), '66 %, #5b7df0');
    await page.keyboard.press('Enter');
    const plane = page
      .getByRole('dialog', { name: 'Color of the stop' })
      .getByRole('slider', { name: 'Saturation and brightness' });
    await until(() => plane.evaluate((node) => node === document.activeElement), 'the focus');
    await page.keyboard.press('Home');
    await becomes(css, 'background: linear-gradient(#0ea5e9 0%, #f0f0f0 66%, #a855f7 100%);\n');
    await page.keyboard.press('Escape');
    await until(() => stop(2).evaluate((node) => node === document.activeElement), 'the focus');
    await page.keyboard.press('Delete');
    await becomes(css, 'background: linear-gradient(#0ea5e9 0%, #a855f7 100%);\n');
    await page.keyboard.press('Delete');
    await becomes(() => page.getByRole('slider', { name: /^Stop \d/ }).count(), 2);
    await page.getByRole('button', { name: 'Reverse' }).click();
    await becomes(css, 'background: linear-gradient(#a855f7 0%, #0ea5e9 100%);\n');
    await close();
  });
});

of('contrast-checker', (load) => {
  test('axe agrees on 500 pairs', async () => {
    const tool = await load();
    const next = seeded(500);
    const hex = () =>
      `#${next(1 << 24)
        .toString(16)
        .padStart(6, '0')}`;
    const near = (/** @type {string} */ color) =>
      `#${[1, 3, 5]
        .map((at) =>
          Math.min(255, Math.max(0, Number.parseInt(color.slice(at, at + 2), 16) + next(240) - 120))
            .toString(16)
            .padStart(2, '0'),
        )
        .join('')}`;
    const pairs = Array.from({ length: 520 }, (_, at) => {
      const text = hex();
      return at % 2 ? { text, ground: hex() } : { text, ground: near(text) };
    });
    const found = new Map();
    for (let at = 0; at < pairs.length; at += 100) {
      const { outputs } = await runTool(tool, { more: pairs.slice(at, at + 100) });
      for (const [text, ground, ratio, level] of outputs.more.rows)
        found.set(`${text} ${ground}`, [Number.parseFloat(ratio), level !== 'fails']);
    }
    const judged = await onBlankPage(async (page) => {
      await page.setContent(
        `<!doctype html><html lang="en"><title>x</title><main>${pairs.map(({ text, ground }) => `<p style="color:${text};background:${ground};font-size:16px">sample</p>`).join('')}`,
      );
      await page.evaluate(AXE);
      return page.evaluate(async () => {
        const { violations, passes } = await /** @type {any} */ (globalThis).axe.run(document, {
          runOnly: ['color-contrast'],
        });
        const of = (/** @type {any[]} */ rules, /** @type {boolean} */ isPassed) =>
          rules.flatMap(({ nodes }) =>
            nodes.map((/** @type {any} */ { any }) => ({ ...any[0].data, isPassed })),
          );
        return [...of(violations, false), ...of(passes, true)];
      });
    });
    // axe leaves out pairs of the same color.
    assert.ok(judged.length >= 500, String(judged.length));
    for (const { fgColor, bgColor, contrastRatio, isPassed } of judged) {
      const [ratio, passes] = found.get(`${fgColor} ${bgColor}`) ?? [];
      assert.ok(
        Math.abs(ratio - contrastRatio) <= 0.0101,
        `${fgColor} on ${bgColor}: ${ratio}, axe ${contrastRatio}`,
      );
      assert.equal(passes, isPassed, `${fgColor} on ${bgColor}`);
    }
  });
});

of('gradient-generator', (load) => {
  test('Chromium accepts each CSS, and draws the same pixels', async () => {
    const tool = await load();
    const { fields } = tool;
    const next = seeded(21);
    const pick = (/** @type {object} */ choices) =>
      Object.keys(choices)[next(Object.keys(choices).length)];
    const [width, height] = [120, 80];
    /** @type {{ values: any, css: string, png: Uint8Array }[]} */
    const cases = [];
    for (let round = 0; round < 60; round++) {
      const count = 2 + next(3);
      const stops = Array.from({ length: count }, (_, at) => ({
        color: `#${next(1 << 24)
          .toString(16)
          .padStart(6, '0')}${next(4) === 0 ? '80' : ''}`,
        at: Math.round((at * 100) / (count - 1)),
      }));
      const values = {
        kind: pick(fields.kind.choices),
        space: pick(fields.space.choices),
        hue: pick(fields.hue.choices),
        angle: next(361),
        shape: pick(fields.shape.choices),
        x: next(101),
        y: next(101),
        stops,
        width,
        height,
      };
      const { outputs, refusal } = await runTool(tool, values);
      assert.equal(refusal, undefined, JSON.stringify(values));
      cases.push({ values, css: outputs.css.text, png: outputs.picture.data });
    }
    await onBlankPage(async (page) => {
      await page.setViewportSize({ width, height });
      const points = Array.from(
        { length: 25 },
        () => /** @type {[number, number]} */ ([next(100) / 100, next(100) / 100]),
      );
      for (const { values, css, png } of cases) {
        for (const [, declaration = ''] of css.matchAll(/background: (.*);/g))
          assert.ok(
            await page.evaluate((one) => CSS.supports('background', one), declaration),
            declaration,
          );
        await page.setContent(
          `<style>html{background:white}body{margin:0;width:${width}px;height:${height}px;${css}}</style><body>`,
        );
        // Chromium clips colors outside sRGB, the tool maps them.
        if (/lch/.test(values.space)) continue;
        const drawn = await colorsAt(page, await page.screenshot(), 'image/png', points);
        const own = await colorsAt(page, png, 'image/png', points);
        const wrong = drawn.colors.filter((color, at) => {
          const [r = 0, g = 0, b = 0, a = 0] = Buffer.from(own.colors[at] ?? '', 'hex');
          const over = [r, g, b].map((byte) => Math.round((byte * a + 255 * (255 - a)) / 255));
          return distance(color, `${Buffer.from(over).toString('hex')}ff`) > 6;
        });
        assert.ok(wrong.length <= 1, `${JSON.stringify(values)}: ${css} ${wrong}`);
      }
    });
  });

  test('the stops have their colors in every space', async () => {
    const tool = await load();
    const stops = [
      { color: '#d02030', at: 0 },
      { color: '#20a060', at: 40 },
      { color: '#3040c0', at: 100 },
    ];
    const width = 1000;
    await onBlankPage(async (page) => {
      await page.setViewportSize({ width, height: 2 });
      for (const space of Object.keys(tool.fields.space.choices)) {
        const { outputs } = await runTool(tool, { space, stops, angle: 90, width, height: 2 });
        await page.setContent(
          `<style>html{background:white}body{margin:0;width:${width}px;height:2px;${outputs.css.text}}</style><body>`,
        );
        for (const bytes of [await page.screenshot(), outputs.picture.data]) {
          const places = /** @type {[number, number][]} */ (stops.map(({ at }) => [at / 100, 0]));
          const { colors } = await colorsAt(page, bytes, 'image/png', places);
          for (const [at, { color }] of stops.entries())
            assert.ok(
              distance(colors[at] ?? '', `${color.slice(1)}ff`) <= 3,
              `${space}: ${colors[at]} for ${color}`,
            );
        }
      }
    });
  });
});

/** Opens the folded options. @param {import('playwright-core').Page} page */
async function unfold(page) {
  const folded = page.locator('details.more:not([open]) > summary');
  if (await folded.count()) await folded.click();
}
