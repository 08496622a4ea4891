//! Whether a formatter changed more of a style sheet than white space and spelling.

import { scanCss } from '../../lib/css/scan.js';

/** @typedef {import('../../lib/css/scan.js').Syntax} Syntax */

/**
 * The significant part of a style sheet: all but white space, comments, quotes, semicolons in
 * blocks, case, and the spelling of numbers.
 * @param {string} source @param {Syntax} syntax
 */
function essence(source, syntax) {
  let text = '';
  // The last piece, since a look at the end of the text copies all of it.
  let last = '';
  for (const { kind, text: piece } of scanCss(source, syntax)) {
    // After a CSS block a semicolon belongs to the next selector and makes it invalid.
    const counts = piece !== ';' || (syntax === 'css' && last === '}');
    if (/space|comment/.test(kind) || !counts) continue;
    text += piece;
    last = piece;
  }
  return text
    .toLowerCase()
    .replaceAll(/;(?=})/g, '')
    .replaceAll(/[\s"'\\]+/g, '')
    .replaceAll(/\+?[0-9]*\.?[0-9]+(?:e[+-]?[0-9]+)?/g, (number) => String(Number(number)));
}

/** `<!--` and `-->`, which white space breaks. @param {string} source */
const brackets = (source) => source.match(/<!--|-->/g)?.length ?? 0;

/** @param {string} before @param {string} after @param {Syntax} syntax */
export const hasChanged = (before, after, syntax) =>
  brackets(before) !== brackets(after) || essence(before, syntax) !== essence(after, syntax);
