//! Cron expressions in plain English, with their next runs in a time zone. Standard: crontab(5).
import { attempt, headline, line, number, table, tool, view, zone } from '../../kit/tool.js';
import { inField } from '../../lib/positions.js';
import { clockOf, zoneOf } from '../../lib/zones.js';
import { describe } from './describe.js';
import { drawn, PARTS, SCHEDULES } from './page.js';
import { ranged, runsIn, startOf, weekOf } from './runs.js';
import { parse } from './schedule.js';

export default tool({
  fields: {
    expression: line('Expression', { code: true, max: 1000, help: ' ' }),
    zone: zone('Time zone', {
      help: 'Choose the time zone of the machine that runs it. Leave empty for UTC, or if the line names it (`CRON_TZ=Europe/Paris`).',
    }),
    count: number('Count', { value: 5, min: 1, max: 50 }),
    from: line('Start', {
      code: true,
      help: 'Enter a date, or a date and a time. Leave empty for the current time.',
    }),
  },
  more: 'from',
  labels: { runs: 'Next runs', week: 'The week' },
  drawn,
  run({ expression, zone, count, from }, context) {
    if (expression.trim() === '') return {};
    const schedule = inField('expression', expression, () => parse(expression, context.warn));
    const chosen = zoneOf(zone);
    const timeZone = schedule.zone ?? chosen ?? 'UTC';
    if (chosen && chosen !== timeZone)
      context.warn(`The line names ${timeZone}, so the time zone below it is not used.`);
    const after = inField('from', from, () => startOf(from, timeZone, context.now()));
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const zones = [...new Set([timeZone, 'UTC', here])].slice(0, 2);
    const rows = runsIn(schedule, after, { count, zones, now: context.now(), warn: context.warn });
    if (rows.length === 0) context.warn('It never fires: no time matches before the year 10000.');
    else if (rows.length < count)
      context.warn('It does not fire more often before the year 10000.');
    return {
      headline: headline(describe(schedule).slice(0, -1)),
      runs: rows.length > 0 ? table([...zones, 'From now'], rows) : null,
      week: rows.length > 0 ? view(weekOf(schedule, clockOf(timeZone)(after))) : null,
      fields: table(
        ['Field', 'As written', 'Values'],
        schedule.fields.map(({ raw, values }, at) => [PARTS[at]?.[0], raw, ranged(values)]),
      ),
    };
  },
  call({ expression, from, count, zone }) {
    const own = attempt(() => parse(expression, () => {}).zone);
    const name = zone.trim();
    if (own !== undefined || name === '' || name === 'UTC') return { expression, from, count };
    const start = /^\d{4}-\d\d-\d\d(?:[ T][\d:.,]+)?$/i.test(from.trim())
      ? `${from.trim()}[${name}]`
      : from;
    return { expression: `CRON_TZ=${name} ${expression}`, from: start, count };
  },
  product: { headline: 'description', runs: 'next runs' },
  examples: [
    {
      title: 'At 09:30 on working days',
      values: { expression: '30 9 * * MON-FRI', count: 2 },
      outputs: {
        headline: headline('At 09:30, Monday through Friday'),
      },
    },
    {
      title: 'Fridays at noon in Paris',
      values: { expression: 'CRON_TZ=Europe/Paris 0 12 * * 5', count: 2 },
    },
    ...Object.entries(SCHEDULES).map(([title, expression]) => ({ title, values: { expression } })),
  ],
});
