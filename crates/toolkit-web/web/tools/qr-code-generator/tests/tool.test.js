//! QR code generator: capacities of ISO/IEC 18004, decoding, payloads and refusals.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { writePng } from '../../../lib/image/png.js';
import decodeQR from '../../../libraries/qr-decode.js';
import { runAction, runTool, seeded } from '../../../tests/run.mjs';
import { capacity, modeOf, modulesOf, pixelsOf, smallestVersion } from '../code.js';
import { hidden, paste } from '../logo.js';
import { event, mailto, vcard, wifi } from '../payloads.js';
import tool from '../tool.js';

/** @typedef {import('../../../kit/types.d.ts').RawValues<typeof tool.fields>} Raw */

const LEVELS = /** @type {const} */ (['low', 'medium', 'quartile', 'high']);

/** @param {boolean[][]} modules */
function read(modules) {
  const scale = 4;
  const margin = 4;
  const size = (modules.length + 2 * margin) * scale;
  const data = new Uint8Array(size * size * 4).fill(255);
  for (const [y, row] of modules.entries())
    for (const [x, on] of row.entries())
      for (let at = 0; on && at < scale * scale; at++) {
        const pixel =
          ((y + margin) * scale + Math.floor(at / scale)) * size +
          (x + margin) * scale +
          (at % scale);
        data.fill(0, pixel * 4, pixel * 4 + 3);
      }
  return decodeQR({ width: size, height: size, data });
}

