//! Page of a browser tool; session.js, loaded at the first touch, runs it.

import { prepare } from './controls.js';
import { button, el } from './el.js';
import { examplesOf, Form } from './form.js';
import { get, keepOptions } from './store.js';
import { words } from './words.js';

/** @import * as T from './types.d.ts' */

const PAUSE = 120;

class Page {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pause;
  /** @type {Promise<import('./session.js').Session> | undefined} */
  #session;
  /** @param {HTMLElement} main @param {string} slug @param {T.Tool} tool */
  constructor(main, slug, tool) {
    this.main = main;
    this.slug = slug;
    this.tool = tool;
    this.form = new Form(tool.fields, {
      changed: () => this.changed(),
      run: () => this.run(),
      actions: (tool.actions ?? []).map(({ title, field }, at) => ({
        title,
        field,
        onclick: async () => {
          clearTimeout(this.#pause);
          (await this.session()).act(at);
        },
      })),
    });
    this.form.node.addEventListener('focusin', () => this.session(), { once: true });
    this.form.buttons.append(
      button(words.reset, () => this.#reset()),
      button(words.copyLink, (event) =>
        this.#link(/** @type {HTMLElement} */ (event.currentTarget)),
      ),
    );
  }
  session() {
    this.#session ??= import('./session.js').then(
      ({ Session }) =>
        new Session(this.main, this.slug, this.tool, this.form, (values) => this.#put(values)),
    );
    return this.#session;
  }
  async run() {
    clearTimeout(this.#pause);
    await (await this.session()).run();
  }
  #live() {
    const { live = true } = this.tool;
    return typeof live === 'function' ? live(this.form.raw()) : live;
  }
  changed() {
    clearTimeout(this.#pause);
    if (this.tool.live !== false) this.main.dataset.state = 'running';
    this.#pause = setTimeout(async () => {
      if (!this.tool.secrets) keepOptions(this.slug, this.form.options());
      if (this.#live()) return this.run();
      (await this.session()).result.wait();
    }, PAUSE);
  }
  /** @param {Record<string, any>} values */
  #put(values) {
    this.form.set(values);
    this.changed();
  }
  async #reset() {
    this.form.fill({});
    (await this.session()).clear();
  }
  /** @param {HTMLElement} from */
  async #link(from) {
    const { copyLink } = await import('./link.js');
    const { result } = await this.session();
    await copyLink(this.tool, this.form.raw(), from, (sentence) => result.say(sentence));
  }
  async start() {
    if (!this.tool.secrets) this.form.restore(get('options')[this.slug] ?? {});
    const ran = location.hash.length > 1 && (await this.#open());
    if (ran) return;
    this.main.dataset.state = 'ready';
    if (this.tool.start) await this.run();
  }
  /** Fills the form from the link; returns whether it ran. */
  async #open() {
    const { valuesOf } = await import('./link.js');
    const { values, unknown } = valuesOf(this.tool, location.hash);
    this.form.reset();
    this.form.set(values);
    const runs = Object.keys(values).length > 0;
    if (runs) await this.run();
    if (unknown.length > 0) (await this.session()).result.say(words.badLink(unknown.join(', ')));
    return runs;
  }
}

/** Draws the tool in its place. @param {HTMLElement} main @param {HTMLElement} place */
export async function start(main, place) {
  const { slug = '' } = main.dataset;
  /** @type {T.Tool} */
  const tool = (await import(`../tools/${slug}.js`)).default;
  if (tool.secure && !isSecureContext) {
    place.replaceChildren(el('p', { class: 'notice-line' }, words.insecure));
    main.dataset.state = 'ready';
    return;
  }
  await prepare(tool.fields);
  const page = new Page(main, slug, tool);
  page.form.work.append(examplesOf(tool.examples, page.form, () => page.run()));
  place.replaceChildren(page.form.work);
  await page.start();
}
