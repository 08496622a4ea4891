//! XML to and from values: attributes are `@name`, text beside attributes or children is `#text`, repeated siblings are
//! a list. Numbers and booleans become text.
import { Refusal } from '../../kit/tool.js';
import { JsonNumber } from '../json/json.js';
import { lineColumn } from '../positions.js';
import { decodedKeys, encodedKeys } from './names.js';
import { declarationFault, isElement, isName, MAX_DEPTH, readXml, undeclared } from './read.js';

/** @import { Warn, XmlElement, XmlNode } from './read.js' */
/** @typedef {import('../json/json.js').JsonValue} Value */
/** @typedef {{ comments: boolean, instructions: boolean, mixed: XmlElement[], scattered: XmlElement[] }} Losses */

const WHITE = /^[ \t\r\n]*$/;

/** Whether white space is text in an element, and whether it has both text and markup. @param {string} text @param {XmlElement} element @param {boolean} isKept */
export function contentOf(text, { attributes, children }, isKept) {
  const space = attributes['xml:space'];
  const isPreserved = space === 'preserve' || (isKept && space !== 'default');
  const hasMarkup = children.some(({ type }) => type !== 'text' && type !== 'cdata');
  const hasText = children.some(
    ({ type, start, end }) =>
      type === 'cdata' || (type === 'text' && !WHITE.test(text.slice(start, end))),
  );
  return { isPreserved, hasMarkup, hasText };
}

/** The value of a document: an object with its root. @param {string} text @param {Warn} warn @param {string} [names] `decode`: of encoded names @returns {Value} */
export function parseXml(text, warn, names) {
  const { nodes, root } = readXml(text, warn);
  /** @type {Losses} */
  const losses = { comments: false, instructions: false, mixed: [], scattered: [] };
  for (const node of nodes) lose(node, losses);
  const value = new Map([[root.name, contentIn(text, root, false, losses)]]);
  if (height(value) > MAX_DEPTH)
    throw new Refusal(`nests values deeper than ${MAX_DEPTH}, its lists included`, { at: 0 });
  if (nodes.some(({ type }) => type === 'doctype')) warn('The DOCTYPE was left out.');
  if (losses.comments) warn('The comments were left out.');
  if (losses.instructions) warn('The processing instructions were left out.');
  const place = (/** @type {XmlElement[]} */ all) => {
    const first = all.reduce((one, other) => (other.start < one.start ? other : one));
    const { line, column } = lineColumn(text, first.start);
    return `${all.length > 1 ? 'in several elements, the first' : 'in'} \`${first.name}\` at line ${line}, column ${column}`;
  };
  if (losses.mixed.length > 0)
    warn(
      `Text and elements alternate ${place(losses.mixed)}: the texts were joined, and their order is lost.`,
    );
  if (losses.scattered.length > 0)
    warn(
      `Elements of one name stand apart ${place(losses.scattered)}: they were grouped, and the order among the others is lost.`,
    );
  return names === 'decode' ? decodedKeys(value) : value;
}

/** @param {XmlNode} node @param {Losses} losses */
function lose({ type }, losses) {
  losses.comments ||= type === 'comment';
  losses.instructions ||= type === 'pi';
}

/** @param {Value} value @returns {number} */
function height(value) {
  const inner =
    value instanceof Map ? [...value.values()] : Array.isArray(value) ? value : undefined;
  return inner ? 1 + inner.reduce((most, one) => Math.max(most, height(one)), 0) : 0;
}

/** @param {string} source @param {XmlElement} element @param {boolean} isKept @param {Losses} losses @returns {Value} */
function contentIn(source, element, isKept, losses) {
  const { isPreserved, hasMarkup, hasText } = contentOf(source, element, isKept);
  /** @type {[string, Value][]} */
  const members = Object.entries(element.attributes).map(([name, value]) => [`@${name}`, value]);
  /** @type {Map<string, number>} */
  const places = new Map();
  let [text, texts, textAt, inText, isDivided] = ['', 0, 0, false, false];
  for (const child of element.children) {
    lose(child, losses);
    if (isElement(child)) {
      const value = contentIn(source, child, isPreserved, losses);
      const at = places.get(child.name);
      if (at === undefined) {
        places.set(child.name, members.length);
        members.push([child.name, value]);
      } else {
        const member = /** @type {[string, Value]} */ (members[at]);
        if (at + 1 < members.length) losses.scattered.push(element);
        isDivided ||= inText;
        if (Array.isArray(member[1])) member[1].push(value);
        else member[1] = [member[1], value];
      }
      inText = false;
    } else if (child.text) {
      if (!inText && texts++ === 0) textAt = members.length;
      inText = true;
      text += child.text;
    }
  }
  const isText = !hasMarkup || hasText || isPreserved;
  if (isText && (texts > 1 || isDivided)) losses.mixed.push(element);
  if (members.length === 0) return isText && text !== '' ? text : null;
  if (isText && text !== '') members.splice(textAt, 0, ['#text', text]);
  return new Map(members);
}

