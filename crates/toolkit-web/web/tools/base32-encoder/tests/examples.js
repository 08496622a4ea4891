//! Outputs and warnings of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A Crockford number with a check symbol': {
    base32: '16JD',
  },
  'Back to text': {
    text: 'fooba',
  },
};

/** All warnings of examples, by title. @type {Record<string, string[]>} */
export const warnings = {
  'Back to text': ['Lowercase letters were read as uppercase.'],
};
