import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clockOf } from '../../../lib/zones.js';
import { runTool } from '../../../tests/run.mjs';
import { describe } from '../describe.js';
import { momentOf, momentsAfter, ranged, startOf, weekOf } from '../runs.js';
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
    ['0 0 12 1 1 *', '0 12 1 1 *'],
    ['0 8, 20 * * *', '0 8,20 * * *'],
    ['*/ 5 * * * *', '*/5 * * * *'],
    ['0 9 - 17 * * 1-5', '0 9-17 * * 1-5'],
    ['0 8 ,20 * * * backup -v', '0 8,20 * * *'],
    ['H/15 H * * *', '*/15 0 * * *'],
    ['0 0 12 * * MON,TUES', '0 12 * * MON,TUE'],
    ['0 0 12 * * Monday', '0 12 * * MON'],
    ['5/10 * * * *', '5-59/10 * * * *'],
    ['0 0 * * FRI-MON', '0 0 * * 5-6,0-1'],
    ['rate(5 minutes)', '*/5 * * * *'],
    ['cron(0 12 * * ? *)', '0 12 * * *'],
    ['@every 2h', '0 */2 * * *'],
    ['0 9 * * FRI-MON Europe/Berlin', 'CRON_TZ=Europe/Berlin 0 9 * * 5-6,0-1'],
    ['CRON_TZ=Europe/Paris 0 8, 20 * * *', 'CRON_TZ=Europe/Paris 0 8,20 * * *'],
    ['0 9 * * *, Europe/Berlin', 'CRON_TZ=Europe/Berlin 0 9 * * *'],
    ['0 0 12 * * ? in Europe/Berlin', 'CRON_TZ=Europe/Berlin 0 12 * * *'],
    ['0 0 12 * * Monday in UTC', 'CRON_TZ=UTC 0 12 * * MON'],
    ['0 0 12 * * 1-5 WET', 'CRON_TZ=WET 0 12 * * 1-5'],
    ['"cron(0 12 * * ? *)", Asia/Tokyo', 'CRON_TZ=Asia/Tokyo 0 12 * * *'],
    ['0 9 * * FRE', '0 9 * * FRI'],
    ['0 9a-5PM * * *', '0 9-17 * * *'],
    ['0 9h 2d * *', '0 9 2 * *'],
    ['TZ=Asia/Tokyo @every 2h', 'CRON_TZ=Asia/Tokyo 0 */2 * * *'],
  ])) {
    const { position } = refused(text);
    assert.deepEqual(
      position.use.map((/** @type {any} */ { expression }) => expression),
      five,
      text,
    );
  }
  for (const text of [
    '0 0 0 L * ?',
    '0 8, 20 * *',
    '0 0 0 ? * 6#3',
    '61 * * * *',
    '0 9 * * LUN',
    '0 0 9 * * DON',
    '0 9 1 MAI *',
    '0 13p * * *',
    '30s * * * *',
    '@reboot',
    '* * *',
    '',
  ])
    assert.deepEqual(refused(text).position.use ?? [], [], text);
});

test('a schedule is found in the line around it', async () => {
  for (const [text, title] of /** @type {const} */ ([
    ["- cron: '30 9 * * 1'  # weekly", 'At 09:30, on Monday'],
    ['0 6 * * 1   # Mondays 06:00 UTC', 'At 06:00, on Monday'],
    ['"0 6 * * *"', 'At 06:00, every day'],
    ['0 3 * * 0 root /usr/bin/x', 'At 03:00, on Sunday'],
    ['0 3 * * 0 monit reload', 'At 03:00, on Sunday'],
    ['<0 6 * * *>', 'At 06:00, every day'],
    ['("0 6 * * *")', 'At 06:00, every day'],
    ['‚0 6 * * *‘', 'At 06:00, every day'],
    ['«0 6 * * *»', 'At 06:00, every day'],
    ['\ufeff0 6 * * *', 'At 06:00, every day'],
    ['0 6 * * *\u200b', 'At 06:00, every day'],
    ['0 6 * * *,', 'At 06:00, every day'],
    ['\ufeff0 6 * * * echo "hi"', 'At 06:00, every day'],
    ['SHELL=/bin/sh\nMAILTO=""\n0 6 * * *', 'At 06:00, every day'],
    ['{\n  "schedule": "0 6 * * *"\n}', 'At 06:00, every day'],
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
    ['', '2026-07-01T10:00:00Z'],
    ['2026-07-01T10:00:00+00:00', '2026-07-01T10:00:00Z'],
    ['2026-07-01T10:00', '2026-07-01T08:00Z'],
    ['2026-07-01 10:00:30', '2026-07-01T08:00:30Z'],
    ['2026-07-01', '2026-06-30T22:00:00Z'],
    ['2026-03-29T02:30', '2026-03-29T01:30:00Z'],
  ]))
    assert.equal(startOf(from, 'Europe/Berlin', now), Date.parse(shown), from);
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
  assert.deepEqual(
    outputs.runs.rows.map((/** @type {string[]} */ row) => row.slice(0, 2)),
    [
      ['Sun 2026-03-29 03:00', 'Sun 2026-03-29 01:00'],
      ['Mon 2026-03-30 02:30', 'Mon 2026-03-30 00:30'],
    ],
  );
  assert.match(
    warnings.join(),
    /^The clocks of Europe\/Berlin skip a time of it: .* at Sun 2026-03-29 03:00/,
  );
  assert.equal(
    (await runTool(cron, { expression: '@daily', zone: 'Nowhere' })).refusal?.field,
    'zone',
  );
});

