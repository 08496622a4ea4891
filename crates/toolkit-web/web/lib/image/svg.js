//! Estimates how often an SVG repeats its elements by reference. 3 KB can expand to more than a browser can ever draw,
//! which freezes the page. Elements written out are not counted, since file size is limited already.

import { attempt, mayRepeat } from '../../kit/tool.js';
import { parseXml } from '../../libraries/parse-xml.js';

/** Elements that references may add to a drawing. */
const ADDED_MAX = 10_000;
/** Documents of their own inside of a document: drawings, style sheets. */
const INNER = /data:(?!image\/(?!svg)|font\/|application\/(?:x-)?font)/i;
/** Entities that expand to markup or references, and attributes that are not written out. */
const DECLARED = /<!ATTLIST|<!ENTITY\s+(?:%|[^\s"'>]+\s+(?:"[^"]*[<&#]|'[^']*[<&#]))/;
/** The start of the declaration of a custom property. */
const CUSTOM = /(?<![\w-])(?=[\w-]*--[\w-])[\w-]+\s*:/;
/** Attributes whose animation could add a reference. */
const REFERENCE = /^(?:(?:xlink:)?href|class|id|style)$/;
const SHAPE = /^(?:path|rect|circle|ellipse|line|polyline|polygon|text|tspan|textPath)$/;
/** Properties painted on each shape below. */
const PAINT = /^(?:fill|stroke|marker)/;
/** Letters of a path, points or text that cost as much as an element. */
const LETTERS = 1000;
/** Letters of a path for each of its vertices. */
const VERTEX = 4;
/** How many elements noise or a light costs. */
const FILTER = 100;
const SVG = 'image/svg+xml';

/**
 * @import * as T from '../../kit/types.d.ts'
 * @typedef {import('../xml/read.js').XmlElement} XmlElement
 * @typedef {{ property: string, id: string }} Reference
 */

const local = (/** @type {string} */ name) => name.replace(/^.*:/, '');
const unescaped = (/** @type {string} */ css) =>
  css
    .replaceAll(/\/\*[\s\S]*?(?:\*\/|($))/g, (text, open) => (open === undefined ? '' : text))
    .replaceAll(/\\([\da-f]{1,6})\s?/gi, (_, hex) =>
      String.fromCodePoint(Math.min(0x10_ff_ff, Number.parseInt(hex, 16))),
    )
    .replaceAll('\\', '');

/** @param {string} fragment */
const decoded = (fragment) => attempt(() => decodeURIComponent(fragment)) ?? fragment;

/** The references in declarations such as "fill: url(#a); …". @param {string} css @returns {Reference[]} */
const declared = (css) =>
  [...unescaped(css).matchAll(/(?<![\w-])([\w-]+)\s*:\s*([^;]*)/g)].flatMap(
    ([, property = '', value = '']) =>
      [...value.matchAll(/url\(\s*(?:["']\s*)?#([^"')\s]+)/gi)].map(([, id = '']) => ({
        property,
        id: decoded(id),
      })),
  );

/** @param {XmlElement} element @returns {Reference[]} */
const written = ({ attributes }) =>
  Object.entries(attributes).flatMap(([name, value]) => {
    if (local(name) === 'href')
      return /^\s*#/.test(value) ? [{ property: 'href', id: decoded(value.trim().slice(1)) }] : [];
    return declared(name === 'style' ? value : `${name}:${value}`);
  });

/** The names by which selectors match an element. @param {XmlElement} element */
const namesOf = ({ name, attributes }) =>
  new Set([
    local(name),
    `#${attributes.id}`,
    ...(attributes.class ?? '').split(/\s+/).map((one) => `.${one}`),
  ]);

/** Whether a selector may match an element. @param {string} selector @param {ReadonlySet<string>} names */
function mayMatch(selector, names) {
  const last = /[^\s>+~]*$/.exec(selector.trim())?.[0] ?? '';
  if (last === '' || /[*[:&]/.test(last)) return true;
  return (last.match(/[.#]?[^.#]+/g) ?? []).some((one) => names.has(one));
}

/** @param {XmlElement} element @returns {XmlElement[]} */
const within = ({ children }) =>
  /** @type {XmlElement[]} */ (children.filter(({ type }) => type === 'element'));
/** @param {XmlElement} element */
const textOf = ({ children }) =>
  children.map((child) => ('text' in child ? child.text : '')).join('');

/** @param {XmlElement} element */
function weight(element) {
  const { d = '', points = '' } = element.attributes;
  if (/^fe(?:Turbulence|\w+Lighting)$/.test(local(element.name))) return FILTER;
  return 1 + (d.length + points.length + textOf(element).length) / LETTERS;
}

/** The cost of an element is unknown. */
const untold = () => {
  throw new RangeError('references that cannot be counted');
};

class Drawing {
  /** @type {Map<string, XmlElement>} */
  #named = new Map();
  /** Style rules with references. @type {{ selectors: string[], references: Reference[] }[]} */
  #rules = [];
  /** Cost of the elements with an ID. Infinite while being computed. @type {Map<string, number>} */
  #costs = new Map();

  /** @param {XmlElement} root */
  constructor(root) {
    const own = this.#read(root);
    this.#rules = this.#rules.filter(({ references }) =>
      references.some(({ id }) => this.#repeated(id)),
    );
    this.added = this.#cost(root, []) - own;
  }

  /** Finds IDs and style rules. Returns the cost of the elements without references. @param {XmlElement} element */
  #read(element) {
    const { id, attributeName = '', ...others } = element.attributes;
    const values = Object.values(others).join(' ');
    const isMoved = /^(?:animate|set)/.test(local(element.name));
    if (INNER.test(values) || (isMoved && (REFERENCE.test(attributeName) || /url\(/i.test(values))))
      untold();
    if (id !== undefined && !this.#named.has(id)) this.#named.set(id, element);
    if (local(element.name) === 'style') this.#style(unescaped(textOf(element)));
    let sum = weight(element);
    for (const child of within(element)) sum += this.#read(child);
    return sum;
  }

  /** @param {string} css */
  #style(css) {
    const custom = css.split(/[;}]/).flatMap((one) => one.split(CUSTOM).slice(1));
    if (INNER.test(css) || custom.some((value) => /url\(/i.test(value))) untold();
    let left = css.split(/url\(/i).length - 1;
    for (const [, selector = '', body = ''] of css.matchAll(/(?<![^{}])([^{}]*)\{([^{}]*)\}/g)) {
      left -= body.split(/url\(/i).length - 1;
      const references = declared(body);
      if (references.length > 0) this.#rules.push({ selectors: selector.split(','), references });
    }
    // An import, or declarations after a nested rule.
    if (left > 0) untold();
  }

  /** Cost of an element with everything that it refers to. @param {XmlElement} element @param {readonly Reference[]} above paint that it inherits @returns {number} */
  #cost(element, above) {
    const names = namesOf(element);
    const own = [
      ...written(element),
      ...this.#rules
        .filter(({ selectors }) => selectors.some((one) => mayMatch(one, names)))
        .flatMap(({ references }) => references),
    ];
    const paint = [...above, ...own.filter(({ property }) => PAINT.test(property))];
    const inherited = paint.reduce((sum, one) => sum + this.#painted(one, element), 0);
    let sum = weight(element);
    if (SHAPE.test(local(element.name))) sum += inherited;
    for (const { property, id } of own)
      if (!PAINT.test(property))
        sum += this.#target(id) * (property === 'href' ? 1 + inherited : 1);
    for (const child of within(element)) sum += this.#cost(child, paint);
    return sum;
  }

  /** A marker is drawn at each vertex. @param {Reference} reference @param {XmlElement} element */
  #painted({ property, id }, { attributes: { d = '', points = '' } }) {
    const times = /^marker(?:-mid)?$/.test(property) ? (d.length + points.length) / VERTEX : 0;
    return this.#target(id) * (1 + times);
  }

  /** Gradients are no elements on the screen. @param {string} id */
  #repeated(id) {
    const element = this.#named.get(id);
    return element && !/Gradient$/.test(local(element.name)) ? element : undefined;
  }

  /** @param {string} id */
  #target(id) {
    const element = this.#repeated(id);
    if (!element) return 0;
    const known = this.#costs.get(id);
    if (known !== undefined) return known;
    // Elements that refer to each other.
    this.#costs.set(id, Number.POSITIVE_INFINITY);
    const cost = this.#cost(element, []);
    this.#costs.set(id, cost);
    return cost;
  }
}

/** Number of elements that references add to a drawing. Infinite if unknown. @param {string} text */
export function added(text) {
  if (!mayRepeat(text)) return 0;
  if (DECLARED.test(text)) return Number.POSITIVE_INFINITY;
  // Browsers don't draw SVGs that are not well-formed, and deep nesting overflows the stack.
  return (
    attempt(
      () =>
        new Drawing(/** @type {any} */ (parseXml(text, { ignoreUndefinedEntities: true })).root)
          .added,
    ) ?? Number.POSITIVE_INFINITY
  );
}

/** Whether a browser can draw an SVG without freezing. @param {string} text */
export const isDrawable = (text) => added(text) <= ADDED_MAX;

/**
 * Outputs without the drawings that would freeze the page, with a warning.
 * @param {T.Outputs} outputs @param {(sentence: string) => void} warn
 */
export const drawable = async (outputs, warn) => {
  const kept = { ...outputs };
  for (const [name, output] of Object.entries(outputs)) {
    if (typeof output !== 'object' || output?.kind !== 'picture' || output.type !== SVG) continue;
    const text = await new Blob([/** @type {any} */ (output.data)]).text();
    if (isDrawable(text)) continue;
    delete kept[name];
    warn('The picture is not shown: its references repeat more elements than a browser can draw.');
  }
  return kept;
};
