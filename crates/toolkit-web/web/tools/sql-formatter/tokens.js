//! SQL tokenizer for fourteen dialects: enough to tell strings and comments from the rest.

import { Refusal } from '../../kit/tool.js';

export const DIALECTS = {
  sql: 'Standard SQL',
  bigquery: 'BigQuery',
  clickhouse: 'ClickHouse',
  duckdb: 'DuckDB',
  mariadb: 'MariaDB',
  mysql: 'MySQL',
  plsql: 'Oracle PL/SQL',
  postgresql: 'PostgreSQL',
  redshift: 'Redshift',
  snowflake: 'Snowflake',
  spark: 'Spark',
  sqlite: 'SQLite',
  transactsql: 'SQL Server (T-SQL)',
  trino: 'Trino',
};

/**
 * @typedef {object} Traits
 * @property {boolean} [backslash] backslash escapes in strings
 * @property {boolean} [undoubled] doubled quotes are an end and a start, not one quote
 * @property {boolean} [double] double quotes delimit strings too, with the same escapes
 * @property {boolean} [backtick] names in backticks
 * @property {boolean} [brackets] names in brackets
 * @property {boolean} [dollar] strings between `$tag$`
 * @property {boolean} [escapeString] `E'…'` has backslash escapes
 * @property {boolean} [triple] strings between three quotes
 * @property {boolean} [quoteOperator] `q'[…]'`
 * @property {boolean} [hash] comments after `#`
 * @property {boolean} [slashes] comments after `//`
 * @property {boolean} [nested] comments can be nested
 * @property {boolean} [symbols] `#` and `@` are part of operators, not of words
 * @property {RegExp} [line] a client command on its own line
 */

const MYSQL = {
  backslash: true,
  double: true,
  backtick: true,
  hash: true,
  line: /[ \t]*DELIMITER[ \t]+\S+[ \t]*$/imy,
};
/** @type {Record<string, Traits>} */
const TRAITS = {
  sql: { backslash: true, backtick: true, line: MYSQL.line },
  bigquery: {
    backslash: true,
    undoubled: true,
    double: true,
    backtick: true,
    triple: true,
    hash: true,
  },
  clickhouse: { backslash: true, double: true, backtick: true, dollar: true, hash: true },
  duckdb: { dollar: true, escapeString: true, nested: true },
  mariadb: MYSQL,
  mysql: MYSQL,
  plsql: { quoteOperator: true, line: /[ \t]*\/[ \t]*$/my },
  postgresql: {
    dollar: true,
    escapeString: true,
    nested: true,
    symbols: true,
    line: /\\[a-z].*$/imy,
  },
  redshift: {},
  snowflake: { backslash: true, dollar: true, slashes: true },
  spark: { backslash: true, undoubled: true, double: true, backtick: true },
  sqlite: { backtick: true, brackets: true },
  transactsql: {
    brackets: true,
    nested: true,
    line: /[ \t]*GO(?:[ \t]+[0-9]+)?[ \t]*(?:;[ \t]*)?$/imy,
  },
  trino: {},
};

/** @typedef {'space' | 'comment' | 'line-comment' | 'line' | 'quoted' | 'word' | 'mark'} Kind */
/** @typedef {{ kind: Kind, text: string, at: number }} Token */

const SPACE = /[\s\u00a0\ufeff]+/y;
const WORD = /[\p{L}\p{N}_$#@][\p{L}\p{N}\p{M}_$#@]*(?:(?<=[0-9])\.[0-9]+(?:[eE][+-]?[0-9]+)?)?/uy;
const PLAIN_WORD =
  /[\p{L}\p{N}_$][\p{L}\p{N}\p{M}_$]*(?:(?<=[0-9])\.[0-9]+(?:[eE][+-]?[0-9]+)?)?/uy;
/** Operators of more than one character, which a space would split. */
const OPERATOR =
  /<=>|->>|\|\|\/|!~~?\*?|<->|\/\/|<=|>=|<>|!=|==|\|\||::|:=|=>|->|&&|<<|>>|\*\*|~\*|#>>?|@>|<@|@@|@\?/y;
/** A command to the MySQL client: sets the statement delimiter from here on. */
const CLIENT = /^[ \t]*DELIMITER[ \t]+(\S+)/i;
/** Prefixes of a string, right before its quote: `E'…'`, `_utf8'…'`. */
const PREFIX = /^(?:[begnqrux]|nq|br|rb|[bgu]x|_[a-z]\w*)$/i;
const DOLLAR = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;

/** A PostgreSQL statement that is followed by rows, as pg_dump writes them. */
const COPY = /^(?:\s|--.*\n)*COPY\s[\s\S]*[\s)]FROM\s+STDIN\b/i;