test('the vectors of the service: runs by the clocks of zones', () => {
  /** @type {[string, string, string][]} */
  const questions = JSON.parse(readFileSync(new URL('./cron_zones.json', VECTORS), 'utf8'));
  for (const [line, from, runs] of questions) {
    const schedule = parse(line, () => {});
    const moments = momentsAfter(schedule, Date.parse(from), clockOf(schedule.zone));
    for (const wanted of runs.split(' '))
      assert.equal(moments.next().value, Date.parse(wanted), `${line} after ${from}`);
  }
  assert.equal(questions.length, 800);
});

test('a line may name its zone, in front or behind', async () => {
  for (const expression of [
    'CRON_TZ=Asia/Tokyo 0 5 * * *',
    'CRON_TZ=Asia/Tokyo\n0 5 * * *',
    '0 5 * * * Asia/Tokyo',
    '0 5 * * * [Asia/Tokyo]',
    '0 5 * * * in Asia/Tokyo',
    "cron: '0 5 * * *', timezone: 'Asia/Tokyo'",
    '{"tz": "Asia/Tokyo", "cron": "0 5 * * *"}',
    'TZ=Asia/Tokyo\nMAILTO=root\n0 5 * * * x',
    '# all\nMAILTO=root\nCRON_TZ=Asia/Tokyo # here\n0 5 * * *',
    "- cron: '0 5 * * *'\n  timezone: 'Asia/Tokyo'",
    'timeZone: Asia/Tokyo\nschedule: 0 5 * * *',
    '{\n  "cron": "0 5 * * *",\n  "timeZone": "Asia/Tokyo"\n}',
  ]) {
    const { outputs, refusal } = await runTool(cron, { expression, from: '2026-07-01 12:00' });
    assert.equal(outputs.runs?.columns[0], 'Asia/Tokyo', String(refusal?.sentence));
    assert.deepEqual(outputs.runs.rows[0].slice(0, 2), [
      'Thu 2026-07-02 05:00',
      'Wed 2026-07-01 20:00',
    ]);
  }
  for (const [behind, zone] of /** @type {const} */ ([
    ['+09:00', '+09:00'],
    ['(utc+9)', '+09:00'],
    ['Z', 'UTC'],
    ['utc', 'UTC'],
  ])) {
    const expression = `0 5 * * * ${behind}`;
    const { outputs, refusal } = await runTool(cron, { expression, from: '2026-07-01 12:00' });
    assert.equal(outputs.runs?.columns[0]?.toUpperCase(), zone, String(refusal?.sentence));
    assert.equal(outputs.runs.rows[0][0], 'Thu 2026-07-02 05:00');
  }
  const other = { expression: 'TZ=Asia/Tokyo 0 5 * * *', zone: 'Europe/Berlin' };
  assert.match((await runTool(cron, other)).warnings.join(), /^The line names Asia\/Tokyo/);
  for (const [expression, offence] of /** @type {const} */ ([
    ['CRON_TZ=Asia/Tokio 0 5 * * *', /has the unknown time zone `Asia\/Tokio`/],
    ['CRON_TZ=UTC 0 5 * * * Asia/Tokyo', /names two time zones/],
    ['0 5 * * * CEST', /has the unknown time zone `CEST`/],
  ]))
    assert.match((await runTool(cron, { expression })).refusal?.sentence ?? '', offence);
  assert.deepEqual(
    cron.call?.({ expression: '0 5 * * *', zone: 'Asia/Tokyo', from: '', count: 3 }),
    {
      expression: 'CRON_TZ=Asia/Tokyo 0 5 * * *',
      from: '',
      count: 3,
    },
  );
});

test('what never fires is said', async () => {
  const { outputs, warnings } = await runTool(cron, { expression: '0 0 30 2 *' });
  assert.equal(outputs.runs, null);
  assert.deepEqual(warnings, ['It never fires: no time matches before the year 10000.']);
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
