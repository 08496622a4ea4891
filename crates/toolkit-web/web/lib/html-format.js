//! HTML formatted by prettier; formatters of other languages are loaded only if the document has
//! them.

import { Refusal, refuse } from '../kit/tool.js';
import * as html from '../libraries/prettier-html.js';
import { minifyCss } from './css-minify.js';
import { CssError } from './css-scan.js';
import { difference, misread } from './html-compare.js';
import { indentHtml } from './html-indent.js';
import { minifyHtml } from './html-minify.js';
import { HtmlError, tokenizeHtml } from './html-tokens.js';
import { lineColumn, quoteLine } from './positions.js';
import { formatOrRefuse } from './prettier-format.js';

/** Tokens; refuses the field when something is not closed. @param {string} source */
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

/**
 * Documents with errors, which the formatter refuses or would change, are only indented.
 * @param {string} source @param {any} values @param {(sentence: string) => void} warn
 */
export async function formatHtml(source, values, warn) {
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
  const tokens = tokensOrRefuse(source);
  const output = misread(tokens) ?? (await formatted(source, options));
  const error = output instanceof Refusal ? output : difference(tokens, output);
  if (!error) return String(output);
  const { line, column } = error.position;
  const place = line === undefined ? '' : ` at line ${line}, column ${column ?? 1}`;
  warn(
    `The HTML has an error${place} (${error.message.replace(/^is not HTML: /, '').replace(/\. [\s\S]*/, '')}), so it was only indented: tags, scripts and styles stay as they are.`,
  );
  return indentHtml(source, { unit: indent === 'tab' ? '\t' : ' '.repeat(Number(indent)), width });
}

/** @param {string} source @param {any} options @returns {Promise<string | Refusal>} */
async function formatted(source, options) {
  try {
    return await formatOrRefuse(source, options, 'HTML');
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
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
