//! Line numbers of a text field, the place of an error in it, and colored ranges, of a field of one line too: a copy of
//! the text lies below the field, invisible but for these, so that wrapped lines stay in step.

import { isLong } from './control.js';
import { el, styled } from './el.js';

const PAUSE = 150;

/** @typedef {{ line: number, column: number | undefined }} Place */
/** @typedef {import('./types.d.ts').Ranges} Ranges */
/** @typedef {HTMLTextAreaElement | HTMLInputElement} Area */

/** How much is the same at the beginning and at the end. @param {ArrayLike<unknown>} before @param {ArrayLike<unknown>} after */
function common(before, after) {
  const most = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < most && before[start] === after[start]) start++;
  while (end < most - start && before[before.length - end - 1] === after[after.length - end - 1])
    end++;
  return [start, end];
}

/** Ranges of a text in the same text edited at one place: those that are there unchanged. @param {Ranges} ranges @param {string} before @param {string} after @returns {Ranges} */
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
  #isWrong = false;
  /** @type {string[]} */
  #lines = [];
  /** Texts of the lines that are drawn; one with an error equals none. @type {(string | number)[]} */
  #drawn = [];
  /** @type {Ranges | undefined} */
  #ranges;
  /** What of which height is painted. */
  #seen = { from: 0, to: 0, of: 0 };
  /** Ranges of the copy that are seen, each in the set of its name. @type {[{ delete(range: StaticRange): void }, StaticRange][]} */
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
    new MutationObserver(() => this.#scroll()).observe(area, { attributeFilter: ['wrap'] });
  }
  /** @param {Place | undefined} error @param {Ranges} [ranges] in place of the last ones */
  draw(error, ranges) {
    const { value } = this.area;
    const isSame = !error && !this.#isWrong && value === this.#text;
    if (isSame && !ranges) return;
    this.#ranges = ranges ?? (this.#ranges && moved(this.#ranges, this.#text, value));
    this.#text = value;
    this.#isWrong = error !== undefined;
    this.#lines = isLong(value) ? [] : value.split('\n');
    const { classList } = /** @type {HTMLElement} */ (this.area.parentElement);
    classList.toggle('numbered', this.#lines.length > 1 || error !== undefined);
    classList.toggle('marked', this.#ranges !== undefined);
    this.#replace(error);
    const { direction, fontSize } = getComputedStyle(this.area);
    if (this.copy.dir !== direction) this.copy.dir = direction;
    if (this.area.type === 'text') this.copy.style.fontSize = fontSize;
    this.#paint();
    this.#scroll();
  }
  /** Replaces the lines that changed. @param {Place | undefined} error */
  #replace(error) {
    const drawn = this.#lines.map((text, at) => (error?.line === at + 1 ? Number.NaN : text));
    const [start = 0, end = 0] = common(this.#drawn, drawn);
    const changed = document.createRange();
    changed.setStart(this.copy, start);
    changed.setEnd(this.copy, this.#drawn.length - end);
    changed.deleteContents();
    const added = document.createDocumentFragment();
    for (let at = start; at < drawn.length - end; at++)
      added.append(lineOf(this.#lines[at] ?? '', at, error));
    changed.insertNode(added);
    this.#drawn = drawn;
  }
  /** Colors the copy of the text, whose nodes stay as they are, where it is seen: browsers paint all ranges in every frame. */
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
    let [line, begin] = [0, 0];
    /** @param {number} offset */
    const place = (offset) => {
      for (; line < lines.length - 1 && offset > begin + (this.#lines[line]?.length ?? 0); line++)
        begin += (this.#lines[line]?.length ?? 0) + 1;
      return { node: lines[line], offset: offset - begin };
    };
    for (const [from, to, name] of this.#ranges) {
      const [start, end] = [place(from), place(to)];
      if (!start.node || !end.node || end.node.offsetTop < this.#seen.from) continue;
      if (start.node.offsetTop > this.#seen.to) break;
      const range = new StaticRange(
        /** @type {any} */ ({
          startContainer: start.node.firstChild,
          startOffset: start.offset,
          endContainer: end.node.firstChild,
          endOffset: end.offset,
        }),
      );
      if (!highlights.has(name)) highlights.set(name, new Highlight());
      this.#painted.push([highlights.get(name).add(range), range]);
    }
  }
  #scroll() {
    const { scrollLeft, scrollTop, clientHeight } = this.area;
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
    // Each that is written styles all lines anew.
    for (const [name, value] of Object.entries(places))
      if (this.copy.style.getPropertyValue(name) !== value)
        this.copy.style.setProperty(name, value);
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

/** @param {Area} area */
function linesOf(area) {
  const lines = all.get(area) ?? new Lines(area);
  all.set(area, lines);
  return lines;
}

/** Numbers the lines of a field, and marks in it the place that a refusal names. @param {Area} area @param {string} [sentence] */
export const number = (area, sentence = '') => linesOf(area).draw(placeOf(sentence, area.value));

/** Marks ranges in a field, until they are edited there. @param {Area} area @param {Ranges} ranges */
export const mark = (area, ranges) => linesOf(area).draw(undefined, ranges);
