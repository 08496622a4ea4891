//! `zdump` for twenty zones from 1970 to 2037; local times that clock changes skip or repeat.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { Temporal } from '../../../lib/temporal.js';
import { findZone, nearestZones, ZONES } from '../../../lib/zone-names.js';
import { runTool } from '../../../tests/run.mjs';
import tool from '../tool.js';

/** @param {Record<string, any>} values */
const run = (values) => runTool(tool, { zones: '', ...values });

const TWENTY =
  'Australia/Lord_Howe Pacific/Kiritimati Pacific/Apia Africa/Casablanca Europe/Berlin Europe/London Europe/Dublin Europe/Istanbul America/New_York America/Los_Angeles America/Sao_Paulo America/Caracas America/St_Johns Asia/Kolkata Asia/Kathmandu Asia/Tokyo Asia/Tehran Asia/Pyongyang Africa/Cairo Antarctica/Troll'.split(
    ' ',
  );

test('zdump: the same changes in twenty zones', (context) => {
  let count = 0;
  for (const zone of TWENTY) {
    /** @type {string} */
    let listing;
    try {
      listing = execFileSync('zdump', ['-v', '-c', '1970,2037', zone], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch {
      return context.skip('needs zdump');
    }
    /** @type {Map<number, number>} */
    const wanted = new Map();
    let before = Number.NaN;
    for (const [, , time = '', seconds = ''] of listing.matchAll(
      /^(\S+)\s+\w+ (\w+ +\d+ [\d:]+ \d+) UTC? = .*gmtoff=(-?\d+)$/gm,
    )) {
      const at = Date.parse(`${time} UTC`) / 1000;
      if (!Number.isNaN(before) && Number(seconds) !== before) wanted.set(at, Number(seconds));
      before = Number(seconds);
    }
    let at = Temporal.Instant.from('1970-01-01T00:00Z').toZonedDateTimeISO(zone);
    /** @type {Map<number, number>} */
    const found = new Map();
    for (;;) {
      const next = at.getTimeZoneTransition('next');
      if (next === null || next.toInstant().toString() >= '2037') break;
      if (next.offsetNanoseconds !== next.subtract({ nanoseconds: 1 }).offsetNanoseconds)
        found.set(next.epochMilliseconds / 1000, next.offsetNanoseconds / 1e9);
      at = next;
    }
    const inRange = [...wanted].filter(([second]) => second >= 0 && second < Date.UTC(2037) / 1000);
    assert.deepEqual([...found], inRange, zone);
    count += found.size;
  }
  // The number depends on the edition of the zone database.
  assert.ok(count > 1300, `${count} changes`);
});

test('zones are found by name, city, offset, and by names of older editions', () => {
  for (const [name = '', zone] of [
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
    ['San Francisco', 'America/Los_Angeles'],
    ['são paulo', 'America/Sao_Paulo'],
    ['munich', 'Europe/Berlin'],
    ['UTC', 'UTC'],
    ['utc', 'UTC'],
    ['+5', '+05:00'],
    ['UTC-03:30', '-03:30'],
    ['GMT+1', '+01:00'],
    ['CEST', 'Europe/Berlin'],
    ['pt', 'America/Los_Angeles'],
    ['Pacific Time', 'America/Los_Angeles'],
    ['Central European Summer Time', 'Europe/Berlin'],
    ['India Standard Time', 'Asia/Kolkata'],
    ['AUS Eastern Standard Time', 'Australia/Sydney'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['Eastern Standard Time (Mexico)', 'America/Cancun'],
    ['Russia Time Zone 3', 'Europe/Samara'],
  ])
    assert.equal(findZone(name), zone, name);
  assert.ok(findZone('US/Eastern'));
  assert.ok(ZONES.length > 400);
  assert.equal(nearestZones('Europ/Berlin')[0], 'Europe/Berlin');
  assert.deepEqual(nearestZones('Mars'), ['Europe/Paris']);
  for (const name of ['XYZT', 'Middle-earth', 'qqqqqqqq']) assert.deepEqual(nearestZones(name), []);
  for (const name of ['', 'Atlantis', '+25:00', 'Europe/Berlin/Mitte', '+5:99'])
    assert.equal(findZone(name), undefined, name);
});

test('moments in all forms', async () => {
  for (const [moment = '', wanted = ''] of [
    ['now', '2023-11-14T22:13:20Z'],
    ['1700000000', '2023-11-14T22:13:20Z'],
    ['1700000000.5', '2023-11-14T22:13:20.5Z'],
    ['1700000000123', '2023-11-14T22:13:20.123Z'],
    ['1700000000123456789', '2023-11-14T22:13:20.123456789Z'],
    ['-1', '1969-12-31T23:59:59Z'],
    ['2024-02-29', '2024-02-28T23:00:00Z'],
    ['2024-02-29 12:00', '2024-02-29T11:00:00Z'],
    ['2024-02-29T12:00:00.25', '2024-02-29T11:00:00.25Z'],
    ['2024-02-29T12:00Z', '2024-02-29T12:00:00Z'],
    ['2024-02-29 12:00 +05:30', '2024-02-29T06:30:00Z'],
    ['2024-07-01T12:00[America/New_York]', '2024-07-01T16:00:00Z'],
    ['2024-07-01T12:00-04:00[America/New_York]', '2024-07-01T16:00:00Z'],
    ['20240229T120000', '2024-02-29T11:00:00Z'],
    ['Thu, 29 Feb 2024 12:00:00 GMT', '2024-02-29T12:00:00Z'],
  ]) {
    const { outputs, refusal } = await run({ moment, home: 'Europe/Berlin' });
    assert.equal(outputs.moment?.pairs[0][1], wanted, `${moment} ${refusal?.sentence}`);
  }
});

test('moments as people write them, with what was assumed', async () => {
  for (const [moment = '', wanted = '', assumed] of [
    ['', '2023-11-14T22:13:20Z'],
    ['3 March 2025', '2025-03-02T23:00:00Z'],
    ['3 March 2025, 2 pm', '2025-03-03T13:00:00Z'],
    ['Mar 3, 2025 2:00 PM', '2025-03-03T13:00:00Z'],
    ['28.11.2026 14:00', '2026-11-28T13:00:00Z'],
    ['13/04/2025 14:00', '2025-04-13T12:00:00Z'],
    ['04/13/2025 2:00 pm', '2025-04-13T12:00:00Z'],
    ['2/1/2025 14:00', '', '2/1/2025 is read as 2025-0'],
    ['2/1/25 14:00', '', '2/1/25 is read as 2025-0'],
    ['12/31/99 14:00', '1999-12-31T13:00:00Z', '12/31/99 is read as 1999-12-31.'],
    ['03/03/2025 14:00', '2025-03-03T13:00:00Z'],
    ['5pm', '2023-11-14T16:00:00Z', 'The day is taken as 2023-11-14, today in Europe/Berlin.'],
    ['17:30', '2023-11-14T16:30:00Z', 'The day is taken as 2023-11-14'],
    ['15:00 New York', '2023-11-14T20:00:00Z', 'today in America/New_York'],
    ['5 pm in Tokyo', '2023-11-15T08:00:00Z', '2023-11-15, today in Asia/Tokyo'],
    [
      'tomorrow 9am',
      '2023-11-15T08:00:00Z',
      'The day is taken as 2023-11-15, tomorrow in Europe/Berlin',
    ],
    ['Monday 9am', '2023-11-20T08:00:00Z', '2023-11-20, Monday in Europe/Berlin.'],
    ['on tuesday at 23:30', '2023-11-14T22:30:00Z', '2023-11-14, tuesday in Europe/Berlin.'],
    ['Friday, 5pm in Tokyo', '2023-11-17T08:00:00Z', '2023-11-17, Friday in Asia/Tokyo.'],
    ['Tuesday, 14 November 2023 10:00', '2023-11-14T09:00:00Z'],
    ['yesterday at 9:15', '2023-11-13T08:15:00Z', 'The day is taken as 2023-11-13'],
    ['today', '2023-11-13T23:00:00Z', 'The day is taken as 2023-11-14'],
    ['2026-07-01 12:00 CEST', '2026-07-01T10:00:00Z'],
    ['2026-07-01 12:00 Pacific Time', '2026-07-01T19:00:00Z'],
    ['2026-07-01 12:00 W. Europe Standard Time', '2026-07-01T10:00:00Z'],
    ['2026-07-01 12:00 JST', '2026-07-01T03:00:00Z'],
  ]) {
    const { outputs, warnings, refusal } = await run({ moment, home: 'Europe/Berlin' });
    const found = outputs.moment?.pairs[0][1] ?? refusal?.sentence;
    assert.ok(found.startsWith(wanted), `${moment}: ${found}`);
    assert.equal(warnings.length, assumed ? 1 : 0, `${moment}: ${warnings}`);
    assert.ok(!assumed || warnings[0]?.includes(assumed), `${moment}: ${warnings}`);
  }
  const winter = await run({ moment: '2026-07-01 12:00', zones: 'EST\nCEST\nET' });
  assert.deepEqual(winter.warnings, ['EST was read as America/New_York, where it is EDT then.']);
});

test('clocks that go forward or back: both readings are reported', async () => {
  for (const [moment = '', home, earlier, later, word = ''] of [
    ['2024-03-31 02:30', 'Europe/Berlin', '00:30:00Z', '01:30:00Z', 'does not exist'],
    ['2024-10-27 02:30', 'Europe/Berlin', '00:30:00Z', '01:30:00Z', 'occurs twice'],
    [
      '2024-10-06 02:15',
      'Australia/Lord_Howe',
      '2024-10-05T15:15:00Z',
      '2024-10-05T15:45:00Z',
      'does not exist',
    ],
    [
      '2011-12-30 12:00',
      'Pacific/Apia',
      '2011-12-29T22:00:00Z',
      '2011-12-30T22:00:00Z',
      'does not exist',
    ],
  ])
    for (const reading of /** @type {const} */ (['earlier', 'later'])) {
      const { outputs, warnings } = await run({ moment, home, reading });
      assert.ok(
        outputs.moment.pairs[0][1].endsWith(String(reading === 'earlier' ? earlier : later)),
        `${moment} ${reading} ${outputs.moment.pairs[0][1]}`,
      );
      assert.equal(warnings.length, 1);
      assert.ok(warnings[0]?.includes(word), word);
    }
});

test('refusals: unknown values, with the nearest ones', async () => {
  for (const [moment, offence] of /** @type {[string, RegExp][]} */ ([
    ['2024-02-30', /names 2024-02-30, a day that does not exist/],
    ['2023-02-29 10:00', /a day that does not exist/],
    ['2024-13-01', /has the month 13/],
    ['2024-01-01 24:30', /has the time 24:30/],
    ['2024-01-01T12:00[Mars/Base]', /is not a time zone/],
    ['2024-01-01T12:00+05:00[Europe/Berlin]', /an offset that the zone does not have/],
    ['someday', /is not a date that this page knows/],
    ['2024-01-01 22:30 PM', /is not a date/],
    ['9999999999999999999999', /beyond the range/],
  ])) {
    const { refusal } = await run({ moment });
    assert.equal(refusal?.field, 'moment', moment);
    assert.match(refusal?.offence ?? '', offence);
  }
  const unknown = await run({ moment: 'now', home: 'Berlim' });
  assert.equal(unknown.refusal?.offence, '"Berlim" is not a time zone');
  assert.match(unknown.refusal?.hint ?? '', /Europe\/Berlin/);
  assert.equal((await run({ moment: 'now', zones: 'Atlantis' })).refusal?.field, 'zones');
  assert.equal((await run({ moment: 'now', find: 'qqqqq' })).refusal?.field, 'find');
  assert.equal((await run({ moment: 'now', zones: 'UTC\n'.repeat(50) })).refusal, undefined);
  assert.match(
    (await run({ moment: 'now', zones: 'UTC\n'.repeat(51) })).refusal?.offence ?? '',
    /51 zones/,
  );
});

test('a meeting: a day has 23, 24 or 25 hours', async () => {
  for (const [moment, hours] of /** @type {[string, number][]} */ ([
    ['2024-03-31 12:00', 23],
    ['2024-06-01 12:00', 24],
    ['2024-10-27 12:00', 25],
  ])) {
    const { outputs } = await run({ moment, home: 'Europe/Berlin', meeting: true, zones: 'Tokyo' });
    assert.equal(outputs.meeting.rows.length, hours);
    assert.deepEqual(outputs.meeting.columns, ['Berlin', 'Tokyo', 'At work']);
  }
  const { outputs } = await run({
    moment: '2024-06-03 12:00',
    home: 'Europe/Berlin',
    meeting: true,
    zones: 'London',
  });
  assert.deepEqual(outputs.meeting.rows[10], ['● 10:00', '● 09:00', 'all at work']);
});

test('search by name, city and offset', async () => {
  const names = async (/** @type {string} */ find) =>
    (await run({ moment: '2024-01-01T00:00Z', find })).outputs.found.rows.map(
      (/** @type {string[]} */ [name]) => name,
    );
  assert.deepEqual(await names('san fran'), ['America/Los_Angeles']);
  assert.ok((await names('+05:45')).some((/** @type {string} */ name) => /Kathmandu/.test(name)));
  assert.ok((await names('indiana')).length > 3);
});

test('dates of mail, HTTP, logs, git, Go and JavaScript are moments', async () => {
  for (const [moment, wanted] of /** @type {[string, string][]} */ ([
    ['Mon, 01 Jul 2024 16:00:00 -0500', '2024-07-01T21:00:00Z'],
    ['Date: 1 Jul 2024 16:00 +0200 (CEST)', '2024-07-01T14:00:00Z'],
    ['Mon, 01 Jul 2024 16:00:00 GMT', '2024-07-01T16:00:00Z'],
    ['Mon, 1 Jul 2024 16:00:00 EDT', '2024-07-01T20:00:00Z'],
    ['Mon Jul 1 16:00:00 2024 -0500', '2024-07-01T21:00:00Z'],
    ['Mon Jul 01 2024 16:00:00 GMT-0500 (Central Daylight Time)', '2024-07-01T21:00:00Z'],
    ['Monday, 01-Jul-2024 16:00:00 UTC', '2024-07-01T16:00:00Z'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z'],
    ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37Z'],
    ['Sun Nov  6 08:49:37 CET 1994', '1994-11-06T07:49:37Z'],
    ['Received: from a.test by b.test; Mon, 1 Jul 2024 16:00:00 +0200', '2024-07-01T14:00:00Z'],
    ['Delivery-date: Mon, 1 Jul 24 16:00 -0500', '2024-07-01T21:00:00Z'],
    ['Sent: Monday, July 1, 2024 4:00 PM', '2024-07-01T16:00:00Z'],
    ['Mon, Jul 1, 2024 at 12:05 AM', '2024-07-01T00:05:00Z'],
    ['[01/Jul/2024:16:00:00 +0200]', '2024-07-01T14:00:00Z'],
    ['2024-07-01 16:00:00.5 +0200 CEST m=+0.001', '2024-07-01T14:00:00.5Z'],
    ['2024-07-01 16:00 Europe/Berlin', '2024-07-01T14:00:00Z'],
    ['1 July 2024 16:00 America/Argentina/Buenos_Aires', '2024-07-01T19:00:00Z'],
    ['2024-07-01 16:00:00 CEST', '2024-07-01T14:00:00Z'],
    ['2024/07/01 16:00', '2024-07-01T16:00:00Z'],
    ['1.7.2024 16:00', '2024-07-01T16:00:00Z'],
    ['@1719849600', '2024-07-01T16:00:00Z'],
    ['20240701T1600', '2024-07-01T16:00:00Z'],
  ]))
    assert.equal((await run({ moment })).outputs.moment.pairs[0][1], wanted, moment);
  assert.match(
    (await run({ moment: 'Fri, 30 Feb 2024 16:00:00 +0000' })).refusal?.offence ?? '',
    /names 2024-02-30, a day that does not exist/,
  );
});

test('one unknown zone of several is left out, and told', async () => {
  const { outputs, warnings } = await run({ moment: 'now', zones: 'UTC\nFoo/Bar\nTokyo' });
  assert.equal(outputs.zones.rows.length, 2);
  assert.match(warnings.join(), /"Foo\/Bar" was left out/);
});

test('the zone of the device comes before the usual ones, and only before those', async () => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { outputs } = await runTool(tool, { moment: '15:00 New York' });
  assert.equal(outputs.zones.rows[0][0], own);
  assert.match(outputs.headline.text, new RegExp(` in ${own}$`));
  const asked = await runTool(tool, { moment: '15:00 New York', zones: 'Tokyo' });
  assert.deepEqual(
    asked.outputs.zones.rows.map((/** @type {string[]} */ [zone]) => zone),
    ['Asia/Tokyo'],
  );
});

test('a question for the time at a place is answered', async () => {
  const head = async (/** @type {string} */ moment) =>
    (await run({ moment, zones: 'UTC' })).outputs.headline?.text;
  const now = await head('now');
  assert.match(now, /in UTC$/);
  for (const asked of ['what time is it in Tokyo', 'What’s the time in Tokyo?', 'now in Tokyo'])
    assert.match(await head(asked), /in Asia\/Tokyo$/, asked);
  assert.match(await head('3pm PST in Berlin'), /00:00 in Europe\/Berlin$/);
  assert.match(
    await head('2024-01-15 15:00 UTC to Tokyo'),
    /^Tue 2024-01-16 00:00 in Asia\/Tokyo$/,
  );
  for (const local of ['3 pm in Berlin', '15:00 in Berlin'])
    assert.match(await head(local), /1[34]:00 in UTC$/);
  assert.match(await head('noon'), / 12:00 in UTC$/);
  assert.match(await head('tomorrow at noon in Tokyo'), / 03:00 in UTC$/);
  assert.match(
    (await run({ moment: 'now in Nowhere' })).refusal?.sentence ?? '',
    /not a time zone/,
  );
});
