//! SQL without unnecessary white space. Strings and comments are kept.

/** @typedef {import('./tokens.js').Token} Token */

/**
 * White space next to these is insignificant in every dialect, except between a name and a bracket.
 */
const OPERATORS = new Set(['=', '<', '>', '+', '<=', '>=', '<>', '!=']);
const LOOSE = new Set(['(', ')', ',', ';', ...OPERATORS]);

/** A client command, or rows of COPY, which may begin with a tab. @param {string} text */
export const withoutEnds = (text) =>
  /^[ \t]*\r?\n/.test(text) ? text.replace(/^[ \t]*\r?\n|(?<!\s)\s+$/g, '') : text.trim();

/** @param {Token[]} tokens */
export function minifySql(tokens) {
  let out = '';
  /** @type {Token | undefined} */
  let before;
  let gap = '';
  for (const token of tokens) {
    if (token.kind === 'space') {
      gap += token.text;
      continue;
    }
    if (before) out += separator(before, token, gap);
    out +=
      token.kind === 'line-comment'
        ? token.text.trimEnd()
        : token.kind === 'line'
          ? withoutEnds(token.text)
          : token.text;
    before = token;
    gap = '';
  }
  return out;
}

/** @param {Token} left @param {Token} right @param {string} gap */
function separator(left, right, gap) {
  if (left.kind === 'line-comment' || left.kind === 'line' || right.kind === 'line') return '\n';
  if (gap === '') return '';
  // Standard SQL joins adjacent strings only across a line break.
  if (left.kind === 'quoted' && right.kind === 'quoted' && gap.includes('\n')) return '\n';
  return canJoin(left, right) ? '' : ' ';
}

/** @param {Token} left @param {Token} right */
function canJoin(left, right) {
  const leftMark = left.kind === 'mark';
  const rightMark = right.kind === 'mark';
  if (!leftMark && right.text === '(') return false;
  if (leftMark && rightMark && OPERATORS.has(left.text) && OPERATORS.has(right.text)) return false;
  if (leftMark && LOOSE.has(left.text))
    return !rightMark || LOOSE.has(right.text) || !OPERATORS.has(left.text);
  if (rightMark && LOOSE.has(right.text)) return !leftMark || !OPERATORS.has(right.text);
  return false;
}
