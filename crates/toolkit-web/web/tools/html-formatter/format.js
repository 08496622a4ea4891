//! HTML formatted by prettier; formatters of other languages are loaded only if the document has
//! them.

import { Refusal, refuse } from '../../kit/tool.js';
import { minifyCss } from '../../lib/css/minify.js';
import { tabs } from '../../lib/indents.js';
import { formatOrRefuse } from '../../lib/prettier.js';
import { parse, serialize } from '../../libraries/parse5.js';
import * as html from '../../libraries/prettier-html.js';
import { minifyHtml } from './minify.js';
import { tokenizeHtml } from './tokens.js';

const DEEPEST = 512;
const NO_SCRIPTS = { scriptingEnabled: false };

/**
 * Prettier refuses some documents with errors and changes others: these are formatted as browsers
 * read them.
 * @param {string} source @param {any} values @param {(sentence: string) => void} warn
 */
export async function formatHtml(source, values, warn) {
  const { indent, width, whitespace, attribute_lines, bracket_same_line, embedded } = values;
  const options = {
    parser: 'html',
    plugins: [html, ...(embedded ? await embeddedFormatters(source) : [])],
    ...tabs(indent),
    printWidth: width,
    htmlWhitespaceSensitivity: whitespace,
    singleAttributePerLine: attribute_lines,
    bracketSameLine: bracket_same_line,
    embeddedLanguageFormatting: embedded ? 'auto' : 'off',
  };
  const wanted = shape(read(source), embedded);
  const isSame = (/** @type {string | Refusal} */ output) =>
    typeof output === 'string' && shape(read(output), embedded) === wanted;
  const output = await formatted(source, options);
  if (isSame(output)) return String(output);
  const { message, position } =
    output instanceof Refusal ? output : new Refusal('an element is left open or out of place');
  const place = position.line ? ` at line ${position.line}, column ${position.column ?? 1}` : '';
  const error = `an error${place} (${message.replace(/^is not HTML: /, '').replace(/\. [\s\S]*/, '')})`;
  const repaired = await formatted(asRead(source), options);
  // Browsers ignore some tags, and newer ones fewer: none is dropped here.
  if (!isSame(repaired) || !hasTags(String(repaired), source))
    return refuse('text', `has ${error}, and cannot be formatted without a change`, {
      hint: 'Correct it first.',
    });
  warn(`The HTML has ${error}: it was formatted as browsers read it.`);
  return String(repaired);
}

/** Styles and classes under which white space in a text is shown. */
const KEPT =
  /\sstyle\s*=\s*(?:"[^"]*|'[^']*)white-space\s*:\s*(?:pre|break)|\sclass\s*=[^>]*\bwhitespace-(?:pre|break)/i;

/** The text with the content of elements that keep white space put aside. @param {string} source */
function heldOf(source) {
  /** @type {string[]} */
  const contents = [];
  let text = '';
  let inner = '';
  let name = '';
  let depth = 0;
  for (const token of tokenizeHtml(source)) {
    if (depth > 0 && token.name === name && /^(?:start|end)$/.test(token.kind))
      depth += token.kind === 'start' ? 1 : -1;
    if (depth > 0) {
      inner += token.raw;
      continue;
    }
    if (name !== '') text += `${MASK}${contents.push(inner) - 1}${MASK}`;
    [name, inner] = ['', ''];
    text += token.raw;
    if (token.kind !== 'start' || token.name === 'pre' || !KEPT.test(token.raw)) continue;
    [name, depth] = [token.name, 1];
  }
  return depth > 0 ? { text: source, contents: [] } : { text, contents };
}

const MASK = '\ua66e';
const HELD = new RegExp(`(?:(?<!\\s)\\s+)?${MASK}(\\d+)${MASK}\\s*`, 'g');

