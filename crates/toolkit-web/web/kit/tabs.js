//! Tabs for alternative outputs. Pattern: WAI-ARIA tabs with automatic activation.

import { el, set } from './el.js';

/** @typedef {{ name: string, title: string, node: HTMLElement }} Tab */

/** The tab strip. The chosen tab is kept when the outputs are replaced. */
export class Tabs {
  /** The name of the last chosen output. */
  #chosen = '';
  /** @type {Tab[]} */
  #all = [];
  constructor() {
    this.node = el('div', {
      class: 'tabs',
      role: 'tablist',
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
    });
  }
  /** Draws the tabs and shows the chosen one. @param {Tab[]} tabs */
  draw(tabs) {
    this.#all = tabs;
    if (!tabs.some(({ name }) => name === this.#chosen)) this.#chosen = tabs[0]?.name ?? '';
    const names = tabs.map(({ name }) => name).join();
    if (this.node.dataset.names !== names) {
      this.node.dataset.names = names;
      const button = (/** @type {Tab} */ { name, title }) =>
        el(
          'button',
          { type: 'button', role: 'tab', id: `tab-${name}`, onclick: () => this.#choose(name) },
          title,
        );
      this.node.replaceChildren(...tabs.map(button));
    }
    for (const { name, node } of tabs) {
      node.classList.add('in-tabs');
      set(node, 'role', 'tabpanel');
      set(node, 'aria-labelledby', `tab-${name}`);
    }
    this.#show();
  }
  #show() {
    for (const [at, { name, node }] of this.#all.entries()) {
      const isChosen = name === this.#chosen;
      const tab = this.node.children[at];
      node.hidden = !isChosen;
      if (!tab) continue;
      set(tab, 'aria-selected', String(isChosen));
      set(tab, 'tabindex', isChosen ? 0 : -1);
    }
  }
  /** @param {string} name */
  #choose(name) {
    this.#chosen = name;
    this.#show();
  }
  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = this.#all.findIndex(({ name }) => name === this.#chosen);
    const next = (at + step + this.#all.length) % this.#all.length;
    this.#choose(this.#all[next]?.name ?? '');
    /** @type {HTMLElement} */ (this.node.children[next])?.focus();
    event.preventDefault();
  }
}
