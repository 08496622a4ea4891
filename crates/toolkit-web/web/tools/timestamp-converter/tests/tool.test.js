//! timestamp-converter: the vectors and refusals of the service, and the notations that the page adds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runTool } from '../../../tests/run.mjs';
import tool from '../tool.js';

const core = (/** @type {string} */ path) =>
  readFileSync(new URL(`../../../../../toolkit-core/tests/${path}`, import.meta.url), 'utf8');

/** @param {string} value @param {Record<string, any>} [options] */
async function rows(value, options = {}) {
  const { outputs, warnings, refusal } = await runTool(tool, { value, zone: 'UTC', ...options });
  const found = refusal ? {} : Object.fromEntries(outputs.result.pairs);
  return { found, warnings, refusal };
}

test('the facts of a moment are those of the service', async () => {
  for (const { source, given, unit, warnings, ...facts } of JSON.parse(
    core('vectors/timestamp.json'),
  )) {
    const { found, warnings: said, refusal } = await rows(String(given), unit ? { unit } : {});
    const about = `${source}, ${given}`;
    assert.equal(refusal, undefined, `${about}: ${refusal?.sentence}`);
    const wanted = {
      'ISO 8601 (UTC)': facts.iso,
      'Unix seconds': String(facts.unix_seconds),
      Milliseconds: String(facts.unix_milliseconds),
      'RFC 2822': facts.rfc2822,
      Weekday: facts.weekday,
      'Day of the year': facts.day_of_year,
      'ISO week': facts.iso_week,
    };
    for (const [name, fact] of Object.entries(wanted))
      assert.equal(found[name], fact, `${about}: ${name}`);
    assert.equal(found['Read as'].toLowerCase().replaceAll(' ', ''), facts.detected, about);
    assert.equal(said.length, warnings.length, `${about}: ${said.join(' ')}`);
  }
});

/** What the page takes beyond the service, as people write it. */
const TAKEN = new Map([
  ['14/11/2023', '2023-11-14T00:00:00Z'],
  ['2023/1/14', '2023-01-14T00:00:00Z'],
  ['2023-11-14T9:13', '2023-11-14T09:13:00Z'],
  ['now Berlin', '2023-11-14T22:13:20Z'],
  ['now in PST', '2023-11-14T22:13:20Z'],
  ['now in UTC in UTC', '2023-11-14T22:13:20Z'],
  ['2023-11-14 22:13 PST', '2023-11-15T06:13:00Z'],
  ['2023-11-14 10:13 p.m. PST', '2023-11-15T06:13:00Z'],
  ['2023-11-14 22:13 IST', '2023-11-14T16:43:00Z'],
  ['2023-11-14 22:13 Berlin', '2023-11-14T21:13:00Z'],
  ['2023-11-14T22:13:20 CET', '2023-11-14T21:13:20Z'],
  ['now EST', '2023-11-14T22:13:20Z'],
  ['now CET', '2023-11-14T22:13:20Z'],
  ['CET', '2023-11-14T22:13:20Z'],
  ['2023-11-14  22:13:20Z', '2023-11-14T22:13:20Z'],
  ['Tue 14 Nov 2023 22:13:20 GMT', '2023-11-14T22:13:20Z'],
  ['Tuesdays, 14 Nov 2023 22:13:20 GMT', '2023-11-14T22:13:20Z'],
  ['14 Nov 2023 22 GMT', '2023-11-14T22:00:00Z'],
  ['14 Nov 2023 22:13:20.5 GMT', '2023-11-14T22:13:20.5Z'],
  ['14 Nov 2023 22:13:20 CET', '2023-11-14T21:13:20Z'],
  ['14 Nov 2023 22:13:20 +01:00', '2023-11-14T21:13:20Z'],
  ['14 Nov 2023 22:13:20 +01', '2023-11-14T21:13:20Z'],
]);

test('what the service refuses is refused, but for dates as people write them', async () => {
  const [, list = ''] = core('tools/timestamp/refusals.rs').split('const REFUSED');
  const literals = list.split('];')[0]?.matchAll(/^ {4}\(\s*"((?:[^"\\]|\\.)*)",/gm) ?? [];
  let count = 0;
  for (const [, literal] of literals) {
    const value = JSON.parse(`"${literal}"`);
    // An empty field is the current time.
    if (value.trim() === '') continue;
    const { refusal, found } = await rows(value);
    count++;
    const taken = TAKEN.get(value);
    if (taken) assert.equal(found['ISO 8601 (UTC)'], taken, value);
    else assert.equal(refusal?.field, 'value', `${value}: ${found['ISO 8601 (UTC)']}`);
  }
  assert.ok(count > 90, `${count} inputs`);
});

