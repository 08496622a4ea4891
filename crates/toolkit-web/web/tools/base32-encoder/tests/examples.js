//! Outputs of examples, by title.

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A Crockford number with a check symbol': {
    base32: '16JD',
  },
  'Back to text': {
    text: 'fooba',
  },
};
