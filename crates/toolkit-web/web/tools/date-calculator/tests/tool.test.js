//! Vectors: test262 `PlainDate` until, since, add, subtract and from; ISO 8601 weeks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Temporal } from '../../../lib/temporal.js';
import { inLinearTime, runTool, seeded, suite } from '../../../tests/run.mjs';
import { addWorkingDays, dayNumber, readDate, workingDays } from '../calendar.js';
import tool from '../tool.js';

/** @param {Record<string, any>} values */
const run = (values) => runTool(tool, values);
/** @param {Record<string, any>} values @returns {Promise<Record<string, any>>} */
const between = async (values) => {
  const { headline, between } = (await run(values)).outputs;
  return { title: headline?.text, ...Object.fromEntries(between?.pairs ?? []) };
};

test('test262: PlainDate until, since, add, subtract and from', (context) => {
  /** @type {{ id: string, op: string, input: any, expect: any, error?: string }[]} */
  const cases = suite(context, 'temporal_date_duration_test262') ?? [];
  const undefinedOf = (/** @type {any} */ value) => (value === null ? undefined : value);
  let count = 0;
  for (const { id, op, input, expect } of cases) {
    const method = op.split('.').at(-1) ?? '';
    if (op.startsWith('Duration')) continue;
    const call = () => {
      const { argument, options } = input;
      if (method === 'from') return Temporal.PlainDate.from(argument, undefinedOf(options));
      const on = Temporal.PlainDate.from(input.on);
      return /** @type {any} */ (on)[method](argument, undefinedOf(options));
    };
    count++;
    if (expect === 'reject') {
      assert.throws(call, Error, id);
      continue;
    }
    const found = call();
    if (expect.date !== undefined) assert.equal(String(found), expect.date, id);
    for (const [field, value] of Object.entries(expect.duration ?? {}))
      assert.equal(String(found[field]), String(value), `${id} ${field}`);
    if (expect.duration) assert.equal(found.blank, Object.keys(expect.duration).length === 0, id);
  }
  if (cases.length > 0) assert.equal(count, 2254);
});

test('ISO 8601 weeks and ordinal dates, both ways', async () => {
  for (const [written = '', wanted = ''] of [
    ['2008-W01-1', '2007-12-31'],
    ['2009-W01-1', '2008-12-29'],
    ['2009-W53-7', '2010-01-03'],
    ['2005-W52-6', '2005-12-31'],
    ['2020-W53-5', '2021-01-01'],
    ['2024W05', '2024-01-29'],
    ['2024-060', '2024-02-29'],
    ['2023365', '2023-12-31'],
  ]) {
    assert.equal(String(readDate(written)), wanted, written);
    const { outputs } = await run({ mode: 'facts', start: wanted });
    if (/W\d\d-\d/.test(written)) assert.equal(outputs.facts.pairs[2][1], written);
  }
});

test('between: inclusive, backward, working days', async () => {
  const found = await between({ start: '2024-01-31', end: '2024-03-01' });
  assert.deepEqual(
    [found.title, found.Days, found['Working days']],
    ['1 month, 1 day', '30', '22'],
  );
  assert.equal((await between({ start: '2024-03-01', end: '2024-01-31' })).Days, '−30');
  assert.equal((await between({ start: '2024-01-01', end: '2024-01-01' })).Days, '0');
  assert.equal(
    (await between({ start: '2024-01-01', end: '2024-01-01', inclusive: true })).Days,
    '1',
  );
  assert.equal(
    (await between({ start: '2024-01-01', end: '2024-01-08', weekend: 'fri-sat' }))['Working days'],
    '5',
  );
  assert.equal(
    (await between({ start: '2024-01-01', end: '2024-01-08', weekend: 'none' }))['Working days'],
    '7',
  );
  assert.equal(
    (await between({ start: '2000-02-29', end: '2024-02-28' })).title,
    '23 years, 11 months, 30 days',
  );
  assert.equal((await between({ start: '2023-11-13' })).Days, '1', 'an empty date is today');
});

test('working days agree with counting day by day (seeded)', () => {
  const next = seeded(12);
  for (let round = 0; round < 300; round++) {
    const [from, length] = [next(40000) - 20000, next(60)];
    const weekend = [[6, 7], [5, 6], [7], []][next(4)] ?? [];
    const holidays = new Set(Array.from({ length: next(5) }, () => from + next(70)));
    let wanted = 0;
    for (let day = from; day < from + length; day++) {
      const date = Temporal.PlainDate.from('1970-01-01').add({ days: day });
      if (!weekend.includes(date.dayOfWeek) && !holidays.has(day)) wanted++;
    }
    assert.equal(workingDays(from, from + length, weekend, holidays), wanted);
    const end = addWorkingDays(from, wanted + 1, weekend, holidays);
    assert.equal(workingDays(from + 1, end + 1, weekend, holidays), wanted + 1);
  }
});

