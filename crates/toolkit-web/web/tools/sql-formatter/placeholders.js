//! Placeholders of drivers and templates, which the formatter would split: `%s` into an operator and a name.

const NAME = String.raw`[A-Za-z_][\w.]*`;
/** The tags of Jinja (dbt), names in braces, `%s` and `%(name)s` of Python, and names or numbers after a sign. */
const FORMS = [
  String.raw`\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}`,
  String.raw`[$#]\{[^{}]*\}|\{${NAME}(?::[^{}]*)?\}`,
  String.raw`%\(${NAME}\)s|(?<![^\s(,=<>])%[sd](?!\w)`,
  // Not in a cast, a slice, a JSON path or a dollar-quoted string.
  String.raw`(?<![\w:@?$"\])])(?:[:@?]\w+|\$\w+(?![\w$]))`,
];
/** The staged files of Snowflake. */
const STAGE = String.raw`@(?:[~%][\w$]*|[\w$.]+)(?:/[\w$./=-]*)?`;

/** The formatter's parameter types for a dialect. @param {string} dialect */
export function placeholdersOf(dialect) {
  const isOperator = ['clickhouse', 'postgresql'].includes(dialect);
  const forms = dialect === 'snowflake' ? [STAGE, ...FORMS] : FORMS;
  const all = isOperator ? forms : [...forms, String.raw`\?`];
  return { ...(!isOperator && { numbered: ['?'] }), custom: all.map((regex) => ({ regex })) };
}
