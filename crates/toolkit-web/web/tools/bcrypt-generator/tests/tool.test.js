//! Bcrypt Generator: vectors of crypt_blowfish, OpenBSD's author and others, limits, bad input.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixedContext, runTool, seeded, suite } from '../../../tests/run.mjs';
import tool from '../tool.js';

const HASH = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
/** @param {any} values */
const verify = (values) => runTool(tool, { mode: 'verify', ...values });

test('315 vectors: each password matches its hash, and another does not', async (t) => {
  const cases = suite(t, 'bcrypt');
  if (!cases) return;
  const counts = { same: 0, refused: 0, bytes: 0 };
  for (const { id, input, input_b64, hash, expect, over_72_bytes: long } of cases) {
    const bytes = input_b64 === undefined ? undefined : Buffer.from(input_b64, 'base64');
    const password = bytes?.toString('utf8') ?? input;
    if (bytes && !Buffer.from(password).equals(bytes)) counts.bytes += 1;
    else if (hash.startsWith('$2x$')) {
      assert.match((await verify({ password, hash })).refusal?.sentence ?? '', /2x/, id);
      counts.refused += 1;
    } else if (expect === 'accept' && Number(hash.slice(4, 6)) <= 10) {
      if (long)
        assert.match(
          (await verify({ password, hash })).refusal?.sentence ?? '',
          /bcrypt reads 72/,
          id,
        );
      const { outputs } = await verify({ password, hash, cut: Boolean(long) });
      const wanted = password === '' ? undefined : 'The password matches';
      assert.equal(outputs.result?.text, wanted, id);
      counts.same += 1;
    }
  }
  // The other five are `either`, or cost more than 10; `bytes` cannot be held by a text field.
  assert.deepEqual([cases.length, counts], [315, { same: 191, refused: 54, bytes: 65 }]);
});

test('hash and check agree for all versions, and the salt is new each time', async () => {
  const next = seeded(9);
  const context = fixedContext();
  const seen = new Set();
  for (const version of /** @type {const} */ (['2a', '2b', '2y'])) {
    for (let round = 0; round < 5; round++) {
      const password = Array.from({ length: 1 + next(18) }, () =>
        String.fromCodePoint(33 + next(0x3000)),
      ).join('');
      const { outputs } = await runTool(tool, { password, version, cost: 4 }, context);
      assert.match(outputs.hash, new RegExp(`^\\$${version}\\$04\\$[./A-Za-z0-9]{53}$`));
      seen.add(outputs.hash.slice(7, 29));
      assert.equal(
        (await verify({ password, hash: outputs.hash })).outputs.result?.text,
        'The password matches',
      );
      assert.equal(
        (await verify({ password: `${password}x`, hash: outputs.hash })).outputs.result?.text,
        'The password does not match',
      );
    }
  }
  assert.equal(seen.size, 15);
});

test('72 bytes, and one more', async () => {
  const long = 'ü'.repeat(36);
  assert.equal((await runTool(tool, { password: long, cost: 4 })).refusal, undefined);
  const past = await runTool(tool, { password: `${long}x`, cost: 4 });
  assert.match(past.refusal?.sentence ?? '', /has 73 bytes in UTF-8; bcrypt reads 72/);
  const cut = await runTool(tool, { password: `${long}x`, cost: 4, cut: true });
  assert.deepEqual(cut.warnings.slice(0, 1), ['Only the first 72 of 73 bytes count.']);
  assert.equal(
    (await verify({ password: long, hash: cut.outputs.hash })).outputs.result?.text,
    'The password matches',
  );
});

test('the parts of a hash are shown without a password', async () => {
  const { outputs } = await verify({ hash: HASH });
  assert.equal(outputs.result?.text, undefined);
  assert.deepEqual(outputs.parts.pairs[2], ['Salt', 'CCCCCCCCCCCCCCCCCCCCC.']);
});

for (const [hash, offence, offset] of /** @type {[string, RegExp, number?][]} */ ([
  ['hello', /does not begin/, 0],
  ['$argon2id$v=19$', /Argon2/, 0],
  ['5f4dcc3b5aa765d61d8327deb882cf99', /plain digest/],
  ['$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', /2x/, 1],
  ['$2z$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', /2z; 2a, 2b and 2y/, 1],
  ['$2b$5$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', /"5" as cost/, 4],
  ['$2b$03$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', /cost 3; bcrypt goes/, 4],
  ['$2b$16$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', /too long here: 15/, 4],
  ['$2b$99$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', /from 4 to 31/, 4],
  ['$2b$05$CCCCCCCCCCCCCCCCCCCCC+E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', /"\+"/, 28],
  ['$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOe', /has 52 characters/, 7],
  ['$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeWW', /has 54 characters/, 7],
])) {
  test(`refuses ${hash}`, async () => {
    const { refusal } = await verify({ password: 'x', hash });
    assert.equal(refusal?.field, 'hash');
    assert.match(refusal?.sentence ?? '', offence);
    if (offset !== undefined) assert.equal(refusal?.offset, offset);
  });
}

test('refuses NUL, a lone surrogate, and costs out of range', async () => {
  assert.equal((await runTool(tool, { password: 'é\0b', cost: 4 })).refusal?.offset, 1);
  assert.match(
    (await runTool(tool, { password: 'a\ud800', cost: 4 })).refusal?.sentence ?? '',
    /surrogate/,
  );
  assert.equal((await runTool(tool, { password: 'a', cost: 3 })).refusal?.field, 'cost');
  assert.equal((await runTool(tool, { password: 'a', cost: 16 })).refusal?.field, 'cost');
});

test('runs by itself only when it is fast', () => {
  const live = /** @type {(raw: any) => boolean} */ (tool.live);
  assert.equal(live({ mode: 'hash', cost: 12 }), false);
  assert.equal(live({ mode: 'hash', cost: 10 }), true);
  assert.equal(live({ mode: 'verify', cost: 12 }), true);
});

test('progress is reported', async () => {
  const context = fixedContext();
  /** @type {number[]} */
  const parts = [];
  await runTool(
    tool,
    { password: 'a', cost: 10 },
    { ...context, progress: (done, total) => parts.push(done / total) },
  );
  assert.ok(parts.length > 0 && parts.every((part) => part >= 0 && part <= 1));
});

test('a cost below 10 is warned of', async () => {
  for (const [cost, count] of [
    [9, 1],
    [10, 0],
  ])
    assert.equal((await runTool(tool, { password: 'a', cost })).warnings.length, count);
});

test('a hash is read out of the lines in which programs keep it', async () => {
  const hash = '$2y$10$HOuBG8tzKLUyk1RK18Xz2uFE76ROdT7w92RSAclL1IoyiS56o70bO';
  for (const line of [
    `bob:${hash}`,
    `bob:${hash.replaceAll('$', '$$$$')}`,
    `"${hash}"`,
    `{CRYPT}${hash}`,
    `- "traefik.http.middlewares.a.basicauth.users=bob:${hash.replaceAll('$', '$$$$')}"`,
  ]) {
    const values = { mode: /** @type {const} */ ('verify'), password: 'test', hash: line };
    const { outputs, warnings } = await runTool(tool, values);
    assert.equal(outputs.result?.text, 'The password matches', line);
    assert.equal(warnings.length, 1, line);
  }
});
