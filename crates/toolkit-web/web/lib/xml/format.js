//! XML in another layout: white space between tags, comments and instructions alone is changed, and
//! within tags to one space before each attribute. Text stays, also in mixed content.
import { isElement, readXml } from './read.js';
import { contentOf } from './values.js';

/** @import { Warn, XmlElement, XmlNode } from './read.js' */

const ATTRIBUTE = /\s+([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/y;

/** @param {string} text @param {{ indent: number, warn: Warn }} options `indent`: 0 for no line breaks @returns {string} */
export function formatXml(text, { indent, warn }) {
  const { nodes } = readXml(text, warn);
  const line = (/** @type {number} */ depth) =>
    indent > 0 ? `\n${' '.repeat(depth * indent)}` : '';
  /** A node whose white space is text. @param {XmlNode} node @returns {string} */
  const whole = (node) => {
    if (!isElement(node)) return text.slice(node.start, node.end);
    const { tag, end } = tagOf(text, node);
    if (node.children.length === 0 && end === node.end) return tag;
    return `${tag}${node.children.map(whole).join('')}</${node.name}>`;
  };
  /** @param {XmlNode} node @param {number} depth @param {boolean} isKept @returns {string} */
  const laidOut = (node, depth, isKept) => {
    if (!isElement(node)) return text.slice(node.start, node.end);
    const { isPreserved, hasMarkup, hasText } = contentOf(text, node, isKept);
    if (!hasMarkup || hasText) return whole(node);
    const { tag } = tagOf(text, node);
    const gap = (/** @type {number} */ at) => (isPreserved ? '' : line(at));
    const inner = node.children
      .filter(({ type }) => isPreserved || type !== 'text')
      .map((child) => gap(depth + 1) + laidOut(child, depth + 1, isPreserved));
    return `${tag}${inner.join('')}${gap(depth)}</${node.name}>`;
  };
  return nodes.map((node) => laidOut(node, 0, false)).join(line(0));
}

/** The start tag of an element, with single spaces, and where it ends. @param {string} text @param {XmlElement} element */
function tagOf(text, { name, start }) {
  let at = start + 1 + name.length;
  let tag = `<${name}`;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const [whole, attribute, value] = ATTRIBUTE.exec(text) ?? [];
    if (whole === undefined) break;
    tag += ` ${attribute}=${value}`;
    at += whole.length;
  }
  while (/\s/.test(text[at] ?? '')) at++;
  const isEmpty = text[at] === '/';
  return { tag: `${tag}${isEmpty ? '/' : ''}>`, end: at + (isEmpty ? 2 : 1) };
}