/** The rows of COPY up to the line `\\.`, which are not SQL. @param {string} source @param {number} at @returns {Token | undefined} */
function copied(source, at) {
  const [text = ''] =
    /^[ \t]*\r?\n(?:[\s\S]*?\n)?\\\.[ \t]*(?=\r?\n|$)/.exec(source.slice(at)) ?? [];
  return text === '' ? undefined : { kind: 'line', text, at };
}

/** Tokens whose concatenated texts are the input. @param {string} source @param {string} dialect @returns {Token[]} */
export function tokenizeSql(source, dialect) {
  const traits = TRAITS[dialect] ?? {};
  /** @type {Token[]} */
  const tokens = [];
  let at = 0;
  let delimiter = ';';
  let statement = 0;
  while (at < source.length) {
    const atLineStart = at === 0 || source[at - 1] === '\n';
    const token = readToken(source, at, traits, atLineStart, delimiter);
    tokens.push(token);
    at += token.text.length;
    if (token.kind === 'line') delimiter = CLIENT.exec(token.text)?.[1] ?? delimiter;
    if (token.text !== ';') continue;
    const rows = COPY.test(source.slice(statement, at)) && copied(source, at);
    if (rows) tokens.push(rows);
    at += rows ? rows.text.length : 0;
    statement = at;
  }
  return tokens;
}

/** @param {string} source @param {number} at @param {Traits} traits @param {boolean} atLineStart @param {string} delimiter @returns {Token} */
function readToken(source, at, traits, atLineStart, delimiter) {
  const make = (/** @type {Kind} */ kind, /** @type {number} */ end) => ({
    kind,
    text: source.slice(at, end),
    at,
  });
  if (atLineStart && traits.line) {
    const line = match(traits.line, source, at);
    if (line) return make('line', at + line.length);
  }
  if (delimiter !== ';' && source.startsWith(delimiter, at))
    return make('line', at + delimiter.length);
  const space = match(SPACE, source, at);
  if (space) {
    // Stops after the last line break, so that a client command on its own line is seen.
    const lines = traits.line && space.includes('\n') ? space.lastIndexOf('\n') + 1 : space.length;
    return make('space', at + lines);
  }
  const comment = commentEnd(source, at, traits);
  if (comment) return make(source[at + 1] === '*' ? 'comment' : 'line-comment', comment);
  const quoted = quotedEnd(source, at, traits);
  if (quoted) return make('quoted', quoted);
  const word = match(traits.symbols ? PLAIN_WORD : WORD, source, at);
  const prefixed = word && PREFIX.test(word) && source[at + word.length] === "'";
  const text = prefixed ? quotedEnd(source, at + word.length, traits) : undefined;
  if (text) return make('quoted', text);
  if (word) return make('word', at + upTo(word, delimiter));
  const operator = match(OPERATOR, source, at);
  if (operator) return make('mark', at + operator.length);
  return make('mark', at + ((source.codePointAt(at) ?? 0) > 0xffff ? 2 : 1));
}

/** The length of a word before a custom delimiter, which may consist of letters. @param {string} word @param {string} delimiter */
function upTo(word, delimiter) {
  const end = delimiter === ';' ? -1 : word.indexOf(delimiter);
  return end > 0 ? end : word.length;
}

