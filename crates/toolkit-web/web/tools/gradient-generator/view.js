//! The gradient, large, and its stops on a bar: dragged, added by a press, moved and removed by keys.

/** @typedef {{ color: string, at: number }} Stop */
/** @typedef {Stop & { handle: HTMLButtonElement }} Item */
/** `preview` and `bar`: what stands before the stops; `samples`: the color at each percent. @typedef {{ preview: string, bar: string, stops: Stop[], samples: string[] }} Data */

/** @type {Record<string, (at: number) => number>} */
const KEYS = {
  ArrowLeft: () => -1,
  ArrowDown: () => -1,
  ArrowRight: () => 1,
  ArrowUp: () => 1,
  PageDown: () => -10,
  PageUp: () => 10,
  Home: (at) => -at,
  End: (at) => 100 - at,
};
const LEAST = 2;

/** @type {import('../../kit/types.d.ts').View} */
export default (place, page) => {
  const { el } = page;
  /** @type {Item[]} */
  const items = [];
  /** @type {Data | undefined} */
  let data;
  /** The stop under the pointer, and whether that made or moved it. @type {{ item: Item, changed: boolean } | undefined} */
  let held;
  const preview = el('div', { class: 'gradient' });
  const bar = el('div', { class: 'gradient-bar', role: 'group', 'aria-label': 'Stops' });

  function show() {
    const list = items.map(({ color, at }) => `${color} ${at}%`).join(', ');
    place.style.setProperty('--gradient', `${data?.preview}${list})`);
    bar.style.setProperty('--bar', `${data?.bar}${list})`);
    for (const [index, { color, at, handle }] of items.entries()) {
      handle.style.setProperty('--color', color);
      handle.style.setProperty('--at', `${Math.min(100, Math.max(0, at))}%`);
      handle.setAttribute('aria-label', `Stop ${index + 1}`);
      handle.setAttribute('aria-valuenow', String(at));
      handle.setAttribute('aria-valuetext', `${at} %, ${color}`);
    }
  }

  function commit() {
    items.sort((one, other) => one.at - other.at);
    show();
    page.set({ stops: items.map(({ color, at }) => ({ color, at })) });
  }

  /** @param {Item} item @param {number} at */
  function move(item, at) {
    item.at = Math.round(at * 10) / 10;
    commit();
  }

  /** @param {Item} item */
  function remove(item) {
    if (items.length <= LEAST) return page.announce('A gradient has two stops at least.');
    const index = items.indexOf(item);
    items.splice(index, 1);
    item.handle.remove();
    items[Math.max(0, index - 1)]?.handle.focus();
    return commit();
  }

  /** @param {Stop} stop @returns {Item} */
  function made({ color, at }) {
    const handle = el('button', {
      type: 'button',
      class: 'gradient-stop',
      role: 'slider',
      title: 'Drag to move; press for the color; Delete removes',
      'aria-valuemin': 0,
      'aria-valuemax': 100,
    });
    const item = { color, at, handle };
    const put = (/** @type {string} */ hex) => {
      item.color = hex;
      commit();
    };
    page
      .colorPlace(handle, 'Color of the stop', () => item.color, put)
      .then((opened) => {
        if (!opened) return;
        handle.popoverTargetElement = opened;
        bar.append(opened);
      });
    handle.addEventListener('keydown', (event) => {
      const step = KEYS[event.key];
      const isRemoved = event.key === 'Delete' || event.key === 'Backspace';
      if (!step && !isRemoved) return;
      event.preventDefault();
      if (isRemoved) remove(item);
      else if (step) move(item, item.at + step(item.at) * (event.shiftKey ? 10 : 1));
    });
    handle.addEventListener('click', (event) => {
      if (held?.changed) event.preventDefault();
    });
    bar.append(handle);
    return item;
  }

  /** @param {number} at */
  function add(at) {
    const item = made({ color: data?.samples[at] ?? '#000000', at });
    items.push(item);
    commit();
    return item;
  }

  /** @param {PointerEvent} event */
  const percent = ({ clientX }) => {
    const { left, width } = bar.getBoundingClientRect();
    return Math.min(100, Math.max(0, Math.round((100 * (clientX - left)) / width)));
  };
  bar.addEventListener('pointerdown', (event) => {
    const { target, button, pointerId } = event;
    if (button !== 0 || /** @type {Element} */ (target).closest('[popover]')) return;
    const known = items.find(({ handle }) => handle === target);
    const item = known ?? add(percent(event));
    if (!known) event.preventDefault();
    held = { item, changed: !known };
    item.handle.focus();
    item.handle.setPointerCapture(pointerId);
  });
  bar.addEventListener('pointermove', (event) => {
    if (!held || event.buttons !== 1) return;
    const at = percent(event);
    if (at === Math.round(held.item.at)) return;
    held.changed = true;
    move(held.item, at);
  });

  // After the click, which opens the color of a stop that was neither made nor moved.
  for (const type of ['pointerup', 'pointercancel'])
    bar.addEventListener(type, () =>
      setTimeout(() => {
        held = undefined;
      }),
    );

  const act = (/** @type {string} */ title, /** @type {() => void} */ change) =>
    el('button', { type: 'button', class: 'small', onclick: () => [change(), commit()] }, title);
  place.append(
    preview,
    bar,
    el(
      'p',
      { class: 'buttons' },
      act('Reverse', () => {
        for (const item of items) item.at = 100 - item.at;
      }),
      act('Spread evenly', () => {
        const step = 100 / (items.length - 1);
        for (const [index, item] of items.entries()) item.at = Math.round(index * step * 10) / 10;
      }),
    ),
  );
  return (/** @type {Data} */ next) => {
    data = next;
    const { stops } = next;
    // What is being dragged is newer than this result.
    if (!held?.changed || stops.length !== items.length) {
      for (const { handle } of items.splice(stops.length)) handle.remove();
      for (const [index, stop] of stops.entries()) {
        items[index] ??= made(stop);
        Object.assign(items[index], stop);
      }
    }
    show();
  };
};
