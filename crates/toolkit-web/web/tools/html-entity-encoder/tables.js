//! The character references of a text: what they stand for, and what is wrong with them.

import { refuse } from '../../kit/tool.js';
import { decode, references } from './entities.js';

/** @import { Context } from '../../kit/types.d.ts' */
/** @import { Reference } from './entities.js' */

const ROWS_MAX = 1000;
const WARNINGS_MAX = 20;

/** The characters of a text, each as `U+00FC`. @param {string} characters */
const codePoints = (characters) =>
  Array.from(characters, (one) => {
    const digits = (one.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `U+${digits.padStart(4, '0')}`;
  }).join(' ');

/** Counts characters up to increasing UTF-16 indices. @param {string} string */
function characterCounter(string) {
  let [index, count] = [0, 0];
  return (/** @type {number} */ target) => {
    for (; index < target; count++) index += (string.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
    return count;
  };
}

/** What XML accepts in place of a reference. @param {string} source */
function hintOf(source) {
  if (/^&[a-z]/i.test(source)) return 'XML knows amp, lt, gt, quot and apos.';
  if (source.endsWith(';') && source.startsWith('&#'))
    return 'XML allows tabs, line ends, and U+0020 to U+10FFFF but surrogates, U+FFFE and U+FFFF.';
  return 'A bare "&" is written &amp; in XML.';
}

/** @param {string} string @param {'text' | 'attribute' | 'xml'} mode @param {Context} context */
export function decoded(string, mode, context) {
  const offsetOf = characterCounter(string);
  /** @type {Reference[]} */
  const list = [];
  const rows = [];
  let warnings = 0;
  for (const reference of references(string, mode)) {
    const { start, source, text: value, problem } = reference;
    list.push(reference);
    const offset = offsetOf(start);
    if (problem !== undefined) {
      if (mode === 'xml')
        refuse('text', `"${source}" ${problem}`, {
          offset,
          hint: hintOf(source),
        });
      if (++warnings <= WARNINGS_MAX)
        context.warn(`"${source}" at character ${offset + 1} ${problem}.`);
    }
    if (value !== undefined && rows.length <= ROWS_MAX)
      rows.push([source, value, codePoints(value), offset]);
  }
  if (warnings > WARNINGS_MAX)
    context.warn(`${warnings - WARNINGS_MAX} more references are not as they should be.`);
  if (rows.length > ROWS_MAX) context.warn(`The table shows the first ${ROWS_MAX} references.`);
  return { text: decode(string, list), found: rows.slice(0, ROWS_MAX) };
}
