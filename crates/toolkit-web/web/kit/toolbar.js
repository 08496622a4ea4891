//! The options of a form. The first ones are visible, the others are under "Options". Their values belong to the form.

import { el } from './el.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */
/** @import { Control } from './control.js' */
/** @typedef {{ control: Control, field: T.Field, node: HTMLElement, error: HTMLElement, help: string }} Row */

/** Number of visible options. */
const IN_SIGHT = 2;

export class Toolbar {
  /** Options in order, grouped, with their field names. @type {{ node: HTMLElement, names: string[] }[]} */
  #options = [];
  #popover = el('div', { class: 'fields-more' });
  #more;
  #parts;
  #folded;
  /** @param {Record<string, Row>} parts @param {string[]} names of the options @param {string[]} folded of options that are always folded */
  constructor(parts, names, folded) {
    this.#parts = parts;
    this.#folded = folded;
    this.#group([...names, ...folded]);
    const popover = this.#popover;
    popover.append(...this.#options.map(({ node }) => node));
    this.#more = el(
      'details',
      {
        class: 'more',
        onkeydown: (/** @type {KeyboardEvent} */ { key }) => key === 'Escape' && this.#close(),
      },
      el('summary', {}, words.more),
      popover,
    );
    this.run = el('button', { class: 'run', title: 'Ctrl+Enter' });
    this.node = el('div', { class: 'toolbar' }, this.#more, this.run);
  }

  /** Groups the fields. @param {string[]} names */
  #group(names) {
    let last = '';
    for (const name of names) {
      const { field, node } = this.#parts[name] ?? {};
      if (!field || !node) continue;
      const { group = '' } = field;
      const before = this.#options.at(-1);
      if (group && group === last && before) {
        before.node.append(node);
        before.names.push(name);
      } else if (group)
        this.#options.push({
          node: el(
            'div',
            { class: 'group', role: 'group', 'aria-label': group },
            el('span', { class: 'group-name', 'aria-hidden': 'true' }, group),
            node,
          ),
          names: [name],
        });
      else this.#options.push({ node, names: [name] });
      last = group;
    }
  }

  /** Moves the first options to the toolbar, and the others to the popover. */
  arrange() {
    const [more, bar, popover] = [this.#more, this.node, this.#popover];
    /** @type {[HTMLElement[], HTMLElement[]]} */
    const [open, folded] = [[], []];
    let count = 0;
    for (const { node, names } of this.#options) {
      // Some pages move an option elsewhere.
      if (node.parentElement !== bar && node.parentElement !== popover) continue;
      const shown = names.filter((name) => !this.#parts[name]?.node.hidden).length;
      if (node.matches('.group')) node.hidden = shown === 0;
      const isFolded = names.some((name) => this.#folded.includes(name));
      const fits = !isFolded && count + shown <= IN_SIGHT;
      if (fits) count += shown;
      // A focused option is not moved.
      const stays = node.contains(document.activeElement);
      ((stays ? node.parentElement === bar : fits) ? open : folded).push(node);
    }
    const put = (/** @type {HTMLElement} */ place, /** @type {HTMLElement[]} */ nodes) => {
      for (const [at, node] of nodes.entries())
        if (place.children[at] !== node) place.insertBefore(node, place.children[at] ?? null);
    };
    put(bar, [...open, more, this.run]);
    put(popover, folded);
    more.hidden = folded.every(({ hidden }) => hidden);
  }

  /** Opens the popover if a field is in it. @param {string} name */
  unfold(name) {
    if (this.#popover.contains(this.#parts[name]?.node ?? null)) this.#more.open = true;
  }

  #close() {
    this.#more.open = false;
    this.#more.querySelector('summary')?.focus();
  }
}
