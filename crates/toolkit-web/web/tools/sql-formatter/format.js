//! SQL formatting: the library's errors as sentences, and a check that only white space and case
//! changed.

import { attempt, refuse } from '../../kit/tool.js';
import { inField, lineAt, lineColumn, quoteLine } from '../../lib/positions.js';
import { format } from '../../libraries/sql-formatter.js';
import { withoutEnds } from './minify.js';
import { readPlaceholders } from './placeholders.js';
import { DIALECTS, essence, tokenizeSql } from './tokens.js';

/** @import { Token } from './tokens.js' */

const MOST_TRIED = 20_000;
/** @param {string} source @param {keyof typeof DIALECTS} dialect */
export function tokensOf(source, dialect) {
  return inField('text', source, () => tokenizeSql(source, dialect), lineAt);
}

/** @param {string} source @param {any} options @param {number} linesBefore */
function formatOrRefuse(source, options, linesBefore) {
  try {
    return format(source, options);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const place = / at line ([0-9]+) column ([0-9]+)/.exec(message);
    const [, row = '1', column = '1'] = place ?? [];
    const [, cause = 'a token'] = message.slice(0, place?.index).split(/token: |Unexpected /);
    const offence = cause.startsWith('«')
      ? 'ends too early'
      : `has ${cause.split('\n')[0]?.slice(0, 40)} where it does not belong`;
    const hint = `The line is: ${quoteLine(source, Number(row), Number(column))}`;
    const dialects = source.length > MOST_TRIED ? '' : `${acceptance(source, options)} `;
    return refuse('text', `${offence} in ${DIALECTS[/** @type {'sql'} */ (options.language)]}`, {
      line: Number(row) + linesBefore,
      column: Number(column),
      hint: dialects + hint,
    });
  }
}

/** @param {string} source @param {any} options */
function acceptance(source, options) {
  const others = acceptingDialects(source, options, options.language);
  return others.length > 0
    ? `These dialects accept it: ${others.join(', ')}.`
    : 'No other dialect accepts it either.';
}

/** @param {string} source @param {any} options @param {string} dialect */
function acceptingDialects(source, options, dialect) {
  return Object.entries(DIALECTS).flatMap(([language, label]) => {
    if (language === dialect) return [];
    return attempt(() => format(source, { ...options, language })) === undefined ? [] : [label];
  });
}

/** @param {string} before @param {string} after @param {keyof typeof DIALECTS} dialect @param {(sentence: string) => void} warn */
export function warnOfChanges(before, after, dialect, warn) {
  const left = essence(tokenizeSql(before, dialect));
  const right = essence(tokensOf(after, dialect));
  const changed = left.findIndex(({ text }, i) => text !== right[i]?.text);
  if (changed < 0 && left.length === right.length) return;
  const { line } = lineColumn(before, left[Math.max(0, changed)]?.at ?? before.length);
  warn(`Formatting changed the code at line ${line}. Compare before using it.`);
}

/** @param {any} values @returns {any} */
function optionsOf({
  dialect,
  keywords,
  types,
  functions,
  names,
  indent,
  style,
  width,
  logical,
  blank_lines,
  dense,
  semicolon,
  placeholders,
  source,
}) {
  return {
    language: dialect,
    keywordCase: keywords,
    dataTypeCase: types,
    functionCase: functions,
    identifierCase: names,
    tabWidth: indent === 'tab' ? 2 : Number(indent),
    useTabs: indent === 'tab',
    indentStyle: style,
    expressionWidth: width,
    logicalOperatorNewline: logical,
    linesBetweenQueries: blank_lines,
    denseOperators: dense,
    newlineBeforeSemicolon: semicolon,
    ...readPlaceholders(placeholders, dialect, source),
  };
}

/**
 * Rejoins operators that the formatter split, as in `a | | b`.
 * @param {readonly Token[]} before @param {readonly Token[]} after
 */
