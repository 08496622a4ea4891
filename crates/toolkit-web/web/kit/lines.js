//! Line numbers, error positions and colored ranges of a text field or line. An invisible copy of the text below the
//! field carries the marks, so that they follow wrapped lines. Long texts are not wrapped, and only their visible lines
//! are copied. If a person turns wrapping on, they have no marks.

import { isLong } from './control.js';
import { el, styled } from './el.js';

const PAUSE = 150;
/** Lines copied before and after the visible ones. */
const MARGIN = 50;
/** Characters copied of a long line. */
const LONGEST = 20_000;

/** @typedef {{ line?: number | undefined, column?: number | undefined, offset?: number | undefined }} Place */
/** @typedef {import('./types.d.ts').Ranges} Ranges */
/** @typedef {HTMLTextAreaElement | HTMLInputElement} Area */

/** Lengths of the common start and end. @param {ArrayLike<unknown>} before @param {ArrayLike<unknown>} after */
function common(before, after) {
  const most = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < most && before[start] === after[start]) start++;
  while (end < most - start && before[before.length - end - 1] === after[after.length - end - 1])
    end++;
  return [start, end];
}

/** Ranges after an edit at one place, without those that it touched. @param {Ranges} ranges @param {string} before @param {string} after @returns {Ranges} */
export function moved(ranges, before, after) {
  const [start = 0, end = 0] = common(before, after);
  const by = after.length - before.length;
  return ranges
    .filter(([from, to]) => to <= start || from >= before.length - end)
    .map(([from, to, name]) => (to <= start ? [from, to, name] : [from + by, to + by, name]));
}

/** @type {WeakMap<Area, Lines>} */
const all = new WeakMap();

/** @param {string} text @param {number} at @param {Place | undefined} error */
function lineOf(text, at, error) {
  if (error?.line !== at + 1) return el('div', {}, text || ' ');
  const characters = [...text];
  const from = (error.column ?? 1) - 1;
  const part = (/** @type {number} */ a, /** @type {number} */ b) =>
    characters.slice(a, b).join('');
  const mark = el('mark', {}, part(from, from + 1) || ' ');
  return el('div', { class: 'wrong' }, part(0, from), mark, part(from + 1, characters.length));
}

