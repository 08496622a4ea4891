//! The week of a schedule: a row for each day, a cell for each hour, darker with more runs.

/** @typedef {{ name: string, hours: number[] }} Day */

/** @type {import('../../kit/types.d.ts').View} */
export default (place, { el }) =>
  (/** @type {Day[]} */ days) => {
    const most = Math.max(1, ...days.flatMap(({ hours }) => hours));
    const cell = (/** @type {number} */ count, /** @type {number} */ hour) =>
      el('span', {
        class: 'hour',
        style: { '--share': String(count / most) },
        title: `${String(hour).padStart(2, '0')}:00, ${count === 1 ? '1 run' : `${count} runs`}`,
      });
    const rows = days.map(({ name, hours }) => {
      const busy = hours.flatMap((count, hour) => (count > 0 ? [hour] : []));
      const said =
        busy.length === 24
          ? 'in every hour'
          : busy.length
            ? `in the hours ${busy.join(', ')}`
            : 'no run';
      return el(
        'li',
        {},
        el('span', { class: 'day' }, name),
        el('span', { class: 'hours', role: 'img', 'aria-label': said }, hours.map(cell)),
      );
    });
    const numbers = Array.from({ length: 24 }, (_, hour) =>
      el('span', { class: 'number' }, String(hour).padStart(2, '0')),
    );
    const head = [el('span', { class: 'day' }), el('span', { class: 'hours' }, numbers)];
    place.replaceChildren(
      el('ul', { class: 'week' }, el('li', { 'aria-hidden': 'true' }, head), rows),
    );
  };
