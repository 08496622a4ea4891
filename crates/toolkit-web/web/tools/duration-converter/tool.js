//! Durations between seconds, clock time, ISO 8601, Go, short units and words, exact to the nanosecond.
//! Standards: ISO 8601 as in RFC 3339 appendix A and Temporal.Duration; Go's ParseDuration.
import { choice, date, refuse, table, text, tool } from '../../kit/tool.js';
import { LIMIT } from '../../lib/duration.js';
import { inField } from '../../lib/positions.js';
import { toClock, toDecimal, toGo, toIso, toShort, toWords } from './format.js';

/** @import { Unit } from '../../lib/duration.js' */

/** @type {Record<Unit, string>} */
const UNITS = {
  weeks: 'Weeks',
  days: 'Days',
  hours: 'Hours',
  minutes: 'Minutes',
  seconds: 'Seconds',
  milliseconds: 'Milliseconds',
  microseconds: 'Microseconds',
  nanoseconds: 'Nanoseconds',
};

export default tool({
  fields: {
    durations: text('Duration', {
      lines: 3,
      max: 1 << 20,
      help: 'Enter `90`, `1h 30m`, `01:30:00`, `PT1H30M`, `1 hour, 30 minutes`. Lines are added up. A minus sign subtracts.',
    }),
    unit: choice('Unit of plain numbers', UNITS, { value: 'seconds' }),
    largest: choice('Largest unit', UNITS, {
      value: 'days',
      help: 'Choose the largest unit of ISO 8601, short units and words.',
    }),
    reference: date('Reference date', {
      help: 'Choose the day on which years and months begin.',
    }),
  },
  answer: 'words',
  labels: { iso: 'ISO 8601', short: 'Short units', clock: 'Clock time' },
  async run({ durations, unit, largest, reference }, context) {
    const { GO_LIMIT, readLines } = await import('./lines.js');
    const source = durations.string;
    const lines = inField('durations', source, () =>
      readLines(source, unit, reference.trim(), context),
    );
    if (lines.length === 0) return {};
    const sum = lines.reduce((before, [, value]) => before + value, 0n);
    if (sum >= LIMIT || sum <= -LIMIT) refuse('durations', 'adds up to more than 2^53 seconds');
    if (sum >= GO_LIMIT || sum < -GO_LIMIT)
      context.warn('Go cannot hold this duration: its longest is 292 years.');
    const totals = /** @type {Unit[]} */ (Object.keys(UNITS)).map((name) => {
      const { text, exact } = toDecimal(sum, name);
      return [UNITS[name], exact ? text : `≈ ${text}`];
    });
    return {
      words: toWords(sum, largest),
      short: toShort(sum, largest),
      clock: toClock(sum),
      iso: toIso(sum, largest),
      go: toGo(sum),
      totals: table(['Unit', 'Total'], totals),
      lines:
        lines.length > 1
          ? table(
              ['Line', 'Duration', 'Seconds'],
              lines.map(([line, value]) => [
                line,
                toShort(value, largest),
                toDecimal(value, 'seconds').text,
              ]),
            )
          : null,
    };
  },
  product: { words: 'duration' },
  examples: [
    {
      title: 'Short units',
      values: { durations: '1h 30m' },
      outputs: {
        words: '1 hour, 30 minutes',
        short: '1h 30m',
        clock: '01:30:00',
        iso: 'PT1H30M',
        go: '1h30m0s',
      },
    },
    {
      title: 'Working times added up',
      values: { durations: '08:15:00\n7h 45m\n-30 minutes', largest: 'hours' },
    },
    {
      title: 'A month, from a date on',
      values: { durations: 'P1M', reference: '2024-02-01' },
    },
  ],
});
