//! HTTP Status Finder: the registry, RFC 9110 §15, codes outside the registry, bad input.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HEURISTIC, REGISTERED, UNREGISTERED } from '../../../data/http-status.js';
import { runTool, suite } from '../../../tests/run.mjs';
import tool from '../tool.js';

/** @param {any} output */
const asObject = (output) => Object.fromEntries(output.pairs);
/** The rows of a status, and its title, by name. @param {string} query @returns {Promise<Record<string, any>>} */
const status = async (query) => {
  const { headline, status } = (await runTool(tool, { query })).outputs;
  return { title: headline.text, ...asObject(status) };
};

test('equals the copy of the registry, code for code', async (t) => {
  const cases = suite(t, 'http_status_iana');
  if (!cases) return;
  let compared = 0;
  for (const { input, last = input, expect } of cases) {
    const wanted = expect.description.replace(/ \(TEMPORARY.*/, '');
    for (let code = input; code <= last; code++) {
      const known = UNREGISTERED.find((one) => one.code === code);
      const found = await status(String(code));
      assert.equal(found.title, `${code} ${known ? known.name : wanted}`);
      if (wanted !== 'Unassigned') {
        const rfc = /RFC(\d+)/.exec(expect.reference)?.[1];
        const section = /Section ([\d.]+)/.exec(expect.reference)?.[1];
        if (rfc) assert.match(found.Reference, new RegExp(`^RFC ${rfc}\\b`));
        if (section) assert.ok(found.Reference.endsWith(`§${section}`), found.Reference);
      }
      compared += 1;
    }
  }
  assert.equal(compared, 500);
});

test('no code is listed twice, and every text is a sentence', () => {
  const all = [...REGISTERED, ...UNREGISTERED];
  assert.equal(new Set(all.map(({ code }) => code)).size, all.length);
  for (const { code, meaning, causes, body } of all) {
    for (const sentence of [meaning, causes, body ?? '.'])
      assert.match(sentence, /\.$/, String(code));
  }
});

test('cacheability follows RFC 9110 §15.1', async () => {
  assert.deepEqual([...HEURISTIC], [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]);
  assert.match((await status('301')).Cacheable, /^Yes/);
  assert.match((await status('302')).Cacheable, /^Only when/);
  assert.match((await status('103')).Cacheable, /^No/);
});

test('well-known codes outside the registry are marked', async () => {
  for (const code of [444, 499, 520, 521, 522, 523, 524, 525, 526, 527]) {
    assert.match((await status(String(code))).Registered, /^No: used by/, String(code));
  }
  assert.match((await status('418')).Meaning, /teapot/);
  assert.match((await status('418')).title, /Unused/);
});

test('words, classes and prefixes', async () => {
  const list = async (/** @type {any} */ values) =>
    (await runTool(tool, values)).outputs.list?.rows.map((/** @type {any} */ row) => row[0]);
  assert.deepEqual(
    await list({ query: '5xx', unregistered: false }),
    [500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511],
  );
  assert.deepEqual(await list({ query: '10', unregistered: false }), [100, 101, 102, 103, 104]);
  assert.deepEqual(await list({ query: 'websocket' }), [101, 426]);
  assert.deepEqual(await list({ query: '4XX webdav' }), [423, 424]);
  assert.equal((await list({})).length, REGISTERED.length + UNREGISTERED.length);
  assert.match((await status('teapot')).title, /^418 /);
});

for (const query of ['99', '600', '0', '-404', '404.5', '1000000', '000']) {
  test(`refuses ${query}`, async () => {
    const { refusal } = await runTool(tool, { query });
    assert.equal(refusal?.field, 'query');
    assert.match(refusal?.sentence ?? '', /from 100 to 599/);
  });
}

test('at the limits, and past them', async () => {
  assert.equal((await status('100')).title, '100 Continue');
  assert.equal((await status('599')).Class, 'Server error');
  assert.equal((await status('598')).Registered.startsWith('No'), true);
  assert.equal((await status('299')).title, '299 Unassigned');
  assert.equal((await runTool(tool, { query: 'x'.repeat(201) })).refusal?.field, 'query');
  assert.equal((await runTool(tool, { query: 'x'.repeat(200) })).refusal, undefined);
  assert.deepEqual((await runTool(tool, { query: 'no such words' })).warnings, [
    'No status code has all of these words.',
  ]);
});

test('nothing is shown between backticks', async () => {
  for (const query of ['', '1xx', '405', '418', '499'])
    assert.doesNotMatch(JSON.stringify((await runTool(tool, { query })).outputs), /`/, query);
});

test('a code in a status line decides, and old names and those of nginx are words of their codes', async () => {
  for (const [query, code] of /** @type {[string, string][]} */ ([
    ['504 Gateway Time-out', '504'],
    ['413 Request Entity Too Large', '413'],
    ['HTTP/2 503', '503'],
    ['HTTP/1.1 429 Too Many Requests', '429'],
    ['curl: (22) The requested URL returned error: 403', '403'],
    ['Unprocessable Entity', '422'],
    ['gateway time-out', '504'],
    ['moved temporarily', '302'],
    ['Request-URI Too Large', '414'],
    ['599 odd', '599'],
  ])) {
    const { outputs } = await runTool(tool, { query });
    assert.ok(outputs.headline?.text.startsWith(code), `${query}: ${outputs.headline?.text}`);
  }
});
