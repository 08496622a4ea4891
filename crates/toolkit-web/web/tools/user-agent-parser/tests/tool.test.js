//! User Agent Parser: all cases of uap-core, engines, Client Hints, many lines, bad input.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import rules from '../../../libraries/uap-core.js';
import { inLinearTime, runTool, seeded, suite } from '../../../tests/run.mjs';
import tool from '../tool.js';
import { agentParser, engineOf } from '../user-agent.js';

const parser = agentParser(rules);
/** @param {string} kind @param {string} input @returns {Record<string, string | null>} */
function parse(kind, input) {
  if (kind === 'ua') return parser.agent(input);
  if (kind === 'device') return parser.device(input);
  const { patchMinor, ...system } = parser.system(input);
  return { ...system, patch_minor: patchMinor };
}

// The suite is newer than the release of uap-core: the rest are strings that its rules do not know.
for (const [name, count, known] of /** @type {const} */ ([
  ['user_agents_ua_uap', 1601, 1432],
  ['user_agents_os_uap', 483, 463],
  ['user_agents_device_uap', 16129, 16116],
  ['user_agents_more_uap', 3114, 3114],
])) {
  test(`${name}: ${known} of ${count}`, (t) => {
    const cases = suite(t, name);
    if (!cases) return;
    const right = cases.filter((/** @type {any} */ { kind, input, expect }) => {
      const found = parse(kind, input);
      return Object.entries(expect).every(([part, wanted]) => found[part] === wanted);
    });
    assert.deepEqual([cases.length, right.length], [count, known]);
  });
}

test('engines', () => {
  for (const [agent, name, version] of [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Gecko', '128.0'],
    ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko', 'Trident', '7.0'],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36',
      'Blink',
      '128.0.0.0',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/27.0.1 Safari/537.36',
      'WebKit',
      '537.36',
    ],
    [
      'Mozilla/5.0 AppleWebKit/537.36 Chrome/64.0 Safari/537.36 Edge/17.17134',
      'EdgeHTML',
      '17.17134',
    ],
    [
      'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
      'WebKit',
      '605.1.15',
    ],
    ['Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18', 'Presto', '2.12.388'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/128.0.0.0 Safari/537.36',
      'Blink',
      '128.0.0.0',
    ],
    ['curl/8.5.0', '', ''],
  ]) {
    assert.deepEqual(engineOf(String(agent)), { name, version });
  }
});

test('many lines become a table, with or without the name of the field', async () => {
  const { outputs } = await runTool(tool, { agents: 'User-Agent: curl/8.5.0\r\n\nWget/1.21\n' });
  assert.equal(outputs.results.rows.length, 2);
  assert.deepEqual(outputs.results.rows[0].slice(0, 2), ['curl', '8.5.0']);
});

test('Client Hints as JSON; versions of Windows', async () => {
  const hints = async (/** @type {string} */ version) =>
    (
      await runTool(tool, {
        hints: `{"platform":"Windows","platformVersion":"${version}","mobile":false,"brands":[{"brand":"Not A;Brand","version":"9"},{"brand":"Chromium","version":"128"}]}`,
      })
    ).outputs.hints.pairs;
  assert.deepEqual(await hints('13.0.0'), [
    ['Brands', 'Chromium 128'],
    ['Platform', 'Windows'],
    ['Platform version', '13.0.0'],
    ['System by these', 'Windows 11'],
    ['Mobile', 'no'],
  ]);
  assert.equal((await hints('10.0.0'))[3][1], 'Windows 10');
  assert.equal((await hints('0.3.0'))[3][1], 'Windows 7, 8 or 8.1');
});

test('bad input', async () => {
  const some = await runTool(tool, { agents: `curl/8\n${'x'.repeat(4097)}` });
  assert.match(some.warnings.join(), /^Line 2 was left out: it must have at most 4096/);
  const line = await runTool(tool, { agents: 'x'.repeat(4097) });
  assert.equal(line.refusal?.line, 1);
  assert.match(line.refusal?.sentence ?? '', /at most 4096 characters a line, not 4097/);
  assert.equal((await runTool(tool, { agents: 'x'.repeat(4096) })).refusal, undefined);
  assert.match(
    (await runTool(tool, { agents: 'x\n'.repeat(1001) })).refusal?.sentence ?? '',
    /at most 1000 lines, not 1001/,
  );
  assert.equal(
    (await runTool(tool, { agents: 'x\n'.repeat(1000) })).outputs.results.rows.length,
    1000,
  );
  assert.equal((await runTool(tool, { hints: '{"brands":' })).refusal?.field, 'hints');
  assert.equal(
    (await runTool(tool, { hints: 'Sec-CH-UA-Mobile: ?1\nAccept: x' })).refusal?.line,
    2,
  );
});

test('random strings are parsed, and unknown values are Other', async () => {
  const next = seeded(3);
  const parts = [
    'Mozilla/5.0',
    '(',
    ')',
    ';',
    'Linux',
    'Android ',
    '9',
    '.',
    ' ',
    '/',
    'Chrome',
    'é',
    '\u0000',
  ];
  for (let round = 0; round < 100; round++) {
    const agent = Array.from({ length: next(40) }, () => parts[next(parts.length)]).join('');
    assert.equal((await runTool(tool, { agents: agent })).refusal, undefined, agent);
  }
  const { outputs } = await runTool(tool, { agents: 'zzz' });
  assert.deepEqual(outputs.result.pairs.slice(0, 3), [
    ['Browser', 'Other'],
    ['System', 'Other'],
    ['Device', 'Other'],
  ]);
});

test('hostile strings of the longest length take a time that grows with it', async () => {
  for (const part of ['Mozilla/5.0 (', 'Android ', ';', 'Build/', '(((', 'a.', '1.1.'])
    await inLinearTime(() => runTool(tool, { agents: part.repeat(4096 / part.length) }), part);
});

test('1,000 lines of 4,000 characters are read', async () => {
  const agents = Array.from({ length: 1000 }, (_, index) => `curl/${index}`.padEnd(4000, 'xyz '));
  const { outputs } = await inLinearTime(() => runTool(tool, { agents: agents.join('\n') }));
  assert.equal(outputs.results.rows.length, 1000);
});