/** @param {string} source @param {any} options @returns {Promise<string | Refusal>} */
async function formatted(source, options) {
  const { text, contents } = heldOf(source);
  try {
    // The library takes this name for one that every object has.
    const masked = text.replaceAll(/(<\/?constructo)r(?=[\s/>])/gi, `$1${MASK}`);
    const output = await formatOrRefuse(masked, options, 'HTML');
    return output
      .replaceAll(HELD, (_, at) => contents[at] ?? '')
      .replaceAll(`constructo${MASK}`, 'constructor');
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Whether a text opens each element as often as the other. @param {string} text @param {string} other */
function hasTags(text, other) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  const count = (/** @type {string} */ source, /** @type {number} */ step) => {
    for (const { kind, name } of tokenizeHtml(source))
      if (kind === 'start') counts.set(name, (counts.get(name) ?? 0) + step);
  };
  count(text, 1);
  count(other, -1);
  return [...counts.values()].every((left) => left >= 0);
}

/** The tree without white space and what prettier formats. @param {any} node @param {boolean} embedded whether scripts and style sheets are formatted too @param {number} [depth] @returns {string} */
function shape(node, embedded, depth = 0) {
  if (depth > DEEPEST) refuse('text', `nests deeper than ${DEEPEST} levels`);
  const { nodeName, value = '', data = '', attrs = [], childNodes = [] } = node;
  if (nodeName === '#text')
    return embedded && /^(?:script|style)$/.test(node.parentNode.nodeName)
      ? ''
      : value.replaceAll(/\s/g, '');
  if (nodeName === '#comment') return `<!--${data.replaceAll(/\s/g, '')}-->`;
  if (nodeName === '#documentType') return `<!${node.name} ${node.publicId} ${node.systemId}>`;
  const list = attrs.map((/** @type {any} */ { name, prefix, value }) =>
    /^(?:style|on.*)$/.test(name)
      ? name
      : `${prefix ?? ''}:${name}=${JSON.stringify(value.replaceAll(/\s/g, ''))}`,
  );
  const inside = node.content?.childNodes ?? childNodes;
  return `<${[nodeName, node.namespaceURI, ...list.sort()].join(' ')}>${inside.map((/** @type {any} */ child) => shape(child, embedded, depth + 1)).join('')}</>`;
}

/** @param {string} source */
const isFragment = (source) => !/<(?:!doctype|html|head|body|frameset)\b/i.test(source);

/** Without scripts, so that the content of noscript is markup; fragments as in a document with a DOCTYPE. @param {string} source */
const read = (source) =>
  parse(`${isFragment(source) ? '<!doctype html>' : ''}${source}`, NO_SCRIPTS);

/** The document that browsers make of a text; a fragment without the tags around it. @param {string} source */
function asRead(source) {
  const document = read(source);
  if (!isFragment(source)) return serialize(document, NO_SCRIPTS);
  const parts = document.childNodes.map((node) => {
    if ('data' in node) return `<!--${node.data}-->`;
    const children = 'childNodes' in node ? node.childNodes : [];
    return children.map((child) => serialize(/** @type {any} */ (child), NO_SCRIPTS)).join('');
  });
  return parts.join('');
}

/** @param {string} source */
async function embeddedFormatters(source) {
  const needed = [];
  if (/<style|\sstyle\s*=/i.test(source))
    needed.push(import('../../libraries/prettier-postcss.js'));
  if (/<script|\son[a-z]+\s*=/i.test(source)) {
    needed.push(
      import('../../libraries/prettier-babel.js'),
      import('../../libraries/prettier-estree.js'),
    );
  }
  return Promise.all(needed);
}

/** @param {string} source @param {any} values */
export function minifyDocument(source, { comments, embedded }) {
  const small = minifyHtml(source, comments);
  if (!embedded) return small;
  return tokenizeHtml(small)
    .map(({ kind, name, raw }) => (kind === 'raw' && name === 'style' ? smallStyle(raw) : raw))
    .join('');
}

/** @param {string} style */
function smallStyle(style) {
  try {
    return minifyCss(style, 'css');
  } catch (error) {
    if (error instanceof Refusal) return style;
    throw error;
  }
}
