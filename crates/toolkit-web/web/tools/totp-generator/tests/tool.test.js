//! TOTP Generator: RFC 4226 appendix D, RFC 6238 appendix B, links, QR codes, checking, bad input.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { toBase32 } from '../../../lib/base32.js';
import { readQr } from '../../../lib/image/qr.js';
import { readKeyUri, secretFromBase32, writeKeyUri } from '../../../lib/otp.js';
import encodeQR from '../../../libraries/qr.js';
import { runAction, runTool, seeded, suite } from '../../../tests/run.mjs';
import tool from '../tool.js';

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test('RFC 4226 appendix D and RFC 6238 appendix B: 28 codes', async (t) => {
  const cases = suite(t, 'otp_rfc4226_rfc6238');
  if (!cases) return;
  assert.equal(cases.length, 28);
  for (const { id, kind, input, expect } of cases) {
    const { secret, digits, algorithm, counter = 0, period = 30, time } = input;
    const values = {
      secret,
      digits,
      algorithm,
      kind,
      counter,
      period,
      format: /** @type {const} */ ('text'),
    };
    const { outputs } = await runTool(tool, {
      ...values,
      at: time === undefined ? '' : String(time),
    });
    assert.equal(outputs.code, expect.code, id);
  }
});

test('runs again when the code changes; not for a given moment', async () => {
  const now = await runTool(tool, { secret: SECRET });
  assert.equal(now.again, 10);
  assert.deepEqual(now.outputs.countdown.data, { until: 1_700_000_010, period: 30 });
  assert.equal((await runTool(tool, { secret: SECRET, at: '59' })).again, undefined);
});

test('checks a code within the window, and not outside it', async () => {
  const check = async (/** @type {string} */ code, /** @type {string} */ at, window = 1) =>
    (await runTool(tool, { secret: SECRET, check: code, at, window })).outputs.checked;
  assert.equal(await check('287082', '59'), 'Valid: the current code.');
  assert.equal(await check('287082', '60'), 'Valid: 1 step earlier.');
  assert.equal(await check('287082', '29'), 'Valid: 1 step later.');
  assert.equal(await check('287082', '90'), 'Not valid within the accepted clock drift.');
  assert.equal(await check('287 082', '90', 2), 'Valid: 2 steps earlier.');
  assert.equal(await check('287082', '60', 0), 'Not valid within the accepted clock drift.');
});

test('links parse back exactly, whatever the names', () => {
  const next = seeded(5);
  const letters = ['a', ':', ' ', '/', '?', '&', 'ü', '%', '+', '@', '#', '😀'];
  for (let round = 0; round < 200; round++) {
    const name = (/** @type {string} */ first) =>
      first +
      Array.from({ length: next(8) }, () => letters[next(letters.length)])
        .join('')
        .replaceAll(':', '')
        .trimEnd();
    const key = /** @type {const} */ ({
      kind: 'totp',
      secret: SECRET,
      issuer: name('I'),
      account: name('a'),
      algorithm: 'SHA256',
      digits: 8,
      period: 60,
      counter: 0,
    });
    assert.deepEqual(readKeyUri(writeKeyUri(key)), key);
  }
});

test('Base32 round-trips for every length', () => {
  const next = seeded(6);
  for (let length = 0; length < 100; length++) {
    const bytes = Uint8Array.from({ length }, () => next(256));
    assert.deepEqual(secretFromBase32(toBase32(bytes, 'standard')), bytes);
  }
  assert.deepEqual(
    secretFromBase32('gezd gnbv-gy3t QOJQ===='),
    new TextEncoder().encode('1234567890'),
  );
});

test('Base32 of a length that no number of bytes gives is refused, in a link too', async () => {
  for (const secret of ['A', `${SECRET}A`, 'otpauth://totp/anna?secret=ABCDEF']) {
    const { refusal } = await runTool(tool, { secret });
    assert.match(refusal?.sentence ?? 'accepted', /not a length that Base32 gives/, secret);
  }
});

test('the QR code of the link can be decoded', async () => {
  const { outputs } = await runTool(tool, { secret: SECRET, issuer: 'ACME', account: 'anna' });
  assert.match(outputs.qr.data, /^<svg[^>]*><rect width="100%" height="100%" fill="#fff"\/>/);
  const rows = encodeQR(outputs.link, 'raw', { ecc: 'medium', border: 4 });
  const scale = 4;
  const side = rows.length * scale;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      if (rows[Math.floor(y / scale)]?.[Math.floor(x / scale)])
        data.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
  assert.equal(readQr({ width: side, height: side, data }), outputs.link);
  assert.throws(
    () => readQr({ width: 64, height: 64, data: new Uint8ClampedArray(64 * 64 * 4).fill(255) }),
    /no QR code/,
  );
});

