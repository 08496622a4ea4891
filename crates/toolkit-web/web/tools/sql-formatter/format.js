//! SQL formatting: the library's errors as sentences, and a check that only white space and case changed.

import { attempt, refuse } from '../../kit/tool.js';
import { tabs } from '../../lib/indents.js';
import { inField, lineAt, lineColumn, quoteLine } from '../../lib/positions.js';
import { format } from '../../libraries/sql-formatter.js';
import { withoutEnds } from './minify.js';
import { placeholdersOf } from './placeholders.js';
import { DIALECTS, essence, likely, tokenizeSql } from './tokens.js';

/** @import { Token } from './tokens.js' */
/** @typedef {keyof typeof DIALECTS} Dialect */

/** A longer text is tried in the most likely dialects only. */
const MOST_TRIED = 20_000;
/** @param {string} source @param {Dialect} dialect */
export function tokensOf(source, dialect) {
  return inField('text', source, () => tokenizeSql(source, dialect), lineAt);
}

/** @param {string} masked @param {string} source @param {any} options @param {number} linesBefore */
function formatOrRefuse(masked, source, options, linesBefore) {
  try {
    return format(masked, options);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const place = / at line ([0-9]+) column ([0-9]+)/.exec(message);
    const [, row = '1', column = '1'] = place ?? [];
    const [, cause = ''] = message.slice(0, place?.index).split(/token: |Unexpected /);
    const rest = source.split('\n')[Number(row) - 1]?.slice(Number(column) - 1) ?? '';
    const offence = cause.startsWith('«')
      ? 'ends too early'
      : `has "${rest.slice(0, Math.min(38, cause.length - 2))}" where it does not belong`;
    return refuse('text', `${offence} in ${DIALECTS[/** @type {'sql'} */ (options.language)]}`, {
      line: Number(row) + linesBefore,
      column: Number(column),
      hint: `The line is: ${quoteLine(source, Number(row), Number(column))}`,
    });
  }
}

/** Where formatting changed the code first, or undefined. @param {Token[]} before @param {string} after @param {Dialect} dialect */
function changedAt(before, after, dialect) {
  const left = essence(before);
  const right = essence(tokenizeSql(after, dialect));
  const changed = left.findIndex(({ text }, i) => text !== right[i]?.text);
  if (changed < 0 && left.length === right.length) return undefined;
  return left[Math.max(0, changed)]?.at ?? 0;
}

/** The first dialect that accepts a text, or else the most likely one. @param {string} source @param {any} values */
export function dialectOf(source, values) {
  const all = likely(source);
  const tried = source.length > MOST_TRIED ? all.slice(0, 4) : all;
  const takes = (/** @type {Dialect} */ dialect) =>
    attempt(() => {
      const tokens = tokenizeSql(source, dialect);
      const output = formatSql(tokens, { ...values, dialect });
      return changedAt(tokens, output, dialect) === undefined;
    });
  return tried.find(takes) ?? all[0] ?? 'sql';
}

/** @param {string} before @param {string} after @param {Dialect} dialect @param {(sentence: string) => void} warn */
export function warnOfChanges(before, after, dialect, warn) {
  const changed = changedAt(tokenizeSql(before, dialect), after, dialect);
  if (changed === undefined) return;
  const { line } = lineColumn(before, changed);
  warn(`Formatting changed the code at line ${line}. Compare before using it.`);
}

/** @param {any} values @returns {any} */
const optionsOf = (values) => ({
  language: values.dialect,
  keywordCase: values.keywords,
  dataTypeCase: values.types,
  functionCase: values.functions,
  ...tabs(values.indent),
  expressionWidth: values.width,
  logicalOperatorNewline: values.logical,
  paramTypes: placeholdersOf(values.dialect),
});

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

/** A letter that no name starts with. */
const MASK = '\ua66e';
/** A text in quotes with its prefix, unless it is empty. */
const TEXT = /^\w*'[^\n][\s\S]*'$/;
/** A clause that the formatter knows, used in place of SQL Server's OUTPUT, which it does not know. */
const LENT = 'WINDOW';
const CASES = /** @type {Record<string, (word: string) => string>} */ ({
  upper: (word) => word.toUpperCase(),
  lower: (word) => word.toLowerCase(),
});

/**
 * The text with everything masked that the formatter would misread, and the masked parts in order: an alias `set` and
 * the FROM of IS DISTINCT FROM, which otherwise start a clause, and the contents of strings.
 * @param {readonly Token[]} tokens @param {string} keywords
 */
function withMasks(tokens, keywords) {
  const solid = tokens.filter(({ kind }) => !/space|comment/.test(kind));
  const wordAt = (/** @type {number} */ at) => solid[at]?.text.toLowerCase() ?? '';
  const cased = (/** @type {string} */ word) => CASES[keywords]?.(word) ?? word;
  /** @type {Map<Token, string>} */
  const hidden = new Map();
  /** What each LENT stands for. @type {Map<Token, string>} */
  const lent = new Map();
  for (const [at, token] of solid.entries()) {
    const [before, next, second] = [wordAt(at - 1), wordAt(at + 1), wordAt(at + 2)];
    if (wordAt(at) === 'from' && before === 'distinct' && /^(?:is|not)$/.test(wordAt(at - 2)))
      hidden.set(token, cased(token.text));
    if (wordAt(at) === 'output' && /^(?:inserted|deleted|\$action)$/.test(next))
      lent.set(token, cased(token.text));
    if (wordAt(at) === LENT.toLowerCase()) lent.set(token, cased(token.text));
    const isClause = /^[^\W\d]|^["`[@:$(]/.test(next) && !AFTER_ALIAS.test(next);
    const isColumn = next === '.' || (next === '' && before !== 'update');
    // A prefix, or an escape that the formatter does not know, would end the string elsewhere.
    if (TEXT.test(token.text)) hidden.set(token, token.text);
    if (wordAt(at) === 'set' && at > 0 && (isColumn || !isClause) && second !== '=')
      hidden.set(token, token.text);
  }
  return {
    text: tokens
      .map((token) => {
        if (lent.has(token)) return LENT;
        if (!hidden.has(token)) return token.text;
        if (!TEXT.test(token.text)) return MASK + token.text.slice(1);
        return `'${token.text.slice(1, -1).replaceAll(/[^\n]/g, MASK)}'`;
      })
      .join(''),
    words: [...hidden.values()],
    clauses: [...lent.values()],
  };
}

/** Words that follow a table alias, but not SET. */
const AFTER_ALIAS =
  /^(?:on|using|join|left|right|inner|outer|full|cross|natural|where|group|order|having|limit|union|as)$/;

/**
 * Formatted SQL. Client commands on their own lines (`GO`, `/`) stay between the parts.
 * @param {Token[]} tokens @param {any} values
 */
export function formatSql(tokens, values) {
  const options = optionsOf(values);
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
      const { text: masked, words, clauses } = withMasks(before, values.keywords);
      const formatted = formatOrRefuse(masked, part, options, linesBefore);
      const after = tokensOf(formatted, dialect);
      for (const token of after)
        if (token.text.includes(MASK)) token.text = words.shift() ?? token.text;
        else if (token.text.toUpperCase() === LENT) token.text = clauses.shift() ?? token.text;
      parts.push(rejoined(before, after));
    }
    if (text !== '') parts.push(withoutEnds(text));
    linesBefore += part.split('\n').length - 1;
    part = '';
  }
  return parts.map((text) => `${text}\n`).join('');
}
