//! Vectors: RFC 3492 §7.1, WPT's toascii and IdnaTestV2, UTS #46 IdnaTestV2.txt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool, seeded, suite } from '../../../tests/run.mjs';
import tool from '../tool.js';

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
  if (cases) assert.equal(cases.length, 26);
});

/** This platform's host parser, whose tables may be of an older Unicode version. @param {string} domain */
function platform(domain) {
  try {
    return new URL(`http://${domain}.x/`).hostname.slice(0, -2);
  } catch {
    return undefined;
  }
}

/**
 * The ASCII form of each case: the same, or refused for lengths, empty labels and labels that do
 * not decode (where the URL parser is more tolerant), or the form of this platform's parser, whose
 * tables and rules differ from the suite's. Each kind is counted.
 * @param {readonly [string, string | undefined][]} cases
 */
async function compare(cases) {
  const count = { same: 0, stricter: 0, platform: 0 };
  for (const [input, expect] of cases) {
    const { outputs, refusal } = await run(input);
    const found = refusal ? undefined : (outputs.ascii ?? '');
    if (found === expect) count.same++;
    else if (refusal && /label|octets/.test(refusal.offence)) count.stricter++;
    else {
      count.platform++;
      assert.equal(found, FORBIDDEN.test(input) ? undefined : platform(input), input);
    }
  }
  return count;
}
// Punctuation that IdnaTestV2 accepts and the URL standard does not.
const FORBIDDEN = /[?%/#@:|[\]\\^]/;

test('WPT toascii and IdnaTestV2: the same ASCII form', async (context) => {
  /** @type {{ id: string, input: string, expect: string }[] | undefined} */
  const cases = suite(context, 'domain_to_ascii_wpt');
  if (!cases) return;
  // Left out: URLs, e-mail addresses and lines; also surrounding spaces, which are trimmed.
  const domains = cases.filter(({ input }) => !/[@\n]|:\/\/|^\s|\s$/.test(input));
  const count = await compare(
    domains.map(({ input, expect }) => [input, expect === 'reject' ? undefined : expect]),
  );
  context.diagnostic(`${cases.length} cases: ${JSON.stringify(count)}`);
  assert.equal(domains.length, 2777);
  assert.ok(count.same >= 1813 && count.stricter <= 885, JSON.stringify(count));
});

test('UTS #46 IdnaTestV2.txt: the same ASCII and Unicode forms', async (context) => {
  /** @type {{ id: string, input: string, expect: Record<'to_ascii' | 'to_unicode', string> & { to_ascii_status: string[] } }[] | undefined} */
  const cases = suite(context, 'idna_test_v2_unicode16');
  if (!cases) return;
  /** @type {(status: string[]) => boolean} errors that are warnings here: hyphens, ASCII beyond letters */
  const isRefused = (status) => status.some((code) => !['V2', 'V3', 'U1', 'A4_2'].includes(code));
  const names = cases.filter(({ input }) => !/[@\n]|:\/\/|^\s|\s$/.test(input));
  const count = await compare(
    names.map(({ input, expect }) => [
      input,
      isRefused(expect.to_ascii_status) ? undefined : expect.to_ascii,
    ]),
  );
  let unicode = 0;
  for (const { id, input, expect } of names) {
    const { outputs } = await run(input);
    if (!outputs.ascii || outputs.ascii !== expect.to_ascii) continue;
    assert.equal(outputs.unicode, expect.to_unicode, id);
    unicode++;
  }
  context.diagnostic(`${names.length} cases: ${JSON.stringify(count)}, ${unicode} Unicode forms`);
  assert.equal(names.length, 6389);
  assert.ok(count.same >= 5923 && unicode >= 613, JSON.stringify({ ...count, unicode }));
});

test('refusals name the label and the position', async () => {
  for (const [source = '', offence, offset] of /** @type {[string, RegExp, number][]} */ ([
    [`${'a'.repeat(64)}.de`, /label "a{40}…" of 64 octets/, 0],
    [`${'a'.repeat(60)}.`.repeat(5), /304 octets long/, 0],
    ['a..b', /an empty label/, 2],
    ['xn--a.de', /label "xn--a", which does not/, 0],
    ['de.xn--abc-', /label "xn--abc-", which does not/, 3],
    ['b c.de', /has U\+0020/, 1],
    ['𝄞x/y', /has "\/"/, 2],
    ['a\u{e000}.de', /U\+E000/, 1],
    ['user@\u0300.de', /characters do not go together|U\+0300/, 5],
    ['xn--zca-', /xn--zca-/, 0],
  ])) {
    const { refusal } = await run(source);
    assert.match(refusal?.offence ?? 'accepted', offence, source);
    assert.equal(refusal?.offset, offset, source);
  }
  for (const [source = '', offence] of /** @type {[string, RegExp][]} */ ([
    ['ü-abc', /is not a Punycode digit/],
    ['abc-d!f', /"!" is not a Punycode digit/],
    ['99999999', /ends too early or leads past/],
    ['9', /ends too early/],
  ]))
    assert.match((await run(source, 'decode')).refusal?.offence ?? 'accepted', offence, source);
  assert.match((await run('a\ud800', 'encode')).refusal?.offence ?? '', /surrogate/);
});

test('limits: 63 octets per label, 253 per name, 1,000 lines, 10,000 characters of raw text', async () => {
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

test('a URL with an address in brackets has no domain, and is unchanged', async () => {
  const text = 'http://[2001:db8::1]:80/ä';
  const { outputs } = await run(`${text}\nbücher.de`);
  assert.equal(outputs.ascii, `${text}\nxn--bcher-kva.de`);
  assert.equal(outputs.labels.rows.length, 2);
});

test('warnings: mixed scripts, look-alikes, hyphens; none for scripts that languages mix', async () => {
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

test('an asterisk as the first label stays: a wildcard of a certificate', async () => {
  const { outputs } = await runTool(tool, { text: '*.bücher.de\nhttps://*.bücher.de/' });
  assert.equal(outputs.ascii, '*.xn--bcher-kva.de\nhttps://*.xn--bcher-kva.de/');
  assert.equal(outputs.unicode, '*.bücher.de\nhttps://*.bücher.de/');
});

test('one bad line of several is left as it is, and told', async () => {
  const { outputs, refusal, warnings } = await run('bücher.de\nb c.de\n\nü.de');
  assert.equal(refusal, undefined);
  assert.equal(outputs.ascii, 'xn--bcher-kva.de\nb c.de\n\nxn--tda.de');
  assert.match(warnings.join(), /^Line 2 was not converted: it has U\+0020/);
});

test('the ASCII form has no other letters: a URL is percent-encoded, mail needs SMTPUTF8', async () => {
  const url = await run('https://jörg:ä@bücher.de/straße?q=ß#ü');
  assert.equal(
    url.outputs.ascii,
    'https://j%C3%B6rg:%C3%A4@xn--bcher-kva.de/stra%C3%9Fe?q=%C3%9F#%C3%BC',
  );
  const mail = await run('jörg@bücher.de');
  assert.equal(mail.outputs.ascii, 'jörg@xn--bcher-kva.de');
  assert.match(mail.warnings.join(), /SMTPUTF8 \(RFC 6531\)/);
});
