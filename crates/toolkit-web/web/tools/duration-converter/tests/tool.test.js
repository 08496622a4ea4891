//! Vectors: RFC 3339 appendix A, test262 `Duration.from`, Go's `ParseDuration`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../../../kit/tool.js';
import { NANOSECONDS, parseDuration } from '../../../lib/duration.js';
import { Temporal } from '../../../lib/temporal.js';
import { runTool, seeded, suite } from '../../../tests/run.mjs';
import { toClock, toDecimal, toGo, toIso, toShort, toWords } from '../format.js';
import tool from '../tool.js';

/** @type {(source: string) => ReturnType<typeof parseDuration>} */
const parse = (source) => parseDuration(source, 'seconds');

/** @param {string} source @param {Record<string, string | boolean>} [values] */
const refused = async (source, values = {}) => {
  const { refusal } = await runTool(tool, { durations: source, ...values });
  assert.ok(refusal, `${source} was accepted`);
  return refusal;
};

test('RFC 3339 appendix A and ISO 8601', () => {
  for (const [source, nanoseconds] of /** @type {[string, bigint][]} */ ([
    ['P1D', 86_400n * NANOSECONDS.seconds],
    ['P1W', 604_800n * NANOSECONDS.seconds],
    ['P3DT12H30M5S', 304_205n * NANOSECONDS.seconds],
    ['PT0S', 0n],
    ['PT36H', 129_600n * NANOSECONDS.seconds],
    ['-PT0.000000001S', -1n],
    ['+pt1,5h', 5_400n * NANOSECONDS.seconds],
    ['PT1.5M', 90n * NANOSECONDS.seconds],
  ]))
    assert.equal(parse(source).nanoseconds, nanoseconds, source);
  assert.deepEqual(
    [parse('P4Y2M').years, parse('-P4Y2M').months, parse('P2M').nanoseconds],
    [4n, -2n, 0n],
  );
});

test('test262 Duration.from: strings are parsed or refused as by Temporal', (context) => {
  /** @type {{ id: string, op: string, input: { argument: unknown }, expect: any }[] | undefined} */
  const cases = suite(context, 'temporal_date_duration_test262');
  const strings = (cases ?? []).filter(
    ({ op, input }) => op === 'Duration.from' && typeof input.argument === 'string',
  );
  for (const { id, input, expect } of strings) {
    const source = /** @type {string} */ (input.argument);
    if (expect === 'reject') {
      if (!/^[+-]?p[^+-]*$/i.test(source)) continue; // other forms, and signs of parts, are ours
      assert.throws(() => parse(source), Refusal, `${id} ${source}`);
      continue;
    }
    const wanted = Temporal.Duration.from(source);
    const { years, months, nanoseconds } = parse(source);
    assert.deepEqual([Number(years), Number(months)], [wanted.years, wanted.months], id);
    assert.equal(nanoseconds, fixedPart(wanted), `${id} ${source}`);
  }
  if (cases) assert.equal(strings.length, 114);
});

/** @param {InstanceType<typeof Temporal.Duration>} duration */
function fixedPart(duration) {
  let sum = 0n;
  for (const [unit, factor] of Object.entries(NANOSECONDS))
    sum += BigInt(duration[/** @type {keyof typeof NANOSECONDS} */ (unit)]) * factor;
  return sum;
}

test("Go's ParseDuration: the same values", (context) => {
  /** @type {{ id: string, input: string, expect: any }[] | undefined} */
  const cases = suite(context, 'duration_go');
  let wider = 0;
  for (const { id, input, expect } of cases ?? []) {
    if (expect !== 'reject') {
      // Go computes fractions in floating point; below a nanosecond the result may differ by one.
      const { nanoseconds, rounded } = parse(input);
      const difference = Math.abs(Number(nanoseconds - BigInt(expect.nanoseconds)));
      assert.ok(difference <= Number(rounded), `${id} ${input}`);
      continue;
    }
    let read;
    try {
      read = parse(input);
    } catch {
      continue;
    }
    // Deliberately wider than Go: plain numbers, days, and values over int64.
    const large = read.nanoseconds >= 2n ** 63n || read.nanoseconds < -(2n ** 63n);
    assert.ok(large || /^[+-]?\d+(\.\d*)?d?$/.test(input), `${id} ${input}`);
    wider++;
  }
  if (cases) assert.deepEqual([cases.length, wider], [64, 9]);
});

test('words, clock time and plain numbers', () => {
  for (const [source, seconds] of /** @type {[string, bigint][]} */ ([
    ['90', 90n],
    ['2 days, 3 hours and 5 minutes', 183_900n],
    ['1 hr. 5 mins', 3_900n],
    ['1:30', 90n],
    ['100:00:00', 360_000n],
    ['1.02:03:04', 93_784n],
    ['2d 01:00:00', 176_400n],
    ['−1 week', -604_800n],
    ['1w2d', 777_600n],
    ['5m 1h', 3_900n],
  ]))
    assert.equal(parse(source).nanoseconds, seconds * NANOSECONDS.seconds, source);
});

