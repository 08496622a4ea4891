//! Formatting by prettier: errors as refusals with line, column and the line itself.

import { refuse } from '../kit/tool.js';
import { quoteLine } from './positions.js';

/**
 * @param {string} source
 * @param {any} options
 * @param {string} language as a sentence names it
 */
export async function formatOrRefuse(source, options, language) {
  const { format } = await import('../libraries/prettier.js');
  try {
    return await format(source, options);
  } catch (error) {
    const { loc, message } = /** @type {{ loc?: any, message: string }} */ (error);
    const place = loc?.start ?? loc;
    if (!place) {
      return refuse('text', `cannot be formatted: the formatter fails on it (${tidy(message)})`, {
        hint: 'The input is unchanged; leave out parts of it to find the place.',
      });
    }
    const { line, column } = place;
    return refuse('text', `is not ${language}: ${tidy(message)}`, {
      line,
      ...(column !== undefined && { column: Math.max(1, column) }),
      hint: `The line is: ${quoteLine(source, line, column)}`,
    });
  }
}

/** The first line of a message, without class name and position. @param {string} message */
function tidy(message) {
  const first = message.split('\n')[0] ?? '';
  const plain = first
    .replace(/^(?:CssSyntaxError|SyntaxError): /, '')
    .replace(/ ?\([0-9]+:[0-9]+\)$/, '')
    .replace(/\.$/, '');
  return /^[A-Z][a-z]/.test(plain) ? plain.charAt(0).toLowerCase() + plain.slice(1) : plain;
}