/** @param {RegExp} pattern @param {string} source @param {number} at */
function match(pattern, source, at) {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/** @param {string} source @param {number} at @param {Traits} traits */
function commentEnd(source, at, traits) {
  const two = source.slice(at, at + 2);
  if (two === '--' || (traits.hash && two[0] === '#') || (traits.slashes && two === '//')) {
    const end = source.indexOf('\n', at);
    return end < 0 ? source.length : end;
  }
  if (two !== '/*') return undefined;
  let depth = 1;
  let end = at + 2;
  while (depth > 0) {
    const close = source.indexOf('*/', end);
    if (close < 0) throw new Refusal('has a comment that is never closed', { at });
    const open = traits.nested ? source.indexOf('/*', end) : -1;
    const opens = open >= 0 && open < close;
    depth += opens ? 1 : -1;
    end = (opens ? open : close) + 2;
  }
  return end;
}

/** @param {string} source @param {number} at @param {Traits} traits */
function quotedEnd(source, at, traits) {
  const mark = source[at];
  const before = source.slice(Math.max(0, at - 2), at);
  if (traits.dollar && mark === '$') {
    const tag = match(DOLLAR, source, at);
    return tag && until(source, at, at + tag.length, tag);
  }
  if (mark === "'" || mark === '"') {
    const three = mark.repeat(3);
    if (traits.triple && source.startsWith(three, at)) return until(source, at, at + 3, three);
    if (mark === "'" && traits.quoteOperator && /(?:^|[^\p{L}\p{N}_])[qQ]$|[nN][qQ]$/u.test(before))
      return bracketed(source, at);
    const isText = mark === "'" || traits.double;
    const escaped =
      isText &&
      (traits.backslash || (traits.escapeString && /(?:^|[^\p{L}\p{N}_])[eE]$/u.test(before)));
    const isRaw =
      traits.backslash &&
      !traits.triple &&
      /(?:^|[^\p{L}\p{N}_])(?:[rR]|[bBrR][rRbB])$/u.test(before);
    return closing(source, at, mark, Boolean(escaped) && !isRaw, traits.undoubled);
  }
  if (mark === '`' && traits.backtick) return closing(source, at, '`', false);
  if (mark === '[' && traits.brackets) return closing(source, at, ']', false);
  return undefined;
}

/** @param {string} source @param {number} start @param {string} quote @param {boolean} escaped @param {boolean} [undoubled] */
function closing(source, start, quote, escaped, undoubled = false) {
  for (let at = start + 1; at < source.length; at += 1) {
    if (escaped && source[at] === '\\') at += 1;
    else if (source[at] === quote) {
      if (undoubled || source[at + 1] !== quote) return at + 1;
      at += 1;
    }
  }
  throw new Refusal(`has a ${source[start]} that is never closed`, { at: start });
}

/** @param {string} source @param {number} start @param {number} from @param {string} end */
function until(source, start, from, end) {
  const index = source.indexOf(end, from);
  if (index < 0) throw new Refusal(`has a ${end} that is never closed`, { at: start });
  return index + end.length;
}

/** Oracle's `q'[…]'`. @param {string} source @param {number} start */
function bracketed(source, start) {
  const open = source[start + 1] ?? '';
  const pair =
    /** @type {Record<string, string>} */ ({ '[': ']', '(': ')', '{': '}', '<': '>' })[open] ??
    open;
  return until(source, start, start + 2, `${pair}'`);
}

/**
 * The significant part of SQL: words without case, everything else without white space.
 * @param {Token[]} tokens
 */
export function essence(tokens) {
  return tokens
    .filter(({ kind }) => kind !== 'space')
    .map(({ kind, text, at }) => ({
      text: kind === 'word' ? text.toLowerCase() : text.trim(),
      at,
    }));
}

/** Dialects by the notations that others would misread, then by how common they are. */
const SIGNS = /** @type {[dialect: keyof typeof DIALECTS, sign: RegExp][]} */ ([
  ['snowflake', /\bfrom\s+@(?:[~%]|[\w.]+\/)/i],
  ['mysql', /^[ \t]*DELIMITER[ \t]+\S+[ \t]*$/im],
  ['postgresql', /\$\w*\$|\$\d|(?<=[\w)'\]]):: ?[a-z]|\b(?:returning|ilike)\b|\be''/i],
  [
    'transactsql',
    /^[ \t]*GO[ \t]*(?:;[ \t]*)?$|(?:^|[\s,.(=])(?=\[[a-z_])(?<!\barray\s*)|\btop\s*(?:\(\s*)?\d|\bn''|\bdbo\.|\bdeclare\s+@/im,
  ],
  ['plsql', /^[ \t]*\/[ \t]*$|\bn?q'|\bvarchar2\b|\bfrom\s+dual\b/im],
  ['mysql', /(?:^|\s)#(?:\s|$)|`|\b_[a-z]\w*''|@\w+\s*:=/i],
  ['transactsql', /(?<!@)@[a-z]/i],
  ['postgresql', /^/],
  ['mysql', /^/],
  ['transactsql', /^/],
  ['sqlite', /^/],
]);

/** Dialects in the order in which they are tried for a text. @param {string} source */
export function likely(source) {
  const code = source.replaceAll(
    /'(?:[^'\\]|\\[\s\S])*(?:'|\\?($))|--.*|\/\*[\s\S]*?(?:\*\/|$)/g,
    (text, open) => (text.startsWith("'") ? (open === undefined ? "''" : text) : ' '),
  );
  const signs = SIGNS.filter(([, sign]) => sign.test(code)).map(([dialect]) => dialect);
  const all = /** @type {(keyof typeof DIALECTS)[]} */ (Object.keys(DIALECTS));
  return [...new Set([...signs, ...all])];
}
