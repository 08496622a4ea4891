//! One moment in several time zones, the next clock changes, and hours for a meeting.
//! Standards: the IANA time zone database through Temporal; ISO 8601, RFC 9557.
import { choice, headline, line, pairs, text, toggle, tool, zone } from '../../kit/tool.js';

const ZONES = 'America/Los_Angeles\nAmerica/New_York\nEurope/London\nEurope/Berlin\nAsia/Tokyo';

export default tool({
  more: 'reading',
  fields: {
    moment: line('Moment', {
      max: 100,
      help: 'Enter a date and time such as `2024-03-31 02:30`, `3 March 2025, 2 pm` or `15:00 New York`, or seconds since 1970. Leave empty for now.',
    }),
    home: zone('Time zone', {
      value: 'UTC',
      help: 'Enter a name, a city, an abbreviation or an offset, for times without one.',
    }),
    zones: text('Target zones', {
      lines: 5,
      max: 10_000,
      value: ZONES,
      help: 'Enter names, cities, abbreviations or offsets, one per line.',
    }),
    reading: choice('Ambiguous times', {
      earlier: 'Earlier',
      later: 'Later',
    }),
    meeting: toggle('Meeting hours', {
      help: 'Show the day hour by hour: ● is working time, ☾ is night.',
    }),
    find: line('Zone search', {
      max: 100,
      help: 'Enter a part of a name, a city, or an offset such as `+05:30`.',
    }),
  },
  start: true,
  labels: { zones: 'Times', found: 'Zones found', meeting: 'Hours' },
  async run({ moment: source, home: homeName, zones, reading, meeting: isMeeting, find }, context) {
    const { asked, chosen, clocksTable, meeting, moment, search, timesTable, zoneOf } =
      await import('./tables.js');
    const home = zoneOf('home', homeName.trim() === '' ? 'UTC' : homeName);
    const [when, place] = asked(source);
    if (/^(?:now)?$/i.test(when.trim())) context.again(1);
    const at = moment(when, home, reading, context);
    // Before the usual ones the reader's own.
    const own = zones.string === ZONES ? Intl.DateTimeFormat().resolvedOptions().timeZone : '';
    const first = place === undefined ? own : zoneOf('moment', place);
    const ids = chosen(`${first}\n${zones.string}`, at, context.warn);

    const times = ids.length > 0 ? timesTable(ids, at) : null;
    const [zone, time] = times?.rows[0] ?? [];
    return {
      headline: zone === undefined ? null : headline(`${time} in ${zone}`),
      moment: pairs([
        ['ISO 8601', at.toInstant().toString()],
        ['RFC 9557', at.toString()],
        ['Seconds since 1970', String(Math.floor(at.epochMilliseconds / 1000))],
        ['Milliseconds since 1970', String(at.epochMilliseconds)],
      ]),
      zones: times,
      clocks: ids.length > 0 ? clocksTable(ids, at) : null,
      meeting: isMeeting ? meeting([...new Set([at.timeZoneId, ...ids])], at) : null,
      found: search(find, at),
    };
  },
  product: { zones: 'times', found: 'zones' },
  examples: [
    {
      title: 'A call in winter',
      values: {
        moment: '2024-01-15 17:30',
        home: 'Berlin',
        zones: 'San Francisco\nEurope/London\nTokyo\n+05:30',
      },
    },
    {
      title: 'A time that occurs twice',
      values: { moment: '2024-10-27 02:30', home: 'Europe/Berlin', reading: 'later', zones: 'UTC' },
    },
    {
      title: 'Seconds since 1970',
      values: { moment: '1700000000', zones: 'Kathmandu' },
    },
  ],
});