describe('qr code generator', () => {
  for (const [level, version, numeric, alphanumeric, byte] of /** @type {const} */ ([
    ['low', 1, 41, 25, 17],
    ['medium', 1, 34, 20, 14],
    ['quartile', 1, 27, 16, 11],
    ['high', 1, 17, 10, 7],
    ['low', 10, 652, 395, 271],
    ['high', 27, 1501, 910, 625],
    ['low', 40, 7089, 4296, 2953],
    ['medium', 40, 5596, 3391, 2331],
    ['quartile', 40, 3993, 2420, 1663],
    ['high', 40, 3057, 1852, 1273],
  ]))
    test(`ISO/IEC 18004 table 7: version ${version}, ${level}`, async () => {
      assert.equal(capacity(version, level, 'numeric'), numeric);
      assert.equal(capacity(version, level, 'alphanumeric'), alphanumeric);
      assert.equal(capacity(version, level, 'byte'), byte);
      const texts = /** @type {[string, number][]} */ ([
        ['7', numeric],
        ['Q', alphanumeric],
        ['q', byte],
      ]);
      for (const [one, most] of texts) {
        assert.equal(smallestVersion(one.repeat(most), level), version);
        modulesOf(one.repeat(most), level, version);
        const { refusal } = await runTool(tool, { text: one.repeat(most + 1), level, version });
        assert.match(
          String(refusal?.sentence),
          new RegExp(`^Version must hold ${most + 1} \\w+, 1 more than version ${version} does`),
        );
      }
    });

  test('1,000 payloads at 4 levels are decoded again', () => {
    const random = seeded(11);
    const alphabets = [
      '0123456789',
      '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:',
      'abcäöü€😀 ,;:"\\ABC',
    ];
    for (let payload = 0; payload < 1000; payload++) {
      const characters = [...(alphabets[payload % 3] ?? '')];
      const text = Array.from(
        { length: 1 + random(60) },
        () => characters[random(characters.length)],
      ).join('');
      for (const level of LEVELS) {
        const version = smallestVersion(text, level);
        assert.equal(read(modulesOf(text, level, version ?? 0)), text, `${modeOf(text)} ${level}`);
      }
    }
  });

  test('ZBar decodes the PNG', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'qr-'));
    try {
      const { outputs } = await runTool(tool, { text: 'Grüße, 100 %' });
      const file = join(folder, 'code.png');
      writeFileSync(file, outputs.png.data);
      // As bytes: without them, ZBar guesses the encoding of short texts.
      const zbar = spawnSync('zbarimg', ['--quiet', '--raw', '-Sbinary', file]);
      if (zbar.error) return t.skip('zbarimg is not installed');
      assert.equal(zbar.stdout.toString().trimEnd(), 'Grüße, 100 %');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('ZBar decodes 1,000 payloads at 4 levels', async (t) => {
    if (spawnSync('zbarimg', ['--version']).error) return t.skip('zbarimg is not installed');
    const folder = mkdtempSync(join(tmpdir(), 'qr-'));
    const random = seeded(12);
    const look = { margin: 4, scale: 3, dark: [0, 0, 0], light: [255, 255, 255] };
    const alphabets = ['0123456789', 'ABCXYZ0189 $%*+-./:', 'abcXYZ,;:"\\@#~{}[]<>09'];
    try {
      /** @type {string[]} */
      const texts = [];
      for (let payload = 0; payload < 1000; payload++) {
        const characters = alphabets[payload % 3] ?? '';
        const body = Array.from(
          { length: random(60) },
          () => characters[random(characters.length)],
        );
        const text = `${characters[0]}${body.join('')}${characters[1]}`;
        for (const level of LEVELS) {
          const modules = modulesOf(text, level, smallestVersion(text, level) ?? 0);
          const { size, pixels } = pixelsOf(modules, look);
          const file = `${String(texts.length).padStart(4, '0')}.png`;
          writeFileSync(join(folder, file), await writePng(size, size, pixels));
          texts.push(text);
        }
      }
      for (let from = 0; from < texts.length; from += 1000) {
        const files = texts
          .slice(from, from + 1000)
          .map((_, at) => `${String(from + at).padStart(4, '0')}.png`);
        const options = ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable'];
        const { stdout } = spawnSync('zbarimg', [...options, ...files], {
          cwd: folder,
          encoding: 'utf8',
        });
        assert.deepEqual(stdout.split('\n').slice(0, -1), texts.slice(from, from + 1000));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('text that is not ASCII is marked as UTF-8; ZBar does not guess it', async (t) => {
    const { outputs } = await runTool(tool, { text: 'ÄÖ' });
    const { pairs } = outputs.facts;
    assert.deepEqual(pairs[1], ['Mode', 'byte, marked as UTF-8 (ECI 26)']);
    assert.equal(capacity(1, 'low', 'utf8'), 16);
    assert.equal(capacity(40, 'high', 'utf8'), 1272);
    for (const version of [1, 9, 10, 27, 40])
      for (const level of LEVELS) {
        const full = `é${'z'.repeat(capacity(version, level, 'utf8') - 2)}`;
        assert.equal(smallestVersion(full, level), version);
        assert.equal(read(modulesOf(full, level, version)), full);
      }
    const folder = mkdtempSync(join(tmpdir(), 'qr-'));
    try {
      for (const text of ['ÄÖ', 'é', '日本', 'ｱ', 'Ω', '😀']) {
        const file = join(folder, 'code.png');
        writeFileSync(file, (await runTool(tool, { text })).outputs.png.data);
        const zbar = spawnSync('zbarimg', ['--quiet', '--raw', file]);
        if (zbar.error) return t.skip('zbarimg is not installed');
        assert.equal(zbar.stdout.toString().trimEnd(), text);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('a code is read with a logo of any color in its middle', () => {
    const look = { margin: 4, scale: 4, dark: [0, 0, 0], light: [255, 255, 255] };
    for (const version of [1, 2, 3, 5, 6, 7, 10, 14, 20]) {
      const text = 'q'.repeat(capacity(version, 'high', 'byte'));
      const modules = modulesOf(text, 'high', version);
      const side = hidden(modules.length) * look.scale;
      for (const color of [0, 128, 255]) {
        const { size, pixels } = pixelsOf(modules, look);
        paste(pixels, size, new Uint8Array(side * side * 4).fill(color), side);
        const center = (size * size + size) * 2;
        assert.deepEqual([...pixels.subarray(center, center + 3)], [color, color, color]);
        assert.equal(decodeQR({ width: size, height: size, data: pixels }), text);
      }
    }
  });

  test('a PNG has the right size and signature', async () => {
    const look = { margin: 4, scale: 3, dark: [0, 0, 0], light: [255, 255, 255] };
    const { size, pixels } = pixelsOf(modulesOf('a', 'low', 1), look);
    const png = await writePng(size, size, pixels);
    assert.deepEqual([...png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
    assert.equal(new DataView(png.buffer).getUint32(16), (21 + 8) * 3);
  });

  test('payloads are escaped', () => {
    const network = { ssid: 'a;b,c:d"e\\f', security: 'WPA', password: 'pa;ss:wd', hidden: true };
    assert.equal(wifi(network), 'WIFI:T:WPA;S:a\\;b\\,c\\:d\\"e\\\\f;P:pa\\;ss\\:wd;H:true;;');
    assert.equal(
      wifi({ ...network, security: 'nopass', hidden: false }),
      'WIFI:T:nopass;S:a\\;b\\,c\\:d\\"e\\\\f;;',
    );
    assert.equal(
      wifi({
        ...{ ssid: 'a;b', security: 'WPA2-EAP', password: 'p', hidden: false },
        ...{ eap: 'PEAP', inner: 'MSCHAPV2', identity: 'anna@x', anonymous: '' },
      }),
      'WIFI:T:WPA2-EAP;S:a\\;b;E:PEAP;PH2:MSCHAPV2;I:anna@x;P:p;;',
    );
    assert.equal(
      mailto({ to: 'a+b@example.org', subject: 'A & B', body: 'x\ny' }),
      'mailto:a%2Bb@example.org?subject=A%20%26%20B&body=x%0D%0Ay',
    );
    const person = {
      name: 'Ada King Lovelace',
      organization: 'A; B',
      role: '',
      phone: '+1',
      email: '',
      url: '',
      address: '1, Road\nTown',
    };
    assert.equal(
      vcard(person),
      'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada King Lovelace\r\nN:Lovelace;Ada King;;;\r\nORG:A\\; B\r\nTEL:+1\r\nADR:;;1\\, Road\\nTown;;;;\r\nEND:VCARD\r\n',
    );
    const plan = { title: 'Party', place: '', date: '2026-12-31', from: '', until: '' };
    assert.match(event(plan), /DTSTART;VALUE=DATE:20261231\r\nDTEND;VALUE=DATE:20270101\r\n/);
    assert.match(
      event({ ...plan, from: '18:30', until: '22:00' }),
      /DTSTART:20261231T183000\r\nDTEND:20261231T220000/,
    );
  });

  test('margin and colors have warnings', async () => {
    const { warnings } = await runTool(tool, { text: 'a', margin: 3, dark: '#fff', light: '#eee' });
    assert.equal(warnings.length, 3);
    assert.equal((await runTool(tool, { text: 'a' })).warnings.length, 0);
  });

  test('names of networks have at most 32 bytes, links a scheme', async () => {
    const name = 'ü'.repeat(16);
    const fine = await runTool(tool, { kind: 'wifi', ssid: name, security: 'nopass' });
    assert.equal(fine.outputs.content, `WIFI:T:nopass;S:${name};;`);
    const bare = await runTool(tool, { kind: 'link', link: 'example.org' });
    assert.match(String(bare.warnings), /has no scheme/);
    assert.deepEqual((await runTool(tool, { kind: 'link', link: 'HTTP://x' })).warnings, []);
    const { refusal } = await runAction(tool, 'Read the image');
    assert.equal(refusal?.field, 'image');
  });

  for (const size of [64, 2048])
    for (const margin of [0, 40])
      test(`at the limits: ${size} pixels, margin of ${margin}`, async () => {
        const { outputs, refusal } = await runTool(tool, { text: 'a', size, margin });
        assert.equal(refusal, undefined);
        const wanted = (21 + 2 * margin) * Math.max(1, Math.floor(size / (21 + 2 * margin)));
        const png = new DataView(outputs.png.data.buffer, outputs.png.data.byteOffset);
        assert.equal(png.getUint32(16), wanted);
      });

  for (const [values, field] of /** @type {[Raw, string][]} */ ([
    [{ text: 'x'.repeat(2954), level: 'low' }, 'text'],
    [{ text: 'x'.repeat(18), version: 1, level: 'low' }, 'version'],
    [{ text: 'x'.repeat(8193) }, 'text'],
    [{ text: 'x', dark: 'redd' }, 'dark'],
    [{ text: 'x', light: '#12' }, 'light'],
    [{ text: 'x', version: 41 }, 'version'],
    [{ text: 'x', margin: -1 }, 'margin'],
    [{ text: 'x', margin: 41 }, 'margin'],
    [{ text: 'x', size: 63 }, 'size'],
    [{ text: 'x', size: 2049 }, 'size'],
    [{ kind: 'wifi', ssid: 'ü'.repeat(17) }, 'ssid'],
    [{ kind: 'phone', number: 'call me' }, 'number'],
    [{ kind: 'sms', number: '+' }, 'number'],
    [{ kind: 'place', latitude: 91, longitude: 0 }, 'latitude'],
    [{ kind: 'event', title: 'x', date: '31.12.2026' }, 'date'],
    [{ kind: 'event', title: 'x', date: '2026-12-31', from: '25:00' }, 'from'],
    [{ kind: 'wifi', ssid: 'x', password: 'short' }, 'password'],
  ]))
    test(`refuses ${JSON.stringify(values).slice(0, 60)}`, async () => {
      assert.equal((await runTool(tool, values)).refusal?.field, field);
    });
});
