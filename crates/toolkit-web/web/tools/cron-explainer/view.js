//! cron-explainer: the field at the cursor, runs in a time zone, schedules to choose, Quartz.
import { headline, table, zone } from '../../kit/tool.js';
import { span, zoneOf } from '../../lib/zones.js';
import { fromQuartz } from './quartz.js';
import { clockOf, momentOf, ranged, shownFrom } from './runs.js';

/** @import * as T from '../../kit/types.d.ts' */

/** @type {[name: string, values: string][]} */
const PARTS = [
  ['Minute', '0-59'],
  ['Hour', '0-23'],
  ['Day of month', '1-31'],
  ['Month', '1-12 or JAN-DEC'],
  ['Day of week', '0-7 or SUN-SAT; 0 and 7 are Sunday'],
];
const SCHEDULES = {
  'Every minute': '* * * * *',
  'Every 5 minutes': '*/5 * * * *',
  'Every hour': '0 * * * *',
  'Every day at midnight': '0 0 * * *',
  'Working days at 9': '0 9 * * MON-FRI',
  'Every Sunday': '0 0 * * SUN',
  'First of the month': '0 0 1 * *',
  'Every quarter': '0 0 1 */3 *',
};

/** @type {T.ViewPage | undefined} */
let page;

/** @type {HTMLInputElement | undefined} */
let input;
const places = () => [...(input?.value ?? '').matchAll(/\S+/g)].slice(0, 5);

/** Says what may stand in the field at the cursor. */
function follow() {
  const cursor = input?.selectionStart ?? 0;
  const at = places().findIndex(({ index, 0: word }) => cursor <= index + word.length);
  const field = input?.closest('.field');
  for (const [own, button] of [...(field?.querySelectorAll('button') ?? [])].entries())
    button.setAttribute('aria-pressed', String(own === at));
  const [name, values] = PARTS[at] ?? ['Fields', 'minute, hour, day of month, month, day of week'];
  const help = field?.querySelector('.help');
  const sentence = `${name}: ${values}; * any, */5 steps, 1,3 lists, 1-5 ranges.`;
  if (help && help.textContent !== sentence) help.textContent = sentence;
}

/** @type {T.Layout} */
export const layout = {
  fields: ({ expression, from, count }) => ({
    expression: { ...expression, help: ' ' },
    zone: zone('Time zone', { help: 'Of the machine that runs it. Empty: UTC.' }),
    count: { ...count, value: 5, help: '' },
    from: { ...from, label: 'After' },
  }),
  more: 'from',
  labels: { runs: 'Next runs' },
  examples: Object.entries(SCHEDULES).map(([title, expression]) => ({
    title,
    values: { expression },
  })),
  actions: PARTS.map(([title], at) => ({
    title,
    field: 'expression',
    run() {
      const { index = 0, 0: word = '' } = places()[at] ?? {};
      input?.focus();
      input?.setSelectionRange(index, index + word.length);
      follow();
      return {};
    },
  })),
  drawn(viewPage, work) {
    page = viewPage;
    input = /** @type {HTMLInputElement} */ (work.querySelector('[name=expression]'));
    for (const type of ['input', 'keyup', 'click', 'focus']) input.addEventListener(type, follow);
    input.closest('.field')?.querySelector('.help')?.setAttribute('aria-live', 'polite');
    follow();
  },
  async answers(raw, ask) {
    const { expression, sentences } = fromQuartz(raw.expression) ?? {};
    if (sentences) {
      const use = () => page?.set({ expression });
      const label = `Use ${expression}`;
      const offer = expression
        ? [page?.el('button', { type: 'button', class: 'small', onclick: use }, label) ?? label]
        : [];
      const sentence = sentences.join(' ');
      return { refusal: { field: 'expression', sentence, shown: [`${sentence} `, ...offer] } };
    }
    const timeZone = zoneOf(raw.zone);
    if (!timeZone) return ask(raw);
    return ask({ ...raw, from: shownFrom(raw.from, clockOf(timeZone), Date.now()) });
  },
  outputs({ description, next_runs, fields }, raw, warn) {
    const own = zoneOf(raw.zone) ?? 'UTC';
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const zones = [...new Set([own, 'UTC', here])].slice(0, 2);
    const clocks = zones.map(clockOf);
    const day = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });
    const shown = (/** @type {number} */ ms) =>
      `${day.format(ms)} ${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')}`;
    const rows = next_runs.map((/** @type {string} */ run) => {
      const wall = Date.parse(run);
      const moment = clocks[0] && momentOf(wall, clocks[0]);
      if (moment !== undefined) {
        const seconds = (moment - Date.now()) / 1000;
        const distance = seconds < 0 ? `${span(seconds)} ago` : `in ${span(seconds)}`;
        return [...clocks.map((clock) => shown(clock(moment))), distance];
      }
      warn(`${shown(wall)} does not exist in ${own}: clocks are set forward past it.`);
      return [shown(wall)];
    });
    return {
      headline: headline(description.replace(/\.$/, '')),
      runs: rows.length > 0 ? table([...zones, 'From now'], rows) : null,
      fields: table(
        ['Field', 'As written', 'Values'],
        Object.values(fields).map(({ raw, values }, at) => [PARTS[at]?.[0], raw, ranged(values)]),
      ),
    };
  },
};
