//! Unified patches, as `diff -u` writes and `patch` reads them (POSIX `diff`, unified format).

import { diff } from './diff.js';

/** Lines with their endings. The last line may lack one. @param {string} text */
const linesWithEnds = (text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/**
 * The patch that turns the first text into the second. Empty if they are equal.
 * @param {string} left @param {string} right @param {{ names: readonly [string, string], context: number, limit?: import('./diff.js').Limit }} options
 */
export function unifiedPatch(left, right, { names, context, limit }) {
  const [a, b] = [linesWithEnds(left), linesWithEnds(right)];
  const changes = diff(a, b, limit).filter(({ same }) => !same);
  if (changes.length === 0) return '';
  /** @type {import('./diff.js').Block[][]} */
  const hunks = [];
  for (const change of changes) {
    const last = hunks.at(-1);
    const gap = change.a[0] - (last?.at(-1)?.a[1] ?? 0);
    if (last && gap <= 2 * context) last.push(change);
    else hunks.push([change]);
  }
  const body = hunks.map((hunk) => written(hunk, a, b, context)).join('');
  return `--- ${names[0]}\n+++ ${names[1]}\n${body}`;
}

/** @param {import('./diff.js').Block[]} hunk @param {string[]} a @param {string[]} b @param {number} context */
function written(hunk, a, b, context) {
  const [first, last] = [hunk[0], hunk.at(-1)];
  if (!first || !last) return '';
  const before = Math.min(context, first.a[0]);
  const after = Math.min(context, a.length - last.a[1]);
  const [a0, b0] = [first.a[0] - before, first.b[0] - before];
  let [body, at] = ['', a0];
  const put = (/** @type {string} */ sign, /** @type {string[]} */ lines) => {
    for (const line of lines)
      body += line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
  };
  for (const change of hunk) {
    put(' ', a.slice(at, change.a[0]));
    put('-', a.slice(...change.a));
    put('+', b.slice(...change.b));
    at = change.a[1];
  }
  put(' ', a.slice(at, at + after));
  return `@@ -${range(a0, at + after - a0)} +${range(b0, last.b[1] + after - b0)} @@\n${body}`;
}

/** An empty range names the line before it. @param {number} start @param {number} count */
const range = (start, count) =>
  count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
