//! Vectors: RFC 3492 §7.1, WPT's toascii and IdnaTestV2, UTS #46 IdnaTestV2.txt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import tool from '../tools/punycode-encoder.js';
import { runTool, seeded, suite } from './run.mjs';

/** @param {string} text @param {'domains' | 'encode' | 'decode'} [mode] */
const run = (text, mode = 'domains') => runTool(tool, { text, mode });

/** @param {string} input */
async function encoded(input) {
  const { outputs, refusal } = await run(input, 'encode');
  return refusal ? 'reject' : (outputs.ascii ?? '');
}

test('RFC 3492 §7.1: raw Punycode both ways', async (context) => {
  /** @type {{ id: string, input: string, expect: string, direction: string }[] | undefined} */
  const cases = suite(context, 'punycode_rfc3492');
  for (const { id, input, expect, direction } of cases ?? []) {
    if (/encode/.test(direction) && !/decode only/.test(direction))
      assert.equal(await encoded(input), expect, id);
    if (/decode/.test(direction))
      assert.equal((await run(expect, 'decode')).outputs.unicode ?? '', input, id);
  }
  if (cases) context.diagnostic(`${cases.length} cases`);
});

/** The host parser of this platform, whose tables may be of an older Unicode. @param {string} domain */
function platform(domain) {
  try {
    return new URL(`http://${domain}.x/`).hostname.slice(0, -2);
  } catch {
    return undefined;
  }
}

/** @param {import('node:test').TestContext} context @param {readonly [string, string | undefined][]} cases */
async function compare(context, cases) {
  const count = { same: 0, stricter: 0, platform: 0 };
  for (const [input, expect] of cases) {
    const { outputs, refusal } = await run(input);
    const found = refusal ? undefined : (outputs.ascii ?? '');
    if (found === expect) count.same++;
    else if (platform(input) !== expect) count.platform++;
    else if (refusal && /label|octets/.test(refusal.offence)) count.stricter++;
    else assert.equal(found, expect, JSON.stringify(input));
  }
  context.diagnostic(`${cases.length} cases: ${JSON.stringify(count)}`);
  return count;
}

test('WPT toascii and IdnaTestV2: the same ASCII form', async (context) => {
  /** @type {{ id: string, input: string, expect: string }[]} */
  const cases = suite(context, 'domain_to_ascii_wpt') ?? [];
  // Left out: URLs, e-mail addresses, lines; and spaces around, which are trimmed.
  const domains = cases.filter(({ input }) => !/[@\n]|:\/\/|^\s|\s$/.test(input));
  await compare(
    context,
    domains.map(({ input, expect }) => [input, expect === 'reject' ? undefined : expect]),
  );
});

test('UTS #46 IdnaTestV2.txt: the same ASCII form', async (context) => {
  /** @type {{ id: string, input: string, expect: { to_ascii: string, to_ascii_status: string[] } }[]} */
  const cases = suite(context, 'idna_test_v2_unicode16') ?? [];
  /** @type {(status: string[]) => boolean} errors that are warnings here: hyphens, ASCII beyond letters */
  const isRefused = (status) => status.some((code) => !['V2', 'V3', 'U1', 'A4_2'].includes(code));
  await compare(
    context,
    cases
      .filter(({ input }) => !/[@\n]|:\/\/|^\s|\s$/.test(input))
      .map(({ input, expect }) => [
        input,
        isRefused(expect.to_ascii_status) ? undefined : expect.to_ascii,
      ]),
  );
});

test('refusals name the label and the place', async () => {
  for (const [source = '', offence, offset] of /** @type {[string, RegExp, number][]} */ ([
    [`${'a'.repeat(64)}.de`, /label "a{40}…" of 64 octets/, 0],
    [`${'a'.repeat(60)}.`.repeat(5), /304 octets long/, 0],
    ['a..b', /an empty label/, 2],
    ['xn--a.de', /label "xn--a", which does not/, 0],
    ['de.xn--abc-', /label "xn--abc-", which does not/, 3],
    ['ok.de\nb c.de', /has U\+0020/, 7],
    ['a_b.de\n𝄞x/y', /has "\/"/, 9],
    ['a\u{e000}.de', /U\+E000/, 1],
    ['user@\u0300.de', /characters do not go together|U\+0300/, 5],
    ['xn--fo-5ja.de\nxn--zca-', /xn--zca-/, 14],
  ])) {
    const { refusal } = await run(source);
    assert.match(refusal?.offence ?? 'accepted', offence, source);
    assert.equal(refusal?.offset, offset, source);
  }
  for (const [source = '', offence] of /** @type {[string, RegExp][]} */ ([
    ['ü-abc', /is not a digit/],
    ['abc-d!f', /"!" is not a digit/],
    ['99999999', /ends too early or leads past/],
    ['9', /ends too early/],
  ]))
    assert.match((await run(source, 'decode')).refusal?.offence ?? 'accepted', offence, source);
  assert.match((await run('a\ud800', 'encode')).refusal?.offence ?? '', /surrogate/);
});

test('limits: 63 octets a label, 253 a name, 1,000 lines, 10,000 characters of raw text', async () => {
  const label = 'a'.repeat(63);
  const name = `${label}.${label}.${label}.${'a'.repeat(61)}`;
  assert.equal((await run(name)).outputs.ascii, name);
  assert.equal((await run(`${name}.`)).outputs.ascii, `${name}.`);
  assert.match((await run(`${name}a`)).refusal?.offence ?? '', /254 octets/);
  assert.equal((await run('a.de\n'.repeat(1000).trim())).refusal, undefined);
  assert.match((await run('a.de\n'.repeat(1001).trim())).refusal?.offence ?? '', /1000 lines/);
  assert.equal((await run('ü'.repeat(10_000), 'encode')).refusal, undefined);
  assert.match(
    (await run('ü'.repeat(10_001), 'encode')).refusal?.offence ?? '',
    /10001 characters/,
  );
});

test('warnings: mixed scripts, look-alikes, hyphens; none for what languages mix', async () => {
  assert.deepEqual((await run('pаypal.com')).warnings, [
    '"pаypal" mixes Latin and Cyrillic letters.',
    '"pаypal" (xn--pypal-4ve) looks like "paypal".',
  ]);
  assert.deepEqual((await run('-a.de')).warnings, [
    '"-a" has hyphens where registries refuse them.',
  ]);
  assert.deepEqual((await run('Tシャツと靴.jp\n한국漢字.kr\nmünchen.de\nαθήνα.gr')).warnings, []);
});

test('both forms of a name give the same two forms (seeded)', async () => {
  const next = seeded(11);
  const letters = [...'abcxyz019äöüéßñçłøæ日本語名前тестимяخانه한국ไทย'].filter(
    (one) => !/\p{M}/u.test(one),
  );
  for (let round = 0; round < 500; round++) {
    const source = Array.from(
      { length: 1 + next(12) },
      () => letters[next(letters.length - 5)],
    ).join('');
    const first = await run(`${source}.example`);
    if (first.refusal) continue;
    const { ascii, unicode } = first.outputs;
    assert.equal((await run(unicode)).outputs.ascii, ascii);
    assert.equal((await run(ascii)).outputs.unicode, unicode);
    const raw = (await run(source, 'encode')).outputs.ascii;
    assert.equal((await run(raw, 'decode')).outputs.unicode, source);
  }
});