/** @param {string} text */
const escaped = (text) =>
  text.replace(
    /[&<>\r]/g,
    (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' })[one] ?? '',
  );
/** @param {string} text */
const inValue = (text) =>
  escaped(text).replace(
    /["\t\n]/g,
    (one) => ({ '"': '&quot;', '\t': '&#9;', '\n': '&#10;' })[one] ?? '',
  );
// biome-ignore lint/suspicious/noControlCharactersInRegex: these XML forbids
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udfff]/u;

/** @param {string} key */
const isAttribute = (key) => key.startsWith('@');
/** @param {Value} value */
const isEmpty = (value) => value === null || value === '';

/** How the children of an element may be laid out. @typedef {'lines' | 'preserved' | 'mixed'} Flow */

class Writer {
  /** @type {Set<string>} */
  notes = new Set();
  /** @type {string | undefined} the first prefix that is not declared */
  undeclared;
  /** @type {string[]} */
  path = [];
  /** @param {number} indent */
  constructor(indent) {
    this.indent = indent;
  }
  /** @param {string} offence @param {string[]} place @param {string} [hint] */
  refusal(offence, place, hint = '') {
    const path = [...this.path, ...place].map((key) => `/${key}`).join('');
    return new Refusal(
      `cannot become XML: ${offence} (at \`${path.slice(-100)}\`)`,
      hint ? { hint } : {},
    );
  }
  /** @param {number} depth */
  line(depth) {
    return this.indent > 0 ? `\n${' '.repeat(depth * this.indent)}` : '';
  }
  /** @param {Value} value @param {string[]} place */
  scalar(value, place) {
    if (Array.isArray(value) || value instanceof Map)
      throw this.refusal(
        `\`${place.at(-1)}\` is ${value instanceof Map ? 'an object' : 'a list'}`,
        place,
        'An attribute or a text is a string, a number or a boolean.',
      );
    const text = value === null ? '' : value instanceof JsonNumber ? value.text : String(value);
    const character = FORBIDDEN.exec(text)?.[0];
    if (character !== undefined)
      throw this.refusal(
        `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} is not a character of XML`,
        place,
      );
    return text;
  }
  /** @param {string} key @param {Value} value @param {Flow} outer @param {Map<string, string>} scope @returns {string} */
  element(key, value, outer, scope) {
    const depth = this.path.length;
    if (depth >= MAX_DEPTH) throw this.refusal(`elements nest deeper than ${MAX_DEPTH}`, []);
    if (!isName(key))
      throw this.refusal(
        `\`${key}\` is not an XML name`,
        [key],
        'A name holds letters, digits, _, - and ., and starts with a letter or _; "Keys that are no names" encodes others.',
      );
    const members = value instanceof Map ? [...value] : [];
    const { attributes, flow, inner } = this.attributes(key, members, outer, scope);
    const before = outer === 'lines' && depth > 0 ? this.line(depth) : '';
    if ((value instanceof Map && value.size === 0) || (Array.isArray(value) && value.length === 0))
      this.notes.add(EMPTIES);
    const children = members.filter(([name]) => name !== '#text' && !isAttribute(name));
    if (children.some(([, one]) => Array.isArray(one) && one.length === 0))
      this.notes.add(EMPTY_LISTS);
    const hasChildren =
      children.some(([, one]) => !Array.isArray(one) || one.length > 0) ||
      (Array.isArray(value) && value.length > 0);
    this.path.push(key);
    const isScalar = value !== null && !Array.isArray(value) && !(value instanceof Map);
    const parts = isScalar ? [this.text(value, [], false)] : [];
    /** @type {[string, Value][]} */
    const all = Array.isArray(value) ? value.map((one) => ['item', one]) : members;
    for (const [name, one] of all) {
      if (isAttribute(name) && !Array.isArray(value)) continue;
      if (name === '#text') parts.push(this.text(one, [name], hasChildren));
      else
        for (const item of Array.isArray(one) && !Array.isArray(value) ? one : [one])
          parts.push(this.element(name, item, flow, inner));
    }
    this.path.pop();
    const content = parts.join('');
    const end = hasChildren && flow === 'lines' ? this.line(depth) : '';
    if (isScalar || content !== '')
      return `${before}<${key}${attributes}>${content}${end}</${key}>`;
    return `${before}<${key}${attributes}/>`;
  }
  /** @param {string} key @param {[string, Value][]} members @param {Flow} outer @param {Map<string, string>} outerScope */
  attributes(key, members, outer, outerScope) {
    /** @type {Flow} */
    let flow = outer;
    let attributes = '';
    const names = [];
    const inner = new Map(outerScope);
    for (const [member, value] of members) {
      if (!isAttribute(member)) continue;
      const name = member.slice(1);
      if (!isName(name)) throw this.refusal(`\`${name}\` is not an XML name`, [key, member]);
      if (value === null) this.notes.add(NULLS);
      const text = this.scalar(value, [key, member]);
      attributes += ` ${name}="${inValue(text)}"`;
      names.push(name);
      if (name === 'xml:space' && text === 'preserve' && flow === 'lines') flow = 'preserved';
      if (name === 'xml:space' && text === 'default' && flow === 'preserved') flow = 'lines';
      if (/^xmlns(?::|$)/.test(name)) this.declare(name, text, inner, [key, member]);
    }
    const expanded = new Set();
    for (const name of [key, ...names]) {
      if (!name.includes(':') || (name !== key && name.startsWith('xmlns:'))) continue;
      const [prefix = '', local] = name.split(':');
      if (prefix === 'xmlns')
        throw this.refusal(`the element \`${name}\` has the prefix \`xmlns\``, [key]);
      if (!inner.has(prefix)) this.undeclared ??= prefix;
      const full = `${inner.get(prefix) ?? prefix}\0${local}`;
      if (name !== key && expanded.has(full))
        throw this.refusal(`\`${name}\` is repeated under another prefix`, [key]);
      if (name !== key) expanded.add(full);
    }
    if (members.some(([name, value]) => name === '#text' && !isEmpty(value))) flow = 'mixed';
    return { attributes, flow, inner };
  }
  /** @param {string} name @param {string} value @param {Map<string, string>} scope @param {string[]} place */
  declare(name, value, scope, place) {
    const fault = declarationFault(name, value);
    if (fault) throw this.refusal(`\`${name}\` ${fault}`, place);
    if (name.includes(':')) scope.set(name.slice(6), value);
  }
  /** Text. White space between children would be taken for layout. @param {Value} value @param {string[]} place @param {boolean} hasChildren */
  text(value, place, hasChildren) {
    const text = this.scalar(value, place);
    if (text === '') this.notes.add(EMPTIES);
    if (!hasChildren || text === '' || !WHITE.test(text)) return escaped(text);
    const [first = ''] = text;
    return (first === ' ' ? '&#32;' : inValue(first)) + escaped(text.slice(1));
  }
}

const EMPTIES =
  'XML has one kind of empty element: an empty string, list or object comes back as null.';
const EMPTY_LISTS = 'An empty list has no items, so it was left out.';
const NULLS = 'An attribute cannot be null, so it was written as empty.';

/** A value as a document. @param {Value} given @param {{ indent: number, names?: string, warn: Warn }} options `indent`: 0 for no line breaks; `names`: `encode` keys that are no names */
export function writeXml(given, { indent, names, warn }) {
  const value = names === 'encode' ? encodedKeys(given) : given;
  const [[key, only] = ['', null]] = value instanceof Map && value.size === 1 ? [...value] : [];
  const isRoot =
    value instanceof Map &&
    value.size === 1 &&
    key !== '#text' &&
    !isAttribute(key) &&
    !(Array.isArray(only) && only.length !== 1);
  if (!isRoot) warn('There is no single root element, so the value was wrapped in `<root>`.');
  const writer = new Writer(indent);
  const scope = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]);
  const root = isRoot && Array.isArray(only) ? only[0] : only;
  const text = isRoot
    ? writer.element(key, root, 'lines', scope)
    : writer.element('root', value, 'lines', scope);
  for (const note of [EMPTIES, EMPTY_LISTS, NULLS]) if (writer.notes.has(note)) warn(note);
  if (writer.undeclared !== undefined) warn(undeclared(writer.undeclared));
  return text;
}
