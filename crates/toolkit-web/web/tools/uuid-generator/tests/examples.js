//! Outputs of examples, by title.
import { list } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'Two random UUIDs (version 4)': {
    result: list(['00010203-0405-4607-8809-0a0b0c0d0e0f', '10111213-1415-4617-9819-1a1b1c1d1e1f']),
  },
  'The UUID of a domain name (version 5)': {
    result: list(['2ed6657d-e927-568b-95e1-2665a8aea6a2']),
  },
};
