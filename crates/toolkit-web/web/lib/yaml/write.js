//! YAML writer: block style with one line per entry, or flow style on one line. Standard: YAML 1.2.2. Strings are written
//! so that YAML 1.1 readers read the same strings.
import { JsonNumber } from '../json/json.js';

/**
 * A node of a document: a scalar with its text, an alias, or a collection of such nodes.
 * @typedef {{ text: string, style: 'plain' | 'free' | 'single' | 'double' | 'literal' | 'folded' | 'empty', source?: string, lines?: string[] }} Scalar
 *   `source`: the original text with its quotes; `lines`: the original lines of a folded scalar
 * @typedef {{ properties?: string, above?: string[], after?: string, below?: string[], isApart?: boolean } &
 *   (Scalar | { alias: string } | { items: Node[] } | { pairs: [Node, Node][] })} Node
 *   `properties`: anchor and tag; `above`, `after` and `below` its last entry: comments; `isApart`: a blank line stands above
 */

/** The longest key without a `?`. */
const KEY_MAX = 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be escaped
const ESCAPED = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;
const BEGINS_PLAIN = /^(?:-[a-z\d.-]|[^-?:,[\]{}#&*!|>'"%@`])/i;
/** Words that some YAML 1.2 or 1.1 readers take for another type. */
const WORD = /^[+-]?(?:~|null|true|false|yes|no|on|off|y|n|=|<<|\.nan|\.inf)$/i;
const NUMBER =
  /^[+-]?(?:0[box][\da-f_]*|(?=[\d._:eE+-]*$)[\d_:]*(?:\.[\d_:]*)?(?:e[+-]*[\d_]*)?)$/i;
const DATE = /^\d{4}-[\d:. TtZz+-]*$/;
/** @type {Record<string, string>} */
const ESCAPES = {
  '\0': '\\0',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\u001b': '\\e',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
  '"': '\\"',
  '\\': '\\\\',
};

/** @param {string} text @param {boolean} isFlow */
const canBePlain = (text, isFlow) =>
  BEGINS_PLAIN.test(text) &&
  !/^(?:---|\.\.\.|\s)|[ :]$|: | #/.test(text) &&
  !(isFlow && /[,[\]{}?]/.test(text)) &&
  !ESCAPED.test(text);

/** @param {string} text */
const isAmbiguous = (text) =>
  WORD.test(text) || (/^[\d+.-]/.test(text) && (NUMBER.test(text) || DATE.test(text)));

/** @param {string} text */
const doubleQuoted = (text) =>
  `"${text.replace(new RegExp(`["\\\\]|${ESCAPED.source}`, 'g'), (one) => {
    const code = one.charCodeAt(0).toString(16).toUpperCase();
    return (
      ESCAPES[one] ??
      (code.length < 3 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`)
    );
  })}"`;

/** @param {string} text */
const quoted = (text) =>
  /["\\]/.test(text) && !text.includes("'") && !ESCAPED.test(text)
    ? `'${text}'`
    : doubleQuoted(text);

/** A text without trailing line breaks. @param {string} text */
function withoutBreaks(text) {
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  return text.slice(0, end);
}

/** A scalar on one line. @param {Scalar} scalar @param {boolean} isFlow */
function flat({ text, style, source = '' }, isFlow) {
  const isPlain =
    canBePlain(text, isFlow) && (style === 'plain' || (style === 'free' && !isAmbiguous(text)));
  if (isPlain) return text;
  if (/^(?:single|double)$/.test(style) && source && !/[\n\r]/.test(source)) return source;
  return style === 'double' ? doubleQuoted(text) : quoted(text);
}

/** A scalar as a `|` or `>` block, if it can be written and read back like that. @param {Node} node @param {number} column @param {number | undefined} parent */
function literal(node, column, parent) {
  if (!('text' in node)) return undefined;
  const { text, style } = node;
  const isFolded = style === 'folded' && node.lines !== undefined && text.trim() !== '';
  const content = withoutBreaks(text);
  const lines = (isFolded ? withoutBreaks((node.lines ?? []).join('\n')) : content).split('\n');
  const isFree =
    style === 'free' && text.includes('\n') && !lines.some((line) => /[ \t]$/.test(line));
  if (!isFree && style !== 'literal' && style !== 'folded') return undefined;
  const first = lines.find((line) => line !== '') ?? '';
  const isSafe = !ESCAPED.test(text.replace(/[\n\t]/g, ''));
  if (!isSafe || !/[^ ]/.test(first) || first.startsWith('\t')) return undefined;
  const isIndented = first.startsWith(' ');
  if (isIndented && parent === undefined) return undefined;
  const breaks = text.length - content.length;
  const head = `${isFolded ? '>' : '|'}${isIndented ? column - (parent ?? 0) : ''}${['-', ''][breaks] ?? '+'}`;
  const margin = ' '.repeat(column);
  const shown = lines.map((line) => `\n${line && margin}${line}`).join('');
  return { head, rest: shown + '\n'.repeat(Math.max(0, breaks - 1)) };
}

/** @param {Node} node */
const isFilled = (node) =>
  ('items' in node && node.items.length > 0) || ('pairs' in node && node.pairs.length > 0);

/** Documents in block style. @param {number} indent */
function blockWriter(indent) {
  const leaf = (/** @type {Node} */ node) => {
    if ('alias' in node) return `*${node.alias}`;
    if ('items' in node) return '[]';
    if ('pairs' in node) return '{}';
    return node.style === 'empty' ? '' : flat(node, false);
  };
  /** The text after an indicator on its line. @param {Node} node @param {number} column @param {number | undefined} parent @param {boolean} isCompact @returns {string} */
  const content = (node, column, parent, isCompact) => {
    const { properties = '', after = '' } = node;
    const lead = (properties && ` ${properties}`) + (after && isFilled(node) ? ` ${after}` : '');
    if (isFilled(node)) {
      const inner = entries(node, column);
      const first =
        'items' in node ? node.items[0] : 'pairs' in node ? node.pairs[0]?.[0] : undefined;
      if (parent === undefined && !lead) return inner;
      return isCompact && !lead && !first?.above?.length
        ? ` ${inner}`
        : `${lead}\n${' '.repeat(column)}${inner}`;
    }
    const block = literal(node, parent === undefined ? indent : column, parent);
    const note = after && ` ${after}`;
    const text = block ? block.head + note + block.rest : leaf(node) + note;
    return lead + (text && (parent === undefined && !lead ? text : ` ${text}`));
  };
  /** @param {Node} node @param {number} column @returns {string} */
  const entries = (node, column) => {
    const margin = ' '.repeat(column);
    /** @type {[Node, string][]} */
    const all =
      'items' in node
        ? node.items.map((item) => [item, `-${content(item, column + 2, column, true)}`])
        : 'pairs' in node
          ? node.pairs.map(([key, value]) => [key, entry(key, value, column)])
          : [];
    return all
      .flatMap(([{ above = [], isApart }, text], at) => [
        ...(isApart && at > 0 ? [''] : []),
        ...above,
        text,
      ])
      .concat(node.below ?? [])
      .map((line, at) => (at > 0 ? `\n${line && margin}${line}` : line))
      .join('');
  };
  /** @param {Node} key @param {Node} value @param {number} column */
  const entry = (key, value, column) => {
    const name = [key.properties, leaf(key)].filter(Boolean).join(' ') || 'null';
    const isSimple = !isFilled(key) && !literal(key, column + 2, column) && name.length <= KEY_MAX;
    if (!isSimple)
      return `?${content(key, column + 2, column, true)}\n${' '.repeat(column)}:${content(value, column + 2, column, true)}`;
    const isName = 'alias' in key || (key.properties && leaf(key) === '');
    return `${name}${isName ? ' ' : ''}:${content(value, column + indent, column, false)}`;
  };
  return (/** @type {Node} */ node) => content(node, 0, undefined, false);
}

/** A document in flow style. @param {Node} node @returns {string} */
function flow(node) {
  const lead = node.properties ? `${node.properties} ` : '';
  if ('alias' in node) return `*${node.alias}`;
  if ('items' in node) return `${lead}[${node.items.map(flow).join(',')}]`;
  if ('text' in node && node.style === 'empty') return lead + (/!/.test(lead) ? "''" : 'null');
  if ('text' in node) return lead + flat(node, true);
  const pairs = node.pairs.map(([key, value]) => {
    const name = flow(key);
    const long = isFilled(key) || ('text' in key && name.length > KEY_MAX) ? '? ' : '';
    return `${long}${name}${'alias' in key ? ' ' : ''}: ${flow(value)}`;
  });
  return `${lead}{${pairs.join(',')}}`;
}

/**
 * Documents as text.
 * @param {{ node: Node, directives?: string[], isMarked?: boolean, end?: string[] }[]} documents `isMarked`: begins with `---`
 * @param {{ indent: number }} options 0: in flow style, minified
 */
export function present(documents, { indent }) {
  const write = indent === 0 ? flow : blockWriter(indent);
  const texts = documents.map(({ node, directives = [], isMarked = false, end = [] }, at) => {
    const text = write(node);
    const head = directives.map((line) => `${line}\n`).join('');
    const isBlock = indent > 0 && (isMarked || node.properties || text === '');
    const isNeeded = at > 0 || isBlock || (indent === 0 && directives.length > 0);
    const above = indent > 0 ? (node.above ?? []).map((line) => `${line}\n`).join('') : '';
    const isBelow = indent > 0 && isFilled(node) && !node.properties && !node.after;
    const gap = isBelow ? '\n' : text && !text.startsWith(' ') ? ' ' : '';
    const marked = isNeeded ? `---${gap}${text}` : text;
    const tail = indent > 0 ? end.map((line) => `\n${line}`).join('') : '';
    return `${at > 0 && head ? '...\n' : ''}${head}${above}${marked}${tail}`;
  });
  const all = texts.join('\n');
  return indent > 0 && all !== '' ? `${all}\n` : all;
}

/** A value as a node. @param {import('../json/json.js').JsonValue} value @returns {Node} */
function nodeOf(value) {
  if (Array.isArray(value)) return { items: value.map(nodeOf) };
  if (value instanceof Map)
    return { pairs: [...value].map(([name, one]) => [{ text: name, style: 'free' }, nodeOf(one)]) };
  if (typeof value === 'string') return { text: value, style: 'free' };
  return { text: plainText(value), style: 'plain' };
}

/** @param {any} value */
function plainText(value) {
  if (value instanceof JsonNumber) return value.text;
  if (Number.isNaN(value)) return '.nan';
  if (Object.is(value, -0)) return '-0';
  return String(value).replace('Infinity', '.inf');
}

/** Values as documents. @param {import('../json/json.js').JsonValue[]} values @param {{ indent: number }} options `indent`: 0 for flow style on one line */
export const writeYaml = (values, options) =>
  present(
    values.map((value) => ({ node: nodeOf(value) })),
    options,
  );