class Lines {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #next;
  #text = '';
  /** @type {Place | undefined} */
  #error;
  /** @type {string[]} */
  #lines = [];
  /** Start of each line in the text. @type {number[]} */
  #starts = [];
  #isLong = false;
  /** Number and vertical position of the first drawn line. */
  #first = 0;
  #above = 0;
  /** Line height of a long text. */
  #height = 0;
  /** Texts of the drawn lines. NaN for the line with an error, so that it is always redrawn. @type {(string | number)[]} */
  #drawn = [];
  /** @type {Ranges | undefined} */
  #ranges;
  /** The painted range, and the height of the copy at that time. */
  #seen = { from: 0, to: 0, of: 0 };
  /** Painted ranges, each with its highlight. @type {[{ delete(range: StaticRange): void }, StaticRange][]} */
  #painted = [];
  /** @param {Area} area */
  constructor(area) {
    this.area = area;
    this.copy = el('div', { class: 'lines', 'aria-hidden': 'true', hidden: true });
    area.before(this.copy);
    // A page that opens with several lines may number them before the result styles have loaded.
    styled('result').then(() => {
      this.copy.hidden = false;
    });
    area.addEventListener('input', () => {
      clearTimeout(this.#next);
      this.#next = setTimeout(() => this.draw(undefined), PAUSE);
    });
    for (const type of ['scroll', 'selectionchange'])
      area.addEventListener(type, () => this.#scroll(), { passive: true });
    new ResizeObserver(() => this.#scroll()).observe(area);
    new MutationObserver(() => this.#redraw()).observe(area, { attributeFilter: ['wrap'] });
  }
  /** @param {Place | undefined} error @param {Ranges} [ranges] that replace the previous ones */
  draw(error, ranges) {
    const { value } = this.area;
    // A pending redraw would remove the error position.
    clearTimeout(this.#next);
    if (!error && !this.#error && !ranges && value === this.#text) return;
    this.#ranges = ranges ?? (this.#ranges && moved(this.#ranges, this.#text, value));
    this.#text = value;
    this.#error = error;
    this.#isLong = isLong(value);
    this.#lines = value.split('\n');
    let at = 0;
    this.#starts = this.#lines.map(({ length }) => {
      const start = at;
      at += length + 1;
      return start;
    });
    const { classList } = /** @type {HTMLElement} */ (this.area.parentElement);
    const isOne = this.area.type === 'text';
    classList.toggle('numbered', !isOne && (this.#lines.length > 1 || error !== undefined));
    classList.toggle('marked', this.#ranges !== undefined || (isOne && error !== undefined));
    const { direction, fontSize } = getComputedStyle(this.area);
    if (this.copy.dir !== direction) this.copy.dir = direction;
    if (isOne) this.copy.style.fontSize = fontSize;
    this.#redraw();
  }
  #redraw() {
    this.#replace();
    this.#paint();
    this.#scroll();
  }
  /** The range of lines to draw. In long texts, those around the visible ones. @returns {[from: number, to: number]} */
  #window() {
    if (!this.#isLong) return [0, this.#lines.length];
    if (this.area.getAttribute('wrap') !== 'off') return [0, 0];
    const { scrollTop, clientHeight } = this.area;
    const height = Number.parseFloat(getComputedStyle(this.area).lineHeight);
    const from = Math.max(0, Math.floor(scrollTop / height) - MARGIN);
    this.#height = height;
    return [
      from,
      Math.min(this.#lines.length, Math.ceil((scrollTop + clientHeight) / height) + MARGIN),
    ];
  }
  /** Redraws changed lines. */
  #replace() {
    const [from, to] = this.#window();
    this.#first = from;
    this.#above = this.#isLong ? from * this.#height : 0;
    this.copy.style.setProperty('--above', `${this.#above}px`);
    this.copy.style.setProperty('--first', String(from));
    const wrong = (this.#error?.line ?? 0) - 1;
    const drawn = this.#lines
      .slice(from, to)
      .map((text, at) => (from + at === wrong ? Number.NaN : text.slice(0, LONGEST)));
    const [start = 0, end = 0] = common(this.#drawn, drawn);
    const changed = document.createRange();
    changed.setStart(this.copy, start);
    changed.setEnd(this.copy, this.#drawn.length - end);
    changed.deleteContents();
    const added = document.createDocumentFragment();
    for (let at = start; at < drawn.length - end; at++)
      added.append(
        lineOf((this.#lines[from + at] ?? '').slice(0, LONGEST), from + at, this.#error),
      );
    changed.insertNode(added);
    this.#drawn = drawn;
  }
  /** Colors the visible part of the copy without changing its nodes. Browsers paint all ranges in every frame. */
  #paint() {
    const { highlights } = /** @type {any} */ (CSS);
    for (const [set, range] of this.#painted.splice(0)) set.delete(range);
    const lines = /** @type {HTMLCollectionOf<HTMLElement>} */ (this.copy.children);
    if (!highlights || !this.#ranges || lines.length === 0) return;
    const { scrollTop, clientHeight } = this.area;
    this.#seen = {
      ...{ from: scrollTop - clientHeight, to: scrollTop + 2 * clientHeight },
      of: this.copy.offsetHeight,
    };
    const [first, last] = [this.#first, this.#first + lines.length - 1];
    /** Start of the first line and end of the last. */
    const [begin = 0, end = 0] = [
      this.#starts[first],
      (this.#starts[last + 1] ?? this.#text.length + 1) - 1,
    ];
    let line = first;
    /** @param {number} at */
    const place = (at) => {
      const offset = Math.min(Math.max(at, begin), end);
      while (line < last && offset >= (this.#starts[line + 1] ?? 0)) line++;
      const node = lines[line - first];
      const most = node?.firstChild?.nodeValue?.length ?? 0;
      return { node, offset: Math.min(offset - (this.#starts[line] ?? 0), most) };
    };
    for (const [from, to, name] of this.#ranges) {
      if (to < begin) continue;
      if (from > end) break;
      const [start, stop] = [place(from), place(to)];
      if (!start.node || !stop.node || stop.node.offsetTop + this.#above < this.#seen.from)
        continue;
      if (start.node.offsetTop + this.#above > this.#seen.to) break;
      const range = new StaticRange(
        /** @type {any} */ ({
          startContainer: start.node.firstChild,
          startOffset: start.offset,
          endContainer: stop.node.firstChild,
          endOffset: stop.offset,
        }),
      );
      if (!highlights.has(name)) highlights.set(name, new Highlight());
      this.#painted.push([highlights.get(name).add(range), range]);
    }
  }
  #scroll() {
    const { scrollLeft, scrollTop, clientHeight } = this.area;
    if (this.#isLong && this.area.getAttribute('wrap') === 'off') {
      const [from, to] = this.#window();
      // Half the margin is used up.
      if (Math.abs(from - this.#first) > MARGIN / 2 || to - from > this.#drawn.length) {
        this.#replace();
        this.#seen.to = 0;
      }
    }
    const { from, to, of } = this.#seen;
    if (scrollTop < from || scrollTop + clientHeight > to || of !== this.copy.offsetHeight)
      this.#paint();
    if (this.area.type === 'text') {
      this.copy.scrollLeft = scrollLeft;
      return;
    }
    const places = {
      width: `${this.area.clientWidth}px`,
      left: `${this.area.clientLeft}px`,
      '--left': `${Math.abs(scrollLeft)}px`,
      transform: `translate(${-scrollLeft}px, ${-scrollTop}px)`,
    };
    // Writing a property restyles all lines.
    for (const [name, value] of Object.entries(places))
      if (this.copy.style.getPropertyValue(name) !== value)
        this.copy.style.setProperty(name, value);
  }
}

/** @param {Area} area */
function linesOf(area) {
  const lines = all.get(area) ?? new Lines(area);
  all.set(area, lines);
  return lines;
}

/** A position as line and column, counted in characters. @param {Place | undefined} place @param {string} value @returns {Place | undefined} */
function lined(place, value) {
  if (place?.offset === undefined) return place?.line === undefined ? undefined : place;
  const before = [...value].slice(0, place.offset).join('').split('\n');
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}

/** Numbers the lines of a field and marks an error position. @param {Area} area @param {Place} [place] */
export const number = (area, place) => linesOf(area).draw(lined(place, area.value));

/** Marks ranges of a field until they are edited. @param {Area} area @param {Ranges} ranges */
export const mark = (area, ranges) => linesOf(area).draw(undefined, ranges);
