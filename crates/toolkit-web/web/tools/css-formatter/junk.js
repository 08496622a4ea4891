//! Declarations that are none, as browsers skip them (CSS Syntax §5.5.5): they stay as they are.

import { Refusal } from '../../kit/tool.js';

const MOST = 100;

/** The index of a line and column. @param {string} source @param {Refusal} refusal */
function placeOf(source, { position: { line = 1, column = 1 } }) {
  const before = source.split('\n').slice(0, line - 1);
  return before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
}

/**
 * Formats a sheet, with comments in place of what is no declaration; that is said.
 * @param {string} source @param {(text: string) => Promise<string>} format @param {(sentence: string) => void} warn
 */
export async function withJunk(source, format, warn) {
  /** @type {string[]} */
  const junk = [];
  let text = source;
  for (;;) {
    try {
      const output = await format(text);
      return output.replaceAll(/\/\*!junk-(\d+)-*\*\//g, (_, at) => junk[at] ?? '');
    } catch (error) {
      if (!(error instanceof Refusal) || !/unknown word/.test(error.message)) throw error;
      if (junk.length === MOST) throw error;
      const at = placeOf(text, error);
      const start = Math.max(
        ...['{', '}', ';', '*/'].map((mark) => text.lastIndexOf(mark, at - 1) + mark.length),
      );
      const [all = '', declaration = ''] = /^\s*([^{};]+;?)/.exec(text.slice(start)) ?? [];
      // Before a block it is a rule, which cannot be skipped.
      const from = start + all.length - declaration.length;
      if (declaration.trim() === '' || /^\s*\{/.test(text.slice(from + declaration.length)))
        throw error;
      const { line } = error.position;
      warn(
        `Line ${line}: "${declaration.replace(/;$/, '').trim().slice(0, 40)}" is no declaration; browsers skip it, and it was left as it is.`,
      );
      const mark = `/*!junk-${junk.length}${'-'.repeat(declaration.split('\n').length - 1)}*/`;
      text =
        text.slice(0, from) +
        mark +
        '\n'.repeat(declaration.split('\n').length - 1) +
        text.slice(from + declaration.length);
      junk.push(declaration.trim());
    }
  }
}
