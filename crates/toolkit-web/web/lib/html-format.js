//! HTML by prettier, with the formatters of other languages only where the document has them.

import { refuse } from '../kit/tool.js';
import * as html from '../libraries/prettier-html.js';
import { minifyCss } from './css-minify.js';
import { CssError } from './css-scan.js';
import { minifyHtml } from './html-minify.js';
import { HtmlError, tokenizeHtml } from './html-tokens.js';
import { lineColumn, quoteLine } from './positions.js';
import { formatOrRefuse } from './prettier-format.js';

/** Tokens; what is never closed refuses the field. @param {string} source */
export function tokensOrRefuse(source) {
  try {
    return tokenizeHtml(source);
  } catch (error) {
    if (!(error instanceof HtmlError)) throw error;
    const place = lineColumn(source, error.offset);
    return refuse('text', error.message, {
      ...place,
      hint: `The line is: ${quoteLine(source, place.line, place.column)}`,
    });
  }
}

/** @param {string} source @param {any} values */
export async function formatHtml(source, values) {
  const { indent, width, whitespace, attribute_lines, bracket_same_line, embedded } = values;
  const options = {
    parser: 'html',
    plugins: [html, ...(embedded ? await embeddedFormatters(source) : [])],
    tabWidth: indent === 'tab' ? 2 : Number(indent),
    useTabs: indent === 'tab',
    printWidth: width,
    htmlWhitespaceSensitivity: whitespace,
    singleAttributePerLine: attribute_lines,
    bracketSameLine: bracket_same_line,
    embeddedLanguageFormatting: embedded ? 'auto' : 'off',
  };
  const output = await formatOrRefuse(source, options, 'HTML that can be laid out');
  compare(source, output);
  return output;
}

/** The formatter loses text where elements are left open, so its output is compared. @param {string} before @param {string} after */
function compare(before, after) {
  const left = essence(before);
  const right = essence(after);
  const changed = left.findIndex(({ text }, i) => text !== right[i]?.text);
  if (changed < 0 && left.length === right.length) return;
  const { at } = left[changed < 0 ? left.length - 1 : changed] ?? { at: 0 };
  const place = lineColumn(before, at);
  refuse('text', 'cannot be laid out without changing more than white space', {
    ...place,
    hint: `Close the elements before this place. The line is: ${quoteLine(before, place.line, place.column)}`,
  });
}

/** Browsers close these by themselves. */
const MAY_BE_OPEN = new Set(
  'body caption colgroup dd dt head html li optgroup option p rp rt tbody td tfoot th thead tr'.split(
    ' ',
  ),
);
/** These end an open paragraph, after which `</p>` would make an empty one. */
const CLOSES_PARAGRAPH = new Set(
  'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol plaintext pre search section summary table ul xmp'.split(
    ' ',
  ),
);

/** Tags and characters in order; embedded languages, comments and white space do not count. @param {string} source */
function essence(source) {
  const parts = [];
  let inParagraph = false;
  for (const { kind, name, raw, at, attributes } of tokensOrRefuse(source)) {
    if (kind === 'start') {
      const names = attributes.map((attribute) => attribute.split('=')[0]?.toLowerCase());
      parts.push({ text: `<${name} ${names.join(' ')}>`, at });
    }
    if (kind === 'end' && !MAY_BE_OPEN.has(name)) parts.push({ text: `</${name}>`, at });
    if (name === 'p' || CLOSES_PARAGRAPH.has(name)) {
      if (kind === 'end' && name === 'p' && !inParagraph) parts.push({ text: '</p>', at });
      inParagraph = kind === 'start' && name === 'p';
    }
    const counts = kind === 'text' || (kind === 'raw' && name !== 'script' && name !== 'style');
    if (counts)
      for (const word of raw.match(/\S+/g) ?? [])
        parts.push(...[...word].map((text) => ({ text, at })));
  }
  return parts;
}

/** @param {string} source */
async function embeddedFormatters(source) {
  const needed = [];
  if (/<style|\sstyle\s*=/i.test(source)) needed.push(import('../libraries/prettier-postcss.js'));
  if (/<script|\son[a-z]+\s*=/i.test(source)) {
    needed.push(
      import('../libraries/prettier-babel.js'),
      import('../libraries/prettier-estree.js'),
    );
  }
  return Promise.all(needed);
}

/** @param {string} source @param {any} values */
export function minifyDocument(source, { comments, embedded }) {
  const small = minifyHtml(source, { comments, whitespace: true });
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
    if (error instanceof CssError) return style;
    throw error;
  }
}
