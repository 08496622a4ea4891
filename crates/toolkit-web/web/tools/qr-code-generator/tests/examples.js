//! Outputs of examples, by title.
import { pairs } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A link': {
    facts: pairs([
      ['Version', '2 (25 × 25 modules)'],
      ['Mode', 'byte'],
      ['Used', '24 bytes'],
      ['Room left', '2 bytes'],
    ]),
  },
  'A place': {
    content: 'geo:48.2082,16.3738',
  },
  'A phone number': {
    content: 'tel:+43123456',
  },
};