test('buttons: a new secret from the random number generator, and the form from a link', async () => {
  const made = await runAction(tool, 'New secret', { algorithm: 'SHA256' });
  assert.equal(made.values.secret, 'AAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQTCQKRMFYYDENBWHA5DYPQ');
  const filled = await runAction(tool, 'Fill the form from the link', {
    secret: `otpauth://hotp/ACME:a?secret=${SECRET}&counter=7&digits=8`,
  });
  assert.equal(filled.values.kind, 'hotp');
  assert.equal(filled.values.counter, 7);
  assert.equal(filled.values.issuer, 'ACME');
  assert.equal((await runAction(tool, 'Read the QR code')).refusal?.field, 'image');
});

test('a short secret gets a warning', async () => {
  assert.match(String((await runTool(tool, { secret: 'GEZDGNBVGY3TQOI' })).warnings), /72 bits/);
  assert.deepEqual(
    (await runTool(tool, { secret: '00112233445566778899aabbccddeeff', format: 'hex' })).warnings,
    [],
  );
  assert.match(
    String(
      (await runTool(tool, { secret: '00112233445566778899aabbccddee', format: 'hex' })).warnings,
    ),
    /120 bits/,
  );
});

/** A message of Protocol Buffers. @param {[number, string | number | number[]][]} fields @returns {number[]} */
const message = (fields) =>
  fields.flatMap(([field, value]) => {
    if (typeof value === 'number') return [field << 3, value];
    const bytes = typeof value === 'string' ? [...Buffer.from(value)] : value;
    return [(field << 3) | 2, bytes.length, ...bytes];
  });
/** @param {[number, string | number | number[]][]} fields */
const migration = (fields) =>
  `otpauth-migration://offline?data=${encodeURIComponent(Buffer.from(message(fields)).toString('base64'))}`;
const SECRET_BYTES = '12345678901234567890';

test('an export of one account is read as its link', async () => {
  const account = message([
    [1, SECRET_BYTES],
    [2, 'ACME:anna@example.com'],
    [3, 'ACME'],
    [4, 1],
    [5, 2],
    [6, 2],
  ]);
  const link = migration([
    [1, account],
    [2, 1],
    [3, 1],
  ]);
  const { outputs, warnings } = await runTool(tool, { secret: link, at: '59' });
  assert.equal(outputs.code, '94287082');
  assert.match(outputs.link, /^otpauth:\/\/totp\/ACME:anna%40example\.com\?secret=GEZD/);
  assert.deepEqual([outputs.accounts, warnings], [undefined, []]);
  const { values } = await runAction(tool, 'Fill the form from the link', { secret: link });
  assert.deepEqual([values.secret, values.digits, values.issuer], [SECRET, 8, 'ACME']);
});

test('an export of several accounts shows the code and the link of each', async () => {
  const link = migration([
    [
      1,
      message([
        [1, SECRET_BYTES],
        [2, 'a'],
        [4, 1],
        [5, 2],
        [6, 2],
      ]),
    ],
    [
      1,
      message([
        [1, SECRET_BYTES],
        [2, 'B:b'],
        [4, 1],
        [5, 1],
        [6, 1],
        [7, 9],
      ]),
    ],
    [3, 2],
    [4, 1],
  ]);
  const { outputs, warnings } = await runTool(tool, { secret: link, at: '59' });
  assert.equal(outputs.code, '94287082');
  assert.deepEqual(
    outputs.accounts.rows.map((/** @type {string[]} */ row) => row.slice(0, 3)),
    [
      ['', 'a', '94287082'],
      ['B', 'b', '520489'],
    ],
  );
  assert.match(outputs.accounts.rows[1][3], /^otpauth:\/\/hotp\/B:b\?.*counter=9$/);
  assert.match(warnings.join(), /has 2 accounts.*has 2 links or pictures. This is number 2/);
});

