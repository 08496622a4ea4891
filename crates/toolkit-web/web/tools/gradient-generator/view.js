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

class Bar {
  /** @type {Item[]} */
  #items = [];
  /** @type {Data | undefined} */
  #data;
  /** The stop under the pointer, and whether that made or moved it. @type {{ item: Item, changed: boolean } | undefined} */
  #held;

  /** @param {HTMLElement} place @param {import('../../kit/types.d.ts').ViewPage} page */
  constructor(place, page) {
    const { el } = page;
    this.place = place;
    this.page = page;
    this.bar = el('div', {
      ...{ class: 'gradient-bar', role: 'group', 'aria-label': 'Stops' },
      onpointerdown: (/** @type {PointerEvent} */ event) => this.#press(event),
      onpointermove: (/** @type {PointerEvent} */ event) => this.#drag(event),
    });
    // After the click, which opens the color of a stop that was neither made nor moved.
    for (const type of ['pointerup', 'pointercancel'])
      this.bar.addEventListener(type, () =>
        setTimeout(() => {
          this.#held = undefined;
        }),
      );
    const act = (/** @type {string} */ title, /** @type {() => void} */ change) =>
      el(
        'button',
        { type: 'button', class: 'small', onclick: () => [change(), this.#commit()] },
        title,
      );
    place.append(
      el('div', { class: 'gradient' }),
      this.bar,
      el(
        'p',
        { class: 'buttons' },
        act('Reverse', () => {
          for (const item of this.#items) item.at = 100 - item.at;
        }),
        act('Spread evenly', () => {
          const step = 100 / (this.#items.length - 1);
          for (const [at, item] of this.#items.entries()) item.at = Math.round(at * step * 10) / 10;
        }),
      ),
    );
  }

  #show() {
    const list = this.#items.map(({ color, at }) => `${color} ${at}%`).join(', ');
    this.place.style.setProperty('--gradient', `${this.#data?.preview}${list})`);
    this.bar.style.setProperty('--bar', `${this.#data?.bar}${list})`);
    for (const [index, { color, at, handle }] of this.#items.entries()) {
      handle.style.setProperty('--color', color);
      handle.style.setProperty('--at', `${Math.min(100, Math.max(0, at))}%`);
      handle.setAttribute('aria-label', `Stop ${index + 1}`);
      handle.setAttribute('aria-valuenow', String(at));
      handle.setAttribute('aria-valuetext', `${at} %, ${color}`);
    }
  }

  #commit() {
    this.#items.sort((one, other) => one.at - other.at);
    this.#show();
    this.page.set({ stops: this.#items.map(({ color, at }) => ({ color, at })) });
  }

  /** @param {Item} item @param {number} at */
  #move(item, at) {
    item.at = Math.round(at * 10) / 10;
    this.#commit();
  }

  /** @param {Item} item */
  #remove(item) {
    const items = this.#items;
    if (items.length <= LEAST) return this.page.announce('A gradient has two stops at least.');
    const index = items.indexOf(item);
    items.splice(index, 1);
    item.handle.remove();
    items[Math.max(0, index - 1)]?.handle.focus();
    return this.#commit();
  }

  /** @param {KeyboardEvent} event @param {Item} item */
  #key(event, item) {
    const step = KEYS[event.key];
    const isRemoved = event.key === 'Delete' || event.key === 'Backspace';
    if (!step && !isRemoved) return;
    event.preventDefault();
    if (isRemoved) this.#remove(item);
    else if (step) this.#move(item, item.at + step(item.at) * (event.shiftKey ? 10 : 1));
  }

  /** @param {Stop} stop @returns {Item} */
  #made({ color, at }) {
    const handle = this.page.el('button', {
      type: 'button',
      class: 'gradient-stop',
      role: 'slider',
      title: 'Drag to move; press for the color; Delete removes',
      'aria-valuemin': 0,
      'aria-valuemax': 100,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event, item),
      onclick: (/** @type {Event} */ event) => this.#held?.changed && event.preventDefault(),
    });
    const item = { color, at, handle };
    const put = (/** @type {string} */ hex) => {
      item.color = hex;
      this.#commit();
    };
    this.page
      .colorPlace(handle, 'Color of the stop', () => item.color, put)
      .then((opened) => {
        if (!opened) return;
        handle.popoverTargetElement = opened;
        this.bar.append(opened);
      });
    this.bar.append(handle);
    return item;
  }

  /** @param {number} at */
  #add(at) {
    const item = this.#made({ color: this.#data?.samples[at] ?? '#000000', at });
    this.#items.push(item);
    this.#commit();
    return item;
  }

  /** @param {PointerEvent} event */
  #percent({ clientX }) {
    const { left, width } = this.bar.getBoundingClientRect();
    return Math.min(100, Math.max(0, Math.round((100 * (clientX - left)) / width)));
  }

  /** @param {PointerEvent} event */
  #press(event) {
    const { target, button, pointerId } = event;
    if (button !== 0 || /** @type {Element} */ (target).closest('[popover]')) return;
    const known = this.#items.find(({ handle }) => handle === target);
    const item = known ?? this.#add(this.#percent(event));
    if (!known) event.preventDefault();
    this.#held = { item, changed: !known };
    item.handle.focus();
    item.handle.setPointerCapture(pointerId);
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    if (!this.#held || event.buttons !== 1) return;
    const at = this.#percent(event);
    if (at === Math.round(this.#held.item.at)) return;
    this.#held.changed = true;
    this.#move(this.#held.item, at);
  }

  /** @param {Data} data */
  draw(data) {
    this.#data = data;
    const { stops } = data;
    // What is being dragged is newer than this result.
    if (!this.#held?.changed || stops.length !== this.#items.length) {
      for (const { handle } of this.#items.splice(stops.length)) handle.remove();
      for (const [index, stop] of stops.entries()) {
        this.#items[index] ??= this.#made(stop);
        Object.assign(this.#items[index], stop);
      }
    }
    this.#show();
  }
}

/** @type {import('../../kit/types.d.ts').View} */
export default (place, page) => {
  const bar = new Bar(place, page);
  return (/** @type {Data} */ data) => bar.draw(data);
};
