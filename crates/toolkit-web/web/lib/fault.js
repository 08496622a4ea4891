//! Errors in an input, thrown by the modules of `lib`: an error holds its message and position, and
//! the calling tool supplies the field.
import { refuse } from '../kit/tool.js';

/** @typedef {{offset?: number, line?: number, column?: number, hint?: string}} Place */

/** An error in an input, with its position. */
export class Fault extends Error {
  /**
   * @param {string} offence the predicate of a sentence: "has a character that is not hexadecimal"
   * @param {Place} [place]
   */
  constructor(offence, place = {}) {
    super(offence);
    this.name = 'Fault';
    this.place = place;
  }
}

/**
 * Runs `work` and turns a fault that it throws into a refusal of `field`.
 * @template T
 * @param {string} field
 * @param {() => T} work
 * @returns {T}
 */
export function inField(field, work) {
  /** @param {unknown} error @returns {never} */
  const refused = (error) => {
    if (error instanceof Fault) refuse(field, error.message, error.place);
    throw error;
  };
  try {
    const result = work();
    return result instanceof Promise ? /** @type {T} */ (result.catch(refused)) : result;
  } catch (error) {
    return refused(error);
  }
}