test('yearly holidays: far years, leap days, many rules and many years', async () => {
  const all = { start: '0090-01-01', end: '+012000-01-01', weekend: 'none' };
  const years = 12_000 - 90;
  assert.equal((await between({ ...all, holidays: '12-25' }))['Days off'], String(years));
  assert.equal((await between({ ...all, holidays: '02-29' }))['Days off'], '2887');
  const rules = '12-25\n'.repeat(1000);
  const found = await inLinearTime(() => between({ ...all, holidays: rules }));
  assert.equal(found['Days off'], String(years));
  const over = { mode: 'move', start: '2023-12-29', working_days: 1, weekend: 'none' };
  const { outputs } = await run({ ...over, holidays: '12-30\n12-31\n01-01' });
  assert.equal(outputs.date, '2024-01-02');
  const { refusal } = await run({
    ...{ start: '-271821-04-19', end: '+275760-09-13' },
    holidays: Array.from({ length: 12 }, (_, at) => `${String(at + 1).padStart(2, '0')}-01`).join(
      '\n',
    ),
  });
  assert.match(refusal?.sentence ?? '', /12 days of every year, for 547584 years/);
});

test('moving a date: overflow is reported, both directions, leap days', async () => {
  for (const [values, wanted, warnings] of /** @type {[any, string, number][]} */ ([
    [{ start: '2024-02-29', years: 1 }, '2025-02-28', 1],
    [{ start: '2024-03-31', months: 1, direction: 'subtract' }, '2024-02-29', 1],
    [{ start: '2024-02-28', days: 2 }, '2024-03-01', 0],
    [{ start: '2024-01-31', months: 1, days: 1 }, '2024-03-01', 1],
    [{ start: '2024-01-05', working_days: 1 }, '2024-01-08', 0],
    [{ start: '2024-01-08', working_days: 1, direction: 'subtract' }, '2024-01-05', 0],
    [{ start: '2024-01-01', weeks: 1, days: 1 }, '2024-01-09', 0],
    [{ start: '2024-01-01' }, '2024-01-01', 0],
  ])) {
    const result = await run({ mode: 'move', ...values });
    assert.equal(result.outputs.date, wanted, JSON.stringify(values));
    assert.equal(result.warnings.length, warnings);
  }
});

test('refusals: dates that do not exist, and out of range', async () => {
  for (const [start, sentence] of /** @type {[string, RegExp][]} */ ([
    ['2024-02-30', /"2024-02-30" does not exist\. That month has 29 days/],
    ['2023-02-29', /That month has 28 days/],
    ['2024-04-31', /That month has 30 days/],
    ['2024-00-10', /has the month 0/],
    ['2024-13-01', /has the month 13/],
    ['31.01.2024', /is not a date/],
    ['2024-W53-1', /week 53 of 2024/],
    ['2023-366', /day 366 of 2023/],
    ['+275760-09-14', /out of range/],
    ['-271821-04-18', /out of range/],
    ['yesterday', /is not a date/],
  ])) {
    const { refusal } = await run({ mode: 'facts', start });
    assert.equal(refusal?.field, 'start', start);
    assert.match(refusal?.sentence ?? '', sentence);
  }
  for (const start of ['+275760-09-13', '-271821-04-19', '2024-02-29'])
    assert.equal((await run({ mode: 'facts', start })).refusal, undefined, start);
  assert.match(
    (await run({ mode: 'move', start: '2024-01-01', years: 1_000_000 })).refusal?.sentence ?? '',
    /^Years must not lead past the calendar/,
  );
  assert.equal((await run({ mode: 'move', start: '2024-01-01', days: -1 })).refusal?.field, 'days');
  const holidays = await run({
    start: '2024-01-01',
    end: '2024-02-01',
    holidays: '2024-01-06\n2024-02-31',
  });
  assert.equal(holidays.refusal, undefined);
  assert.deepEqual(holidays.warnings, [
    'The holiday "2024-02-31" was left out: "2024-02-31" does not exist.',
  ]);
  const alone = await run({ start: '2024-01-01', end: '2024-02-01', holidays: 'Easter' });
  assert.equal(
    alone.refusal?.sentence,
    '"Easter" is not a date. Write it as 2024-01-31, 2024-W05-3 or 2024-031.',
  );
  assert.equal(
    (await run({ start: '2024-01-01', holidays: '12-25\n'.repeat(999) })).refusal,
    undefined,
  );
  assert.match(
    (await run({ start: '2024-01-01', holidays: '12-25\n'.repeat(1001) })).refusal?.offence ?? '',
    /at most 1000 lines, not 1001/,
  );
  assert.equal(dayNumber(readDate('1970-01-01')), 0);
});

test('a week of the year 1 has a year of four digits', async () => {
  const { outputs } = await run({ mode: 'facts', start: '0001-01-01' });
  assert.match(JSON.stringify(outputs), /"ISO week","0001-W01-1"/);
});
