//! The format of a text.

const KNOWN = ['json', 'yaml', 'xml', 'toml', 'csv'];
const ENV = /^\s*(?:(?:export\s+)?[A-Z_][A-Z0-9_]*=(?! ).*|#.*)?$/;

/** A section, and names with values: TOML, or INI, whose texts have no quotes. */
const INI = /^\s*(?:[#;][^\n]*\n\s*)*\[{1,2}[\w.-]+\]{1,2}[ \t]*\r?\n\s*[\w.-]+[ \t]*=/;

/** @param {string} text @param {[kind: string, certainty: number][]} guesses */
export function formatOf(text, guesses) {
  const start = text.trimStart().charAt(0) || '{';
  if (start === '<') return 'xml';
  if (text.includes('=') && text.split('\n').every((line) => ENV.test(line))) return 'env';
  if (INI.test(text)) return 'toml';
  const kinds = guesses.map(([kind]) => (/^(?:records|jsonLines)$/.test(kind) ? 'json' : kind));
  return kinds.find((kind) => KNOWN.includes(kind)) ?? ('[{"'.includes(start) ? 'json' : 'yaml');
}