for (const [values, field, offence, offset] of /** @type {[any, string, RegExp, number?][]} */ ([
  [{ secret: 'GEZ1' }, 'secret', /"1".*letters A to Z/, 3],
  [{ secret: 'GÉZ' }, 'secret', /"É"/, 1],
  [{ secret: '00 1g', format: 'hex' }, 'secret', /"g"/, 4],
  [{ secret: '001', format: 'hex' }, 'secret', /odd number/],
  [{ secret: '==' }, 'secret', /no bytes/],
  [{ secret: SECRET, digits: 5 }, 'digits', /from 6 to 10/],
  [{ secret: SECRET, digits: 11 }, 'digits', /from 6 to 10/],
  [{ secret: SECRET, period: 0 }, 'period', /from 1 to 86400/],
  [{ secret: SECRET, period: -30 }, 'period', /from 1/],
  [{ secret: SECRET, kind: 'hotp', counter: -1 }, 'counter', /from 0/],
  [{ secret: SECRET, window: 101 }, 'window', /to 100/],
  [{ secret: SECRET, at: 'yesterday' }, 'at', /not a moment/],
  [{ secret: SECRET, at: '1969-12-31T00:00:00Z' }, 'at', /before 1970/],
  [{ secret: SECRET, at: '-5' }, 'at', /before 1970/],
  [{ secret: SECRET, at: '5 May 2024' }, 'at', /not a moment/],
  [{ secret: SECRET, check: '12345' }, 'check', /has 5 digits; codes have 6/],
  [{ secret: SECRET, check: '12a456' }, 'check', /"a"/, 2],
  [{ secret: 'otpauth://totp/?secret=AA' }, 'secret', /empty label/],
  [{ secret: 'otpauth://totp/ACME:?secret=AA' }, 'secret', /without an account/],
  [{ secret: 'otpauth://totp/a' }, 'secret', /is a link without "secret="/],
  [{ secret: 'otpauth-migration://offline' }, 'secret', /an export without "data="/],
  [{ secret: 'otpauth-migration://offline?data=CjEK' }, 'secret', /cut off or was changed/],
  [{ secret: 'otpauth-migration://offline?data=EAE%3D' }, 'secret', /an export without accounts/],
  [{ secret: 'otpauth://hotp/a?secret=AA' }, 'secret', /for hotp without "counter="/],
  [{ secret: 'otpauth://yaotp/a?secret=AA' }, 'secret', /not an otpauth/],
  [
    { secret: 'otpauth://totp/a?secret=AA&digits=0' },
    'secret',
    /as digits; it must be a whole number from 6 to 10/,
  ],
  [{ secret: 'otpauth://totp/a?secret=AA&period=-1' }, 'secret', /as period/],
  [{ secret: 'otpauth://totp/a?secret=AA&algorithm=MD5' }, 'secret', /MD5/],
  [{ secret: 'otpauth://totp/%zz?secret=AA' }, 'secret', /percent-encoding/],
])) {
  test(`refuses ${JSON.stringify(values)}`, async () => {
    const { refusal } = await runTool(tool, values);
    assert.equal(refusal?.field, field, String(refusal?.sentence));
    assert.match(refusal?.sentence ?? '', offence);
    if (offset !== undefined) assert.equal(refusal?.offset, offset);
  });
}

test('at the limits', async () => {
  const ten = await runTool(tool, { secret: SECRET, digits: 10, at: '59' });
  assert.match(ten.outputs.code, /^\d{10}$/);
  const last = await runTool(tool, {
    secret: SECRET,
    kind: 'hotp',
    counter: Number.MAX_SAFE_INTEGER,
  });
  assert.equal(last.outputs.codes.rows.length, 2);
  assert.equal((await runTool(tool, { secret: SECRET, at: '0' })).outputs.codes.rows.length, 2);
  assert.equal(
    (await runTool(tool, { secret: SECRET, period: 86400, at: '59' })).outputs.code,
    '755224',
  );
});

test('codes of Steam Guard, from a link or the choice', async () => {
  // By the algorithm of node-steam-totp, for the secret "12345678901234567890".
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const code = async (/** @type {any} */ values) =>
    (await runTool(tool, { at: '59', ...values })).outputs.code;
  assert.equal(await code({ secret, kind: 'steam' }), STEAM_AT_59);
  for (const link of [
    `steam://${secret}`,
    `otpauth://totp/Steam:a?secret=${secret}&issuer=Steam&encoder=steam`,
  ])
    assert.equal(await code({ secret: link }), STEAM_AT_59, link);
  const { outputs } = await runTool(tool, {
    secret,
    kind: 'steam',
    at: '59',
    check: STEAM_AT_59.toLowerCase(),
  });
  assert.equal(outputs.checked, 'Valid: the current code.');
});

/** Step 1 by Node's HMAC: 31 bits of the digest, in base 26 from the last place. */
const STEAM_AT_59 = (() => {
  const digest = createHmac('sha1', '12345678901234567890')
    .update(Buffer.from('0000000000000001', 'hex'))
    .digest();
  let bits = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  let code = '';
  for (let at = 0; at < 5; at++) {
    code += '23456789BCDFGHJKMNPQRTVWXY'[bits % 26];
    bits = Math.floor(bits / 26);
  }
  return code;
})();

test('links of apps that write groups, form encoding, and no issuer', async () => {
  const link = async (/** @type {string} */ secret) =>
    (await runTool(tool, { secret: `otpauth://totp/${secret}`, at: '59' })).outputs.link;
  assert.match(
    await link('a?secret=ABCD+EFGH&issuer&algorithm=SHA1'),
    /totp\/a\?secret=ABCDEFGH&algorithm/,
  );
  assert.match(await link('My%20Code?secret=ABCDEFGH&issuer=My+Code'), /issuer=My%20Code&/);
  assert.match(await link('a?secret=ABCDEFGH&issuer=Disney%2B'), /issuer=Disney%2B&/);
});