test('writers agree with Temporal and with the parsers (seeded)', () => {
  const next = seeded(7);
  for (let round = 0; round < 2000; round++) {
    const size = 10n ** BigInt(next(24));
    const value = ((BigInt(next(2 ** 31)) * size) / 1_000_000_007n) * (next(2) ? 1n : -1n);
    for (const write of [toIso, toShort, toWords]) {
      const written = write(
        value,
        /** @type {'weeks'} */ (['weeks', 'days', 'hours', 'seconds'][next(4)]),
      );
      assert.equal(parse(written.replace('minus ', '-')).nanoseconds, value, written);
    }
    assert.equal(parse(toClock(value)).nanoseconds, value, toClock(value));
    assert.equal(parse(toGo(value)).nanoseconds, value, toGo(value));
    assert.equal(fixedPart(Temporal.Duration.from(toIso(value, 'hours'))), value);
  }
});

test('the form that Go writes', () => {
  for (const [source, wanted] of [
    ['0', '0s'],
    ['1ns', '1ns'],
    ['1100ns', '1.1µs'],
    ['2200µs', '2.2ms'],
    ['3.3s', '3.3s'],
    ['4m5s', '4m5s'],
    ['4m5.001s', '4m5.001s'],
    ['5h6m7.001s', '5h6m7.001s'],
    ['8m0.000000001s', '8m0.000000001s'],
    ['-2h', '-2h0m0s'],
  ])
    assert.equal(toGo(parse(String(source)).nanoseconds), wanted);
  assert.deepEqual(toDecimal(1n, 'hours'), { text: '0.000000000000277', exact: false });
});

test('refusals name the position', async () => {
  for (const [source, offset, offence] of /** @type {[string, number, RegExp][]} */ ([
    ['-', 1, /has no number/],
    ['1h 30', 3, /where a number with a unit is expected/],
    ['1 parsec', 2, /unknown unit "parsec"/],
    ['1y 6m', 4, /could be minutes or months/],
    ['6M', 1, /could be minutes or months/],
    ['6m 2w', 1, /could be minutes or months/],
    ['P', 1, /has no number after its last letter/],
    ['P1DT', 4, /has no number after its last letter/],
    ['P1H', 1, /has "1", which is not expected/],
    ['P1.5D', 2, /fraction of a day/],
    ['PT1.5H30M', 6, /unit after a fraction/],
    ['PT1.1234567890S', 3, /fraction of 10 digits/],
    ['PT1M1H', 4, /not expected/],
    ['01:60:00', 3, /60 minutes/],
    ['01:00:61', 6, /61 seconds/],
    ['1:2:03', 2, /not two digits/],
    ['1d 24:00:00', 3, /24 hours after days/],
    ['::', 0, /is not clock time/],
    ['9007199254740992', 0, /longer than 2\^53/],
    ['1.5 years', 0, /fraction of years/],
    ['\nx', 1, /where a number with a unit/],
    ['1 month', 0, /depends on the date/],
  ])) {
    const refusal = await refused(source);
    assert.match(refusal.offence, offence, source);
    assert.equal(refusal.offset, offset, source);
  }
  assert.equal((await refused('1 month', { reference: '2024-02-30' })).field, 'reference');
  assert.match((await refused('1000000 years', { reference: '2024-02-29' })).offence, /275760/);
});

test('limits: 2^53 seconds and 1,000 lines', async () => {
  const last = await runTool(tool, { durations: '9007199254740991.999999999' });
  assert.equal(last.outputs.iso, 'P104249991374DT7H36M31.999999999S');
  assert.deepEqual(last.warnings, ['Go cannot hold this duration: its longest is 292 years.']);
  assert.match((await refused('9007199254740991\n1')).offence, /adds up/);
  assert.equal((await runTool(tool, { durations: '1s\n'.repeat(1000) })).outputs.clock, '00:16:40');
  assert.match((await refused('1s\n'.repeat(1001))).offence, /more than 1000 lines/);
});

test('assumptions are reported', async () => {
  const parts = await runTool(tool, { durations: '5:30' });
  assert.deepEqual(parts.warnings, ['"5:30" was read as minutes and seconds.']);
  const cut = await runTool(tool, { durations: '0.0000000001' });
  assert.deepEqual(cut.warnings, ['"0.0000000001": rounded to whole nanoseconds.']);
});

test('the numbers of ISO 8601 may have signs, as Java writes them', async () => {
  for (const [source, iso] of /** @type {[string, string][]} */ ([
    ['PT-1S', '-PT1S'],
    ['PT-6H-30M', '-PT6H30M'],
    ['PT6H-30M', 'PT5H30M'],
    ['-PT-6H+3M', 'PT5H57M'],
    ['PT-0.5S', '-PT0.5S'],
    ['P-1DT12H', '-PT12H'],
    ['PT−1M', '-PT1M'],
  ]))
    assert.equal((await runTool(tool, { durations: source })).outputs.iso, iso, source);
  const { refusal } = await runTool(tool, { durations: 'PT--1S' });
  assert.match(refusal?.sentence ?? '', /not expected here/);
});

test('one line of several that is no duration is left out, and told', async () => {
  const { outputs, warnings } = await runTool(tool, { durations: '1h\nlunch\n2h' });
  assert.equal(outputs.iso, 'PT3H');
  assert.match(warnings.join(), /^"lunch" was left out: it has "l" where a number/);
});
