//! Outputs of examples, by title.
import { list, pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A NanoID': {
    result: list(['UTSRQPONMLKJIHGFEDCBA']),
    strength: pairs([['Random bits', 126]]),
  },
};
