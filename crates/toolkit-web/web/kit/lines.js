//! Line numbers of a text field, the place of an error in it, and colored ranges, of a field of one line too: a copy of
//! the text lies below the field, invisible but for these, so that wrapped lines stay in step.

import { isLong } from './control.js';
import { el, styled } from './el.js';

const PAUSE = 150;

/** @typedef {{ line: number, column: number | undefined }} Place */
/** @typedef {import('./types.d.ts').Ranges} Ranges */
/** @typedef {HTMLTextAreaElement | HTMLInputElement} Area */

/** Ranges of a text in the same text edited at one place: those that are there unchanged. @param {Ranges} ranges @param {string} before @param {string} after @returns {Ranges} */
export function moved(ranges, before, after) {
  const most = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < most && before[start] === after[start]) start++;
  while (end < most - start && before.at(-end - 1) === after.at(-end - 1)) end++;
  const by = after.length - before.length;
  return ranges
    .filter(([from, to]) => to <= start || from >= before.length - end)
    .map(([from, to, name]) => (to <= start ? [from, to, name] : [from + by, to + by, name]));
}

/** @type {WeakMap<Area, Lines>} */
const all = new WeakMap();

class Lines {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #next;
  #text = '';
  /** @type {Ranges | undefined} */
  #ranges;
  /** Ranges of the copy, each in the set of its name. @type {[{ delete(range: StaticRange): void }, StaticRange][]} */
  #painted = [];
  /** @param {Area} area */
  constructor(area) {
    this.area = area;
    this.copy = el('div', { class: 'lines', 'aria-hidden': 'true', hidden: true });
    area.before(this.copy);
    // A page that opens with several lines numbers them before it has a result, and the style of that.
    styled('result').then(() => {
      this.copy.hidden = false;
    });
    area.addEventListener('input', () => {
      clearTimeout(this.#next);
      if (isLong(area.value) && this.copy.childElementCount === 0) return;
      this.#next = setTimeout(() => this.draw(undefined), PAUSE);
    });
    for (const type of ['scroll', 'selectionchange'])
      area.addEventListener(type, () => this.#scroll(), { passive: true });
    new ResizeObserver(() => this.#scroll()).observe(area);
  }
  /** @param {Place | undefined} error */
  draw(error) {
    const { value } = this.area;
    const lines = isLong(this.area.value) ? [] : value.split('\n');
    const { classList } = /** @type {HTMLElement} */ (this.area.parentElement);
    classList.toggle('numbered', lines.length > 1 || error !== undefined);
    classList.toggle('marked', this.#ranges !== undefined);
    this.copy.replaceChildren(
      ...lines.map((text, at) => {
        if (error?.line !== at + 1) return el('div', {}, text || ' ');
        const characters = [...text];
        const from = (error.column ?? 1) - 1;
        const part = (/** @type {number} */ a, /** @type {number} */ b) =>
          characters.slice(a, b).join('');
        const mark = el('mark', {}, part(from, from + 1) || ' ');
        return el(
          'div',
          { class: 'wrong' },
          part(0, from),
          mark,
          part(from + 1, characters.length),
        );
      }),
    );
    if (value !== this.#text && this.#ranges) this.#ranges = moved(this.#ranges, this.#text, value);
    this.#text = value;
    const { direction, fontSize } = getComputedStyle(this.area);
    this.copy.dir = direction;
    if (this.area.type === 'text') this.copy.style.fontSize = fontSize;
    this.#paint(lines);
    this.#scroll();
  }
  /** @param {Ranges} ranges */
  mark(ranges) {
    this.#ranges = ranges;
    this.#text = this.area.value;
    this.draw(undefined);
  }
  /** Colors the copy of the text, whose nodes stay as they are. @param {string[]} lines */
  #paint(lines) {
    const { highlights } = /** @type {any} */ (CSS);
    for (const [set, range] of this.#painted.splice(0)) set.delete(range);
    if (!highlights || lines.length === 0) return;
    let [line, begin] = [0, 0];
    /** @param {number} offset */
    const place = (offset) => {
      for (; line < lines.length - 1 && offset > begin + (lines[line]?.length ?? 0); line++)
        begin += (lines[line]?.length ?? 0) + 1;
      return [this.copy.children[line]?.firstChild, offset - begin];
    };
    for (const [start, end, name] of this.#ranges ?? []) {
      const [[startContainer, startOffset], [endContainer, endOffset]] = [place(start), place(end)];
      const range = new StaticRange(
        /** @type {any} */ ({ startContainer, startOffset, endContainer, endOffset }),
      );
      if (!highlights.has(name)) highlights.set(name, new Highlight());
      this.#painted.push([highlights.get(name).add(range), range]);
    }
  }
  #scroll() {
    const { scrollLeft, scrollTop } = this.area;
    if (this.area.type === 'text') {
      this.copy.scrollLeft = scrollLeft;
      return;
    }
    this.copy.style.setProperty('width', `${this.area.clientWidth}px`);
    this.copy.style.setProperty('left', `${this.area.clientLeft}px`);
    this.copy.style.setProperty('--left', `${Math.abs(scrollLeft)}px`);
    this.copy.style.setProperty('transform', `translate(${-scrollLeft}px, ${-scrollTop}px)`);
  }
}

/** The place that the sentence of a refusal names. @param {string} sentence @param {string} value @returns {Place | undefined} */
function placeOf(sentence, value) {
  const [, line, column] = /\bline (\d+)(?:,? column (\d+))?/.exec(sentence) ?? [];
  if (line) return { line: Number(line), column: column ? Number(column) : undefined };
  const [, offset] = /\b(?:character|offset) (\d+)/.exec(sentence) ?? [];
  if (!offset) return undefined;
  const before = [...value].slice(0, Number(offset)).join('').split('\n');
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}

/** Numbers the lines of a field, and marks in it the place that a refusal names. @param {Area} area @param {string} [sentence] */
export function number(area, sentence = '') {
  const error = placeOf(sentence, area.value);
  const lines = all.get(area) ?? new Lines(area);
  all.set(area, lines);
  lines.draw(error);
}

/** Marks ranges in a field, until they are edited there. @param {Area} area @param {Ranges} ranges */
export function mark(area, ranges) {
  number(area);
  all.get(area)?.mark(ranges);
}
