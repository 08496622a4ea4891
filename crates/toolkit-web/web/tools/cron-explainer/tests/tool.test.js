import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clockOf } from '../../../lib/zones.js';
import { runTool } from '../../../tests/run.mjs';
import { describe } from '../describe.js';
import { momentOf, ranged, shownFrom, weekOf } from '../runs.js';
import { parse, runsAfter } from '../schedule.js';
import cron from '../tool.js';

const VECTORS = new URL('../../../../../toolkit-core/tests/vectors/cron.json', import.meta.url);

test('the vectors of the service: descriptions and runs', () => {
  const { cases } = JSON.parse(readFileSync(VECTORS, 'utf8'));
  for (const { expression, from, next = [], description } of cases) {
    const schedule = parse(expression, () => {});
    assert.equal(describe(schedule), description, expression);
    const runs = runsAfter(schedule, Date.parse(from.replace(/(\.\d{3})\d+/, '$1')));
    for (const wanted of next)
      assert.equal(runs.next().value, Date.parse(wanted), `${expression} after ${from}`);
  }
  assert.ok(cases.length > 30);
});

/** @param {string} expression @returns {any} */
function refused(expression) {
  try {
    parse(expression, () => {});
  } catch (error) {
    return error;
  }
  return assert.fail(`${expression} was read`);
}

test('six and seven fields, and fields with a slip, are refused with the five to use', () => {
  for (const [text, ...five] of /** @type {const} */ ([
    ['0 30 9 ? * MON-FRI', '30 9 * * MON-FRI'],
    ['0 0 12 ? * 2-6', '0 12 * * MON-FRI'],
    ['0 0 0 1 1 ? 2030', '0 0 1 1 *'],
    ['0 8 1 * ? *', '0 8 1 * *'],
    ['0 0 12 1 1 *', '0 12 1 1 *', '0 0 12 1 1'],
    ['0 0 12 * * MON,TUES', '0 12 * * MON,TUE'],
    ['0 0 12 * * Monday', '0 12 * * MON'],
    ['5/10 * * * *', '5-59/10 * * * *'],
    ['0 0 * * FRI-MON', '0 0 * * 5-6,0-1'],
    ['rate(5 minutes)', '*/5 * * * *'],
    ['cron(0 12 * * ? *)', '0 12 * * *'],
    ['@every 2h', '0 */2 * * *'],
  ])) {
    const { position } = refused(text);
    assert.deepEqual(
      position.use.map((/** @type {any} */ { expression }) => expression),
      five,
      text,
    );
  }
  for (const text of ['0 0 0 L * ?', '0 0 0 ? * 6#3', '61 * * * *', '@reboot', '* * *', ''])
    assert.deepEqual(refused(text).position.use ?? [], [], text);
});

test('a schedule is found in the line around it', async () => {
  for (const [text, title] of /** @type {const} */ ([
    ["- cron: '30 9 * * 1'  # weekly", 'At 09:30, on Monday'],
    ['0 6 * * 1   # Mondays 06:00 UTC', 'At 06:00, on Monday'],
    ['"0 6 * * *"', 'At 06:00, every day'],
    ['0 3 * * 0 root /usr/bin/x', 'At 03:00, on Sunday'],
    ['0 3 * * 0 monit reload', 'At 03:00, on Sunday'],
  ])) {
    const { outputs, warnings, refusal } = await runTool(cron, { expression: text });
    assert.equal(outputs.headline?.text, title, String(refusal?.sentence));
    assert.ok(warnings.length > 0, text);
  }
  const two = await runTool(cron, { expression: '0 6 * * *\n0 7 * * *' });
  assert.match(two.refusal?.sentence ?? '', /has 2 lines\. Give one schedule at a time/);
});

test('runs are moments of a zone, also where its clocks are changed', async () => {
  const berlin = clockOf('Europe/Berlin');
  const moment = (/** @type {string} */ shown) => {
    const found = momentOf(Date.parse(`${shown}Z`), berlin);
    return found === undefined ? undefined : new Date(found).toISOString().slice(0, 16);
  };
  assert.equal(moment('2026-01-01T09:30'), '2026-01-01T08:30');
  assert.equal(moment('2026-07-01T09:30'), '2026-07-01T07:30');
  assert.equal(moment('2026-03-29T02:30'), undefined);
  // The first of the two.
  assert.equal(moment('2026-10-25T02:30'), '2026-10-25T00:30');
  const now = new Date('2026-07-01T10:00:00Z');
  for (const [from, shown] of /** @type {const} */ ([
    ['', '2026-07-01T12:00:00Z'],
    ['2026-07-01T10:00:00+00:00', '2026-07-01T12:00:00Z'],
    ['2026-07-01T10:00', '2026-07-01T10:00Z'],
    ['2026-07-01 10:00:30', '2026-07-01T10:00:30Z'],
    ['2026-07-01', '2026-07-01T00:00:00Z'],
  ]))
    assert.equal(shownFrom(from, 'Europe/Berlin', now), Date.parse(shown), from);
  for (const from of ['soon', '2026-02-30', '2026-07-01Z'])
    assert.equal(
      (await runTool(cron, { expression: '@daily', from })).refusal?.field,
      'from',
      from,
    );
  assert.equal(ranged([1, 2, 3, 4, 5]), '1-5');
  assert.equal(ranged([0, 30]), '0, 30');
  assert.equal(ranged([7]), '7');
  const { outputs, warnings } = await runTool(cron, {
    ...{ expression: '30 2 * * *', zone: 'Europe/Berlin', from: '2026-03-29', count: 2 },
  });
  assert.deepEqual(outputs.runs.columns.slice(0, 2), ['Europe/Berlin', 'UTC']);
  assert.deepEqual(outputs.runs.rows[1].slice(0, 2), [
    'Mon 2026-03-30 02:30',
    'Mon 2026-03-30 00:30',
  ]);
  assert.match(warnings.join(), /^Sun 2026-03-29 02:30 does not exist in Europe\/Berlin/);
  assert.equal(
    (await runTool(cron, { expression: '@daily', zone: 'Nowhere' })).refusal?.field,
    'zone',
  );
});

test('what never fires is said, at once', async () => {
  const started = performance.now();
  const { outputs, warnings } = await runTool(cron, { expression: '0 0 30 2 *' });
  assert.ok(performance.now() - started < 1000);
  assert.equal(outputs.runs, null);
  assert.deepEqual(warnings, ['It never fires: no day is matched before the year 10000.']);
});

test('the week has the runs of each hour, from midnight of the first day', () => {
  const of = (/** @type {string} */ expression) =>
    weekOf(
      parse(expression, () => {}),
      Date.parse('2026-11-25T13:45:00Z'),
    );
  const days = of('*/20 9-10 * * MON-FRI');
  assert.deepEqual(
    days.map(({ name, hours }) => `${name} ${hours.join('').replace(/0+$/, '')}`.trim()),
    [
      'Wed 00000000033',
      'Thu 00000000033',
      'Fri 00000000033',
      'Sat',
      'Sun',
      'Mon 00000000033',
      'Tue 00000000033',
    ],
  );
  assert.ok(of('* * * * *').every(({ hours }) => hours.every((count) => count === 60)));
});
