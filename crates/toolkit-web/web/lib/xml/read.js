//! XML reader: the library parse-xml, with the checks that it leaves out: names with colons,
//! namespaces, the declaration, and what a DOCTYPE declares. Standards: XML 1.0 (fifth edition) and
//! Namespaces in XML 1.0. Nothing is fetched, and no entity is declared.
import { Refusal } from '../../kit/tool.js';
import { parseXml as parse, XmlError } from '../../libraries/parse-xml.js';

/**
 * @typedef {{ type: string, start: number, end: number, name?: string, text?: string, internalSubset?: string | null }} Leaf
 * @typedef {{ type: 'element', name: string, attributes: Record<string, string>, children: XmlNode[], start: number, end: number }} XmlElement
 * @typedef {Leaf | XmlElement} XmlNode
 * @typedef {(sentence: string) => void} Warn
 */

export const MAX_DEPTH = 512;
/** Where a name may begin: XML 1.0 §2.3. */
const START =
  'A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}';
const PART = `[${START}][${START}.\\d\\u00b7\\u0300-\\u036f\\u203f\\u2040-]*`;
/** A name with at most one colon. */
const QNAME = new RegExp(`^${PART}(?::${PART})?$`, 'u');
const XML = 'http://www.w3.org/XML/1998/namespace';
const XMLNS = 'http://www.w3.org/2000/xmlns/';
const DECLARATION = /^<\?xml\s+version\s*=\s*(["'])(.*?)\1(?:\s+encoding\s*=\s*(["'])(.*?)\3)?/;
const UTF8 = /^(?:utf-?8|(?:us-)?ascii)$/i;

/** @param {XmlNode} node @returns {node is XmlElement} */
export const isElement = (node) => node.type === 'element';

/**
 * The nodes of a document, with their places in the text.
 * @param {string} text @param {Warn} warn @returns {{ nodes: XmlNode[], root: XmlElement }}
 */
export function readXml(text, warn) {
  const { children: nodes } = document(text);
  declared(text, warn);
  for (const node of nodes) {
    if (node.type === 'doctype') checkDoctype(text, /** @type {Leaf} */ (node));
    checkInstruction(node);
  }
  const root = /** @type {XmlElement} */ (nodes.find(isElement));
  checkNames(root, warn);
  return { nodes, root };
}

/** @param {string} text @returns {{ children: XmlNode[] }} */
function document(text) {
  try {
    return /** @type {any} */ (
      parse(text, {
        includeOffsets: true,
        preserveCdata: true,
        preserveComments: true,
        preserveDocumentType: true,
        preserveXmlDeclaration: true,
      })
    );
  } catch (error) {
    if (error instanceof RangeError)
      throw new Refusal(`nests deeper than ${MAX_DEPTH} levels`, { at: 0 });
    if (!(error instanceof XmlError)) throw error;
    const [message = ''] = error.message.split(/ \(line |\n/);
    throw new Refusal(
      `is not well-formed XML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
      { at: error.pos },
    );
  }
}

/** @param {string} text @param {Warn} warn */
function declared(text, warn) {
  const [, , version = '1.0', , encoding = 'UTF-8'] = DECLARATION.exec(text) ?? [];
  if (version !== '1.0')
    warn(`The document declares version \`${version}\`; it was read as XML 1.0.`);
  if (!UTF8.test(encoding))
    warn(`The document declares the encoding \`${encoding}\`; the text is Unicode already.`);
}

const NAMED = QNAME.source.slice(1, -1);
const IDENTIFIER = '(?:"[^"]*"|\'[^\']*\')';
const WHITE = '[ \\t\\r\\n]';
/** The parts of an internal subset that change no content: white space, comments, instructions, notations. */
const HARMLESS = new RegExp(
  `${WHITE}+|<!--(?:(?!--)[\\s\\S])*-->|<\\?(?!xml[\\s?])${NAMED}(?:${WHITE}[\\s\\S]*?)?\\?>|<!NOTATION${WHITE}+${NAMED}${WHITE}+(?:SYSTEM|PUBLIC${WHITE}+${IDENTIFIER})(?:${WHITE}+${IDENTIFIER})?${WHITE}*>`,
  'uy',
);
const ELEMENT = new RegExp(`<!ELEMENT${WHITE}+${NAMED}${WHITE}([^>]*)>`, 'uy');
const MIXED = new RegExp(
  `^\\(${WHITE}*#PCDATA(?:${WHITE}*\\)\\*?|(?:${WHITE}*\\|${WHITE}*${NAMED})+${WHITE}*\\)\\*)$`,
  'u',
);
const GROUP = new RegExp(
  `\\(${WHITE}*${NAMED}[?*+]?${WHITE}*(?:(?:,${WHITE}*${NAMED}[?*+]?${WHITE}*)*|(?:\\|${WHITE}*${NAMED}[?*+]?${WHITE}*)*)\\)`,
  'gu',
);

/** Whether a content model is one: its inner groups become names, until one is left. @param {string} model */
function isModel(model) {
  if (/^(?:EMPTY|ANY)$/.test(model) || MIXED.test(model)) return true;
  let [last, rest] = ['', model];
  while (rest !== last) [last, rest] = [rest, rest.replace(GROUP, 'g')];
  return model.startsWith('(') && /^g[?*+]?$/.test(rest);
}

/** Checks an internal subset, and refuses declarations that change the content. @param {string} text @param {Leaf} doctype */
function checkDoctype(text, { start, internalSubset }) {
  if (internalSubset === undefined || internalSubset === null) return;
  const first = text.indexOf(internalSubset, start);
  for (let at = 0; at < internalSubset.length; ) {
    HARMLESS.lastIndex = ELEMENT.lastIndex = at;
    const harmless = HARMLESS.exec(internalSubset)?.[0];
    const [element, model = ''] = harmless ? [] : (ELEMENT.exec(internalSubset) ?? []);
    const place = { at: first + at };
    const [what] = /^(?:<!ENTITY|<!ATTLIST|%)/.exec(internalSubset.slice(at, at + 9)) ?? [];
    if (what)
      throw new Refusal(`has \`${what}\` in its DOCTYPE, which would change the content`, {
        ...place,
        hint: 'Write what it stands for in its place, and leave it out.',
      });
    if (!harmless && !(element && isModel(model.trim())))
      throw new Refusal(
        'is not well-formed XML: its DOCTYPE has something that is no declaration',
        place,
      );
    at += (harmless ?? element ?? ' ').length;
  }
}

/** The fault in a namespace declaration. @param {string} name @param {string} value */
export function declarationFault(name, value) {
  const [, prefix] = name.split(':');
  const isReserved =
    prefix === undefined
      ? value === XML || value === XMLNS
      : prefix === 'xmlns' || value === XMLNS || (prefix === 'xml') !== (value === XML);
  if (isReserved) return 'redefines a reserved prefix or namespace';
  return prefix !== undefined && value === '' ? 'declares an empty namespace' : undefined;
}

/** The warning about a prefix that is used and not declared. @param {string} prefix */
export const undeclared = (prefix) =>
  `The prefix \`${prefix}\` is not declared; it was kept as it is.`;

/** Refuses names that Namespaces in XML does not allow, and deep nesting. @param {XmlElement} root @param {(sentence: string) => void} warn */
function checkNames(root, warn) {
  let isWarned = false;
  /** @type {{ element: XmlElement, scope: Map<string, string>, depth: number }[]} */
  const waiting = [{ element: root, scope: new Map([['xml', XML]]), depth: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { element, depth } = next;
    const refuse = (/** @type {string} */ offence, hint = '') =>
      new Refusal(offence, { at: element.start + 1, ...(hint && { hint }) });
    if (depth > MAX_DEPTH) throw refuse(`nests elements deeper than ${MAX_DEPTH}`);
    const names = Object.keys(element.attributes);
    for (const name of [element.name, ...names])
      if (!isName(name))
        throw refuse(
          `is not well-formed XML: \`${name}\` is not a name`,
          'A colon stands once, between a prefix and a name.',
        );
    const own = names.filter((name) => /^xmlns(?::|$)/.test(name));
    const scope = own.length > 0 ? new Map(next.scope) : next.scope;
    for (const name of own) {
      const value = element.attributes[name] ?? '';
      const fault = declarationFault(name, value);
      if (fault) throw refuse(`is not well-formed XML: \`${name}\` ${fault}`);
      if (name.includes(':')) scope.set(name.slice(6), value);
    }
    const expanded = new Set();
    for (const name of [element.name, ...names.filter((name) => !own.includes(name))]) {
      if (!name.includes(':')) continue;
      const [prefix = '', local] = name.split(':');
      if (name === element.name && prefix === 'xmlns')
        throw refuse(`is not well-formed XML: the element \`${name}\` has the prefix \`xmlns\``);
      // A prefix that is not declared is its own namespace.
      const namespace = scope.get(prefix) ?? prefix;
      if (!scope.has(prefix) && !isWarned) {
        warn(undeclared(prefix));
        isWarned = true;
      }
      if (name === element.name) continue;
      const key = `${namespace}\0${local}`;
      if (expanded.has(key))
        throw refuse(`is not well-formed XML: \`${name}\` is repeated under another prefix`);
      expanded.add(key);
    }
    for (const child of element.children) {
      checkInstruction(child);
      if (isElement(child)) waiting.push({ element: child, scope, depth: depth + 1 });
    }
  }
}

/** @param {XmlNode} node */
function checkInstruction(node) {
  if (node.type === 'pi' && node.name?.includes(':'))
    throw new Refusal(
      `is not well-formed XML: \`${node.name}\` is not a name of a processing instruction`,
      { at: node.start + 2 },
    );
}

/** Whether a text is a name with at most one colon. @param {string} text */
export const isName = (text) => QNAME.test(text);