function rejoined(before, after) {
  const wanted = before.filter(({ kind }) => kind !== 'space');
  let out = '';
  let at = 0;
  for (let index = 0; index < after.length; index++) {
    const token = after[index];
    if (token === undefined || token.kind === 'space') {
      out += token?.text ?? '';
      continue;
    }
    const whole = wanted[at++];
    const end = whole?.kind === 'mark' ? endOfParts(after, index, whole.text) : index;
    out += end > index ? whole?.text : token.text;
    index = end;
  }
  return out;
}

/** Index of the last token of an operator, or `start`. @param {readonly Token[]} tokens @param {number} start @param {string} operator */
function endOfParts(tokens, start, operator) {
  let parts = '';
  for (let index = start; index < tokens.length; index++) {
    const { kind, text } = tokens[index] ?? { kind: 'word', text: '' };
    if (kind === 'space') continue;
    parts += text;
    if (parts === operator) return index;
    if (kind !== 'mark' || !operator.startsWith(parts)) break;
  }
  return start;
}

/** A letter that no one begins a name with. */
const MASK = '\ua66e';
const CASES = /** @type {Record<string, (word: string) => string>} */ ({
  upper: (word) => word.toUpperCase(),
  lower: (word) => word.toLowerCase(),
});

/**
 * The text with words hidden that the formatter takes for the start of a clause: an alias `set`, and the
 * FROM of IS DISTINCT FROM; with these words, in order.
 * @param {readonly Token[]} tokens @param {string} keywords
 */
function withoutAliases(tokens, keywords) {
  const solid = tokens.filter(({ kind }) => !/space|comment/.test(kind));
  const wordAt = (/** @type {number} */ at) => solid[at]?.text.toLowerCase() ?? '';
  /** @type {Map<Token, string>} */
  const hidden = new Map();
  for (const [at, token] of solid.entries()) {
    const [before, next, second] = [wordAt(at - 1), wordAt(at + 1), wordAt(at + 2)];
    if (wordAt(at) === 'from' && before === 'distinct' && /^(?:is|not)$/.test(wordAt(at - 2)))
      hidden.set(token, CASES[keywords]?.(token.text) ?? token.text);
    const isClause = /^[^\W\d]|^["`[@:$(]/.test(next) && !AFTER_ALIAS.test(next);
    const isColumn = next === '.' || (next === '' && before !== 'update');
    if (wordAt(at) === 'set' && at > 0 && (isColumn || !isClause) && second !== '=')
      hidden.set(token, token.text);
  }
  return {
    text: tokens
      .map((token) => (hidden.has(token) ? MASK + token.text.slice(1) : token.text))
      .join(''),
    words: [...hidden.values()],
  };
}

/** What follows the alias of a table, and no SET. */
const AFTER_ALIAS =
  /^(?:on|using|join|left|right|inner|outer|full|cross|natural|where|group|order|having|limit|union|as)$/;

/**
 * Formatted SQL; client commands on their own lines (`GO`, `/`) stay between the parts.
 * @param {Token[]} tokens @param {any} values
 */
export function formatSql(tokens, values) {
  const options = optionsOf({ ...values, source: tokens.map(({ text }) => text).join('') });
  const parts = [];
  let part = '';
  let linesBefore = 0;
  for (const { kind, text } of [...tokens, { kind: 'line', text: '' }]) {
    if (kind !== 'line') {
      part += text;
      continue;
    }
    if (part.trim() !== '') {
      const { dialect } = values;
      const before = tokenizeSql(part, dialect);
      const { text: masked, words } = withoutAliases(before, values.keywords);
      const formatted = formatOrRefuse(masked, options, linesBefore);
      const after = tokensOf(formatted, dialect);
      for (const token of after)
        if (token.text.startsWith(MASK)) token.text = words.shift() ?? token.text;
      parts.push(rejoined(before, after));
    }
    if (text !== '') parts.push(withoutEnds(text));
    linesBefore += part.split('\n').length - 1;
    part = '';
  }
  return parts.map((text) => `${text}\n`).join('');
}
