//! Faults of an input, as the modules of `lib` throw them: a fault knows the offence and its place,
//! the tool that called knows the field.
import { refuse } from '../kit/tool.js';

/** @typedef {{offset?: number, line?: number, column?: number, hint?: string}} Place */

/** What is wrong with an input, and where. */
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
 * Does `work` and refuses `field` with the fault that it throws, if any.
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
