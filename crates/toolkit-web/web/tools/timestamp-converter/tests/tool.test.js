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

test('what the service refuses is refused', async () => {
  const [, list = ''] = core('tools/timestamp/refusals.rs').split('const REFUSED');
  const literals = list.split('];')[0]?.matchAll(/^ {4}\(\s*"((?:[^"\\]|\\.)*)",/gm) ?? [];
  let count = 0;
  for (const [, literal] of literals) {
    const value = JSON.parse(`"${literal}"`);
    // An empty field is the current time.
    if (value.trim() === '') continue;
    const { refusal, found } = await rows(value);
    assert.equal(refusal?.field, 'value', `${value}: ${found['ISO 8601 (UTC)']}`);
    count++;
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
    /has the time zone "Europe\/Nowhere", which is not known/,
  );
});
