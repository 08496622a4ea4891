//! The time between two dates, dates at a distance, and facts about a date.
//! Standards: Temporal.PlainDate (ISO calendar), ISO 8601 weeks and ordinal dates.
import { choice, date, number, text, toggle, tool } from '../../kit/tool.js';

const AMOUNT = { min: 0, max: 1_000_000, when: { mode: 'move' } };

export default tool({
  options: 'weekend',
  more: 'holidays',
  fields: {
    mode: choice('Calculation', {
      between: 'Time between two dates',
      move: 'Date before or after',
      facts: 'Facts about a date',
    }),
    start: date('Date', {
      help: 'Enter `2024-01-31`, `2024-W05-3` or `2024-031`. Leave empty for today.',
    }),
    end: date('Second date', { help: 'Leave empty for today.', when: { mode: 'between' } }),
    inclusive: toggle('Include the last day', { when: { mode: 'between' } }),
    direction: choice(
      'Direction',
      { add: 'After', subtract: 'Before' },
      { when: { mode: 'move' } },
    ),
    years: number('Years', AMOUNT),
    months: number('Months', AMOUNT),
    weeks: number('Weeks', AMOUNT),
    days: number('Days', AMOUNT),
    working_days: number('Working days', { ...AMOUNT, max: 100_000 }),
    weekend: choice(
      'Weekend',
      {
        'sat-sun': 'Saturday and Sunday',
        'fri-sat': 'Friday and Saturday',
        sun: 'Sunday',
        fri: 'Friday',
        none: 'None',
      },
      { when: { mode: ['between', 'move'] } },
    ),
    holidays: text('Holidays', {
      lines: 3,
      max: 100_000,
      when: { mode: ['between', 'move'] },
      help: 'Enter one per line: `2024-12-25`, or `12-25` for every year. What follows `#` is ignored.',
    }),
  },
  async run(values, context) {
    const { mode, start, end } = values;
    const { between, dateOf, facts, moved } = await import('./results.js');
    const today = dateOf('start', '', context);
    if (mode === 'between' && start.trim() === '' && end.trim() === '') return {};
    const first = dateOf('start', start, context);
    if (mode === 'facts') return { facts: facts(first, today) };
    if (mode === 'move') {
      const result = moved(first, values, context);
      return { date: String(result), facts: facts(result, today) };
    }
    return between(first, dateOf('end', end, context), values, context.warn);
  },
  answer: 'date',
  product: { date: 'date', between: 'difference', facts: 'facts' },
  examples: [
    {
      title: 'A holiday in days',
      values: {
        start: '2024-02-26',
        end: '2024-03-31',
        inclusive: true,
        holidays: '2024-03-29 # Good Friday',
      },
    },
    {
      title: 'One month after 31 January',
      values: { mode: 'move', start: '2024-01-31', months: 1 },
    },
    {
      title: 'Thirty working days',
      values: {
        mode: 'move',
        start: '2023-12-18',
        working_days: 30,
        holidays: '12-25\n12-26\n01-01',
      },
    },
    {
      title: 'Facts about a day',
      values: { mode: 'facts', start: '2024-12-30' },
    },
  ],
});