test('a relative time is in the largest whole unit, and is told once', async () => {
  for (const [value, words] of /** @type {const} */ ([
    ['1700000000.999999999', 'now'],
    ['1699999999.000000001', 'now'],
    ['1699999941', '59 seconds ago'],
    ['1700003600', 'in 1 hour'],
    ['2023-12-14T22:13:19Z', 'in 29 days'],
    ['2023-12-14T22:13:20Z', 'in 1 month'],
    ['2023-10-14T22:13:20.000000001Z', '30 days ago'],
    ['2022-11-14T22:13:21Z', '11 months ago'],
    ['0001-01-01T00:00:00Z', '2022 years ago'],
  ])) {
    const { outputs } = await runTool(tool, { value, zone: 'UTC' });
    assert.equal(outputs.headline.below, `${words} · UTC`, value);
    assert.ok(!JSON.stringify(outputs.result).includes(`"${words}"`), value);
  }
});

test('numbers of other systems', async () => {
  for (const [value, unit, iso] of /** @type {const} */ ([
    ['25569', 'excel', '1970-01-01T00:00:00Z'],
    ['45244.5', 'excel', '2023-11-14T12:00:00Z'],
    ['116444736000000000', 'filetime', '1970-01-01T00:00:00Z'],
    ['11644473600000000', 'webkit', '1970-01-01T00:00:00Z'],
    ['175928847299117063', 'discord', '2016-04-30T11:18:25.796Z'],
    ['1541815603606036480', 'twitter', '2022-06-28T16:07:40.105Z'],
    ['507f1f77bcf86cd799439011', 'auto', '2012-10-17T21:13:27Z'],
  ]))
    assert.equal((await rows(value, { unit })).found['ISO 8601 (UTC)'], iso, value);
});

test('several lines are a table; a wrong one is left out, and told', async () => {
  const { outputs } = await runTool(tool, { value: '0\n\n1700000000\n', zone: 'Asia/Kolkata' });
  assert.deepEqual(outputs.result.rows, [
    ['0', '1970-01-01T00:00:00Z', '1970-01-01 05:30:00+05:30', '0', '53 years ago'],
    ['1700000000', '2023-11-14T22:13:20Z', '2023-11-15 03:43:20+05:30', '1700000000', 'now'],
  ]);
  const { outputs: some, warnings } = await runTool(tool, { value: '0\n2024-02-30T00:00:00Z' });
  assert.equal(some.result.rows.length, 1);
  assert.match(warnings.join(), /^"2024-02-30T00:00:00Z" was left out: it .*does not exist\.$/);
});

test('an unknown zone is refused', async () => {
  const { refusal } = await rows('0', { zone: 'Mars/Olympus' });
  assert.match(refusal?.sentence ?? '', /^Time zone is not a time zone that this browser knows/);
});

test('an empty field is now, and goes on', async () => {
  const { outputs, again } = await runTool(tool, {});
  assert.equal(Object.fromEntries(outputs.result.pairs)['Unix seconds'], '1700000000');
  assert.equal(again, 1);
});

test('the call for programs has one of several times', async () => {
  for (const [value, one] of [
    ['\n1700000000\n2023-11-14\n', '1700000000'],
    ['Tue, 14 Nov 2023\n 22:13:20 +0000', 'Tue, 14 Nov 2023\n 22:13:20 +0000'],
    ['', ''],
  ])
    assert.deepEqual(await tool.call?.({ value, unit: 's' }), { value: one, unit: 's' });
});

test('a time in a zone by its name is the moment at which its clocks show it', async () => {
  const of = async (/** @type {string} */ value) => {
    const { outputs, warnings, refusal } = await runTool(tool, { value, zone: 'UTC' });
    return refusal?.sentence ?? [outputs.result.pairs[0][1], ...warnings].join(' ');
  };
  assert.equal(await of('2023-07-14T09:00:00.5[America/New_York]'), '2023-07-14T13:00:00.5Z');
  assert.equal(await of('2023-01-14 09:00 Europe/Berlin'), '2023-01-14T08:00:00Z');
  assert.equal(await of('2023-07-14T09:00-04:00[America/New_York]'), '2023-07-14T13:00:00Z');
  assert.equal(await of('2023-11-14T22:13:20Z[Europe/Paris]'), '2023-11-14T22:13:20Z');
  assert.match(
    await of('2023-03-26T02:30[Europe/Berlin]'),
    /^2023-03-26T01:30:00Z The clocks of Europe\/Berlin skip this time; it is taken as 2023-03-26T03:30:00/,
  );
  assert.match(
    await of('2023-10-29T02:30[Europe/Berlin]'),
    /^2023-10-29T00:30:00Z The clocks .* show this time twice/,
  );
  assert.match(
    await of('2023-07-14T09:00+02:00[America/New_York]'),
    /has an offset that America\/New_York does not have then/,
  );
  assert.match(
    await of('2023-07-14T09:00[Europe/Nowhere]'),
    /has the unknown time zone "Europe\/Nowhere"/,
  );
});

