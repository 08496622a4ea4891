//! Positions in a text as people count them: characters (code points), and lines and columns from
//! 1.

/**
 * Number of characters before a UTF-16 index.
 * @param {string} string
 * @param {number} index
 */
export function characterOffset(string, index) {
  let count = 0;
  for (let i = 0; i < Math.min(index, string.length); count += 1) {
    i += (string.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
  }
  return count;
}

/**
 * Line and column, from 1, of a UTF-16 index. A line ends in LF, CR LF or CR.
 * @param {string} string
 * @param {number} index
 */
export function lineColumn(string, index) {
  const before = string.slice(0, index);
  const breaks = before.match(/\r\n|\n|\r(?!$)/g)?.length ?? 0;
  const start = Math.max(before.lastIndexOf('\n'), before.slice(0, -1).lastIndexOf('\r')) + 1;
  return { line: breaks + 1, column: characterOffset(before.slice(start), before.length) + 1 };
}

/**
 * One line of a text as quoted in a sentence, truncated around the column when it is long.
 * @param {string} string
 * @param {number} line
 * @param {number} [column]
 */
export function quoteLine(string, line, column = 1) {
  const content = [...(string.split(/\r\n|\n|\r/)[line - 1] ?? '')];
  const from = Math.max(0, Math.min(column - 40, content.length - 80));
  const part = content
    .slice(from, from + 80)
    .join('')
    .trim();
  return `${from > 0 ? '…' : ''}${part}${content.length > from + 80 ? '…' : ''}`;
}