test('the place of a time follows it in any form, as the service takes it', async () => {
  const [, list = ''] = core('tools/timestamp.rs').split('fn the_place_of_a_time_follows_it');
  const literals = list.split('] {\n        let answer')[0] ?? '';
  let count = 0;
  for (const [, value = '', iso = '', warnings = ''] of literals.matchAll(
    /\(\s*"([^"]*)",\s*("[^"]*"|NOW),\s*(?:None|Some\("[^"]*"\)),\s*vec!\[([^\]]*)\],?\s*\)/g,
  )) {
    const { found, warnings: said, refusal } = await rows(value);
    const wanted = iso === 'NOW' ? '2023-11-14T22:13:20Z' : iso.slice(1, -1);
    assert.equal(found['ISO 8601 (UTC)'], wanted, `${value}: ${refusal?.sentence}`);
    const expected = warnings.split(',').filter((one) => one.trim() !== '');
    assert.equal(said.length, expected.length, `${value}: ${said}`);
    count++;
  }
  assert.ok(count > 30, `${count} values`);
});

test('a value is taken out of what it was copied with', async () => {
  for (const [value, iso, around] of /** @type {const} */ ([
    ['"2024-12-25T10:00:00Z"', '2024-12-25T10:00:00Z', 'quotes'],
    ["'1700000000'", '2023-11-14T22:13:20Z', 'quotes'],
    ['`now Asia/Tokyo`', '2023-11-14T22:13:20Z', 'quotes'],
    ['[2024-12-25T10:00:00Z]', '2024-12-25T10:00:00Z', 'brackets'],
    ['[20/Feb/2018:12:12:14 +0800]', '2018-02-20T04:12:14Z', 'brackets'],
    ['1700000000,', '2023-11-14T22:13:20Z', 'a comma or semicolon'],
  ])) {
    const { found, warnings } = await rows(value);
    assert.equal(found['ISO 8601 (UTC)'], iso, value);
    assert.deepEqual(warnings, [`Left out around the value: ${around}.`]);
  }
  assert.deepEqual((await rows('2026-07-01T12:00[Europe/Berlin]')).warnings, []);
});

test('numbers of other systems that look like Unix time carry a warning', async () => {
  for (const [value, other] of /** @type {const} */ ([
    ['133444736000000000', /as a Windows FILETIME it would be 2023-11-14T22:13:20Z/],
    ['638356156000000000', /as \.NET ticks it would be 2023-11-15T/],
    ['13344473600000000', /as microseconds since 1601 \(WebKit\) it would be 2023-11-14T/],
  ]))
    assert.match((await rows(value)).warnings.join(), other);
  assert.deepEqual((await rows('1700000000000000000')).warnings, []);
});

test('dates as people write them, with what was assumed', async () => {
  for (const [value, iso, ...assumed] of /** @type {const} */ ([
    ['3 March 2025', '2025-03-03T00:00:00Z', /No time of day/, /UTC is assumed/],
    ['Mar 3, 2025 2:00 PM', '2025-03-03T14:00:00Z', /UTC is assumed/],
    ['28.11.2026 14:00', '2026-11-28T14:00:00Z', /UTC is assumed/],
    ['03/04/2025 14:00 UTC', '2025-0', /03\/04\/2025 is read as 2025-0/],
    ['5pm Berlin', '2023-11-14T16:00:00Z', /2023-11-14, today in Europe\/Berlin/],
    ['15:00 New York', '2023-11-14T20:00:00Z', /2023-11-14, today in America\/New_York/],
    ['tomorrow 9am Pacific Time', '2023-11-15T17:00:00Z', /tomorrow in America\/Los_Angeles/],
    ['2026-07-01 12:00 CEST', '2026-07-01T10:00:00Z'],
    ['2026-07-01 12:00 New York', '2026-07-01T16:00:00Z'],
    ['2026-07-01T12:00Z in Tokyo', '2026-07-01T12:00:00Z'],
    ['Tokyo', '2023-11-14T22:13:20Z'],
    ['now in New York', '2023-11-14T22:13:20Z'],
  ])) {
    const { found, warnings, refusal } = await rows(value);
    assert.ok(found['ISO 8601 (UTC)']?.startsWith(iso), `${value}: ${refusal?.sentence}`);
    assert.equal(warnings.length, assumed.length, `${value}: ${warnings}`);
    for (const [at, pattern] of assumed.entries()) assert.match(warnings[at] ?? '', pattern);
  }
});

test('a time without an offset is UTC, and a press away from the zone of the reader', async () => {
  const value = '28.11.2026 14:00';
  const zone = 'America/New_York';
  const { outputs, warnings } = await runTool(tool, { value, zone });
  assert.deepEqual(warnings, []);
  assert.equal(outputs.took.text, 'Read as UTC');
  const local = await runTool(tool, { value, zone, ...outputs.took.back.values });
  assert.equal(local.outputs.took, undefined);
  assert.equal(local.outputs.result.pairs[0][1], '2026-11-28T19:00:00Z');
});

test('ISO 8601 with a space, a decimal comma and no offset is UTC, which is told', async () => {
  const { found, warnings } = await rows('2023-11-17 22:13:20,25');
  assert.equal(found['ISO 8601 (UTC)'], '2023-11-17T22:13:20.25Z');
  assert.deepEqual(warnings, ['No offset from UTC is given; UTC is assumed.']);
});
